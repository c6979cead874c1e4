"""Finds keys that occur twice in one object, as decoders silently keep the last."""

import json
from collections.abc import Iterator
from pathlib import Path

from ragstone.core.files.ragstone_files import is_ragstone_file, is_run
from ragstone.core.types import JSON, Finding, Position
from ragstone.datasets.faults import BOM, crowded
from ragstone.datasets.formats import DamagedError, form_of, open_bytes
from ragstone.datasets.syntax.arrays import BrokenError, parts

MOST_BYTES = 16 << 20
"""Longest row that is looked at; the reader refuses longer ones."""


class _Twice(dict[str, JSON]):
    """An object some of whose keys stand more than once."""

    again: tuple[str, ...] = ()


def repeated_keys(path: Path) -> Iterator[Finding]:
    """Find the keys that stand twice in an object of a file or of a folder's JSON files; passes over what is broken."""
    if path.is_dir():
        for file in sorted([*path.glob("*.json"), *path.glob("*/*.json")]):
            if not (is_ragstone_file(file) or is_run(file.parent)):
                yield from repeated_keys(file)
        return
    form = form_of(path)
    if form.kind == "csv":
        yield from _columns(path)
    elif form.kind == "json":
        yield from _elements(path)
    elif form.kind == "lines":
        yield from _rows(path)


def _rows(path: Path) -> Iterator[Finding]:
    try:
        with open_bytes(path, str(path)) as file:
            for number, line in enumerate(iter(lambda: file.readline(MOST_BYTES), b""), start=1):
                yield from _in(line, Position(str(path), number))
    except DamagedError:
        return


def _elements(path: Path) -> Iterator[Finding]:
    """Check a file that is one value part by part, and the names of its own members."""
    name, told = str(path), set[str | None]()
    try:
        with open_bytes(path, name) as file:
            for part in parts(file):
                pointer = "".join(f"/{step}" for step in (part.name, part.place) if step is not None)
                if part.turn and part.name not in told:
                    told.add(part.name)
                    yield _twice(Position(name), f"/{part.name}")
                yield from _in(part.raw, Position(name, None, pointer))
    except (BrokenError, DamagedError):
        return


def _in(raw: bytes, position: Position) -> Iterator[Finding]:
    found: list[_Twice] = []
    if crowded(raw):
        return

    def kept(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
        made = dict(pairs)
        if len(made) == len(pairs):
            return made
        twice = _Twice(made)
        names = [name for name, _ in pairs]
        twice.again = tuple(name for name in made if names.count(name) > 1)
        found.append(twice)
        return twice

    try:
        value = json.loads(raw.removeprefix(BOM), object_pairs_hook=kept)
    except (ValueError, RecursionError):
        return
    if found:
        yield from _told(value, position, position.pointer or "")


def _told(value: JSON, position: Position, pointer: str) -> Iterator[Finding]:
    """Walk to the objects with keys twice, so that each can be named by its place."""
    if isinstance(value, _Twice):
        for name in value.again:
            yield _twice(position, f"{pointer}/{name}")
    held = value if isinstance(value, dict) else dict(enumerate(value)) if isinstance(value, list) else {}
    for key, item in held.items():
        yield from _told(item, position, f"{pointer}/{key}")


def _twice(position: Position, pointer: str) -> Finding:
    where = position if position.line else Position(position.file, None, pointer)
    params: dict[str, JSON] = {"field": pointer.removeprefix("/")}
    return Finding(level="warning", code="row.twice", position=where, params=params)


def _columns(path: Path) -> Iterator[Finding]:
    """Find columns of a CSV file that have one name."""
    import csv  # noqa: PLC0415 - most datasets need it not

    try:
        with open_bytes(path, str(path)) as file:
            head = file.readline(MOST_BYTES).removeprefix(BOM).decode("utf-8", "replace")
    except DamagedError:
        return
    names = [cell.strip() for cell in next(csv.reader([head], delimiter=max(",\t;", key=head.count)), [])]
    for name in dict.fromkeys(name for name in names if name and names.count(name) > 1):
        yield Finding(level="warning", code="row.twice", position=Position(str(path), 1), params={"field": name})
