"""Two lists of sentences into precision, recall and F1 (3.2, 3.3, R4.1), with what each item met or came near to."""

from collections.abc import Sequence
from typing import NamedTuple

from ragstone.core.types import JSON
from ragstone.text.similar import V2_THRESHOLD, Prepared, prepare, similar


class ListScore(NamedTuple):
    """How well a given list covers an expected one."""

    f1: float
    matched_expected: int
    matched_got: int
    items: dict[str, JSON]
    """For each list what its items met; for those that met nothing, the nearest item and how near it was."""


def score_label(expected: Prepared, got: str) -> float:
    """Compare two labels by the rule of 3.1; an empty one matches nothing."""
    plain = "".join(got.split())
    if plain and expected.text and (plain in expected.text or expected.text in plain):
        return 1.0
    return float(similar(expected, prepare(plain)))


def score_list(expected: Sequence[Prepared], got: Sequence[str]) -> ListScore:
    """Compare two lists; empty against empty is 1."""
    if not expected or not got:
        return ListScore(float(not expected and not got), 0, 0, {})
    plain = ["".join(text.split()) for text in got]
    held = [[_holds(item.text, text) for item in expected] for text in plain]
    # Most good answers keep the words: then bigrams have nothing to add, and are not made.
    if all(map(any, held)) and all(map(any, zip(*held, strict=True))):
        return ListScore(1.0, len(expected), len(got), {})
    rows = [_nearness(expected, text, holds) for text, holds in zip(plain, held, strict=True)]
    matched_expected = sum([max(column) >= V2_THRESHOLD for column in zip(*rows, strict=True)])
    matched_got = sum([max(row) >= V2_THRESHOLD for row in rows])
    recall, precision = matched_expected / len(expected), matched_got / len(got)
    f1 = 2 * precision * recall / (precision + recall) if matched_got else 0.0
    return ListScore(f1, matched_expected, matched_got, _diagnose(rows) if f1 < 1 else {})


def _holds(one: str, other: str) -> bool:
    return one in other or other in one if one and other else False


def _nearness(expected: Sequence[Prepared], got: str, held: Sequence[bool]) -> list[float]:
    """Tell how near a given item is to each expected one: 1 when one holds the other, else their bigram Jaccard."""
    grams = prepare(got).grams
    size = len(grams)
    nears = []
    for at, (_, wanted) in enumerate(expected):
        if held[at]:
            nears.append(1.0)
        else:
            common = len(grams & wanted)
            nears.append(common / (size + len(wanted) - common) if common else 0.0)
    return nears


def _diagnose(rows: Sequence[Sequence[float]]) -> dict[str, JSON]:
    """Say for each item what it met; numbers are places in the lists, from 0."""
    return {"expected": [_item(column) for column in zip(*rows, strict=True)], "got": [_item(row) for row in rows]}


def _item(nears: Sequence[float]) -> dict[str, JSON]:
    best = max(nears)
    if best >= V2_THRESHOLD:
        return {"met": [at for at, near in enumerate(nears) if near >= V2_THRESHOLD]}
    return {"met": [], "nearest": nears.index(best) if best else None, "similarity": round(best, 4)}
