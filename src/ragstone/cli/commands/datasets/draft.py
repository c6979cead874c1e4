"""`draft`: a test set from documents, every gold point proved by its place in a text."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from ragstone.cli import flags
from ragstone.cli.output import print_json
from ragstone.cli.wording import choose, show_findings
from ragstone.core.errors import SettingError
from ragstone.core.language import Lang, pick_language
from ragstone.core.types import JSON, Finding
from ragstone.drafting.accept import accept
from ragstone.drafting.corpus import read_corpus
from ragstone.drafting.draft import DIFFICULTIES, KINDS, REFUSED, STOPPED, Draft
from ragstone.drafting.draw import Drawn, split
from ragstone.drafting.make import Chat, Plan, make
from ragstone.drafting.rows import ENDINGS, WRITERS, write_rows
from ragstone.report.aligned import aligned
from ragstone.text.visible import visible_line

_REPLIES = ".proposals.jsonl"
"""How the file ends that keeps a model's replies."""


@click.command(
    help=choose(
        "Draft N questions from the documents in DOCS. No model is needed; every gold point carries the quotation that "
        "proves it, and `ragstone check` proves it again. `draft accept FILE ID...` marks drafts as reviewed.",
        "从 DOCS 中的文档起草 N 个问题。无需模型；每个要点都附有证明它的引文，`ragstone check` 会再次验证。"
        "`draft accept FILE ID...` 将草稿标记为已审阅。",
    )
)
@click.argument("docs", type=click.Path(path_type=Path))
@click.argument("rest", nargs=-1, metavar="")
@click.option(
    *("--size", "-n"), type=click.IntRange(1), default=100, show_default=True, help=choose("Questions.", "问题数。")
)
@click.option(
    "--contract",
    type=click.Choice(list(WRITERS)),
    default="key_points",
    show_default=True,
    help=choose("Whose rows are written.", "按哪种契约写出。"),
)
@click.option(
    "--seed", type=int, default=7, show_default=True, help=choose("Another seed, another set.", "换种子即换题。")
)
@click.option("--out", type=click.Path(path_type=Path), help=choose("File to write.", "写出的文件。"))
@click.option(
    "--abstain",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help=choose("Share of questions without an answer (legal_rag).", "应拒答题目的比例（legal_rag）。"),
)
@click.option(
    "--leave-out",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help=choose("Documents the system will not be given.", "不提供给系统的文档数。"),
)
@click.option(
    "--dev",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help=choose("Share for OUT-dev; no document is in both.", "划入 OUT-dev 的比例；两者没有共同文档。"),
)
@click.option(
    "--chat",
    metavar="MODEL",
    help=choose(
        "Model that proposes questions and quotations; the gold stays ours. Options with -O, a budget among them.",
        "提出问题与引文的模型；标准答案仍由代码截取。用 -O 给出选项，包括预算。",
    ),
)
@click.option(
    "--small-model",
    is_flag=True,
    help=choose(
        "The model only words questions: code chooses sentence and answer. For models of few billion parameters.",
        "模型只写问题，句子与答案由代码选定。适合几十亿参数以下的模型。",
    ),
)
@flags.system_option
@flags.cache
@flags.concurrency
@flags.offline
@click.option("--all", "everything", is_flag=True, help=choose("Accept every draft.", "接受全部草稿。"))
@click.option("--drop", multiple=True, metavar="ID", help=choose("Draft to take out.", "要删去的草稿。"))
@flags.as_json
def draft(docs: Path, rest: tuple[str, ...], out: Path | None, as_json: bool, **given: JSON) -> None:
    """Draft, or accept drafts."""
    if str(docs) == "accept":
        _accept(rest, everything=given["everything"], drop=given["drop"])
        return
    if rest or given["everything"] or given["drop"]:
        raise click.UsageError(choose("only `draft accept` takes ids", "只有 `draft accept` 才接受 id"))
    if not given["chat"] and (given["small_model"] or given["system_pairs"] or given["cache"]):
        raise click.UsageError(
            choose("--small-model, -O and --cache need --chat MODEL", "--small-model、-O 与 --cache 需要 --chat MODEL")
        )
    _draft(docs, out, as_json, given)


def _accept(rest: tuple[str, ...], *, everything: bool, drop: tuple[str, ...]) -> None:
    if not rest or not (everything or drop or rest[1:]):
        raise click.UsageError(choose("name a file, and ids or --all", "请给出文件，以及 id 或 --all"))
    reviewed, total = accept(Path(rest[0]), set(rest[1:]), everything=everything, drop=set(drop))
    click.echo(
        choose(f"{reviewed} of {total} reviewed", f"已审阅 {reviewed} / {total}", f"已審閱 {reviewed} / {total}")
    )


def _draft(docs: Path, out: Path | None, as_json: bool, given: dict[str, JSON]) -> None:
    if not docs.exists():
        raise SettingError("documents.missing", folder=str(docs))
    contract = given["contract"]
    target = out or Path(f"drafts{ENDINGS[contract]}")
    for path in _halves(target) if given["dev"] else (target,):
        if path.exists() and not (given["chat"] and _goes_on(path, target)):
            raise SettingError("import.taken", file=str(path))
    notes: list[Finding] = []
    corpus = read_corpus(docs, notes.append)
    names = ("size", "contract", "seed", "abstain", "leave_out")
    drawn = make(corpus, Plan(**{name: given[name] for name in names}), _chat(given, target))
    if not drawn.drafts:
        show_findings(tuple(notes), {}, err=True)
        if not corpus.papers:
            raise SettingError("draft.empty", folder=str(docs))
        told = [*(f"{REFUSED[name].say(_lang())} {n}" for name, n in drawn.refused.items()), *_why_failed(drawn)]
        ended = drawn.stopped in ("budget", "failures")
        told += [STOPPED[drawn.stopped].say(_lang())] if ended or not told else []
        reasons = "; ".join(told).rstrip(".。")
        code = "draft.nothing" if ended or drawn.failure else "draft.no_facts"
        raise SettingError(code, folder=str(docs), documents=drawn.documents, reasons=reasons)
    files = _write(target, drawn, given)
    if as_json:
        print_json(_facts(drawn, files))
        return
    show_findings(tuple(notes), {}, err=True)
    for line in _lines(drawn, files):
        click.echo(visible_line(line))


