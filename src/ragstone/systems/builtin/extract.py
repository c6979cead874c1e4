"""The extractive answer: the pieces that cover most of the question, each with the list or sentences that follow it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from ragstone.systems.builtin.chunks import Chunk
from ragstone.systems.builtin.index import Hit
from ragstone.systems.builtin.pieces import Piece, Prepared, Words, prepare
from ragstone.systems.builtin.question import ReadQuestion
from ragstone.systems.builtin.terms import Cover
from ragstone.systems.builtin.units import Unit, is_noise
from ragstone.text.fold import fold

MIN_COVER = 0.45
"""How much of the question a piece and its chunk must cover; below it the answer is that nothing fits."""
MIN_COVER_SEVERAL = 0.38
"""The same where evidence or a list is asked for: such questions are worded more abstractly than what they look for."""

_ABOVE = 0.9
"""Worth of a term that only stands in the headings above a piece."""
_CARRIED = 0.7
"""Worth of a term that stands in what a piece leans on."""
_VALUE = 0.15
"""What a piece gains that states the kind of value asked for."""
_TOUCHED = 0.25
"""Share of a run of the question's words that must be found before the run counts as spoken of."""
_UNTOUCHED = 0.3
"""What a chunk loses that speaks of none of the runs."""
_SECOND = 0.12
"""Share of the question's weight that a second passage must add."""
_NEAR = 0.6
"""Share of the best piece's worth that another must have when several are asked for."""
_MOST = 6
"""Pieces that are said at most."""
_ROOM = 240
"""Characters after which no further sentence is taken."""
_MARKUP = re.compile(r"\*\*|__|`+")


class Passage(NamedTuple):
    """Consecutive units of one chunk that are said as the answer."""

    chunk: Chunk
    start: int
    end: int
    cover: float
    """How much of the question its first piece and the chunk cover, 0..1."""

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
    """A piece that a passage may begin with."""

    hit: Hit
    prepared: Prepared
    piece: Piece
    inside: frozenset[str]
    linked: frozenset[str]
    """Terms that name who speaks."""
    cover: float
    rank: float

    def passage(self, sentences: int) -> Passage:
        """Let the passage reach as far as it should."""
        piece = self.piece
        alone = piece.turn or self._answers_alone()
        end = piece.end if alone else max(piece.end, _reach(self.prepared.units, piece.first, sentences))
        return Passage(self.hit.chunk, piece.start, end, self.cover)

    def _answers_alone(self) -> bool:
        """Return whether this is the one item of a list that speaks of the question."""
        units, first = self.prepared.units, self.piece.first
        later_item = units[first].kind == "item" and first > 0 and units[first - 1].block == units[first].block
        return later_item and any(len(term) > 1 for term in self.inside)


