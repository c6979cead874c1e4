"""What `compare`, `gate`, `verify` and `rescore` share: finding runs, the language, printing JSON."""

import json
from collections.abc import Iterable
from pathlib import Path

import click
from msgspec import to_builtins

from ragstone.cli import flags
from ragstone.cli.wording import choose
from ragstone.errors import SettingError
from ragstone.language import Lang, pick_language
from ragstone.store.catalogue import find_run
from ragstone.store.folder import RunFolder

shared = flags.together(flags.runs_dir, flags.language, flags.as_json)
"""The flags all of them have."""


def open_run(name: str, runs_dir: str | None) -> RunFolder:
    """Find a run by its folder, its id, the beginning of one, or `latest`."""
    return find_run(Path(flags.settings_of({"runs_dir": runs_dir}).runs_dir), name)


def reader(language: str | None) -> Lang:
    """Return the language to speak: the flag's, the settings', or the environment's."""
    return flags.settings_of({"language": language}).language or pick_language(choose("en", "zh-Hans", "zh-Hant"))


def print_json(value: object) -> None:
    """Print one JSON value and nothing else."""
    click.echo(json.dumps(to_builtins(value), ensure_ascii=False, indent=2))


def print_lines(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        click.echo(line)


def write_text(path: Path, pieces: Iterable[str], mode: str = "w") -> None:
    """Write a file a user named."""
    try:
        with path.open(mode, encoding="utf-8", errors="replace") as file:
            file.writelines(pieces)
    except OSError as error:
        raise SettingError("gate.unwritable", file=str(path), problem=error.strerror or str(error)) from error
