"""What a case can be found by besides its figures: tags, reasons, authors, open verdicts, groups.

Cases with the same facets share one set; a filter looks at the sets, which are few, and not at the cases.
"""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Raw, Struct

from ragstone.core.types import JSON
from ragstone.runs.store.codec import decoder

AUTHORS = ("rule", "judge", "person")
_NESTED = frozenset({dict, list})
_NONE = Raw(b"{}")
MOST_SETS = 4096
"""Sets of facets that are remembered while a run is read."""
Facet = tuple[str, str]
Marks = tuple[tuple[str, str], ...]
"""Names and values that do not stand in a row as they are: open verdicts, and the authors of the others."""


class IndexedCard(Struct, rename={"passed": "pass"}):
    """The indexed fields of a scorecard."""

    primary_score: float
    passed: bool
    sub_scores: dict[str, float | None]
    error_tags: tuple[str, ...] = ()
    reasons: tuple["_Reason", ...] = ()
    details: Raw = _NONE


class _Reason(Struct, frozen=True):
    code: str


class IndexedRow(Struct):
    """The indexed fields of a row; the others are not decoded."""

    sample_id: str
    model_id: str
    question: str
    output_text: str
    scorecard: IndexedCard
    step_id: str = ""
    groups: dict[str, tuple[str, ...]] = {}
    weight: float = 1.0
    error_type: str | None = None
    latency_ms: float | None = None


_ROW = msgspec.json.Decoder(IndexedRow)
_ANY = decoder(dict[str, JSON])


def read_indexed(line: bytes) -> IndexedRow:
    """Read as much of a row as is indexed."""
    try:
        return _ROW.decode(line)
    except msgspec.DecodeError:
        if b"\\u" not in line:
            raise
    # Half a character, which is no UTF-8.
    return _ROW.decode(json.dumps(_ANY(line), ensure_ascii=False).encode("utf-8", "replace"))


@lru_cache(maxsize=8192)
def short(text: str) -> str:
    """Return a text SQLite can hold, one that comes again and again."""
    return clean(text)


def clean(text: str) -> str:
    """Return a text SQLite can hold."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text


class Facets:
    """Finds what cases can be found by; rows with equal ones get the very same set."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], frozenset[Facet]] = {}

    def of(self, row: IndexedRow) -> frozenset[Facet]:
        """Return what a case can be found by."""
        card = row.scorecard
        marks = marks_of(card.details) if row.error_type is None else ()
        key = (card.error_tags, card.reasons, tuple(row.groups.items()), marks)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST_SETS:
                self._known.clear()
            made = (*_facets(row), *marks)
            found = self._known[key] = frozenset((short(name), short(value)) for name, value in made)
        return found


def _facets(row: IndexedRow) -> Iterator[Facet]:
    card = row.scorecard
    yield from (("tag", tag) for tag in card.error_tags)
    yield from (("reason", reason.code) for reason in card.reasons)
    yield from ((f"group:{name}", value) for name, values in row.groups.items() for value in values)


def marks_of(details: Raw) -> Marks:
    """Return whether verdicts are open and who gave the others; most rows need no parsing for it."""
    content = bytes(details)
    # A quotation mark inside of a text stands behind a backslash, so that none of these can be part of one.
    verdicts = content.count(b'"verdict":"')
    if content.count(b'"verdict"') == verdicts and b'"by"' not in content and b'"judged"' not in content:
        undecided = content.count(b'"verdict":"open"')
        return _OPEN[undecided > 0] + (_RULE if undecided < verdicts or not verdicts else ())
    verdicts_there = verdicts_of(_ANY(content))
    given = [node for node in verdicts_there if node["verdict"] != "open"]
    authors = {author_of(node) for node in given} if verdicts_there else {"rule"}
    return _OPEN[len(given) < len(verdicts_there)] + tuple(("author", name) for name in sorted(authors))


_OPEN: tuple[Marks, Marks] = ((), (("open", "yes"),))
_RULE: Marks = (("author", "rule"),)


def verdicts_of(details: Mapping[str, JSON]) -> list[dict[str, JSON]]:
    """Return the verdicts among a case's details; those after judging take the place of those by rule alone."""
    judged = details.get("judged")
    found: list[dict[str, JSON]] = []
    left: list[Any] = [judged if isinstance(judged, dict) and judged.get("verdicts") else details]
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
    """Return who gave a verdict: a rule, unless it names a judge or a person under `by`."""
    author = verdict.get("by")
    return author if author in AUTHORS else "rule"
