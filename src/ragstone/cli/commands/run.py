"""`run`, `score` and `resume`."""

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from ragstone import api
from ragstone.cli import flags
from ragstone.cli.judging import figure_lines, require_asked
from ragstone.cli.log import watchers
from ragstone.cli.output import print_json, print_lines
from ragstone.cli.program import as_typed, command
from ragstone.cli.watch import UNRECORDED, around, failures, is_unrecorded, resuming
from ragstone.cli.wording import choose, show_findings
from ragstone.core.errors import SettingError
from ragstone.core.language import Lang, Text, pick_language
from ragstone.core.messages import message
from ragstone.core.types import JSON, Finding
from ragstone.datasets.columns import LOOKED_AT, find_columns
from ragstone.datasets.formats import form_of
from ragstone.datasets.rows import Row, read_rows
from ragstone.runs.store.catalogue import find_run
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.status import standing
from ragstone.text.visible import visible_line

if TYPE_CHECKING:
    from ragstone.trust.gate import GateOutcome


@click.command(
    help=choose(
        "Ask a system every case of DATASET and score the answers.\n\n\b\n"
        "Systems: builtin:FOLDER        the built-in RAG over a folder of documents\n"
        "         python:MODULE:NAME    your function, or an object with .query()\n"
        "         chat:MODEL            an OpenAI-compatible endpoint (-O base_url=…)\n"
        "         http_json:FILE        any service, described in YAML; or a preset: lightrag, ragflow, dify, fastgpt\n"
        "         NAME                  a [systems.NAME] table of ragstone.toml\n"
        "         replay:ANSWERS.jsonl  recorded answers",
        "向系统提出 DATASET 中的每个问题并评分。\n\n\b\n"
        "系统：builtin:文件夹          基于文档文件夹的内置 RAG\n"
        "      python:模块:名称        你的函数，或带 .query() 的对象\n"
        "      chat:模型               OpenAI 兼容接口（-O base_url=…）\n"
        "      http_json:文件          用 YAML 描述的任意服务；或预设：lightrag、ragflow、dify、fastgpt\n"
        "      名称                    ragstone.toml 中的 [systems.名称]\n"
        "      replay:回答.jsonl       已录制的回答",
    )
)
@click.argument("dataset", type=flags.PLACE)
@flags.systems
@flags.system_option
@flags.cache
@flags.repeats
@flags.shard
@flags.judging
@flags.judge
@click.option(
    "--gate-on",
    type=click.Path(path_type=Path),
    metavar="GATE_SET",
    help=choose("Run this smaller set first; go on only when it passes.", "先运行这个较小的样例集，通过后才继续。"),
)
@click.option(
    "--gate-rule",
    "gate_rules",
    multiple=True,
    help=choose("Rule of that gate, instead of the contract's own.", "门禁规则，替换契约自带的规则。"),
)
@click.option(
    "--force",
    is_flag=True,
    help=choose("Go on when the gate fails; it is recorded.", "门禁未通过也继续；会被记录。"),
)
@click.option(
    "--mock",
    is_flag=True,
    help=choose(
        "Dry run: the contract's own perfect answers, no calls.", "试运行：使用契约自带的标准回答，不发出请求。"
    ),
)
@flags.over_dataset
def run(
    dataset: Path,
    systems: tuple[str, ...],
    *,
    gate_on: Path | None,
    gate_rules: tuple[str, ...],
    force: bool,
    **given: JSON,
) -> None:
    """Ask and score."""
    more = {name: given[name] for name in ("repeats", "mock", "shard")}
    more["system_options"] = flags.system_options(given)
    if gate_on is not None and given["shard"]:
        raise SettingError("shard.gate")
    if gate_on is None:
        _evaluate(dataset, systems, given, **more, **_judge(given))
    else:
        more |= _judge(given)
        _evaluate_behind_gate(dataset, gate_on, systems, given, rules=gate_rules, force=force, **more)


