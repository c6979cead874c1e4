"""What a case can be found by besides its figures: tags, reasons, authors, open verdicts, groups.

Cases with the same facets share one set; a filter looks at the sets, which are few, and not at the cases.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from ragstone.core.types import JSON

AUTHORS = ("rule", "judge", "person")
_NESTED = frozenset({dict, list})
Facet = tuple[str, str]


class Card(Struct, rename={"passed": "pass"}):
    """As much of a scorecard as is indexed."""

    primary_score: float
    passed: bool
    sub_scores: dict[str, float | None]
    error_tags: tuple[str, ...] = ()
    reasons: tuple["_Reason", ...] = ()
    details: dict[str, JSON] = {}


class _Reason(Struct):
    code: str


class Slim(Struct):
    """As much of a row as is indexed; the rest is passed over unread."""

    sample_id: str
    model_id: str
    question: str
    output_text: str
    scorecard: Card
    step_id: str = ""
    groups: dict[str, tuple[str, ...]] = {}
    error_type: str | None = None
    latency_ms: float | None = None


@lru_cache(maxsize=8192)
def short(text: str) -> str:
    """Return a text SQLite can hold, one that comes again and again."""
    return clean(text)


def clean(text: str) -> str:
    """Return a text SQLite can hold."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text


def facets_of(row: Slim) -> frozenset[Facet]:
    """Return what a case can be found by."""
    return frozenset((short(name), short(value)) for name, value in _facets(row))


def _facets(row: Slim) -> Iterator[Facet]:
    card = row.scorecard
    yield from (("tag", tag) for tag in card.error_tags)
    yield from (("reason", reason.code) for reason in card.reasons)
    yield from ((f"group:{name}", value) for name, values in row.groups.items() for value in values)
    verdicts = _verdicts(card.details)
    if any(node["verdict"] == "open" for node in verdicts):
        yield "open", "yes"
    if row.error_type is None:
        yield from (("author", author_of(node)) for node in verdicts or [{}])


def _verdicts(details: dict[str, JSON]) -> list[dict[str, JSON]]:
    """Return the verdicts among a case's details; there are many cases, so this is kept simple."""
    found: list[dict[str, JSON]] = []
    left: list[Any] = [details]
    while left:
        node = left.pop()
        if type(node) is dict:
            if "verdict" in node:
                found.append(node)
            left += [item for item in node.values() if type(item) in _NESTED]
        else:
            left += [item for item in node if type(item) in _NESTED]
    return found


def author_of(verdict: Mapping[str, JSON]) -> str:
    """Say who gave a verdict: a rule, unless it names a judge or a person under `by`."""
    author = verdict.get("by")
    return author if author in AUTHORS else "rule"
