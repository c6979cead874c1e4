"""`runs`, `report` and `completion`: looking at what is there."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click
from msgspec import convert, to_builtins

from ragstone.cli import flags
from ragstone.cli.output import print_json
from ragstone.cli.program import as_typed, command
from ragstone.cli.wording import choose
from ragstone.core.errors import RunError
from ragstone.core.language import Text, counted, pick_language
from ragstone.core.messages import message
from ragstone.core.types import JSON, MetricSpec, Summary
from ragstone.report.console import (
    Wording,
    case_line,
    claim_lines,
    closing_lines,
    judged_lines,
    model_lines,
    open_lines,
    show_figure,
)
from ragstone.report.judging.authors import author_lines
from ragstone.report.markdown import report_markdown, run_facts
from ragstone.report.rows import ReportRows
from ragstone.report.table import summary_csv
from ragstone.report.text_table import text_table
from ragstone.runs.judged.certificates import believed
from ragstone.runs.reopen import wording_of
from ragstone.runs.store import catalogue
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.label import read_label
from ragstone.runs.store.seal import altered
from ragstone.runs.store.status import counts, read_summary, standing
from ragstone.text.visible import visible_block

MOST_CLAIMS = 20
"""Cases with sentences that their sources do not support and that are named; all are in results.jsonl."""
MOST_LINES = 1000
"""Cases that did not pass and are printed; the rest is counted."""
SHELLS = ("bash", "zsh", "fish")
_MORE = Text("… {n} more in results.jsonl", "……另有 {n} 条，见 results.jsonl")
_REPORT = Text("Report: {file}", "报告：{file}")
STANDINGS = {"complete": "完成", "partial": "不完整", "running": "运行中", "interrupted": "已中断"}


@click.command(help=choose("List the runs there are, newest first.", "列出已有的运行，最新的在前。"))
@flags.runs_dir
@flags.as_json
def runs(runs_dir: str | None, as_json: bool) -> None:
    """List the runs."""
    folder = Path(flags.settings_of({"runs_dir": runs_dir}).runs_dir)
    entries = list(catalogue.runs(folder))
    if as_json:
        rows = [
            {"folder": str(entry.path), **entry.meta, "summary": entry.summary or None, "label": _label_of(entry)}
            for entry in entries
        ]
        print_json(rows)
        return
    if not entries:
        click.echo(
            choose(
                f"No runs in {folder} yet. Try: {command('demo')}",
                f"{folder} 中还没有运行。试试：{command('demo')}",
                f"{folder} 中還沒有執行。試試：{command('demo')}",
            )
        )
    else:
        heads = choose("run status cases figures model dataset", "运行 状态 用例 指标 模型 样例集")
        for line in text_table([[*heads.split(), ""], *map(_cells, entries)], right=[2]):
            click.echo(line)


def _cells(entry: catalogue.Entry) -> list[str]:
    """Return a run's row; a damaged folder does not hide the others."""
    try:
        return _row(entry)
    except (RunError, LookupError, TypeError, ValueError, AttributeError) as error:
        problem = f"{choose('cannot be read', '无法读取')}: {error}"
        return [entry.path.name, "–", "–", problem, "–", "–", ""]


def _row(entry: catalogue.Entry) -> list[str]:
    meta, folder = entry.meta, RunFolder(entry.path)
    status = standing(folder)
    cases, figures = ("–", _kept(entry)) if status in {"running", "interrupted"} else _figures(entry)
    shown = choose(status, STANDINGS.get(status, status))
    system, dataset = str(meta.get("system_id") or meta.get("model_id") or "–"), meta.get("eval_set_version")
    return [
        entry.path.name,
        shown,
        cases,
        figures,
        system,
        str(dataset or "–"),
        "  ".join([*_called(entry), *_failures(entry), *_marks(folder)]),
    ]


def _label_of(entry: catalogue.Entry) -> JSON:
    return to_builtins(read_label(entry.path))


def _called(entry: catalogue.Entry) -> Iterator[str]:
    """Yield the name and tags a run was given on the page."""
    label = read_label(entry.path)
    if label.name:
        yield choose(f'"{label.name}"', f"“{label.name}”", f"「{label.name}」")
    yield from (f"#{tag}" for tag in label.tags)
    if label.archived:
        yield choose("[archived]", "［已归档］", "［已封存］")


def _failures(entry: catalogue.Entry) -> Iterator[str]:
    """Yield how many cases could not be asked; the figures count them as 0."""
    models = (entry.summary or {}).get("models") or {}
    if failed := sum(figures["all"]["errored"] for figures in models.values()):
        yield choose(f"[{failed} failed]", f"［失败 {failed}］", f"［失敗 {failed}］")


def _marks(folder: RunFolder) -> Iterator[str]:
    """Yield why the figures of a run need a caveat: a dry run, a part, an altered file."""
    try:
        config: dict[str, JSON] = folder.read("config.json")
    except RunError:
        return
    if config.get("mock"):
        yield choose("[dry run]", "［试运行］", "［試執行］")
    if shard := config.get("shard"):
        yield choose(f"[shard {shard}]", f"［分片 {shard}］", f"［分片 {shard}］")
    if most := config.get("max_samples"):
        yield choose(f"[first {counted(most, 'case')}]", f"［前 {most} 个用例］", f"［前 {most} 個用例］")
    # The rows of every run there is would take long to hash; `report`, `gate` and `verify` do.
    if files := altered(folder, ["summary.json"]):
        yield choose(
            f"[altered: {', '.join(files)}]",
            f"［已被改动：{'、'.join(files)}］",
            f"［已被改動：{'、'.join(files)}］",
        )


