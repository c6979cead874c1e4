"""`compare`: two runs, case by case."""

from pathlib import Path

import click

from ragstone.api import opened_engine
from ragstone.cli import flags
from ragstone.cli.flags import engine_of, judging
from ragstone.cli.output import print_json, print_lines
from ragstone.cli.stored_runs import (
    for_reader,
    most_shown,
    open_run,
    reader,
    shared,
    write_text,
)
from ragstone.cli.wording import choose
from ragstone.report.comparison import comparison_lines, comparison_markdown
from ragstone.runs.store.status import require_ended
from ragstone.trust.compare import compare as compare_runs


@click.command(
    help=choose(
        "Compare run B with run A, case by case: differences with intervals and p-values, what flipped, and why.",
        "逐例比较运行 A 与 B：差异及其区间和 p 值、翻转的用例及原因。",
    )
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--cluster",
    default="",
    metavar="GROUP",
    help=choose(
        "Group whose values belong together, such as the document; equal questions do anyway.",
        "同组用例视为不独立，例如按文档；相同问题总是如此。",
    ),
)
@most_shown
@click.option(
    "--markdown",
    type=click.Path(path_type=Path),
    help=choose("Write the comparison as Markdown.", "将对比写成 Markdown 文件。"),
)
@judging
@flags.trust_run
@shared
def compare(
    first: str,
    second: str,
    *,
    cluster: str,
    most: int,
    markdown: Path | None,
    engine: str | None,
    trust_run: bool,
    workers: str | None,
    runs_dir: str | None,
    language: str | None,
    as_json: bool,
) -> None:
    """Compare two runs."""
    lang, runs = reader(language), (open_run(first, runs_dir), open_run(second, runs_dir))
    for run in runs:
        require_ended(run)
    with opened_engine(engine_of(engine, workers)) as judges:
        found = compare_runs(*runs, cluster=cluster, engine=judges, guard=flags.guard_of(trust_run))
    found = for_reader(found, runs, lang)
    if markdown:
        write_text(markdown, comparison_markdown(found, lang, most=most))
    if as_json:
        print_json(found)
    else:
        print_lines(comparison_lines(found, lang, most=most))
