"""An answer made ready for many key points: folded, cut into sentences, with its moods, words, numbers and dates."""

import itertools
from bisect import bisect_left

from ragstone.reading.negation import Moods
from ragstone.reading.sentences import Piece, listed, sentences
from ragstone.reading.values.values import Value, values
from ragstone.reading.words import latin_stems
from ragstone.text.fold import Placed, bare_with_offsets, fold
from ragstone.text.late import lazy

_MOST = 2000
"""Sentences in which a point is looked for word by word; verbatim it is looked for everywhere."""


class Reply:
    """An answer and what is read from it, each thing found when it is first needed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = fold(text)

    @classmethod
    def prepare(cls, answer: str) -> "Reply":
        """Make an answer ready."""
        return cls(answer)

    @lazy
    def bare(self) -> Placed:
        """The answer without spaces and marks."""
        return bare_with_offsets(self.text)

    @lazy
    def pieces(self) -> list[Piece]:
        """Its sentences; of an endless text, the first."""
        return sentences(self.text, _MOST)

    @lazy
    def moods(self) -> Moods:
        """Where it denies, asks, supposes, guesses."""
        return Moods(self.folded)

    @lazy
    def values(self) -> list[Value]:
        """Its numbers and dates."""
        return values(self.text)

    @lazy
    def _value_starts(self) -> list[int]:
        return [value.start for value in self.values]

    @lazy
    def _latin(self) -> list[tuple[int, str]]:
        return latin_stems(self.folded)

    @lazy
    def stems(self) -> frozenset[str]:
        """The stems of all its Latin words."""
        return frozenset(stemmed for _, stemmed in self._latin)

    def values_in(self, window: Piece) -> list[Value]:
        """The numbers and dates that start within a window."""
        return self.values[bisect_left(self._value_starts, window.start) : bisect_left(self._value_starts, window.end)]

    def stems_in(self, window: Piece) -> dict[str, list[int]]:
        """The stems of the Latin words within a window, with their places."""
        found: dict[str, list[int]] = {}
        first, last = (bisect_left(self._latin, (place, "")) for place in (window.start, window.end))
        for place, stemmed in self._latin[first:last]:
            found.setdefault(stemmed, []).append(place)
        return found

    @lazy
    def windows(self) -> list[tuple[Piece, bool]]:
        """Single sentences first (True), then neighbours taken together."""
        pieces = self.pieces
        pairs = itertools.pairwise(pieces)
        return [
            *((piece, True) for piece in pieces),
            *((piece, True) for piece in listed(self.text)),
            *((Piece(one.start, two.end), False) for one, two in pairs),
        ]
