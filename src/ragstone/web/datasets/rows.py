"""Shows and edits the rows of a dataset; an edit makes a new version and leaves the old one as it is."""

import re
from itertools import islice
from pathlib import Path

import msgspec
from msgspec import Struct

from ragstone.core.types import JSON
from ragstone.datasets.columns import find_columns
from ragstone.datasets.rows import Row, read_rows
from ragstone.runs.store.codec import pretty
from ragstone.runs.store.fingerprint import file_sha256
from ragstone.text.visible import visible_line
from ragstone.web.errors import PageError
from ragstone.web.places import Dataset

MOST_BYTES = 32 << 20
"""Largest dataset whose rows are changed on the page."""
_VERSION = re.compile(r"^(?P<stem>.+?)(?:-v(?P<number>\d{1,6}))?$")


class Sheet(Struct, frozen=True, kw_only=True):
    """Some rows of a dataset."""

    rows: tuple[tuple[int, dict[str, JSON]], ...]
    """Each with its number, which begins at 1."""
    more: bool
    sha256: str


def read_sheet(dataset: Dataset, start: int, limit: int) -> Sheet:
    """Read some rows of a dataset; what is no row is passed over."""
    if not dataset.path.is_file():
        raise PageError(422, "page.not_rows", name=dataset.name)
    found = (row for row in read_rows(dataset.path) if isinstance(row, Row))
    rows = [(row.number, row.value) for row in islice(found, start, start + limit + 1)]
    return Sheet(rows=tuple(rows[:limit]), more=len(rows) > limit, sha256=file_sha256(dataset.path))


def changed(dataset: Dataset, number: int, row: dict[str, JSON]) -> tuple[str, bytes]:
    """Return the name and content of a version of a dataset in which one row is another."""
    if not dataset.path.is_file() or dataset.path.stat().st_size > MOST_BYTES:
        raise PageError(422, "page.not_rows", name=dataset.name)
    rows = [one.value if one.number != number else row for one in read_rows(dataset.path) if isinstance(one, Row)]
    if not 0 < number <= len(rows):
        raise PageError(404, "page.row", name=dataset.name, number=number)
    if dataset.path.suffix.lower() == ".json":
        return _next_name(dataset.path, ".json"), pretty(rows)
    return _next_name(dataset.path, ".jsonl"), b"".join(msgspec.json.encode(one) + b"\n" for one in rows)


def columns_of(path: Path) -> tuple[list[str], dict[str, str]]:
    """Return the columns of a table's first row, and what they are taken for."""
    first = next((row.value for row in islice(read_rows(path), 20) if isinstance(row, Row)), {})
    names = [visible_line(name)[:200] for name in first][:200]
    guessed = find_columns(first) if first else None
    return names, {name: getattr(guessed, name) for name in guessed.__struct_fields__} if guessed else {}


def _next_name(path: Path, kind: str) -> str:
    found = _VERSION.match(path.name.partition(".")[0])
    assert found is not None
    return f"{found['stem']}-v{int(found['number'] or 1) + 1}{kind}"
