"""Similarity of short texts: containment and Jaccard of character bigrams.

`matches_v2` and `Prepared` follow the Eval JSON v2 document to the letter: white space is removed, nothing is folded.
The folded functions are for general use.
"""

from collections.abc import Iterable
from itertools import pairwise
from struct import Struct, unpack_from
from typing import NamedTuple

from ragstone.text.fold import bare, squeeze

V2_THRESHOLD = 0.72
"""From this bigram Jaccard on, two texts match by the Eval JSON v2 document."""


class Prepared(NamedTuple):
    """A text without white space and the set of its bigrams, computed once and compared often."""

    text: str
    grams: frozenset[int]


def _grams(text: str) -> frozenset[int]:
    """Each bigram as one number, the two UTF-16 units side by side: half the time of a set of strings."""
    size = len(text)
    if size < 2:
        return frozenset(map(ord, text))
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) != 2 * size:
        codes = list(map(ord, text))
        return frozenset(one | other << (16 if one | other < 0x10000 else 32) for one, other in pairwise(codes))
    even, odd = unpack_from(f"<{size // 2}I", units), unpack_from(f"<{(size - 1) // 2}I", units, 2)
    return frozenset(even + odd)


def prepare(text: str) -> Prepared:
    """A text ready for `similar`: white space removed, nothing folded."""
    plain = "".join(text.split())
    return Prepared(plain, _grams(plain))


def prepare_folded(text: str) -> Prepared:
    """A text ready for `similar` after folding, without punctuation."""
    plain = bare(text)
    return Prepared(plain, _grams(plain))


def overlap(one: Prepared, other: Prepared) -> float:
    """Jaccard of the two bigram sets; a single character stands for itself; 0 when either is empty."""
    common = len(one.grams & other.grams)
    return common / (len(one.grams) + len(other.grams) - common) if common else 0.0


def similar(one: Prepared, other: Prepared, threshold: float = V2_THRESHOLD) -> bool:
    """Whether one text contains the other or their bigrams overlap by the threshold; an empty text matches nothing."""
    if not one.text or not other.text:
        return False
    if one.text in other.text or other.text in one.text:
        return True
    ratio = len(one.grams) / len(other.grams)
    # The overlap is at most the ratio of the sizes, smaller to larger.
    return ratio >= threshold and 1 / ratio >= threshold and overlap(one, other) >= threshold


def matches_v2(expected: str, got: str) -> bool:
    """The match of Eval JSON v2, 3.1: containment either way, or bigram Jaccard of at least 0.72."""
    return similar(prepare(expected), prepare(got))


class ListMatch(NamedTuple):
    """Which items of two lists match: a flag for each, and for each given item the expected ones it met."""

    expected: list[bool]
    got: list[bool]
    met: list[list[int]]


class ExpectedList:
    """A list of expected texts prepared once, so that given lists are matched against all of them at a time.

    The answer is that of `matches_v2` for every pair. Each bigram maps to a number with a one in the 32-bit place of
    each text that holds it, so that one sum counts the common bigrams with all texts.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self.items = [prepare(text) for text in texts]
        self._places: dict[int, int] = {}
        for at, item in enumerate(self.items):
            for gram in item.grams:
                self._places[gram] = self._places.get(gram, 0) | 1 << 32 * at
        self._known = frozenset(self._places)
        self._unpack = Struct(f"<{len(self.items)}I").unpack
        self._tiny = any(len(item.text) == 1 for item in self.items)

    def met_by(self, got: str) -> list[int]:
        """Places of the expected texts that the given one matches."""
        item = prepare(got)
        if self._tiny or len(item.text) < 2:
            return [at for at, wanted in enumerate(self.items) if similar(wanted, item)]
        counts: int = sum(map(self._places.__getitem__, item.grams & self._known))
        if not counts:
            return []
        size, met = len(item.grams), []
        for at, common in enumerate(self._unpack(counts.to_bytes(4 * len(self.items), "little"))):
            wanted = self.items[at]
            # Either way of matching needs half of one set; this spares most pairs the exact test.
            if common and (common * 2 >= size or common * 2 >= len(wanted.grams)) and self._match(wanted, item, common):
                met.append(at)
        return met

    def match(self, got: Iterable[str]) -> ListMatch:
        """Match a given list; `matched_expected` and `matched_got` are the sums of the two lists of flags."""
        met = [self.met_by(text) for text in got]
        hit = {at for places in met for at in places}
        return ListMatch([at in hit for at in range(len(self.items))], [bool(places) for places in met], met)

    @staticmethod
    def _match(wanted: Prepared, item: Prepared, common: int) -> bool:
        if common / (len(wanted.grams) + len(item.grams) - common) >= V2_THRESHOLD:
            return True
        return wanted.text in item.text or item.text in wanted.text


def contains(text: str, part: str) -> bool:
    """Whether the folded text holds the folded part; an empty part is held by nothing."""
    wanted = squeeze(part)
    return bool(wanted) and wanted in squeeze(text)


def coverage(text: str, part: str) -> float:
    """Share of the part's bigrams that the text holds, after folding; 0 when the part is empty."""
    wanted, held = prepare_folded(part).grams, prepare_folded(text).grams
    return len(wanted & held) / len(wanted) if wanted else 0.0
