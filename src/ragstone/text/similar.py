"""Similarity of short texts: containment and Jaccard of character bigrams.

`prepare` and `similar` follow the Eval JSON v2 document to the letter (3.1): white space is removed, nothing is folded.
The folded functions are for general use.
"""

from itertools import pairwise
from struct import unpack_from
from typing import NamedTuple

from ragstone.text.fold import bare

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


def coverage(text: str, part: str) -> float:
    """Share of the part's bigrams that the text holds, after folding; 0 when the part is empty."""
    wanted, held = prepare_folded(part).grams, prepare_folded(text).grams
    return len(wanted & held) / len(wanted) if wanted else 0.0
