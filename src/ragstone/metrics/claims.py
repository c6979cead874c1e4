"""Claims: is the evidence they name the labelled one, is it there, and does it say what they say?"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ragstone.metrics.canon import canon
from ragstone.metrics.overlap import WHOLE, Overlap, item_keys, overlap
from ragstone.metrics.reasoning import fragments
from ragstone.text.similar import coverage

ENOUGH = 0.5
"""Share of a claim's bigrams that its evidence must hold."""


class ClaimOverlap(NamedTuple):
    """Overlap of all evidence named, and the share of claims that name any labelled evidence."""

    overlap: Overlap
    support: float


class Verifiability(NamedTuple):
    """Share of claims whose evidence is there, and share whose evidence says the same (None without texts)."""

    verifiable: float
    sufficient: float | None


def _claims(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def named_evidence(claim: Any, name: str = "evidence", *, normalize: bool = True) -> dict[str, str]:
    """Return the evidence one claim names; a claim that is a text names itself."""
    return item_keys(claim.get(name) if isinstance(claim, dict) else claim, None, normalize=normalize)


def claim_overlap(claims: Any, label: Any, name: str = "evidence", *, normalize: bool = True) -> ClaimOverlap:
    """Compare the evidence of all claims with the labelled evidence."""
    if (share := _as_labelled(claims, label, name)) is not None:
        return ClaimOverlap(WHOLE, share)
    wanted = item_keys(label, normalize=normalize)
    given: dict[str, str] = {}
    supported, items = 0, _claims(claims)
    for claim in items:
        named = named_evidence(claim, name, normalize=normalize)
        given.update(named)
        supported += not named.keys().isdisjoint(wanted)
    return ClaimOverlap(overlap(given, wanted), supported / len(items) if items else float(not wanted))


def _as_labelled(claims: Any, label: Any, name: str) -> float | None:
    """The quick way for claims that name the labelled evidence letter by letter: the share of them that name any."""
    named: set[str] = set()
    empty = 0
    try:
        for claim in claims:
            items = claim[name]
            if items.__class__ is not list:
                return None
            named.update(items)
            empty += not items
        if not named or named != set(label) or label.__class__ is not list:
            return None
    except (TypeError, KeyError, IndexError):
        # Of another shape: the long way knows what to make of it.
        return None
    return (len(claims) - empty) / len(claims) if all(item and item.__class__ is str for item in named) else None


def verifiability(claims: Any, sources: Mapping[str, str], name: str = "evidence") -> Verifiability:
    """Look each claim's evidence up among the sources (key to text, empty where there is only a name)."""
    items = [claim for claim in _claims(claims) if isinstance(claim, dict)]
    if not items:
        return Verifiability(0.0, 0.0 if any(sources.values()) else None)
    there = enough = 0
    for claim in items:
        found = [sources[one] for one in named_evidence(claim, name) if one in sources]
        there += bool(found)
        enough += bool(found) and _says("\n".join(found), claim)
    total = len(_claims(claims))
    return Verifiability(there / total, enough / total if any(sources.values()) else None)


def _says(text: str, claim: Mapping[str, Any]) -> bool:
    said = " ".join(fragments(dict(claim)))
    return coverage(text, said) >= ENOUGH


def source_texts(value: Any) -> dict[str, str]:
    """Map the key of each source to its text; sources are ids, objects with an `id`, or a mapping of id to text."""
    return dict(_sources(value))


def _sources(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, text in value.items():
            yield canon(name), "\n".join(fragments(text))
        return
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict) and "id" in item:
            texts = (text for name, text in item.items() if name != "id" and isinstance(text, str))
            yield canon(item["id"]), "\n".join(texts)
        elif isinstance(item, (str, int)):
            yield canon(item), ""
