"""`merge`: the parts of a split run into one."""

from pathlib import Path

import click
from msgspec import to_builtins

from ragstone.cli import flags
from ragstone.cli.output import print_json, print_lines
from ragstone.cli.stored_runs import open_run, reader, shared
from ragstone.cli.wording import choose
from ragstone.core.language import Text
from ragstone.report.console import closing_lines, judged_lines, open_lines
from ragstone.runs.merge import merge as merge_runs
from ragstone.runs.reopen import plan_of
from ragstone.runs.store.admission import TRUSTING


@click.command(
    help=choose(
        "Join the RUNS that `ragstone run --shard I/N` made into the run they are parts of.",
        "将 `ragstone run --shard I/N` 产生的各部分 RUNS 合并为完整的运行。",
    )
)
@click.argument("runs", nargs=-1, required=True)
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help=choose("Folder of the whole.", "合并后的运行文件夹。")
)
@click.option(
    "--partial",
    is_flag=True,
    help=choose(
        "Allow missing or unfinished parts; the run is marked partial.", "允许缺少或未完成的部分；标记为不完整。"
    ),
)
@click.option(
    "--dataset",
    type=click.Path(path_type=Path),
    help=choose("Where the dataset is now, if it was moved.", "样例集在本机的位置（若不同）。"),
)
@flags.trust_run
@shared
def merge(
    runs: tuple[str, ...],
    *,
    out: Path,
    partial: bool,
    trust_run: bool,
    dataset: Path | None,
    runs_dir: str | None,
    language: str | None,
    as_json: bool,
) -> None:
    """Merge the parts of a run."""
    lang = reader(language)
    done = merge_runs(
        [open_run(name, runs_dir) for name in runs],
        out,
        partial=partial,
        dataset=dataset,
        guard=flags.guard_of(trust_run),
    )
    path, summary = done.folder.path, done.summary
    if as_json:
        print_json({"folder": str(path), "summary": to_builtins(summary)})
    else:
        words = plan_of(done.folder, guard=TRUSTING, dataset=dataset).wording()
        print_lines([*closing_lines(summary, words), *judged_lines(summary, words), *open_lines(summary, words)])
        click.echo(Text("Run folder: {path}", "运行文件夹：{path}").say(lang, {"path": path}))
    if summary.status != "complete":
        raise click.exceptions.Exit(3)
