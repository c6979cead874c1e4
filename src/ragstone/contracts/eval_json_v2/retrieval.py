"""Did the system retrieve the documents that the expected sources name? Measured by document."""

from collections.abc import Sequence
from functools import lru_cache
from math import log2
from typing import NamedTuple

from ragstone.core.types import Context
from ragstone.reading.citations.find import document_key

_key = lru_cache(maxsize=4096)(document_key)


class RetrievalScore(NamedTuple):
    """Recall, one over the rank of the first right document, and nDCG; all of them None when not applicable."""

    recall: float | None = None
    reciprocal_rank: float | None = None
    ndcg: float | None = None


def score_retrieval(files: frozenset[str], contexts: Sequence[Context]) -> RetrievalScore:
    """Compare the retrieved documents, in their order, with the expected ones (given as document keys)."""
    if not files or not contexts:
        return RetrievalScore()
    ranked = dict.fromkeys([_key(context.source_path) for context in contexts])
    ranks = [rank for rank, key in enumerate(ranked, start=1) if key in files]
    if not ranks:
        return RetrievalScore(0.0, 0.0, 0.0)
    ideal = sum([_gain(rank) for rank in range(1, len(files) + 1)])
    # Twelve places hide what one machine's logarithm has over another's.
    ndcg = round(sum([_gain(rank) for rank in ranks]) / ideal, 12)
    return RetrievalScore(len(ranks) / len(files), 1 / ranks[0], ndcg)


@lru_cache(maxsize=1024)
def _gain(rank: int) -> float:
    return 1 / log2(rank + 1)
