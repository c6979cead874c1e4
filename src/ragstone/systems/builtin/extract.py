"""The extractive answer: the unit that covers most of the question, with the list or sentences that follow it."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ragstone.systems.builtin.chunks import Chunk, title_of
from ragstone.systems.builtin.index import Hit
from ragstone.systems.builtin.terms import index_terms
from ragstone.systems.builtin.units import Unit, split_units

MIN_COVER = 0.4
"""Share of the question's weight that the best passage must cover; below it the answer is that nothing fits."""

_MARKUP = re.compile(r"\*\*|__|`+")
_ROOM = 240
"""Characters after which no further sentence is taken."""


class Passage(NamedTuple):
    """Consecutive units of one chunk that are said as the answer."""

    chunk: Chunk
    start: int
    end: int
    cover: float

    @property
    def quote(self) -> str:
        """The passage as it stands in the document."""
        return self.chunk.text[self.start : self.end]

    @property
    def text(self) -> str:
        """The passage without markup."""
        return _MARKUP.sub("", self.quote)


def best_passage(hits: Sequence[Hit], weights: Mapping[str, float], sentences: int) -> Passage | None:
    """Return the passage that covers most of the question's weight, or None when there is none."""
    total = sum(weights.values())
    best: Passage | None = None
    best_score = 0.0
    for hit in hits:
        share = hit.score / hits[0].score if hits[0].score > 0 else 1.0
        for passage in _passages(hit.chunk, weights, total, sentences):
            score = passage.cover * (0.5 + 0.5 * share)
            if score > best_score + 1e-9:
                best, best_score = passage, score
    return best


def _passages(chunk: Chunk, weights: Mapping[str, float], total: float, sentences: int) -> list[Passage]:
    """Offer one passage for every unit that a passage can begin with."""
    above = set(index_terms(f"{title_of(chunk.source_path)} {chunk.heading}"))
    units = split_units(chunk.text)
    found = []
    for first, unit in enumerate(units):
        inside = set(index_terms(chunk.text[unit.start : unit.end]))
        covered = sum(weight for term, weight in weights.items() if term in inside)
        covered += 0.6 * sum(weight for term, weight in weights.items() if term in above and term not in inside)
        end = _reach(chunk.text, units, first, sentences)
        found.append(Passage(chunk, unit.start, end, covered / total if total else 0.0))
    return found


def _reach(text: str, units: Sequence[Unit], first: int, sentences: int) -> int:
    """Return where a passage that begins with a unit ends: a list stays whole, else some sentences follow."""
    unit = units[first]
    block = [other for other in units[first:] if other.block == unit.block]
    if unit.kind == "item" or any(other.kind == "item" for other in block[1:]):
        return block[-1].end
    end = unit.end
    for other in units[first + 1 : first + sentences]:
        if other.kind != "sentence" or other.end - unit.start > _ROOM:
            break
        end = other.end
    return end
