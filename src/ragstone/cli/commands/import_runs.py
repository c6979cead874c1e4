"""`import`: a finished run of another tool into the store."""

import re
from pathlib import Path

import click
from msgspec import convert, to_builtins

from ragstone.bridges.answers import write_answers
from ragstone.bridges.import_run import ImportedRun, import_run
from ragstone.bridges.records import TOOLS, Tool
from ragstone.cli import flags
from ragstone.cli.output import print_json, print_lines
from ragstone.cli.stored_runs import reader
from ragstone.cli.wording import choose
from ragstone.core.errors import SettingError
from ragstone.core.language import Lang, Text
from ragstone.core.types import JSON, Summary
from ragstone.report.console import Wording, closing_lines
from ragstone.runs.reopen import specs_of
from ragstone.text.visible import visible_line

MOST_MEANS = 40
_COUNTED = re.compile(r"(?P<mean>\S{1,30}) \(of (?P<n>\d{1,12})(?:, (?P<out>\d{1,12}) unscored)?\)")
_T = {
    "read": Text(
        "Imported {n:answer|answers} of {tool}, with the scores as they were.",
        "已导入 {tool} 的 {n} 个回答；其评分原样显示。",
    ),
    "partial": Text(
        "{missing:wanted answer is|wanted answers are} not in the file: the run is partial.",
        "另有 {missing} 个应有的回答不在文件中：运行不完整。",
    ),
    "counted": Text("{mean} (of {n}, {out} unscored)", "{mean}（{n} 个，另有 {out} 个未评分）"),
    "mean_of": Text("{mean} (of {n})", "{mean}（{n} 个）"),
    "unscored": Text(
        "{tool} could not score {metric} for {n} of them (shown as unscored, counted as 0 in the case's score).",
        "{tool} 有 {n} 个回答未能给出 {metric}（显示为未评分，在单例得分中按 0 计）。",
    ),
    "nothing": Text(
        "No score of {tool} can be used: nothing was measured.", "{tool} 没有给出任何可用的评分：未测得任何结果。"
    ),
    "left_out": Text(
        "{metric} has negative values: kept with its cases, not as a figure.",
        "{metric} 含有负值：随用例保留，不作为指标。",
    ),
    "unscaled": Text(
        "{metric} has another scale than 0 to 1: shown as a plain number, not part of a case's score.",
        "{metric} 的量程不是 0 到 1：显示为普通数值，不计入单例得分。",
    ),
    "matched": Text(
        "{n:answer|answers} of {tool} written to {out}; {answered} of {cases:case|cases} of the dataset answered.",
        "已将 {tool} 的 {n} 个回答写入 {out}；样例集 {cases} 个用例中有 {answered} 个有回答。",
    ),
    "unknown": Text(
        "{n:question|questions} not in the dataset, left out; the first: {question:q}",
        "有 {n} 个问题不在样例集中，未写入；第一个：{question:q}",
    ),
    "score": Text("Score them: ragstone score {dataset} {out}", "评分：ragstone score {dataset} {out}"),
    "means": Text("{tool} itself shows:", "{tool} 自身给出："),
    "folder": Text("Run folder: {folder}", "运行文件夹：{folder}"),
    "next": Text(
        "Score the same answers by our rules: ragstone rescore {folder} --contract key_points",
        "按本平台规则重新评分：ragstone rescore {folder} --contract key_points",
    ),
}


