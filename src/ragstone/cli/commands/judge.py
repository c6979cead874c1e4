"""`judge`: what rules left open is decided by a judge and by people, in figures of their own."""

import csv
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path

import click
from msgspec import structs, to_builtins

from ragstone import api
from ragstone.cli import flags
from ragstone.cli.judging import figure_lines, require_asked
from ragstone.cli.log import watchers
from ragstone.cli.output import print_json, print_lines
from ragstone.cli.stored_runs import open_run, reader, shared, write_text
from ragstone.cli.wording import choose
from ragstone.core.language import Lang
from ragstone.core.settings import Settings
from ragstone.core.types import JSON
from ragstone.judging.label_file import read_labels
from ragstone.report.judging.certificate import doubt_lines, probe_lines
from ragstone.runs.judged.draw_table import free_name, labels_in, table_rows
from ragstone.text.visible import csv_cell, visible_line


@click.command(
    help=choose(
        "Have a judge and people decide what the rules of RUN left open. The system under test is not asked, figures "
        "by rule stay as they are, and what was asked before is not asked again.",
        "让裁判和人工裁定 RUN 中规则未能确定的内容。不会向被测系统提问，规则得出的数值保持不变，问过的不再重问。",
    )
)
@click.argument("run_name", metavar="RUN", default="latest")
@flags.judge
@click.option(
    "--labels",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help=choose(
        "Labels of people; labels.jsonl beside the runs when left out.", "人工标注；默认为运行目录旁的 labels.jsonl。"
    ),
)
@click.option(
    "--replace-labels",
    is_flag=True,
    help=choose(
        "Forget the labels RUN took in before: those given now are all.", "忘掉 RUN 此前导入的标注，只采用这次给出的。"
    ),
)
@click.option(
    "--people",
    is_flag=True,
    help=choose("Only take in what people said; ask no judge.", "只采用人工标注，不向裁判提问。"),
)
@click.option(
    "--draw",
    type=click.IntRange(1),
    metavar="N",
    help=choose(
        "Only draw N cases of RUN for people to label (more where N is few: three at least of every sort of outcome), "
        "into --out (CSV), without what is labelled; fill in verdict and reviewer, then --labels with the whole table.",
        "只从 RUN 中抽取 N 个用例供人工标注（N 过小时会更多：每类结果至少三个），写入 --out（CSV），不含已标注的；"
        "填写 verdict 和 reviewer 后，用 --labels 交回整张表。",
    ),
)
@click.option(
    "--beside",
    metavar="RUN",
    help=choose(
        "Draw the same cases of this run, too (--draw), so that the difference between both can be estimated.",
        "同时从该运行抽取相同的用例（--draw），以便估计两次运行的差异。",
    ),
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("to-label.csv"),
    show_default=True,
    help=choose(
        "File for --draw; where it holds labels, the next free name.",
        "--draw 的输出文件；其中已有标注时使用下一个空闲的文件名。",
    ),
)
@click.option(
    "--probe",
    is_flag=True,
    help=choose(
        "Only put probes made from RUN's rows to the judge, and look for drift since its certificate.",
        "只用 RUN 的数据构造探测来考察裁判，并检查自认证以来的漂移。",
    ),
)
@flags.trust_run
@flags.calling
@shared
def judge(
    run_name: str,
    *,
    labels: Path | None,
    people: bool,
    replace_labels: bool,
    draw: int | None,
    beside: str | None,
    out: Path,
    probe: bool,
    trust_run: bool,
    runs_dir: str | None,
    language: str | None,
    as_json: bool,
    **given: JSON,
) -> None:
    """Decide what is open."""
    lang, folder = reader(language), open_run(run_name, runs_dir)
    settings = flags.settings_of({"runs_dir": runs_dir, "language": language})
    wish = flags.judging_of(given, labels=labels)
    wish = structs.replace(wish, people_only=people, replace_labels=replace_labels)
    if draw:
        given_labels = [*labels_in(out), *(read_labels(labels) if labels else ())]
        other = open_run(beside, runs_dir) if beside else None
        _draw(*table_rows(folder, draw, other, given_labels, lang), free_name(out), quiet=given["quiet"])
        return
    if probe:
        _probe(folder.path, wish, settings, lang, as_json=as_json, quiet=given["quiet"])
        return
    seen = watchers({**given, "as_json": as_json})
    done = api.judge_run(folder.path, wish, settings=settings, trust=flags.guard_of(trust_run), watchers=seen)
    if as_json:
        print_json(
            {
                "folder": str(folder.path),
                "asked": to_builtins(done.asked),
                "open": done.whys,
                "summary": to_builtins(done.summary),
            }
        )
    elif not given["quiet"]:
        print_lines(figure_lines(done, folder, lang, labels))
    require_asked(done, folder.path, lang)


def _draw(rows: Sequence[Mapping[str, JSON]], labelled: int, out: Path, *, quiet: bool) -> None:
    """Write what is to be labelled as a table that a spreadsheet opens; what was labelled before is left out."""
    table = StringIO()
    columns = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(table, columns or ["case"], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: csv_cell(str(value)) for name, value in row.items()} for row in rows)
    blank = sum(not row["verdict"] for row in rows)
    write_text(out, ["\ufeff", table.getvalue()])
    if quiet:
        return
    there = (
        choose(f" ({labelled} labelled before)", f"（另有 {labelled} 行已标注）", f"（另有 {labelled} 行已標註）")
        if labelled
        else ""
    )
    click.echo(
        choose(f"{blank} rows to label: {out}", f"待标注 {blank} 行：{out}", f"待標註 {blank} 行：{out}") + there
    )


def _probe(run: Path, wish: api.Judging, settings: Settings, lang: Lang, *, as_json: bool, quiet: bool) -> None:
    """Show the results of probes and anchors; exit code 1 if a judge fails them, 3 with too few or another version."""
    found = api.probe_judge(run, wish, settings=settings)
    probes = {one.name: {name: (p.misses, p.n) for name, p in one.probes.items()} for one in found}
    if as_json:
        print_json(
            [
                {
                    "judge": one.name,
                    "probes": probes[one.name],
                    "drift": one.drift,
                    "version": one.version,
                    "other_rows": one.other_rows,
                }
                for one in found
            ]
        )
    for one in () if as_json or quiet else found:
        click.echo(visible_line(one.name))
        turned = {**one.drift._asdict(), "alarms": one.drift.alarms} if one.drift else None
        caught = {name: probed.caught for name, probed in one.probes.items() if probed.caught}
        print_lines(probe_lines(probes[one.name], one.few, turned, lang, one.unsure, caught))
        print_lines(doubt_lines(one.missed, one.version, lang, certified=one.is_held, other_rows=one.other_rows))
    if not found or any(one.fails for one in found):
        raise click.exceptions.Exit(1)
    if any(one.few or one.version for one in found):
        raise click.exceptions.Exit(3)
