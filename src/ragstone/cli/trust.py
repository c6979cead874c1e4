"""What `compare`, `gate`, `verify` and `rescore` share: finding runs, the language, printing JSON."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import click
from msgspec import to_builtins

from ragstone.cli.run import settings_of
from ragstone.cli.wording import choose
from ragstone.errors import SettingError
from ragstone.language import Lang, pick_language
from ragstone.store.catalogue import find_run
from ragstone.store.folder import RunFolder

F = TypeVar("F", bound=Callable[..., object])


def shared(command: F) -> F:
    """Add the flags all of them have."""
    for option in (
        click.option("--runs-dir", help=choose("Folder that holds the runs.", "保存运行的文件夹。")),
        click.option(
            "--lang", "language", help=choose("Language: en, zh-Hans, zh-Hant.", "语言：en、zh-Hans、zh-Hant。")
        ),
        click.option("--json", "as_json", is_flag=True, help=choose("Print as JSON.", "以 JSON 输出。")),
    ):
        command = option(command)
    return command


def open_run(name: str, runs_dir: str | None) -> RunFolder:
    """Find a run by its folder, its id, the beginning of one, or `latest`."""
    return find_run(Path(settings_of({"runs_dir": runs_dir}).runs_dir), name)


def reader(language: str | None) -> Lang:
    """Return the language to speak: the flag's, the settings', or the environment's."""
    return settings_of({"language": language}).language or pick_language(choose("en", "zh-Hans"))


def print_json(value: object) -> None:
    """Print one JSON value and nothing else."""
    click.echo(json.dumps(to_builtins(value), ensure_ascii=False, indent=2))


def print_lines(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        click.echo(line)


def write_text(path: Path, pieces: Iterable[str]) -> None:
    """Write a file a user named."""
    try:
        with path.open("w", encoding="utf-8", errors="replace") as file:
            file.writelines(pieces)
    except OSError as error:
        raise SettingError("gate.unwritable", file=str(path), problem=error.strerror or str(error)) from error
