"""`subset`: draws a small set that stands for a large one, the same on every machine."""

from collections.abc import Iterable
from pathlib import Path

import click

from ragstone.cli import flags
from ragstone.cli.output import print_json
from ragstone.cli.wording import choose
from ragstone.core.errors import SettingError
from ragstone.core.types import Case
from ragstone.datasets.check import load_cases, open_contract, require_sound, survey
from ragstone.datasets.formats import form_of
from ragstone.datasets.subset import BY, SEED, cut_out, draw
from ragstone.text.visible import visible_line


@click.command(
    help=choose(
        "Draw SIZE cases of DATASET into OUT: stratified by groups, seeded, the same on every machine.",
        "从 DATASET 抽取 SIZE 个用例写入 OUT：按分组分层、带种子、在任何机器上结果相同。",
    )
)
@click.argument("dataset", type=click.Path(path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--size",
    "-n",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help=choose("Cases to draw.", "抽取的用例数。"),
)
@click.option(
    "--by", default=",".join(BY), show_default=True, help=choose("Groups to stratify by.", "用于分层的分组。")
)
@click.option(
    "--seed", default=SEED, show_default=True, help=choose("Another seed, another draw.", "不同的种子得到不同的抽样。")
)
@flags.contract
@flags.option
@flags.as_json
def subset(
    dataset: Path, out: Path, size: int, by: str, seed: str, contract: str | None, pairs: tuple[str, ...], as_json: bool
) -> None:
    """Draw a subset."""
    if out.exists():
        raise SettingError("import.taken", file=str(out))
    lines = form_of(out).plain
    if not (lines or form_of(dataset) == form_of(out) == ("json", "")):
        raise SettingError("subset.lines", file=str(out))
    opened = open_contract(dataset, name=contract, options=flags.contract_options(pairs))
    require_sound(survey(opened, dataset), opened, dataset)
    drawn = draw(load_cases(opened), size, by=_groups(by, load_cases(opened)), seed=seed)
    _write(out, cut_out(dataset, drawn.cases, lines=lines))
    if as_json:
        strata = [stratum._asdict() for stratum in drawn.strata]
        print_json({"out": str(out), "fingerprint": drawn.fingerprint, "strata": strata})
        return
    for stratum in drawn.strata:
        name = " / ".join(filter(None, stratum.name)) or "–"
        click.echo(visible_line(f"{stratum.drawn:4} / {stratum.size:<5} {name}"))
    click.echo(
        choose(
            f"{len(drawn.cases)} cases in {out}",
            f"{out}：{len(drawn.cases)} 个用例",
            f"{out}：{len(drawn.cases)} 個用例",
        )
    )
    click.echo(choose(f"fingerprint {drawn.fingerprint}", f"指纹 {drawn.fingerprint}", f"指紋 {drawn.fingerprint}"))


def _groups(by: str, cases: Iterable[Case]) -> list[str]:
    """Read the names of groups; the usual ones need not be there, others must."""
    names = [name.strip() for name in by.split(",") if name.strip()]
    if unusual := set(names) - set(BY):
        known = {group for case in cases for group in case.groups}
        if unknown := sorted(unusual - known):
            raise SettingError("group.unknown", names=unknown, known=sorted(known) or ["–"])
    return names


def _write(out: Path, content: bytes) -> None:
    try:
        out.write_bytes(content)
    except OSError as error:
        raise SettingError("gate.unwritable", file=str(out), problem=error.strerror or str(error)) from error
