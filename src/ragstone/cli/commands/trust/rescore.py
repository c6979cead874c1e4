"""`rescore`: today's scorer on recorded answers."""

from pathlib import Path

import click
from msgspec import to_builtins

from ragstone.api import opened_engine
from ragstone.cli import flags
from ragstone.cli.flags import contract_options, engine_of, judging
from ragstone.cli.output import print_json, print_lines
from ragstone.cli.stored_runs import for_reader, most_shown, open_run, reader, shared
from ragstone.cli.wording import choose
from ragstone.core.errors import RunError
from ragstone.core.language import Text
from ragstone.core.messages import message
from ragstone.report.comparison import comparison_lines
from ragstone.report.console import open_lines
from ragstone.runs.reopen import wording_of
from ragstone.trust.compare import compare
from ragstone.trust.rescore import rescore as rescore_run


@click.command(
    help=choose(
        "Score the recorded answers of RUN with today's scorer, into a new run; makes no calls, keeps the old scores, "
        "and shows what moved and why.",
        "用当前评分器对 RUN 的已录制回答重新评分，写入新的运行；不发出请求，保留旧分数，并显示变化及原因。",
    )
)
@click.argument("run_name", metavar="RUN", default="latest")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help=choose("Folder of the new run; <RUN>-rescored-N when left out.", "新运行的文件夹；默认 <RUN>-rescored-N。"),
)
@click.option(
    "--dataset",
    type=click.Path(path_type=Path),
    help=choose("Dataset to score against, when not the old one.", "评分所用的样例集（默认为原样例集）。"),
)
@click.option("--contract", help=choose("Contract to score by, when not the old one.", "评分契约（默认为原契约）。"))
@click.option(
    "--option", "-o", "pairs", multiple=True, metavar="NAME=VALUE", help=choose("Option of the contract.", "契约选项。")
)
@flags.glossary
@most_shown
@judging
@flags.trust_run
@shared
def rescore(
    run_name: str,
    *,
    out: Path | None,
    dataset: Path | None,
    contract: str | None,
    pairs: tuple[str, ...],
    most: int,
    engine: str | None,
    trust_run: bool,
    workers: str | None,
    runs_dir: str | None,
    language: str | None,
    as_json: bool,
) -> None:
    """Score a run again."""
    lang, folder = reader(language), open_run(run_name, runs_dir)
    guard = flags.guard_of(trust_run)
    with opened_engine(engine_of(engine, workers)) as judges:
        options = contract_options(pairs)
        done = rescore_run(folder, out, dataset=dataset, contract=contract, options=options, engine=judges, guard=guard)
        try:
            moved = for_reader(compare(folder, done.folder, engine=judges, guard=guard), (folder, done.folder), lang)
        except RunError:
            moved = None  # Nothing in common with the old scores, such as a run whose rows were lost.
    path = done.folder.path
    if as_json:
        told = {"folder": str(path), "summary": to_builtins(done.summary), "comparison": to_builtins(moved)}
        print_json(told | ({"replaced": done.replaced} if done.replaced else {}))
    else:
        print_lines(comparison_lines(moved, lang, most=most) if moved else ())
        print_lines(open_lines(done.summary, wording_of(done.folder, lang)))
        if done.replaced:
            click.echo(message("rescore.replaced").say(lang, {"n": done.replaced}))
        click.echo(Text("Run folder: {path}", "运行文件夹：{path}").say(lang, {"path": path}))
    if done.summary.status != "complete":
        raise click.exceptions.Exit(3)
