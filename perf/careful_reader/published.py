"""Exact match and F1 of an answer against references: as the published scripts compute them, and folded.

`squad` is the SQuAD script (also used for XQuAD); `cmrc` is the CMRC 2018 script, whose F1 is a longest common run of
tokens over mixed segmentation; `folded` is ours: folded text, CJK characters and Latin words as tokens.
"""

import re
import string
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from perf.careful_reader.treebank import treebank_words
from ragstone.text.fold import bare
from ragstone.text.tokens import tokens

_ASCII_MARKS = dict.fromkeys(map(ord, string.punctuation))
_ARTICLES = re.compile(r"\b(a|an|the)\b")
# The marks the CMRC script drops; its "……" is two characters and never meets one, so an ellipsis stays.
_CMRC_MARKS = dict.fromkeys(map(ord, "-:_*^/\\~`+=，。：？！“”；’《》·、「」（）－～『』"))
_CMRC_PIECE = re.compile("[\u4e00-\u9fa5]|[^\u4e00-\u9fa5]+")


class Match(NamedTuple):
    """Exact match (0 or 1) and F1 (0 to 1), each the best over the references."""

    em: float
    f1: float


def _bag_f1(got: Sequence[str], want: Sequence[str]) -> float:
    same = sum((Counter(got) & Counter(want)).values())
    if same == 0:
        return 0.0
    precision, recall = same / len(got), same / len(want)
    return 2 * precision * recall / (precision + recall)


def _squad_form(text: str) -> str:
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_ASCII_MARKS)).split())


def squad(prediction: str, references: Sequence[str]) -> Match:
    """EM and F1 as the SQuAD script gives them."""
    got = _squad_form(prediction)
    wanted = [_squad_form(reference) for reference in references]
    em = float(got in wanted)
    return Match(em, max((_bag_f1(got.split(), want.split()) for want in wanted), default=0.0))


def _cmrc_form(text: str) -> str:
    return text.lower().strip().translate(_CMRC_MARKS)


def mixed_segments(text: str) -> list[str]:
    """CMRC's mixed segmentation without its punctuation: Han characters apart, the rest as Treebank words."""
    pieces: list[str] = []
    for piece in _CMRC_PIECE.findall(_cmrc_form(text)):
        if "\u4e00" <= piece <= "\u9fa5":
            pieces.append(piece)
        else:
            pieces.extend(treebank_words(piece))
    return pieces


class _Runs:
    """All runs of a token list as a suffix automaton, so that the longest common run is found in linear time."""

    def __init__(self, items: Sequence[str]) -> None:
        self._next: list[dict[str, int]] = [{}]
        self._link, self._length, self._last = [-1], [0], 0
        for item in items:
            self._extend(item)

    def _state(self, moves: dict[str, int], link: int, length: int) -> int:
        self._next.append(moves)
        self._link.append(link)
        self._length.append(length)
        return len(self._next) - 1

    def _extend(self, item: str) -> None:
        new = self._state({}, 0, self._length[self._last] + 1)
        at, self._last = self._last, new
        while at >= 0 and item not in self._next[at]:
            self._next[at][item] = new
            at = self._link[at]
        if at >= 0:
            self._link[new] = self._split(at, item)

    def _split(self, at: int, item: str) -> int:
        old = self._next[at][item]
        if self._length[old] == self._length[at] + 1:
            return old
        copy = self._state(dict(self._next[old]), self._link[old], self._length[at] + 1)
        while at >= 0 and self._next[at].get(item) == old:
            self._next[at][item] = copy
            at = self._link[at]
        self._link[old] = copy
        return copy

    def longest_in(self, items: Sequence[str]) -> int:
        """Length of the longest run that the other list holds too."""
        at = length = best = 0
        for item in items:
            while at and item not in self._next[at]:
                at = self._link[at]
                length = self._length[at]
            if item in self._next[at]:
                at, length = self._next[at][item], length + 1
                best = max(best, length)
        return best


def _run_f1(got: Sequence[str], want: Sequence[str]) -> float:
    length = _Runs(want).longest_in(got)
    if length == 0:
        return 0.0
    precision, recall = length / len(got), length / len(want)
    return 2 * precision * recall / (precision + recall)


def cmrc(prediction: str, references: Sequence[str]) -> Match:
    """EM and F1 as the CMRC 2018 script gives them, which DRCD and XQuAD in Chinese are scored with too."""
    got = _cmrc_form(prediction)
    em = float(any(got == _cmrc_form(reference) for reference in references))
    pieces = mixed_segments(prediction)
    return Match(em, max((_run_f1(pieces, mixed_segments(reference)) for reference in references), default=0.0))


def folded(prediction: str, references: Sequence[str]) -> Match:
    """Our own EM and F1: equal after folding without punctuation, and a bag of folded tokens."""
    got, bag = bare(prediction), tokens(prediction)
    em = float(any(got == bare(reference) for reference in references))
    return Match(em, max((_bag_f1(bag, tokens(reference)) for reference in references), default=0.0))
