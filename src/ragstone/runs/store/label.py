"""The name and tags a run was given on the page, in a file of its own that is no part of the seal."""

import contextlib
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from ragstone.core.errors import RunError
from ragstone.runs.store.codec import pretty, read_plain, write_whole
from ragstone.text.visible import visible_line

LABEL = "label.json"
LARGEST = 8192
LONGEST_NAME, LONGEST_TAG, MOST_TAGS = 120, 40, 12


class Label(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A run's name, its tags, and whether it is put away."""

    name: str = ""
    tags: tuple[str, ...] = ()
    archived: bool = False


def make_label(name: str = "", tags: Sequence[str] = (), *, archived: bool = False) -> Label:
    """Make a label from user input, within bounds and without control characters."""
    kept = dict.fromkeys(short for tag in tags[: 4 * MOST_TAGS] if (short := _short(tag, LONGEST_TAG)))
    return Label(name=_short(name, LONGEST_NAME), tags=tuple(kept)[:MOST_TAGS], archived=archived)


def read_label(run: Path) -> Label:
    """Read what a run is called; a file that is none, too long or no label is passed over."""
    path = run / LABEL
    with contextlib.suppress(OSError, ValueError, RecursionError), read_plain(path) as file:
        if len(data := file.read(LARGEST + 1)) <= LARGEST:
            found = msgspec.json.decode(data, type=Label)
            return make_label(found.name, found.tags, archived=found.archived)
    return Label()


def write_label(run: Path, label: Label) -> None:
    """Write down what a run is called."""
    try:
        write_whole(run / LABEL, pretty(label))
    except OSError as error:
        raise RunError("run.unwritable", folder=str(run), problem=error.strerror or str(error)) from error


def _short(text: str, most: int) -> str:
    return visible_line(text[: 4 * most].replace("\n", " ")).strip()[:most].strip()