def _kept(entry: catalogue.Entry) -> str:
    """Return how much of an unfinished run is on record."""
    return choose("{answers} of {expected} answers kept", "已保存 {answers}/{expected} 个回答").format(
        **counts(RunFolder(entry.path))
    )


def _figures(entry: catalogue.Entry) -> tuple[str, str]:
    """Return how many cases a run has, and its figures."""
    try:
        summary = convert(entry.summary, Summary)
    except ValueError:
        return "–", "–"
    specs = _specs(RunFolder(entry.path))
    shown = [spec for spec in specs if spec.headline] or specs[:1]
    parts, lang = [], pick_language(choose("en", "zh-Hans", "zh-Hant"))
    for figures in summary.models.values():
        parts += [f"{_label(spec)} {show_figure(figures.all.metrics[spec.name], spec, lang)}" for spec in shown]
    return str(summary.finished), "  ".join(parts)


def _label(spec: MetricSpec) -> str:
    """Call a figure by its Chinese label, or by the name that rules and files have for it."""
    return choose(spec.name, spec.label.hans, spec.label.hant)


def _specs(folder: RunFolder) -> list[MetricSpec]:
    return convert(folder.read("config.json")["metrics"], list[MetricSpec])


@click.command(
    help=choose(
        "Show what RUN came to (a folder, a run id, a beginning of one, or 'latest').",
        "显示 RUN 的结果（文件夹、运行编号、编号开头或 latest）。",
    )
)
@click.argument("run_name", metavar="RUN", default="latest")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "markdown", "csv", "json"]),
    default="text",
    show_default=True,
    help=choose("How to show it.", "显示的形式。"),
)
@click.option(
    "--case",
    metavar="ID",
    help=choose(
        "Show one case: its figures, why, and who decided what with which words.",
        "只显示一个用例：其指标、原因，以及由谁依据哪些原话作出判定。",
    ),
)
@flags.runs_dir
@flags.language
def report(run_name: str, kind: str, case: str | None, runs_dir: str | None, language: str | None) -> None:
    """Show a run."""
    folder = catalogue.find_run(Path(flags.settings_of({"runs_dir": runs_dir}).runs_dir), run_name)
    summary = believed(folder, read_summary(folder))
    settings = flags.settings_of({"language": language})
    words = wording_of(folder, settings.language, mask=settings.mask_private, many=len(summary.models) > 1)
    if files := altered(folder):
        click.echo(as_typed(message("report.altered").say(words.lang, {"files": files})), err=True)
    if case:
        _case(folder, case, words, as_json=kind == "json")
    elif kind == "json":
        print_json(to_builtins(summary))
    elif kind == "csv":
        click.echo(summary_csv(summary, words.metrics).decode("utf-8"), nl=False)
    elif kind == "markdown":
        for piece in report_markdown(summary, words, ReportRows(folder.results()), run_facts(folder.meta())):
            click.echo(piece, nl=False)
    else:
        _text(folder, summary, words)


def _case(folder: RunFolder, case: str, words: Wording, *, as_json: bool) -> None:
    """Print the rows of a case: its repeats, of every model."""
    found = [result for result in folder.results() if result.sample_id == case]
    if not found:
        raise RunError("page.no_case", id=case, run=folder.path.name)
    if as_json:
        print_json([to_builtins(words.cover(result)) for result in found])
        return
    for result in found:
        shown = words.cover(result)
        lines = [shown.question, shown.output_text, shown.scorecard.explain, *author_lines(shown, words.lang)]
        click.echo(case_line(result, words))
        click.echo("\n".join(f"  {visible_block(line)}" for line in lines if line))


def _text(folder: RunFolder, summary: Summary, words: Wording) -> None:
    missed = (result for result in folder.results() if not result.scorecard.passed)
    for result in islice(missed, MOST_LINES):
        click.echo(case_line(result, words))
    if more := sum(1 for _ in missed):
        click.echo(_MORE.say(words.lang, {"n": more}))
    for line in islice(claim_lines(folder.results(), words), MOST_CLAIMS):
        click.echo(line)
    told = (closing_lines, judged_lines, open_lines, model_lines)
    for line in (line for lines in told for line in lines(summary, words)):
        click.echo(line)
    click.echo(_REPORT.say(words.lang, {"file": folder.path / "report.md"}))


@click.command(help=choose("Print the completion script of a shell.", "输出命令补全脚本。"))
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print what the shell should evaluate."""
    lines = {
        "bash": 'eval "$(_RAGSTONE_COMPLETE=bash_source ragstone)"',
        "zsh": 'eval "$(_RAGSTONE_COMPLETE=zsh_source ragstone)"',
        "fish": "_RAGSTONE_COMPLETE=fish_source ragstone | source",
    }
    click.echo(lines[shell])
