"""`draft`: a test set from documents, every gold point proved by its place in a text."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

import click

from ragstone.cli import flags
from ragstone.cli.output import print_json
from ragstone.cli.wording import choose, show_findings
from ragstone.core.errors import SettingError
from ragstone.core.language import Lang, counted, pick_language
from ragstone.core.messages import message
from ragstone.core.types import JSON, Finding
from ragstone.drafting.corpus import Corpus, read_corpus
from ragstone.drafting.draft import DIFFICULTIES, KINDS, MISSED, REFUSED, STOPPED, Draft
from ragstone.drafting.draw import Drawn
from ragstone.drafting.files.accept import accept
from ragstone.drafting.files.again import draft_again
from ragstone.drafting.files.earlier import Earlier, add_rows, journal_of, left_out_in, read_earlier
from ragstone.drafting.files.halves import divide
from ragstone.drafting.files.lock import alone
from ragstone.drafting.make import Chat, Plan, make, require_sound
from ragstone.drafting.proof import documents_of
from ragstone.drafting.rows import ENDINGS, OPTIONS, WRITERS, require_target
from ragstone.report.text_table import text_table
from ragstone.text.visible import visible_line

_FAR = 0.1
"""How far from the share asked for a part may be without a word."""


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
@flags.system_option
@flags.cache
@flags.concurrency
@flags.offline
@click.option(
    "--again",
    multiple=True,
    metavar="ID",
    help=choose(
        "Draft of the file OUT to draft again in its place: the same where its document changed, else another.",
        "在文件 OUT 中就地重新起草的草稿：文档有变动时重出该题，否则另出一题。",
    ),
)
@click.option("--all", "everything", is_flag=True, help=choose("Accept every draft.", "接受全部草稿。"))
@click.option(
    "--documents",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help=choose(
        "With accept: the folder the drafts are compared with; `documents` beside FILE is found.",
        "与 accept 同用：用于比对草稿的文档文件夹；FILE 旁的 `documents` 会自动找到。",
    ),
)
@click.option("--drop", multiple=True, metavar="ID", help=choose("Draft to take out.", "要删去的草稿。"))
@flags.as_json
def draft(docs: Path, rest: tuple[str, ...], out: Path | None, as_json: bool, **given: JSON) -> None:
    """Draft, or accept drafts."""
    if given["again"] and (str(docs) == "accept" or given["dev"]):
        told = "--again goes with DOCS and --out FILE, and with neither accept nor --dev"
        raise click.UsageError(choose(told, "--again 与 DOCS 及 --out FILE 同用，不能与 accept 或 --dev 同用"))
    if str(docs) == "accept":
        _accept(rest, everything=given["everything"], drop=given["drop"], documents=given["documents"])
        return
    if rest or given["everything"] or given["drop"] or given["documents"]:
        told = "only `draft accept` takes ids, --all, --drop and --documents"
        raise click.UsageError(choose(told, "只有 `draft accept` 才接受 id、--all、--drop 与 --documents"))
    if not given["chat"] and (given["system_pairs"] or given["cache"]):
        raise click.UsageError(choose("-O and --cache need --chat MODEL", "-O 与 --cache 需要 --chat MODEL"))
    if given["again"]:
        _again(docs, out, as_json, given)
    else:
        _draft(docs, out, as_json, given)


def _again(docs: Path, out: Path | None, as_json: bool, given: dict[str, JSON]) -> None:
    """Draft single questions again."""
    if not docs.exists():
        raise SettingError("documents.missing", folder=str(docs))
    file = out or Path(f"drafts{ENDINGS[given['contract']]}")
    if not file.is_file():
        raise SettingError("draft.no_file", file=str(file))
    notes: list[Finding] = []
    with alone(file):
        found = draft_again(file, set(given["again"]), read_corpus(docs, notes.append), _chat(given, file))
    show_findings(tuple(notes), {}, err=True)
    if found.kept:
        names = ", ".join(found.kept)
        click.echo(
            choose(
                f"accepted, or worded by hand, left as they are: {names}. `draft accept {file} --drop` takes them out",
                f"已接受或经人工改写，保持原样：{names}。如需删去，请用 `draft accept {file} --drop`",
                f"已接受或經人工改寫，保持原樣：{names}。如需刪去，請用 `draft accept {file} --drop`",
            ),
            err=True,
        )
    if found.left and not found.drafted:
        raise SettingError("draft.again_nothing", file=str(file), names=", ".join(found.left))
    if as_json:
        print_json({"file": str(file), "again": found.drafted, "left": list(found.left), "kept": list(found.kept)})
        return
    for name, question in found.drafted.items():
        click.echo(visible_line(f"{name}: {question}"))
    if found.left:
        names = ", ".join(found.left)
        click.echo(
            choose(
                f"nothing else could be drafted, left as they are: {names}",
                f"未能重新起草，保持原样：{names}",
                f"未能重新起草，保持原樣：{names}",
            )
        )


def _accept(rest: tuple[str, ...], *, everything: bool, drop: tuple[str, ...], documents: Path | None) -> None:
    if not rest or not (everything or drop or rest[1:]):
        raise click.UsageError(choose("name a file, and ids or --all", "请给出文件，以及 id 或 --all"))
    reviewed, total = accept(Path(rest[0]), set(rest[1:]), everything=everything, drop=set(drop), documents=documents)
    click.echo(
        choose(f"{reviewed} of {total} reviewed", f"已审阅 {reviewed} / {total}", f"已審閱 {reviewed} / {total}")
    )
    if documents_of(Path(rest[0]), documents) is None:
        click.echo(message("draft.no_documents").say(_lang()))


def _draft(docs: Path, out: Path | None, as_json: bool, given: dict[str, JSON]) -> None:
    if not docs.exists():
        raise SettingError("documents.missing", folder=str(docs))
    plan = Plan(**{name: given[name] for name in ("size", "contract", "seed", "abstain", "leave_out")})
    require_sound(plan)
    target = out or Path(f"drafts{ENDINGS[plan.contract]}")
    paths = _halves(target) if given["dev"] else (target,)
    for path in paths:
        require_target(path, plan.contract)
    with alone(target, *paths):
        told = _drafted(docs, paths, plan, _chat(given, target), given)
    if as_json:
        print_json(told.facts())
        return
    for line in told.lines():
        click.echo(visible_line(line))


def _drafted(docs: Path, paths: tuple[Path, ...], plan: Plan, chat: Chat | None, given: dict[str, JSON]) -> "_Told":
    """Draft a set and write it."""
    earlier = read_earlier(paths, chat.journal if chat else None, plan.contract)
    notes: list[Finding] = []
    corpus = read_corpus(docs, notes.append)
    drawn = make(corpus, plan, chat, earlier)
    show_findings(tuple(notes), {}, err=True)
    if not drawn.drafts and not drawn.kept:
        _refuse(docs, corpus, drawn, chat)
    files = _write(paths, drawn, given, chat)
    return _Told(drawn, files, plan, len(notes), chat, given["dev"], earlier)


def _refuse(docs: Path, corpus: Corpus, drawn: Drawn, chat: Chat | None) -> NoReturn:
    """Return why nothing came of it."""
    if not corpus.papers:
        raise SettingError("draft.empty", folder=str(docs))
    told = [*(f"{REFUSED[name].say(_lang())} {n}" for name, n in drawn.refused.items()), *_why_failed(drawn)]
    ended = drawn.stopped in ("budget", "failures")
    told += [STOPPED[drawn.stopped].say(_lang())] if ended or not told else []
    reasons = "; ".join([*(one.rstrip(".。") for one in told), *_kept_replies(chat)])
    code = "draft.nothing" if ended or drawn.failure or chat else "draft.no_facts"
    raise SettingError(code, folder=str(docs), documents=drawn.documents, reasons=reasons)


def _kept_replies(chat: Chat | None) -> Iterator[str]:
    """Return where a model's replies are, if any were kept."""
    if chat and chat.journal and chat.journal.exists():
        name = chat.journal
        yield choose(f"the model's replies are kept in {name}", f"模型的回复保存在 {name}", f"模型的回覆儲存在 {name}")


