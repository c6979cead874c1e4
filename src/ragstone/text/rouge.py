"""ROUGE-1, -2, -L and -Lsum: equal to google's rouge-score on Latin text, and right on CJK text.

Latin text is cut as rouge-score cuts it; as soon as either side holds CJK writing, both are cut into our tokens
(characters, whole Latin words and numbers). The name of the cut is returned: figures of two cuts are not comparable.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import chain, pairwise
from typing import Literal, NamedTuple

from ragstone.text.stem import stem as stem_word
from ragstone.text.tokens import has_cjk, tokens

Cut = Literal["google", "google-stem", "cjk"]
_WORD = re.compile(r"[a-z0-9]+")


_LONG = 2000


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


def _places_of(known: frozenset[str], items: Sequence[str]) -> dict[str, int]:
    """The places of the known items alone; a long list is laid out in bytes, for shifting one long bit is slow."""
    if len(items) < _LONG:
        return _places(items)
    laid = {item: bytearray(len(items) // 8 + 1) for item in known.intersection(items)}
    for at, item in enumerate(items):
        if item in laid:
            laid[item][at >> 3] |= 1 << (at & 7)
    return {item: int.from_bytes(row, "little") for item, row in laid.items()}


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


def rouge_lsum(reference: str, prediction: str, *, stem: bool = False) -> Rouge:
    """Summary-level ROUGE-L: sentences are lines, and each reference line is matched against all given lines."""
    _, cutter = _cutter(reference, prediction, stem)
    wanted = [cutter(line) for line in reference.split("\n") if line]
    got = [cutter(line) for line in prediction.split("\n") if line]
    left_wanted, left_got = Counter(chain(*wanted)), Counter(chain(*got))
    totals, hits = (left_got.total(), left_wanted.total()), 0
    lines = list(dict.fromkeys(map(tuple, got)))  # a line given twice meets nothing new
    for line in wanted:
        for token in _union(line, lines):
            if left_got[token] > 0 and left_wanted[token] > 0:
                hits += 1
                left_got[token] -= 1
                left_wanted[token] -= 1
    return _rouge(hits, *totals)


def _union(line: Sequence[str], candidates: Sequence[Sequence[str]]) -> list[str]:
    known = frozenset(line)
    near = (candidate for candidate in candidates if not known.isdisjoint(candidate))
    met = {at for candidate in near for at in _lcs_places(line, candidate)}
    return [line[at] for at in sorted(met)]


def _lcs_places(line: Sequence[str], candidate: Sequence[str]) -> list[int]:
    """Places in the line of one longest common subsequence: of several, the one rouge-score walks to."""
    places, full = _places_of(frozenset(line), candidate), (1 << len(candidate)) - 1
    rows = [full]
    for item in line:
        match = rows[-1] & places.get(item, 0)
        rows.append((rows[-1] + match | rows[-1] - match) & full)
    found, i, j = [], len(line), len(candidate)
    while i and j:
        if line[i - 1] == candidate[j - 1]:
            i, j = i - 1, j - 1
            found.append(i)
        elif _length(rows[i], j) > _length(rows[i - 1], j):
            # The row gains on the one above only by a match, so the walk left ends at the next one.
            j = (places[line[i - 1]] & (1 << j) - 1).bit_length()
        else:
            i -= 1
    return found


def _length(row: int, upto: int) -> int:
    return upto - (row & (1 << upto) - 1).bit_count()