def _halves(target: Path) -> tuple[Path, Path]:
    """Return where the two parts of a set are written."""
    return target.with_stem(f"{target.stem}-dev"), target.with_stem(f"{target.stem}-test")


def _goes_on(path: Path, target: Path) -> bool:
    """Return whether a set was proposed by a model and none of it is accepted yet, so that more may be added."""
    return target.with_suffix(_REPLIES).exists() and b'"reviewed":true' not in path.read_bytes().replace(b" ", b"")


def _why_failed(drawn: Drawn) -> Iterator[str]:
    if drawn.failure:
        yield drawn.failure.say(_lang())


def _lang() -> Lang:
    return pick_language(choose("en", "zh-Hans", "zh-Hant"))


def _chat(given: dict[str, JSON], target: Path) -> Chat | None:
    """Return the model that proposes; its replies are kept beside the set."""
    if not given["chat"]:
        return None
    options = flags.system_options(given)
    if kept := options.pop("answer_cache", None):
        options["cache"] = kept
    journal = target.with_suffix(_REPLIES)
    at_once, small = given["concurrency"] or 4, given["small_model"]
    return Chat(model=given["chat"], options=options, journal=journal, at_once=at_once, small=small)


def _write(target: Path, drawn: Drawn, given: dict[str, JSON]) -> dict[Path, int]:
    """Write the set, or its two halves."""
    parts = {target: drawn.drafts}
    if share := given["dev"]:
        parts = dict(zip(_halves(target), split(drawn.drafts, given["seed"], share), strict=True))
    for path, drafts in parts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(write_rows(drafts, given["contract"]))
    return {path: len(drafts) for path, drafts in parts.items()}


def _facts(drawn: Drawn, files: dict[Path, int]) -> dict[str, JSON]:
    return {
        "files": {str(path): n for path, n in files.items()},
        "wished": drawn.wished,
        "drafted": len(drawn.drafts),
        "documents": drawn.documents,
        "used": drawn.used,
        "kinds": dict(Counter(one.kind for one in drawn.drafts)),
        "difficulties": dict(Counter(one.difficulty for one in drawn.drafts)),
        "left_out": _left_out(drawn),
        "stopped": drawn.stopped,
        "refused": drawn.refused,
    }


def _left_out(drawn: Drawn) -> list[str]:
    gone = (one.absent for one in drawn.drafts)
    return sorted({name for absent in gone if absent and absent.kind == "left_out" for name in absent.words})


def _lines(drawn: Drawn, files: dict[Path, int]) -> Iterator[str]:
    """Return the lines on coverage, refused drafts and next steps."""
    yield from _table(drawn.drafts)
    yield choose(
        f"documents: {drawn.used} of {drawn.documents} asked about, {drawn.read} read",
        f"文档：共 {drawn.documents} 份，读取 {drawn.read} 份，出题 {drawn.used} 份",
        f"文件：共 {drawn.documents} 份，讀取 {drawn.read} 份，出題 {drawn.used} 份",
    )
    if drawn.refused:
        told = "; ".join(f"{REFUSED[name].say(_lang())} {n}" for name, n in drawn.refused.items())
        yield choose(f"not taken: {told}", f"未采用：{told}", f"未採用：{told}")
    if len(drawn.drafts) < drawn.wished:
        why, there = STOPPED[drawn.stopped].say(_lang()), len(drawn.drafts)
        told = f"只有 {there} / {drawn.wished}：{why}"
        yield choose(f"only {there} of {drawn.wished}: {why}", told, told)
    yield from _why_failed(drawn)
    if left := _left_out(drawn):
        names = ", ".join(left)
        yield choose(
            f"give the system all documents but: {names}", f"请勿向系统提供：{names}", f"請勿向系統提供：{names}"
        )
    if 0 in files.values():
        yield choose(
            "one part is empty, because no document may be in both: give more documents, or leave --dev out",
            "有一部分为空，因为两部分不能有共同文档：请增加文档，或去掉 --dev",
            "有一部分為空，因為兩部分不能有共同文件：請增加文件，或去掉 --dev",
        )
    for path, n in files.items():
        yield choose(f"{n} drafts in {path}", f"{path}：{n} 个草稿", f"{path}：{n} 個草稿")


def _table(drafts: tuple[Draft, ...]) -> Iterator[str]:
    """The kinds of question and how many places each needs."""
    levels: Counter[tuple[str, str]] = Counter((one.kind, one.difficulty) for one in drafts)
    kinds = {kind: KINDS[kind].say(_lang()) for kind in sorted({kind for kind, _ in levels})}
    rows = [[said, *(str(levels[kind, level]) for level in DIFFICULTIES)] for kind, said in kinds.items()]
    return aligned([["", *(words.say(_lang()) for words in DIFFICULTIES.values())], *rows], right=(1, 2, 3))
