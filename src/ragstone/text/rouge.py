"""ROUGE-1, -2 and -L: equal to google's rouge-score on Latin text, and right on CJK text.

Latin text is cut as rouge-score cuts it; as soon as either side holds CJK writing, both are cut into our tokens
(characters, whole Latin words and numbers). The name of the cut is returned: figures of two cuts are not comparable.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from ragstone.text.stem import stem as stem_word
from ragstone.text.tokens import has_cjk, tokens

Cut = Literal["google", "google-stem", "cjk"]
_WORD = re.compile(r"[a-z0-9]+")


class Rouge(NamedTuple):
    """Precision, recall and F of one ROUGE measure."""

    precision: float
    recall: float
    f: float


class RougeScores(NamedTuple):
    """The measures of one pair of texts and how the texts were cut."""

    rouge1: Rouge
    rouge2: Rouge
    rouge_l: Rouge
    cut: Cut


NOTHING = Rouge(0.0, 0.0, 0.0)


def _rouge(hits: int, got: int, wanted: int) -> Rouge:
    if not hits:
        return NOTHING
    precision, recall = hits / got, hits / wanted
    return Rouge(precision, recall, 2 * precision * recall / (precision + recall))


def _google(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _google_stem(text: str) -> list[str]:
    return [stem_word(word) if len(word) > 3 else word for word in _WORD.findall(text.lower())]


def _cutter(reference: str, prediction: str, stem: bool) -> tuple[Cut, Callable[[str], list[str]]]:
    for text in (reference, prediction):
        # Google's cut loses other scripts altogether; ours keeps them.
        if not text.isascii() and (has_cjk(text) or not _WORD.search(text.lower())):
            return "cjk", tokens
    return ("google-stem", _google_stem) if stem else ("google", _google)


def rouge(reference: str, prediction: str, *, stem: bool = False) -> RougeScores:
    """ROUGE-1, -2 and -L of a prediction against a reference; stem=True applies Porter's stemmer to Latin text."""
    cut, cutter = _cutter(reference, prediction, stem)
    wanted, got = cutter(reference), cutter(prediction)
    return RougeScores(rouge_n(wanted, got, 1), rouge_n(wanted, got, 2), rouge_l(wanted, got), cut)


def rouge_n(wanted: Sequence[str], got: Sequence[str], n: int) -> Rouge:
    """ROUGE-N over tokens, for n of 1 or 2."""
    hits = _common(wanted, got) if n == 1 else _common(list(pairwise(wanted)), list(pairwise(got)))
    return _rouge(hits, len(got) - n + 1, len(wanted) - n + 1)


def _common(wanted: Sequence[Hashable], got: Sequence[Hashable]) -> int:
    left, hits = dict(Counter(wanted)), 0
    for piece in got:
        if count := left.get(piece):
            left[piece] = count - 1
            hits += 1
    return hits


def rouge_l(wanted: Sequence[str], got: Sequence[str]) -> Rouge:
    """ROUGE-L over tokens."""
    return _rouge(lcs_length(wanted, got), len(got), len(wanted))


def _places(items: Sequence[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    bit = 1
    for item in items:
        places[item] = places.get(item, 0) | bit
        bit <<= 1
    return places


def lcs_length(one: Sequence[str], other: Sequence[str]) -> int:
    """Length of the longest common subsequence, one bit per token of the shorter side."""
    if len(one) > len(other):
        one, other = other, one
    places, full = _places(one), (1 << len(one)) - 1
    row = full
    for item in other:
        match = row & places.get(item, 0)
        if match:
            row = (row + match | row - match) & full
    return len(one) - row.bit_count()
