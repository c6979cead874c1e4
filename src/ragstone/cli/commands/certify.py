"""`certify`: what a judge's verdicts are worth, measured against people."""

from pathlib import Path

import click
from msgspec import to_builtins

from ragstone import api
from ragstone.cli import flags
from ragstone.cli.output import print_json, print_lines
from ragstone.cli.stored_runs import open_run, reader, shared
from ragstone.cli.wording import choose
from ragstone.core.language import Text
from ragstone.core.messages import message
from ragstone.core.types import JSON
from ragstone.judging.certificate import failed, probes_of
from ragstone.report.judging.certificate import asked_line, certificate_lines
from ragstone.text.visible import visible_line

_WRITTEN = Text("Certificate: {file}", "证书：{file}")


@click.command(
    help=choose(
        "Measure a judge by LABELS of people and by probes, and write its certificate (judge.json). Half of the labels "
        "tune its threshold, the other half certify. Without a trusted certificate judged figures only advise. LABELS "
        "left out: labels.jsonl beside the runs, as people gave them on the page.",
        "用人工标注 LABELS 和探测衡量裁判，并写出证书（judge.json）。一半标注用于调整阈值，另一半用于认证。"
        "没有可信的证书时，裁判得出的数值仅供参考。LABELS 默认为运行目录旁的 labels.jsonl，即在页面上给出的标注。",
    )
)
@click.argument("labels", type=click.Path(path_type=Path, exists=True, dir_okay=False), required=False)
@flags.judge
@click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="RUN",
    help=choose(
        "Run the labels are about; may be given several times. Left out: the runs that the labels name.",
        "标注所属的运行；可多次给出。默认为标注中写明的运行。",
    ),
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help=choose("File of the certificate; judge.json when left out.", "证书文件；默认 judge.json。"),
)
@click.option(
    "--probes",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    metavar="N",
    help=choose(
        "Probes of each kind; fewer cost less, and prove too little for trust.",
        "每类探测的数量；较少则更省，但不足以使裁判可信。",
    ),
)
@flags.offline
@flags.quiet
@shared
def certify(
    labels: Path | None,
    *,
    runs: tuple[str, ...],
    out: Path | None,
    probes: int,
    runs_dir: str | None,
    language: str | None,
    as_json: bool,
    **given: JSON,
) -> None:
    """Certify a judge."""
    lang = reader(language)
    settings = flags.settings_of({"runs_dir": runs_dir, "language": language})
    folders = [open_run(name, runs_dir).path for name in runs]
    done = api.certify(labels, flags.judging_of(given), runs=folders, out=out, probes=probes, settings=settings)
    if as_json:
        print_json([to_builtins(one) for one in done.certificates])
    for code, params in done.notes:
        click.echo(visible_line(message(code).say(lang, params)), err=as_json)
    if as_json or given["quiet"]:
        return
    for one in done.certificates:
        missed = {kind: failed(probes_of(standing)) for kind, standing in one.kinds.items()}
        print_lines(certificate_lines(one.name, to_builtins(one.kinds), lang, missed))
        click.echo(asked_line(one.asked, one.taken, lang))
    click.echo(_WRITTEN.say(lang, {"file": done.path}))
