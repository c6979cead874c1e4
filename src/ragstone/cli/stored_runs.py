"""What `compare`, `gate`, `verify` and `rescore` share: finding runs, and the language."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from ragstone.cli import flags
from ragstone.cli.wording import choose
from ragstone.core.errors import SettingError
from ragstone.core.language import Lang, pick_language
from ragstone.core.types import Comparison, Result
from ragstone.report.comparison import MOST_SHOWN, cover_comparison
from ragstone.runs.reopen import is_masked, wording_of
from ragstone.runs.store.catalogue import find_run
from ragstone.runs.store.codec import write_whole
from ragstone.runs.store.folder import RunFolder

shared = flags.together(flags.runs_dir, flags.language, flags.as_json)
"""The flags all of them have."""
most_shown = click.option(
    "--most",
    type=click.IntRange(0),
    default=MOST_SHOWN,
    show_default=True,
    help=choose("Changed cases shown.", "显示的变化用例数。"),
)


def open_run(name: str, runs_dir: str | None) -> RunFolder:
    """Find a run by its folder, its id, the beginning of one, or `latest`."""
    return find_run(Path(flags.settings_of({"runs_dir": runs_dir}).runs_dir), name)


def reader(language: str | None) -> Lang:
    """Return the language to speak: the flag's, the settings', or the environment's."""
    return flags.settings_of({"language": language}).language or pick_language(choose("en", "zh-Hans", "zh-Hant"))


def for_reader(found: Comparison, runs: Sequence[RunFolder], lang: Lang) -> Comparison:
    """Return a comparison in the reader's language, without what either run or the settings hide."""
    hidden = flags.settings_of({}).mask_private or any(map(is_masked, runs))
    return cover_comparison(found, runs[-1].results(), wording_of(runs[-1], lang, mask=hidden))


def rows_for_reader(run: RunFolder, lang: Lang) -> Iterator[Result]:
    """Stream a run's rows in the reader's language, without what the run or the settings hide."""
    words = wording_of(run, lang, mask=flags.settings_of({}).mask_private)
    return map(words.cover, run.results())


def write_file(path: Path, content: bytes) -> None:
    """Write a file a user named, whole or not at all."""
    try:
        write_whole(path, content)
    except OSError as error:
        raise SettingError("gate.unwritable", file=str(path), problem=error.strerror or str(error)) from error


def write_text(path: Path, pieces: Iterable[str], mode: str = "w") -> None:
    """Write a file a user named."""
    try:
        with path.open(mode, encoding="utf-8", errors="replace") as file:
            file.writelines(pieces)
    except OSError as error:
        raise SettingError("gate.unwritable", file=str(path), problem=error.strerror or str(error)) from error
