"""ROUGE of an answer against a reference (R3.2): google's figures on Latin text, characters for CJK."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from ragstone.text.rouge import rouge
from ragstone.text.tokens import has_cjk, tokens

RougeName = Literal["rouge1", "rouge2", "rougeL"]
LONGEST_KEPT = 2000
_kept = lru_cache(maxsize=512)(tokens)
"""A reference is cut once for all models that are asked about it."""


def reference_rouge(
    prediction: str, reference: str, names: Sequence[RougeName] = ("rouge1",)
) -> dict[RougeName, float]:
    """Return the F measure of each ROUGE asked for; blank on either side is 0."""
    if not prediction.strip() or not reference.strip():
        return dict.fromkeys(names, 0.0)
    if tuple(names) == ("rouge1",) and (has_cjk(reference) or has_cjk(prediction)):
        # What nearly every row wants, without the longer measures.
        wanted = _kept(reference) if len(reference) <= LONGEST_KEPT else tokens(reference)
        return {"rouge1": 1.0 if prediction == reference else _unigram_f(tokens(prediction), wanted)}
    found = rouge(reference, prediction)
    figures = {"rouge1": found.rouge1.f, "rouge2": found.rouge2.f, "rougeL": found.rouge_l.f}
    return {name: figures[name] for name in names}


def _unigram_f(given: list[str], wanted: list[str]) -> float:
    left: dict[str, int] = {}
    for token in wanted:
        left[token] = left.get(token, 0) + 1
    hits = 0
    for token in given:
        # A plain loop: half the time of two Counters.
        if token in left and (number := left[token]):
            left[token] = number - 1
            hits += 1
    if not hits:
        return 0.0
    precision, recall = hits / len(given), hits / len(wanted)
    return 2 * precision * recall / (precision + recall)