@click.command(
    help=choose(
        "Score recorded ANSWERS (JSON lines: id, output, contexts?, citations?) against DATASET; makes no calls. "
        "Without ANSWERS they are taken from a column of DATASET, such as response or 回答.",
        "用 DATASET 对已录制的 ANSWERS（每行一个 JSON 对象：id、output、contexts?、citations?）评分，不发出请求。"
        "省略 ANSWERS 时取 DATASET 中的回答列，例如 response 或 回答。",
    )
)
@click.argument("dataset", type=flags.PLACE)
@click.argument("answers", type=flags.PLACE, required=False)
@flags.system_option
@flags.judging
@flags.over_dataset
def score(dataset: Path, answers: Path | None, **given: JSON) -> None:
    """Score recorded answers."""
    if answers is None and dataset.is_file():
        _require_answers(dataset)
    told = flags.typed_system_options(given["system_pairs"])
    choices, source = _choices(given), answers or dataset
    if columns := choices["options"].get("map"):
        told["map"] = columns
    done = api.evaluate(dataset, [f"replay:{source}"], system_options=told, **choices)
    if not given["quiet"]:
        _tell_odd(source)
    conclude(done, as_json=given["as_json"], quiet=given["quiet"])


def _require_answers(dataset: Path) -> None:
    """Refuse a table without answers in one sentence instead of one a row."""
    rows = (row.value for row in islice(read_rows(dataset), LOOKED_AT) if isinstance(row, Row))
    found = [find_columns(row, flags.column_map()) for row in rows]
    if found and not any(columns.answer for columns in found):
        raise SettingError("answers.no_column", file=str(dataset))


def _tell_odd(answers: Path) -> None:
    """Name the fields of recorded answers that hold no number where one is meant: they were left out."""
    rows = (row for row in read_rows(answers) if isinstance(row, Row))
    odd = [(row, name) for row in rows for name in ("latency_ms", "cost") if not _is_number(row.value.get(name))]
    if odd:
        row, name = odd[0]
        params = {"place": str(row.position), "n": len(odd), "field": name, "found": row.value[name]}
        said = message("answers.odd").say(pick_language(choose("en", "zh-Hans", "zh-Hant")), params)
        click.echo(visible_line(said), err=True)


def _is_number(value: JSON) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _tell_left_out(dataset: Path) -> None:
    """Name what another tool's file says that is not measured here."""
    if not dataset.is_file() or form_of(dataset).kind not in {"csv", "json", "yaml"}:
        return
    first = next(read_rows(dataset), None)
    if isinstance(first, Row) and {"vars", "__expected"} & first.value.keys():
        said = (item for item in read_rows(dataset) if isinstance(item, Finding) and item.level != "error")
        show_findings(tuple(said), {})


def _evaluate(dataset: Path, systems: tuple[str, ...], given: dict[str, JSON], **more: JSON) -> None:
    if not given["quiet"]:
        _tell_left_out(dataset)
    done = api.evaluate(dataset, list(systems), **_choices(given), **more)
    conclude(done, as_json=given["as_json"], quiet=given["quiet"])


def _judge(given: dict[str, JSON]) -> dict[str, JSON]:
    """Return the judge that was asked for."""
    if given["judge_spec"] is None:
        if given["judge_pairs"]:
            raise SettingError("judge.option_alone")
        return {}
    return {"judge": flags.judging_of(given)}


def _evaluate_behind_gate(
    dataset: Path, gate_set: Path, systems: tuple[str, ...], given: dict[str, JSON], **more: JSON
) -> None:
    """Run the gate set, show its verdict, and go on only when it passed or is forced."""
    from ragstone.report.verdict import verdict_lines  # noqa: PLC0415 - only a gated run needs the gate

    def show(gated: "GateOutcome", lang: Lang) -> None:
        silent = given["quiet"] or given["as_json"]
        if not silent or gated.verdict.outcome != "PASS":
            for line in verdict_lines(gated.verdict, lang):
                click.echo(as_typed(line), err=silent)

    done = api.evaluate_behind_gate(dataset, gate_set, list(systems), on_verdict=show, **_choices(given), **more)
    if done.full_run is not None:
        conclude(done.full_run, as_json=given["as_json"], quiet=given["quiet"])
        return
    if given["as_json"]:
        data = {"folder": str(done.gate_run.folder), "gate": to_builtins(done.gated.verdict)}
        print_json(data)
    raise click.exceptions.Exit(1 if done.gated.verdict.outcome == "FAIL" else 3)


def _choices(given: dict[str, JSON]) -> dict[str, JSON]:
    """Turn flags into what `api.evaluate` takes."""
    return {
        "contract": given["contract"],
        "documents": given["documents"],
        "options": flags.contract_options(given["pairs"]),
        "run_id": given["run_id"],
        "max_samples": given["max_samples"],
        "settings": flags.settings_of(given),
        "watchers": watchers(given),
        "engine": flags.engine_of(given["engine"], given["workers"]),
    }


