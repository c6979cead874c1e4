"""The texts of many cases, kept in a few long pieces: searching those is quicker than many short ones."""

from array import array
from bisect import bisect_right
from collections.abc import Iterator

MOST_TEXT = 4000
"""Characters of an answer that can be searched."""


class Words:
    """The texts of neighbouring cases in one piece."""

    def __init__(self, first: int) -> None:
        self._first = first
        self._texts: list[bytes] = []
        self._ends = array("q")
        self._end = 0

    def add(self, text: str) -> None:
        """Add the text of the next case."""
        folded = fold_text(text.replace("\0", " ")) + b"\0"
        self._texts.append(folded)
        self._end += len(folded)
        self._ends.append(self._end)

    def row(self) -> tuple[int, bytes, bytes]:
        """Return what is kept: the number of the first case, where each text ends, and the texts."""
        return self._first, self._ends.tobytes(), b"".join(self._texts)


def fold_text(text: str) -> bytes:
    """Return a text as it is searched."""
    return text.lower().encode("utf-8", "replace")


def places(flags: bytearray) -> Iterator[int]:
    """Yield the numbers of the cases that are marked."""
    at = flags.find(1)
    while at >= 0:
        yield at
        at = flags.find(1, at + 1)


def mark(flags: bytearray, piece: tuple[int, bytes, bytes], needle: bytes) -> None:
    """Mark the cases of one piece whose text holds the needle."""
    first, ends, words = piece
    find = words.find
    at = find(needle)
    if at < 0:
        return
    numbers = array("q")
    numbers.frombytes(ends)
    stops, row = numbers.tolist(), 0
    while at >= 0:
        if stops[row] <= at:
            row = bisect_right(stops, at, row)
        flags[first + row] = 1
        at = find(needle, stops[row])
        row += 1