@click.command(
    "import",
    help=choose(
        "Bring a finished run of another tool into the store: FILE is a result of Ragas (CSV, JSON), DeepEval (test "
        "run JSON), promptfoo (JSON), Inspect (.eval, .json) or the folder of an EvalScope run. Makes no calls.",
        "导入其他工具已完成的运行：FILE 为 Ragas（CSV、JSON）、DeepEval（测试运行 JSON）、promptfoo（JSON）、"
        "Inspect（.eval、.json）的结果，或 EvalScope 的运行文件夹。不发出请求。",
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "tool",
    type=click.Choice(TOOLS),
    help=choose("Tool that made it; recognised from the content when left out.", "来源工具；省略时按内容识别。"),
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help=choose("Folder of the new run; in the runs folder when left out.", "新运行的文件夹；默认在运行文件夹中。"),
)
@click.option(
    "--model",
    help=choose("Name of the system that answered, when the file has one only.", "作答系统的名称（仅一个系统时）。"),
)
@click.option(
    "--only",
    metavar="NAME",
    help=choose(
        "Only the answers of this model, when the file has several.", "只导入该模型的回答（文件含多个模型时）。"
    ),
)
@click.option(
    "--answers",
    type=click.Path(path_type=Path),
    help=choose(
        "Make no run, but write the answers here, for `ragstone score DATASET ANSWERS`; needs --dataset.",
        "不生成运行，只把回答写到此文件，供 `ragstone score DATASET ANSWERS` 使用；需要 --dataset。",
    ),
)
@click.option(
    "--dataset",
    type=click.Path(path_type=Path),
    help=choose("Your dataset: answers get its ids, matched by question.", "自有样例集：按问题匹配并使用其编号。"),
)
@flags.contract
@flags.option
@flags.runs_dir
@flags.language
@flags.mask_private
@flags.quiet
@flags.as_json
def bring(
    file: Path,
    *,
    tool: str | None,
    out: Path | None,
    model: str | None,
    only: str | None,
    quiet: bool,
    as_json: bool,
    **given: JSON,
) -> None:
    """Import a run."""
    settings = flags.settings_of(given)
    named = convert(tool, Tool | None)
    if given["answers"] or given["dataset"]:
        _record(file, named, only, reader(settings.language), as_json=as_json, quiet=quiet, **given)
        return
    done = import_run(file, tool=named, out=out, only=only, model=model, settings=settings)
    if as_json:
        data = {"folder": str(done.folder.path), "tool": done.tool, "tool_means": done.means}
        print_json(data | {"unscored": done.unscored, "summary": to_builtins(done.summary)})
    elif not quiet:
        print_lines(visible_line(line) for line in _lines(done, reader(settings.language)))
    if done.summary.status != "complete" or not _measured(done.summary):
        raise click.exceptions.Exit(3)


def _record(
    file: Path, tool: Tool | None, only: str | None, lang: Lang, *, as_json: bool, quiet: bool, **given: JSON
) -> None:
    """Write the answers for a dataset of the user's own."""
    if not given["answers"] or not given["dataset"]:
        raise SettingError("import.both")
    options = flags.contract_options(given["pairs"])
    out, dataset = given["answers"], given["dataset"]
    done = write_answers(file, out, dataset, tool=tool, only=only, contract=given["contract"], options=options)
    if as_json:
        print_json({"answers": str(out), **to_builtins(done)})
    elif not quiet:
        params = {"tool": done.tool, "n": done.answers, "answered": done.answered, "cases": done.cases, "out": out}
        lines = [_say("matched", lang, **params)]
        question = _shown(done.unknown[0], given) if done.unknown else ""
        lines += [_say("unknown", lang, n=len(done.unknown), question=question)] if done.unknown else []
        print_lines(visible_line(line) for line in [*lines, _say("score", lang, dataset=dataset, out=out)])
    if done.answered < done.cases:
        raise click.exceptions.Exit(3)


def _lines(done: ImportedRun, lang: Lang) -> list[str]:
    summary = done.summary
    lines = [_say("read", lang, n=summary.finished, tool=done.tool)]
    if missing := summary.expected - summary.finished:
        lines.append(_say("partial", lang, missing=missing))
    lines += [_say("unscored", lang, tool=done.tool, metric=name, n=n) for name, n in done.unscored.items()]
    lines += [] if _measured(summary) else [_say("nothing", lang, tool=done.tool)]
    lines += [_say("left_out", lang, metric=name) for name in done.left_out]
    lines += [_say("unscaled", lang, metric=name) for name in done.unscaled]
    words = Wording(tuple(specs_of(done.folder)), {}, lang, len(summary.models) > 1)
    lines += closing_lines(summary, words)
    if done.means:
        shown = list(done.means.items())[:MOST_MEANS]
        lines += [_say("means", lang, tool=done.tool), *(f"  {name}: {_mean(value, lang)}" for name, value in shown)]
    folder = done.folder.path
    return [*lines, _say("folder", lang, folder=folder), _say("next", lang, folder=folder)]


def _shown(question: str, given: dict[str, JSON]) -> str:
    """Return a question as readers may see it."""
    if not flags.settings_of(given).mask_private:
        return question
    from ragstone.reading.private import mask_private  # noqa: PLC0415 - a reader of names is slow to load

    return mask_private(question)


def _mean(value: str, lang: Lang) -> str:
    """Return a mean as the tool showed it, with the number of cases in the reader's language."""
    found = _COUNTED.fullmatch(value)
    if found is None:
        return value
    return _say("counted" if found["out"] else "mean_of", lang, **found.groupdict())


def _measured(summary: Summary) -> bool:
    """Return whether the tool gave at least one score that counts."""
    return any(figure.n for figures in summary.models.values() for figure in figures.all.metrics.values())


def _say(name: str, lang: Lang, **params: object) -> str:
    return _T[name].say(lang, params)
