"""A text, read once: its sentences, clauses, and what turns each of them; every question is asked of these.

    said = Statements("目前不支持ChromaDB。")
    said.flags(3)      # {"negated"}: the word at this place is denied

A place may be under several flags at once (`scopes.FLAGS`). Values and Latin words are read when they are first needed.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any

from ragstone.reading.cuebook import ALL, SCOPED, Hit, find
from ragstone.reading.layout.tables import lay_out
from ragstone.reading.layout.unglue import unglue
from ragstone.reading.lexicon import tag_words
from ragstone.reading.scopes import Clause, Hidden, find_hidden, lay_scopes
from ragstone.reading.sentences import Piece, cuts, items, quotes
from ragstone.reading.tokens import find_tokens
from ragstone.reading.values.values import Value, values
from ragstone.text.fold import fold
from ragstone.text.late import late, lazy

_ASKING = "?？吗嗎呢"
_ASKS = late(r"[?？]|[吗嗎呢][^\w]*$")
_PERHAPS = fold("万一")
_IN_NUMBER = late(fold("[0-9零一二两三四五六七八九十百千几]万一"))
"""三万一千 holds no 万一."""
_IN_MAY = late(r"[A-Za-z0-9,] May\b|[\s\S]{0,2}\bMay the [a-z-]*(?:th|st|nd|rd)\b")
"""Written so inside a sentence it is the month."""
_HALF_PAIR = late("[\ud800-\udfff]")
"""Halves of a character that no library takes."""
_MOST = 20_000
"""Clauses that are read; of a longer text, the first."""
_MOST_CUES = 64
"""Cues that are read in one clause."""
_NEAR_END = 4


class Statements:
    """A text and what it states."""

    def __init__(self, text: str, names: Collection[str] = ()) -> None:
        """Read a text; what begins or ends inside one of the folded `names` is no cue: 莫一舟, 是何婉清."""
        self._names = names
        text = _without_halves(text)
        laid = lay_out(text)
        unglued = unglue(laid.text if laid else text)
        self.written = unglued.text if unglued else laid.text if laid else text
        self.text = fold(self.written)
        self.glued = unglued is not None
        """Whether it lost spaces, as copied pages do."""
        offsets = laid.offsets if laid else None
        if unglued:
            offsets = [offsets[at] for at in unglued.offsets] if offsets else unglued.offsets
        self._offsets = offsets
        self.given: dict[int, tuple[Value, list[tuple[int, int, bool]]]] = {}
        """Values that were looked for, by their identity: the value, and where it stands."""
        self.parts: dict[int, tuple[object, list[Any]]] = {}
        """Wordings that were looked for, by their identity: the wording, and its words in the whole text."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """A span of the text as it was given."""
        if self._offsets is None or start >= len(self._offsets):
            return start, end
        return self._offsets[start], self._offsets[max(start, end - 1)] + 1

    @lazy
    def clauses(self) -> list[Clause]:
        """Its clauses in order, each with its cues and scopes."""
        return lay_scopes(_clauses(self.written, self.text, self._cues(SCOPED)), self.text)

    @lazy
    def hidden(self) -> Hidden:
        """Its denials inside words that are no cues of denial."""
        return find_hidden(self.clauses, self.text)

    @lazy
    def talk(self) -> list[Clause]:
        """The clauses once more, each with the cues of which a refusal is made, and without scopes."""
        return _clauses(self.written, self.text, self._cues(ALL), fine=True)

    def _cues(self, kinds: frozenset[str]) -> list[Hit]:
        """Its cues but those inside a number or a name."""
        text = self.text
        hits = find(text, kinds)
        if _PERHAPS in text:
            hits = [hit for hit in hits if not _IN_NUMBER.match(text, max(0, hit.start - 1), hit.end)]
        if "May" in self.written:
            hits = [hit for hit in hits if not _IN_MAY.match(self.written, max(0, hit.start - 2))]
        if not self._names:
            return hits
        named = sorted(span for name in self._names for span in _spans(name, text))
        starts = [span.start for span in named]
        places = ((hit, (hit.start, hit.end - 1)) for hit in hits)
        return [hit for hit, ends in places if not any(_inside(end, named, starts, edge=True) for end in ends)]

    @lazy
    def starts(self) -> list[int]:
        """Where its clauses begin."""
        return [one.start for one in self.clauses]

    @lazy
    def _further(self) -> list[int]:
        """Where all but the first begin."""
        return self.starts[1:]

    def at(self, place: int) -> Clause:
        """The clause at a place."""
        return self.clauses[bisect_right(self._further, place)]

    @lazy
    def sentences(self) -> list[Piece]:
        """Its sentences; each item of a list also together with the line above the list."""
        clauses = self.clauses
        firsts = [at for at, one in enumerate(clauses) if not at or one.sentence != clauses[at - 1].sentence]
        return [Piece(clauses[at].start, clauses[end - 1].end) for at, end in pairwise([*firsts, len(clauses)])]

    @lazy
    def pairs(self) -> list[Piece]:
        """Neighbouring sentences taken together."""
        return [Piece(one.start, two.end) for one, two in pairwise(self.sentences)]

    @lazy
    def tags(self) -> list[tuple[int, int, str]]:
        """Its Han words with their parts of speech; read as written, for folding makes 沉 of the surname 沈."""
        found, at = [], 0
        for word, tag in tag_words(self.written):
            if tag and not word.isascii():
                found.append((at, at + len(word), tag))
            at += len(word)
        return found

    def tags_in(self, start: int, end: int) -> list[tuple[int, int, str]]:
        """The Han words that begin within a stretch."""
        return self.tags[bisect_left(self.tags, (start,)) : bisect_left(self.tags, (end,))]

    def flags(self, place: int) -> tuple[frozenset[str], int]:
        """The flags at a place, and how often it is denied."""
        return self.at(place).flags(place)

    @lazy
    def quotes(self) -> list[Piece]:
        """What stands in quotes or title marks."""
        return quotes(self.written)

    @lazy
    def turned(self) -> bool:
        """Whether anything in the text is under a flag."""
        return bool(self.flagged)

    def is_turned(self, start: int, end: int) -> bool:
        """Whether a clause that a stretch touches has anything under a flag."""
        first, last = bisect_right(self._further, start), bisect_right(self._further, end - 1)
        return any(one.scopes for one in self.clauses[first : last + 1])

    @lazy
    def flagged(self) -> frozenset[str]:
        """The flags of all its scopes."""
        return frozenset([scope.flag for one in self.clauses for scope in one.scopes])

    @lazy
    def tokens(self) -> dict[str, list[int]]:
        """Latin words, and their stems behind a "~", with their places."""
        return find_tokens(self.text)

    @lazy
    def _places(self) -> dict[tuple[str, ...], list[int]]:
        return {}

    def places(self, keys: tuple[str, ...]) -> list[int]:
        """Where words stand that have one of some keys, in order."""
        found = self._places.get(keys)
        if found is None:
            tokens = self.tokens
            found = self._places[keys] = sorted({place for key in tokens.keys() & keys for place in tokens[key]})
        return found

    @lazy
    def values(self) -> list[Value]:
        """Its numbers, dates and times in order."""
        return values(self.written, self.text)

    @lazy
    def _value_starts(self) -> list[int]:
        return [value.start for value in self.values]

    def values_in(self, lo: int, hi: int) -> list[Value]:
        """The values that start within a window."""
        return self.values[bisect_left(self._value_starts, lo) : bisect_left(self._value_starts, hi)]


def _clauses(written: str, text: str, hits: list[Hit], *, fine: bool = False) -> list[Clause]:
    """Cut a text into clauses, each with the cues in it; a title's or quotation's own cues turn nothing."""
    quoted = quotes(written) if hits else []
    if quoted:
        starts = [one.start for one in quoted]
        hits = [hit for hit in hits if not _inside(hit.start, quoted, starts)]
    found: list[Clause] = []
    asks = any(sign in written for sign in _ASKING)
    buts = any("but" in hit.kinds for hit in hits)
    start = sentence = at = 0
    most = len(hits)
    for end, closes in cuts(written, fine=fine):
        behind = at
        while at < most and hits[at].start < end:
            at += 1
        inside = hits[behind:at]
        for first, last, cues in _at_buts(start, end, inside) if buts and inside else ((start, end, inside),):
            if first < last and not text[first:last].isspace():
                asked = asks and last == end and _ASKS.search(written, max(first, last - _NEAR_END), last) is not None
                against = buts and _opens_against(text, first, cues)
                found.append(Clause(first, last, sentence, against, asked, cues[:_MOST_CUES]))
        start = end
        if closes and found and found[-1].sentence == sentence:
            sentence += 1
        if len(found) > _MOST:
            break
    if "\n" in written:
        _hang_items(written, found)
    return found


def _without_halves(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return _HALF_PAIR.sub("\ufffd", text)
    return text


def _inside(place: int, pieces: list[Piece], starts: list[int], *, edge: bool = False) -> bool:
    at = bisect_right(starts, place) - 1
    return at >= 0 and pieces[at].start < place + edge and place < pieces[at].end


def _spans(name: str, text: str) -> Iterator[Piece]:
    at = text.find(name) if len(name) > 1 else -1
    while at >= 0:
        yield Piece(at, at + len(name))
        at = text.find(name, at + len(name))


def _opens_against(text: str, first: int, cues: list[Hit]) -> bool:
    """Whether a clause begins with a but."""
    return bool(cues) and "but" in cues[0].kinds and not text[first : cues[0].start].strip()


def _at_buts(start: int, end: int, hits: list[Hit]) -> list[tuple[int, int, list[Hit]]]:
    """A clause cut once more at each but."""
    buts = [hit.start for hit in hits if "but" in hit.kinds and hit.start > start]
    if not buts:
        return [(start, end, hits)]
    starts = [hit.start for hit in hits]
    edges = [start, *buts, end]
    return [(a, b, hits[bisect_left(starts, a) : bisect_left(starts, b)]) for a, b in pairwise(edges)]


def _hang_items(written: str, clauses: list[Clause]) -> None:
    """Tell the clauses of each list's items what heading they stand under."""
    starts: list[int] = []
    for heading, item in items(written):
        starts = starts or [one.start for one in clauses]
        above = clauses[max(0, bisect_left(starts, heading.end) - 1)] if clauses else None
        for one in clauses[bisect_left(starts, item.start) : bisect_left(starts, item.end)]:
            one.heading = above