def _halves(target: Path) -> tuple[Path, Path]:
    """Return where the two parts of a set are written."""
    return target.with_stem(f"{target.stem}-dev"), target.with_stem(f"{target.stem}-test")


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
    journal = journal_of(target)
    return Chat(model=given["chat"], options=options, journal=journal, at_once=given["concurrency"] or 4)


def _write(paths: tuple[Path, ...], drawn: Drawn, given: dict[str, JSON], chat: Chat | None) -> dict[Path, int]:
    """Write what is new into the set, or its two halves; says how many each got."""
    parts: dict[Path, tuple[Draft, ...]] = {paths[0]: drawn.drafts}
    if share := given["dev"]:
        parts = dict(zip(paths, divide(paths, drawn.drafts, given["seed"], share), strict=True))
        if not all(drafts or path.exists() for path, drafts in parts.items()):
            raise SettingError("draft.part_empty", share=share)
    for path, drafts in parts.items():
        add_rows(path, drafts, given["contract"], chat.journal if chat else None)
    return {path: len(drafts) for path, drafts in parts.items()}


class _Told(NamedTuple):
    """What is said of a set that was drafted."""

    drawn: Drawn
    files: dict[Path, int]
    plan: Plan
    skipped: int
    """Files of the folder that could not be read, or are empty."""
    chat: Chat | None
    dev: float | None
    """The share that was to go into the first of two files."""
    earlier: Earlier
    """What stood in the files before."""

    def facts(self) -> dict[str, JSON]:
        """For programs."""
        drawn = self.drawn
        return {
            "files": {str(path): n for path, n in self._sizes().items()},
            "wished": drawn.wished,
            "drafted": len(drawn.drafts) + drawn.kept,
            "new": len(drawn.drafts),
            "absent": drawn.absent,
            "absent_wished": drawn.absent_wished,
            "missed": drawn.missed,
            "documents": drawn.documents,
            "skipped": self.skipped,
            "used": drawn.used,
            "kinds": dict(Counter(one.kind for one in drawn.drafts)),
            "difficulties": dict(Counter(one.difficulty for one in drawn.drafts)),
            "left_out": self._left_out(),
            "stopped": drawn.stopped,
            "refused": drawn.refused,
        }

    def lines(self) -> Iterator[str]:
        """Coverage, refused drafts and next steps."""
        drawn = self.drawn
        yield from _table(drawn.drafts)
        yield from self._documents()
        if drawn.refused:
            told = "; ".join(f"{REFUSED[name].say(_lang())} {n}" for name, n in drawn.refused.items())
            yield choose(f"not taken: {told}", f"未采用：{told}", f"未採用：{told}")
        yield from self._absent()
        if (there := len(drawn.drafts) + drawn.kept) < drawn.wished:
            why = STOPPED[drawn.stopped].say(_lang())
            told = f"只有 {there} / {drawn.wished}：{why}"
            yield choose(f"only {there} of {drawn.wished}: {why}", told, told)
            yield from _why_failed(drawn)
            yield from _kept_replies(self.chat)
        yield from self._gone()
        yield from self._parts()
        for name, value in OPTIONS.get(self.plan.contract, {}).items():
            told = f"check 与 run 时请加 -o {name}={value}"
            yield choose(f"check and run it with -o {name}={value}", told)

    def _absent(self) -> Iterator[str]:
        """Tell a share without an answer that was not reached, and why."""
        there, wished = self.drawn.absent, self.drawn.absent_wished
        if there >= wished:
            return
        reasons = "; ".join(f"{MISSED[name].say(_lang())} {n}" for name, n in self.drawn.missed.items())
        yield choose(
            f"without an answer: {there} of {wished}; no more questions could be turned into such: {reasons}",
            f"无答案的题目：{there} / {wished}；其余问题无法改成无答案题：{reasons}",
            f"無答案的題目：{there} / {wished}；其餘問題無法改成無答案題：{reasons}",
        )

    def _sizes(self) -> dict[Path, int]:
        """How many drafts stand in each file now."""
        there = Counter(self.earlier.files)
        return {path: n + there[path.name] for path, n in self.files.items()}

    def _documents(self) -> Iterator[str]:
        drawn = self.drawn
        used = len(self.earlier.documents.union(*(one.documents for one in drawn.drafts)))
        there, read = drawn.documents, drawn.read
        if self.chat:
            yield choose(
                f"documents: {used} of {there} asked about; {counted(read, 'passage')} shown to the model",
                f"文档：共 {there} 份，出题 {used} 份；给模型看过 {read} 段",
                f"文件：共 {there} 份，出題 {used} 份；給模型看過 {read} 段",
            )
        else:
            yield choose(
                f"documents: {used} of {there} asked about, {read} read",
                f"文档：共 {there} 份，读取 {read} 份，出题 {used} 份",
                f"文件：共 {there} 份，讀取 {read} 份，出題 {used} 份",
            )
        if self.skipped:
            told = f"略过 {self.skipped} 个文件，见上"
            yield choose(f"passed over: {counted(self.skipped, 'file')}, named above", told)

    def _left_out(self) -> list[str]:
        gone = (one.absent for one in self.drawn.drafts)
        new = {name for absent in gone if absent and absent.kind == "left_out" for name in absent.words}
        return sorted(new | left_out_in(self.earlier.rows))

    def _gone(self) -> Iterator[str]:
        left, wished = self._left_out(), self.plan.leave_out
        if left:
            names = ", ".join(left)
            yield choose(
                f"give the system all documents but: {names}", f"请勿向系统提供：{names}", f"請勿向系統提供：{names}"
            )
        if len(left) < wished:
            yield choose(
                f"left out: {len(left)} of {wished}; the others have copies, or give no question, and may be given",
                f"留出 {len(left)} / {wished} 份；其余文档另有副本或出不了题，可以提供",
                f"留出 {len(left)} / {wished} 份；其餘文件另有副本或出不了題，可以提供",
            )

    def _parts(self) -> Iterator[str]:
        sizes = self._sizes()
        drafted = sum(sizes.values())
        if dropped := len(self.drawn.drafts) - sum(self.files.values()):
            yield choose(
                f"{counted(dropped, 'draft')} about documents of both parts left out",
                f"有 {dropped} 个草稿涉及两部分的文档，已舍去",
                f"有 {dropped} 個草稿涉及兩部分的文件，已捨去",
            )
        for path, n in sizes.items():
            share = f" ({n / drafted:.0%})" if len(sizes) > 1 and drafted else ""
            yield choose(
                f"{counted(n, 'draft')} in {path}{share}", f"{path}：{n} 个草稿{share}", f"{path}：{n} 個草稿{share}"
            )
        if self.earlier.rows:
            new = sum(self.files.values())
            yield choose(
                f"{new} of them new; the others stand as they were",
                f"其中新增 {new} 个；其余保持原样",
                f"其中新增 {new} 個；其餘保持原樣",
            )
        if self.dev and drafted and abs(next(iter(sizes.values())) / drafted - self.dev) > _FAR:
            yield choose(
                f"that is not the share of {self.dev:.0%} asked for, because no document is in both",
                f"与所要求的 {self.dev:.0%} 不符，因为两部分不能有共同文档",
                f"與所要求的 {self.dev:.0%} 不符，因為兩部分不能有共同文件",
            )


def _table(drafts: tuple[Draft, ...]) -> Iterator[str]:
    """The kinds of question and how many places each needs."""
    levels: Counter[tuple[str, str]] = Counter((one.kind, one.difficulty) for one in drafts)
    kinds = {kind: KINDS[kind].say(_lang()) for kind in sorted({kind for kind, _ in levels})}
    rows = [[said, *(str(levels[kind, level]) for level in DIFFICULTIES)] for kind, said in kinds.items()]
    return text_table([["", *(words.say(_lang()) for words in DIFFICULTIES.values())], *rows], right=(1, 2, 3))
