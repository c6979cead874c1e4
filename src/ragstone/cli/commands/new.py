"""`new`: starter files that run as they are."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import click

from ragstone.cli.wording import choose
from ragstone.core.errors import SettingError

TEMPLATES = Path(__file__).parents[2] / "data" / "new"
KINDS = sorted(path.name for path in TEMPLATES.iterdir() if path.is_dir())


@click.command(
    help=choose(
        "Write starter files of a KIND into FOLDER; they run as they are, and their README says how.",
        "将 KIND 的起步文件写入 FOLDER；可直接运行，用法见其中的 README。",
    )
)
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("folder", type=click.Path(path_type=Path))
def new(kind: str, folder: Path) -> None:
    """Copy a template, leaving files that exist alone."""
    source = TEMPLATES / kind
    files = [path for path in sorted(source.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    try:
        _copy({folder / path.relative_to(source): path for path in files})
    except OSError as error:
        raise SettingError("new.folder", folder=str(folder), problem=error.strerror or str(error)) from error
    readme = folder / "README.md"
    click.echo(choose(f"Next: read {readme}", f"下一步：阅读 {readme}", f"下一步：閱讀 {readme}"))


def _copy(files: Mapping[Path, Path]) -> None:
    """Copy each file to its place, or none when one of them is there already."""
    for target in files:
        if target.exists():
            raise SettingError("new.exists", file=str(target))
    for target, source in files.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        click.echo(str(target))
