"""Aligned tables for a terminal, where a Chinese character is two columns wide."""

from collections.abc import Collection, Iterator, Sequence
from unicodedata import category, east_asian_width

from ragstone.text.visible import visible_line

GAP = "  "
_NOT_SHOWN = frozenset({"Mn", "Me", "Cf"})


def width(text: str) -> int:
    """Count the places a text takes in a terminal.

    >>> width("准确率 ok"), width("e\u0301")
    (9, 1)
    """
    return sum(0 if category(char) in _NOT_SHOWN else 1 + (east_asian_width(char) in "WF") for char in text)


def text_table(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> Iterator[str]:
    """Yield rows as lines; columns named in `right` end below each other. The last column takes what it needs.

    >>> list(text_table([["指标", "n"], ["accuracy", "12"]], right=[1]))
    ['指标       n', 'accuracy  12']
    """
    shown = [[visible_line(cell) for cell in row] for row in rows]
    wide = [max(map(width, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        cells = (_padded(cell, wide[at], right=at in right) for at, cell in enumerate(row))
        yield GAP.join(cells).rstrip()


def _padded(text: str, wide: int, *, right: bool) -> str:
    room = " " * (wide - width(text))
    return room + text if right else text + room
