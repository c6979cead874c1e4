"""ROUGE of an answer against a reference (R3.2): google's figures on Latin text, characters for CJK."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from ragstone.text.rouge import rouge
from ragstone.text.tokens import has_cjk, tokens

RougeName = Literal["rouge1", "rouge2", "rougeL"]
LONGEST_KEPT = 2000


def reference_rouge(
    prediction: str, reference: str, names: Sequence[RougeName] = ("rouge1",)
) -> dict[RougeName, float]:
    """Return the F measure of each ROUGE asked for; blank on either side is 0."""
    if not prediction or not reference:
        return dict.fromkeys(names, 0.0)
    if len(names) == 1 and names[0] == "rouge1" and (has_cjk(reference) or has_cjk(prediction)):
        # What nearly every row wants, without the longer measures.
        if prediction == reference:
            return {"rouge1": 1.0}
        counts = kept_counts(reference) if len(reference) <= LONGEST_KEPT else _counts(reference)
        return {"rouge1": _unigram_f(tokens(prediction), counts)}
    found = rouge(reference, prediction)
    figures = {"rouge1": found.rouge1.f, "rouge2": found.rouge2.f, "rougeL": found.rouge_l.f}
    return {name: figures[name] for name in names}


class Counts(NamedTuple):
    """How often each token stands in a text, and how many there are."""

    each: dict[str, int]
    total: int


def _counts(text: str) -> Counts:
    pieces = tokens(text)
    return Counts(dict(Counter(pieces)), len(pieces))


kept_counts = lru_cache(maxsize=512)(_counts)
"""A reference is cut once for all models that are asked about it."""


def _unigram_f(given: list[str], wanted: Counts) -> float:
    left = wanted.each.copy()
    hits = 0
    for token in given:
        # A plain loop: half the time of two Counters.
        if token in left and (number := left[token]):
            left[token] = number - 1
            hits += 1
    if not hits:
        return 0.0
    precision, recall = hits / len(given), hits / wanted.total
    return 2 * precision * recall / (precision + recall)
