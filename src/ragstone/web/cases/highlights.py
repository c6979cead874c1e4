"""Where in an answer a verdict was made: spans out of a scorecard's details, laid over the text.

A contract needs to know nothing of this. Anything in `scorecard.details` that holds `span: [start, end]`, or `start`
and `end`, is marked in the answer; `verdict`, `outcome` or `supported` say whether it speaks for it. What holds a text
under `found` is looked up. Documents the answer names are marked as such, those in `wrong_documents` as wrong.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Literal

from msgspec import Struct

from ragstone.core.types import JSON
from ragstone.reading.citations.document_names import name_parts
from ragstone.reading.citations.find import find_citations

Kind = Literal["good", "bad", "cite", "wrong", "anchor"]
LONGEST = 200_000
"""Characters of a text that are marked; the rest is shown plain."""
MOST_NEEDLES = 200
MOST_COMPARED = 1000
"""Characters up to which two answers are compared letter by letter."""
_CLAUSE = re.compile(r"[^。！？；;.!?\n]*[。！？；;.!?\n]|[^。！？；;.!?\n]+")
_GOOD = frozenset({"yes", "match", "ok", "true"})
_NAMES = ("point", "text", "label", "field", "value", "kind")


class Mark(Struct, frozen=True):
    """A piece of a text that means something."""

    start: int
    end: int
    kind: Kind
    label: str = ""
    rule: str = ""


class Piece(Struct, frozen=True):
    """A piece of a text as it is shown; plain when it has no kind."""

    text: str
    kind: str = ""
    label: str = ""
    rule: str = ""


def answer_marks(text: str, details: Mapping[str, JSON], documents: Sequence[str] = ()) -> list[Mark]:
    """Find what an answer's verdict rests on."""
    marks = [mark for node in _nodes(details) if (mark := _mark(node, text))]
    wrong = {name_parts(str(name)) for name in _list(details.get("wrong_documents"))}
    for found in find_citations(text[:LONGEST], documents):
        parts = name_parts(found.file or "")
        if parts.stem:
            marks.append(Mark(found.start, found.end, "wrong" if parts in wrong else "cite", found.file or ""))
    return marks


def anchor_marks(text: str, needles: Iterable[str]) -> list[Mark]:
    """Find the words of the gold in a retrieved text."""
    marks = []
    for needle in list(dict.fromkeys(needles))[:MOST_NEEDLES]:
        at = text.find(needle, 0, LONGEST) if len(needle) > 1 else -1
        if at >= 0:
            marks.append(Mark(at, at + len(needle), "anchor", needle))
    return marks


def pieces(text: str, marks: Iterable[Mark]) -> list[Piece]:
    """Cut a text along its marks; where two overlap, the earlier and longer one stays."""
    shown, at = [], 0
    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        if mark.start < at or mark.end <= mark.start or mark.end > len(text):
            continue
        if mark.start > at:
            shown.append(Piece(text[at : mark.start]))
        shown.append(Piece(text[mark.start : mark.end], mark.kind, mark.label, mark.rule))
        at = mark.end
    if at < len(text):
        shown.append(Piece(text[at:]))
    return shown


def changes(first: str, other: str) -> list[Piece]:
    """Cut a text into pieces, those another text does not have marked: letter by letter, or a long one by clause."""
    if len(first) * len(other) > MOST_COMPARED**2:
        said = set(_CLAUSE.findall(first))
        return [Piece(clause, "" if clause in said else "diff") for clause in _CLAUSE.findall(other)]
    matcher = SequenceMatcher(None, first, other, autojunk=False)
    return [
        Piece(other[low:high], "" if kind == "equal" else "diff")
        for kind, _, _, low, high in matcher.get_opcodes()
        if high > low
    ]


def leaves(value: JSON) -> Iterator[str]:
    """Yield the texts inside a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from leaves(item)


def _nodes(value: JSON) -> Iterator[Mapping[str, JSON]]:
    if isinstance(value, Mapping):
        yield value
        for item in value.values():
            yield from _nodes(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _nodes(item)


def _mark(node: Mapping[str, JSON], text: str) -> Mark | None:
    start, end = _span(node, text)
    if start is None or end is None or not 0 <= start < end <= min(len(text), LONGEST):
        return None
    verdict = next((node[name] for name in ("verdict", "outcome", "supported") if name in node), None)
    kind: Kind = "good" if str(verdict).lower() in _GOOD else "bad"
    label = next((str(node[name]) for name in _NAMES if isinstance(node.get(name), str)), "")
    return Mark(start, end, kind, label, str(node.get("rule") or ""))


def _span(node: Mapping[str, JSON], text: str) -> tuple[int | None, int | None]:
    span = node.get("span")
    if isinstance(span, list | tuple) and len(span) == 2 and all(isinstance(place, int) for place in span):
        return span[0], span[1]
    start, end = node.get("start"), node.get("end")
    if isinstance(start, int) and isinstance(end, int):
        # The text that was judged may have been longer than the answer: fields were read along with it.
        stands = node.get("text") in (None, text[start:end])
        return (start, end) if stands else (None, None)
    found = node.get("found")
    if isinstance(found, str) and found and (at := text.find(found, 0, LONGEST)) >= 0:
        return at, at + len(found)
    return None, None


def _list(value: JSON) -> Sequence[JSON]:
    return value if isinstance(value, list | tuple) else ()