class Finder:
    """Weighs the pieces of chunks against one question."""

    def __init__(self, wanted: ReadQuestion, weights: Mapping[str, float]) -> None:
        self._wanted = wanted
        self._weights = weights
        self._terms = Cover(list(weights))
        self._total = sum(weights.values()) or 1.0

    def choose(self, hits: Sequence[Hit], before: Mapping[int, Chunk], sentences: int) -> list[Passage]:
        """Return the nearest passages, in the order of the documents; nothing when no piece shares a word."""
        top = hits[0].score if hits else 0.0
        candidates = [one for hit in hits for one in self._candidates(hit, before.get(hit.number), top)]
        if not candidates:
            return []
        best = max(candidates, key=lambda one: one.rank)
        gather = _several if self._wanted.several else self._one
        return _joined(gather(best, candidates, sentences))

    def fits(self, passages: Sequence[Passage]) -> bool:
        """Return whether passages cover enough of the question to be its answer."""
        least = MIN_COVER_SEVERAL if self._wanted.several else MIN_COVER
        return any(passage.cover >= least for passage in passages)

    def _one(self, best: _Candidate, candidates: Sequence[_Candidate], sentences: int) -> list[Passage]:
        """Return the best piece and, where it adds much, a second one of its document."""
        first = best.passage(sentences)
        missing = self._weights.keys() - self._find(Words.of(fold(first.quote))) - best.linked
        same = [one for one in candidates if one.hit.chunk.source_path == first.chunk.source_path]
        second = max(same, key=lambda one: self._weigh(one.inside & missing))
        if second is best or self._weigh(second.inside & missing) < _SECOND * self._total:
            return [first]
        return [one.passage(max(1, sentences - 1)) for one in (best, second)]

    def _candidates(self, hit: Hit, before: Chunk | None, top: float) -> Iterator[_Candidate]:
        """Weigh every piece of a chunk."""
        prepared = prepare(hit.chunk)
        above, speaker = self._find(prepared.above), self._find(prepared.speaker)
        found = [self._find(piece.words) for piece in prepared.pieces]
        whole = set().union(*found)
        if not any(len(term) > 1 for term in whole | above):
            return  # single characters meet by chance
        chunk = self._share(whole, above, set(), speaker)
        touched = 1.0 - _UNTOUCHED * self._untouched(whole | above, speaker)
        nearness = 0.5 + 0.5 * (hit.score / top if top > 0 else 1.0)
        carried = self._carried(prepared.pieces, found, before)
        for piece, inside, leant in zip(prepared.pieces, found, carried, strict=True):
            counted = inside | above | leant if inside and not self._wanted.several else inside | above
            if piece.open or not any(len(term) > 1 for term in counted):
                continue
            share = self._share(inside, above, leant, speaker)
            rank = share * nearness * self._fit(piece)
            yield _Candidate(
                hit, prepared, piece, frozenset(inside), frozenset(speaker), (share + chunk) / 2 * touched, rank
            )

    def _carried(self, pieces: Sequence[Piece], found: Sequence[set[str]], before: Chunk | None) -> Iterator[set[str]]:
        """Yield for each piece the terms of what it leans on: the pieces before it, as far as they lean themselves."""
        held = self._at_the_end(before) if before is not None and pieces and pieces[0].leans else set()
        for piece, inside in zip(pieces, found, strict=True):
            leant = held if piece.leans else set()
            yield leant
            held = leant | inside

    def _at_the_end(self, chunk: Chunk) -> set[str]:
        """Return the terms that are spoken of where a chunk ends."""
        held: set[str] = set()
        for piece in prepare(chunk).pieces:
            inside = self._find(piece.words)
            held = held | inside if piece.leans else inside
        return held

    def _share(self, inside: Set[str], above: Set[str], carried: Set[str], linked: Set[str]) -> float:
        """Return which share of the question is covered; who speaks need not be named."""
        rest = self._total - self._weigh(linked)
        if rest <= 0:
            rest, linked = self._total, frozenset()
        told = inside - linked
        known = above - inside - linked
        leant = carried - inside - linked - known
        return (self._weigh(told) + _ABOVE * self._weigh(known) + _CARRIED * self._weigh(leant)) / rest

    def _untouched(self, held: Set[str], linked: Set[str]) -> float:
        """Return the share of the question's runs of words that hardly appear."""
        runs = [run for run in map(frozenset, self._wanted.runs) if not run <= linked]
        missed = sum(self._weigh(run & (held | linked)) < _TOUCHED * self._weigh(run) for run in runs)
        return missed / len(runs) if runs else 0.0

    def _fit(self, piece: Piece) -> float:
        """Prefer a piece that states the kind of value asked for."""
        values = self._wanted.values
        met = sum(not value.isdisjoint(piece.values) for value in values)
        return 1.0 + _VALUE * met / len(values) if values else 1.0

    def _find(self, words: Words) -> set[str]:
        return self._terms.find(words.folded, words.stems)

    def _weigh(self, terms: Iterable[str]) -> float:
        return sum(map(self._weights.__getitem__, terms))


def _several(best: _Candidate, candidates: Sequence[_Candidate], sentences: int) -> list[Passage]:
    """Return the best piece, and separately every other one that is nearly as good."""
    passages = [best.passage(sentences)]
    for one in sorted(candidates, key=lambda one: -one.rank):
        if one.rank < _NEAR * best.rank or len(passages) == _MOST:
            break
        if not any(_overlap(one, passage) for passage in passages):
            passages.append(one.passage(1))
    return passages


def _overlap(one: _Candidate, passage: Passage) -> bool:
    return one.hit.chunk == passage.chunk and one.piece.start < passage.end and passage.start < one.piece.end


def _joined(passages: list[Passage]) -> list[Passage]:
    """Sort passages as they stand in their documents, the best document first; those that touch become one."""
    order = list(dict.fromkeys(passage.chunk.source_path for passage in passages))
    joined: list[Passage] = []
    for passage in sorted(
        passages, key=lambda one: (order.index(one.chunk.source_path), one.chunk.page, one.chunk.start, one.start)
    ):
        last = joined[-1] if joined else None
        if last and last.chunk == passage.chunk and passage.start <= last.end + 1:
            joined[-1] = last._replace(end=max(last.end, passage.end), cover=max(last.cover, passage.cover))
        else:
            joined.append(passage)
    return joined


def _reach(units: Sequence[Unit], first: int, sentences: int) -> int:
    """Return where a passage that begins with a unit ends: lists stay whole, else sentences of its paragraph follow."""
    unit = units[first]
    block = [other for other in units[first:] if other.block == unit.block]
    if any(other.kind == "item" for other in block):
        return block[-1].end
    return max(other.end for other in block[:sentences] if other is unit or other.end - unit.start <= _ROOM)
