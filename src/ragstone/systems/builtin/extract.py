"""The extractive answer: the units that cover most of the question, each with the list or sentences that follow it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ragstone.systems.builtin.chunks import Chunk, title_of
from ragstone.systems.builtin.index import Hit
from ragstone.systems.builtin.terms import Cover
from ragstone.systems.builtin.units import Unit, is_noise, leads_in, split_units
from ragstone.text.fold import fold

MIN_COVER = 0.4
"""Share of the question's weight that the best passage must cover; below it the answer is that nothing fits."""

_ABOVE = 0.9
"""Worth of a term that only stands in the headings above a unit."""
_SECOND = 0.12
"""Share of the question's weight that a second passage must add."""
_ROOM = 240
"""Characters after which no further sentence is taken."""
_MARKUP = re.compile(r"\*\*|__|`+")


class Passage(NamedTuple):
    """Consecutive units of one chunk that are said as the answer."""

    chunk: Chunk
    start: int
    end: int
    cover: float
    """Share of the question's weight that its first unit covers."""

    @property
    def quote(self) -> str:
        """The passage as it stands in the document."""
        return self.chunk.text[self.start : self.end]

    @property
    def text(self) -> str:
        """The passage without markup and empty lines."""
        lines = (line for line in self.quote.split("\n") if not is_noise(line))
        return _MARKUP.sub("", "\n".join(lines))


class _Candidate(NamedTuple):
    """A unit that a passage may begin with."""

    hit: Hit
    units: Sequence[Unit]
    first: int
    inside: frozenset[str]
    cover: float

    def passage(self, sentences: int) -> Passage:
        """Let the passage reach as far as it should."""
        unit = self.units[self.first]
        end = unit.end if self._answers_alone() else _reach(self.units, self.first, sentences)
        return Passage(self.hit.chunk, unit.start, end, self.cover)

    def _answers_alone(self) -> bool:
        """Say whether this is the one item of a list that speaks of the question."""
        unit, before = self.units[self.first], self.units[max(0, self.first - 1)]
        later_item = unit.kind == "item" and self.first > 0 and before.block == unit.block
        return later_item and any(len(term) > 1 for term in self.inside)


def choose_passages(hits: Sequence[Hit], weights: Mapping[str, float], sentences: int) -> list[Passage]:
    """Return the passage that covers most of the question and, where it adds much, a second one of its document."""
    finder = Cover(list(weights))
    candidates = [candidate for hit in hits for candidate in _candidates(hit, weights, finder)]
    if not candidates:
        return []
    top = hits[0].score
    best = max(candidates, key=lambda one: one.cover * (0.5 + 0.5 * (one.hit.score / top if top > 0 else 1.0)))
    first = best.passage(sentences)
    missing = set(weights) - finder.find(fold(first.quote))
    second = _second(best, candidates, {term: weights[term] for term in missing}, sum(weights.values()))
    if second is None:
        return [first]
    passages = [best.passage(max(1, sentences - 1)), second.passage(max(1, sentences - 1))]
    return _in_order(passages)


def _second(
    best: _Candidate, candidates: Sequence[_Candidate], missing: Mapping[str, float], total: float
) -> _Candidate | None:
    """Find the unit of the same document that adds most of what is missing."""

    def gain(one: _Candidate) -> float:
        return sum(missing[term] for term in one.inside if term in missing)

    same = [one for one in candidates if one.hit.chunk.source_path == best.hit.chunk.source_path]
    second = max(same, key=gain)
    return second if second is not best and gain(second) >= _SECOND * total else None


def _in_order(passages: list[Passage]) -> list[Passage]:
    """Sort two passages as they stand in the document; those that touch become one."""
    one, other = sorted(passages, key=lambda passage: (passage.chunk.page, passage.chunk.start, passage.start))
    if one.chunk is other.chunk and other.start <= one.end + 1:
        return [one._replace(end=max(one.end, other.end), cover=max(one.cover, other.cover))]
    return [one, other]


def _candidates(hit: Hit, weights: Mapping[str, float], finder: Cover) -> Iterator[_Candidate]:
    """Weigh every unit of a chunk."""
    chunk = hit.chunk
    total = sum(weights.values()) or 1.0
    folded = fold(chunk.text)
    above = finder.find(fold(f"{title_of(chunk.source_path)} {chunk.heading}"))
    units = split_units(chunk.text)
    for first, unit in enumerate(units):
        inside = finder.find(folded[unit.start : _announced_end(chunk.text, units, first)])
        if not any(len(term) > 1 for term in inside | above):
            continue  # single characters meet by chance
        covered = sum(weights[term] for term in inside) + _ABOVE * sum(weights[term] for term in above - inside)
        yield _Candidate(hit, units, first, frozenset(inside), covered / total)


def _announced_end(text: str, units: Sequence[Unit], first: int) -> int:
    """Return where a question with its answer ends, or a unit by itself."""
    unit = units[first]
    asks = leads_in(text[unit.start : unit.end]) and first + 1 < len(units)
    follower = units[first + 1] if asks else unit
    return follower.end if follower.kind == "sentence" and follower.block == unit.block else unit.end


def _reach(units: Sequence[Unit], first: int, sentences: int) -> int:
    """Return where a passage that begins with a unit ends: lists stay whole, else sentences of its paragraph follow."""
    unit = units[first]
    block = [other for other in units[first:] if other.block == unit.block]
    if any(other.kind == "item" for other in block):
        return block[-1].end
    return max(other.end for other in block[:sentences] if other is unit or other.end - unit.start <= _ROOM)
