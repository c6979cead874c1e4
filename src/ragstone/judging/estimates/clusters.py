"""How much labels tell that are not independent: answers to one question are one cluster, like everywhere else."""

from collections.abc import Collection, Hashable, Iterable
from math import fsum
from typing import NamedTuple

MOST = 5000
"""Questions that are told apart; of more, the share of those so far is taken."""
_ROUNDING = 1e-6


class Given(NamedTuple):
    """Which answer a row has, and to which question: rows of equal answers are labelled once."""

    answer: Hashable
    question: Hashable


def given(case: str, question: str, answer: str) -> Given:
    """Name an answer as labels do, by its case and its text."""
    return Given(hash((case, answer)), hash(question))


class Apart:
    """Counts how many of some cases ask something of their own."""

    def __init__(self) -> None:
        self._seen: set[Hashable] = set()
        self._rows = 0

    def add(self, question: Hashable) -> None:
        """Take one more case."""
        if len(self._seen) < MOST:
            self._rows += 1
            self._seen.add(question)

    @property
    def share(self) -> float:
        """The share of them that do."""
        return len(self._seen) / self._rows if self._rows else 1.0


def worth_of(labels: Iterable[tuple[Hashable, float]]) -> float:
    """Say for how many independent labels of equal weight some count; each comes with its question and its weight.

    >>> worth_of([("Q1", 1.0), ("Q1", 1.0), ("Q2", 2.0)])
    2.0
    """
    parts: dict[Hashable, float] = {}
    for question, weight in labels:
        parts[question] = parts.get(question, 0.0) + weight
    squares = fsum(weight * weight for weight in parts.values())
    return fsum(parts.values()) ** 2 / squares if squares else 0.0


def fewer(questions: Collection[Hashable], worths: Iterable[float]) -> float:
    """Return the share of what labels are worth stratum by stratum that is left where strata share questions."""
    total = fsum(worths)
    return len(questions) / total if total > len(questions) + _ROUNDING else 1.0
