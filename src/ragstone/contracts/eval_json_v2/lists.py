"""Two lists of sentences into precision, recall and F1 (3.2, 3.3, R4.1), with what each item met or came near to."""

from collections.abc import Sequence
from typing import NamedTuple

from ragstone.text.similar import V2_THRESHOLD, Prepared, prepare
from ragstone.types import JSON


class ListScore(NamedTuple):
    """How well a given list covers an expected one."""

    f1: float
    matched_expected: int
    matched_got: int
    items: dict[str, JSON]
    """For each list what its items met; for those that met nothing, the nearest item and how near it was."""


def nearness(one: Prepared, other: Prepared) -> float:
    """Compare two texts by the rule of 3.1: 1 when one holds the other, else their bigram Jaccard.

    It is a match from 0.72 on; a blank text is near to nothing.
    """
    left, right = one.grams, other.grams
    common, few = len(left & right), min(len(left), len(right))
    # A text inside another has all its bigrams there; a single character has none.
    if common < few and few > 1:
        return common / (len(left) + len(right) - common)
    if not one.text or not other.text:
        return 0.0
    if one.text in other.text or other.text in one.text:
        return 1.0
    return common / (len(left) + len(right) - common)


def score_list(expected: Sequence[Prepared], got: Sequence[str]) -> ListScore:
    """Compare two lists; empty against empty is 1."""
    if not expected or not got:
        return ListScore(float(not expected and not got), 0, 0, {})
    given = [prepare(text) for text in got]
    rows = [[nearness(wanted, item) for item in given] for wanted in expected]
    by_expected = [max(row) for row in rows]
    by_got = [max(column) for column in zip(*rows, strict=True)]
    matched_expected = sum([near >= V2_THRESHOLD for near in by_expected])
    matched_got = sum([near >= V2_THRESHOLD for near in by_got])
    recall, precision = matched_expected / len(expected), matched_got / len(got)
    f1 = 2 * precision * recall / (precision + recall) if matched_got else 0.0
    return ListScore(f1, matched_expected, matched_got, _diagnose(rows) if f1 < 1 else {})


def _diagnose(rows: Sequence[Sequence[float]]) -> dict[str, JSON]:
    """Say for each item what it met; numbers are places in the lists, from 0."""
    return {"expected": [_item(row) for row in rows], "got": [_item(column) for column in zip(*rows, strict=True)]}


def _item(nears: Sequence[float]) -> dict[str, JSON]:
    best = max(nears)
    if best >= V2_THRESHOLD:
        return {"met": [at for at, near in enumerate(nears) if near >= V2_THRESHOLD]}
    return {"met": [], "nearest": nears.index(best) if best else None, "similarity": round(best, 4)}