@click.command(
    help=choose(
        "Continue RUN: asks exactly what is unanswered, then scores; judges that were not done with it go on.",
        "继续 RUN：只提出尚未回答的问题，然后评分；尚未完成裁定的裁判会继续。",
    )
)
@click.argument("run_name", metavar="RUN", default="latest")
@click.option("--retry-failed", is_flag=True, help=choose("Ask again what failed.", "重新提问失败的用例。"))
@click.option(
    "--system",
    "-s",
    "systems",
    multiple=True,
    help=choose("System, when the run cannot name it.", "系统（运行记录中没有时）。"),
)
@flags.system_option
@click.option(
    "--salvage",
    is_flag=True,
    help=choose(
        "Keep every answer of a damaged or altered journal that is provably good, and ask the rest again; so with "
        "what judges said (judgements.jsonl).",
        "保留受损或被改动的日志中可证实完好的回答，重新提问其余部分；裁判的记录（judgements.jsonl）也是如此。",
    ),
)
@flags.trust_run
@flags.judging
@flags.judge
@flags.watching
def resume(run_name: str, retry_failed: bool, systems: tuple[str, ...], **given: JSON) -> None:
    """Continue a run."""
    settings = flags.settings_of(given)
    run = find_run(Path(settings.runs_dir), run_name)
    folder, wish = run.path, flags.judging_of(given)
    over = standing(run) == "complete" and not (retry_failed or given["salvage"])
    options = flags.system_options(given)
    done = api.resume(
        folder,
        list(systems),
        retry_failed=retry_failed,
        system_options=options,
        concurrency=given["concurrency"],
        timeout=given["timeout"],
        settings=settings,
        watchers=watchers(given, brief=over),
        engine=flags.engine_of(given["engine"], given["workers"]),
        trust=flags.guard_of(given["trust_run"]),
        salvage=given["salvage"],
        judge=wish,
    )
    silent = given["quiet"] or given["as_json"]
    if over and done.judging is None and not silent and not failures(done.summary):
        params: dict[str, JSON] = {"run": folder.name, "n": done.summary.finished, "command": command("report", folder)}
        click.echo(visible_line(_OVER.say(around(done.lang), params)))
    conclude(done, as_json=given["as_json"], quiet=given["quiet"] or (over and done.judging is None))


_OVER = Text(
    "{run} is complete: {n:answer is|answers are} there, nothing was asked. Read it: {command}",
    "{run} 已完成：{n} 个回答齐全，没有提问。查看：{command}",
)
_FAILED = Text(
    "{n} of {all:case|cases} failed; ask again: {command}",
    "{all} 个用例中有 {n} 个失败；重新提问：{command}",
)
_STOPPED = Text(
    "{why} ({finished} of {expected} answered: {command})",
    "{why}（已回答 {finished}/{expected}：{command}）",
)


_PARTIAL = Text("the run is not complete", "运行不完整")


def _tell_why(done: api.Run, failed: int) -> None:
    """Print in one line why a quiet run ended with another exit code than 0."""
    summary = done.summary
    lang = around(done.lang)
    params: dict[str, JSON] = {
        "n": failed,
        "all": summary.finished,
        "finished": summary.finished - failed,
        "expected": summary.expected,
    }
    partial = summary.status == "partial"
    again = command("resume", done.folder, "--retry-failed")
    params["command"] = resuming(done.folder, summary, done.exhausted) if partial else again
    params["why"] = as_typed(summary.stop_reason.get(lang) or done.why or _PARTIAL.say(lang)).rstrip(".。")
    text = _STOPPED if partial else UNRECORDED if is_unrecorded(summary) else _FAILED
    click.echo(visible_line(text.say(lang, params)), err=True)


def conclude(done: api.Run, *, as_json: bool, quiet: bool = False) -> None:
    """Print the JSON if asked for, and leave with the exit code the run deserves."""
    if as_json:
        data = {"folder": str(done.folder), **to_builtins(done.summary)}
        print_json(data)
    elif done.judging is not None and not quiet:
        print_lines(figure_lines(done.judging, RunFolder(done.folder), around(done.lang)))
    failed = failures(done.summary)
    if (as_json or quiet) and (failed or done.summary.status == "partial"):
        _tell_why(done, failed)
    if done.stopped.startswith("SIG"):
        raise click.exceptions.Exit(130)
    if done.judging is not None:
        require_asked(done.judging, done.folder, around(done.lang))
    if failed or done.summary.status == "partial":
        raise click.exceptions.Exit(3)
