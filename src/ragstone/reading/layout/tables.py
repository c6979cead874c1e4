"""Markdown tables laid out as sentences, so that a cell is read with the row and the column it stands in.

| plan | price |
|------|-------|        lay_out gives "Team plan price 20 $."
| Team | 20 $  |
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ragstone.text.late import late

_TABLE = late(
    r"(?m)^(?P<head>[^\n]*\|[^\n]*)\n[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*$"
    r"(?P<rows>(?:\n[^\n]*\|[^\n]*)+)"
)
_MOST_TABLES, _MOST_ROWS, _MOST_CELLS, _LONGEST = 20, 200, 12, 60
"""Tables, rows and cells that are laid out, and characters of a heading or a row's name."""
_EMPTY = frozenset(("", "-", "–", "—", "/"))


class Laid(NamedTuple):
    """A text with its tables laid out, and for each of its characters the place in the text as it was given."""

    text: str
    offsets: Sequence[int]


class _Cell(NamedTuple):
    at: int
    text: str


def lay_out(text: str) -> Laid | None:
    """The text with each row of its tables as a sentence; None where it has no table."""
    if "|" not in text or "\n" not in text:
        return None
    parts: list[_Cell] = []
    end = 0
    for table in islice(_TABLE.finditer(text), _MOST_TABLES):
        parts.append(_Cell(end, text[end : table.start()]))
        item = "- " if parts[-1].text.rstrip().endswith((":", "：")) else ""
        parts += _sentences(_cells(table["head"], table.start()), table["rows"], table.start("rows"), item)
        end = table.end()
    if not end:
        return None
    parts.append(_Cell(end, text[end:]))
    offsets: list[int] = []
    for one in parts:
        size = len(one.text)
        offsets += range(one.at, one.at + size) if text.startswith(one.text, one.at) else [one.at] * size
    return Laid("".join(one.text for one in parts), offsets)


def _cells(line: str, at: int) -> list[_Cell]:
    """The cells of a line, each with its place in the text."""
    found, place = [], at
    for part in line.split("|"):
        found.append(_Cell(place + len(part) - len(part.lstrip()), part.strip()))
        place += len(part) + 1
    inner = found[1:] if line.lstrip().startswith("|") else found
    return (inner[:-1] if line.rstrip().endswith("|") else inner)[:_MOST_CELLS]


def _sentences(head: list[_Cell], rows: str, at: int, item: str) -> Iterator[_Cell]:
    """The rows as sentences, below a colon as items of a list; the head is told at the place of the row's own name."""
    place = at
    for number, line in enumerate(rows.split("\n")):
        cells = _cells(line, place) if number <= _MOST_ROWS else [_Cell(place, line)]
        yield from _sentence(head, cells, item)
        place += len(line) + 1


def _sentence(head: list[_Cell], cells: list[_Cell], item: str) -> Iterator[_Cell]:
    name = cells[0]
    told = [(one, cell) for one, cell in zip(head[1:], cells[1:], strict=False) if cell.text not in _EMPTY]
    if not told or len(name.text) > _LONGEST:
        yield from (cell._replace(text=cell.text + " ") for cell in cells)
        return
    yield _Cell(name.at, item)
    for column, cell in told:
        yield name
        yield _Cell(name.at, f" {head[0].text[:_LONGEST]} {column.text[:_LONGEST]} ")
        yield cell
        yield _Cell(cell.at, "." if cell is told[-1][1] else ", ")
    yield _Cell(name.at, "\n")
