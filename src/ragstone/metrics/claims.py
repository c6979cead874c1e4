"""Claims: is the evidence they name the labelled one, is it there, and does it say what they say?"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ragstone.metrics.canon import canon
from ragstone.metrics.overlap import Overlap, item_keys, overlap
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
    wanted = item_keys(label, normalize=normalize)
    each = [named_evidence(claim, name, normalize=normalize) for claim in _claims(claims)]
    given: dict[str, str] = {}
    for one in each:
        given |= one
    supported = sum(not wanted.keys().isdisjoint(one) for one in each)
    share = supported / len(each) if each else float(not wanted)
    return ClaimOverlap(overlap(given, wanted), share)


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
        elif isinstance(item, str | int):
            yield canon(item), ""
