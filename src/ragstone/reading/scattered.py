"""Whether the words of a point are only gathered from clauses that say other things: 孕妇可以使用，儿童禁用."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ragstone.reading.cues import cue
from ragstone.reading.points import Form, Unit
from ragstone.reading.replies import Reply
from ragstone.reading.sentences import Piece
from ragstone.reading.values.values import Value
from ragstone.reading.words import Word, weight, words
from ragstone.text.fold import fold
from ragstone.text.late import late

_CLAUSE_END = late(r"[，；。！？\n]|[,.;!?](?!\d)|\b(?:but|while|whereas)\b")
_VERB_EN = cue(r"\b(?:is|are|was|were|has|have|had|will|can|may|does|did|[a-z]{2,}ed)\b")
_ALSO = cue(r"也|还|同样|均|都|\b(?:too|also|as well|likewise|both)\b")
_VERBS = ("v", "vn", "vd", "a", "an")
_LOOSE = frozenset("dpcufqrm")
"""Tags of words that only join others."""
_MODALS = frozenset(fold("可以 能够 应该 应当 需要 必须 进行 没有 不是 不会 不能").split())
_MANY = 12
"""Clauses that are looked at; more stand in no real sentence."""
_REACH = 16
"""Characters beside a word in which the word that goes with it is looked for."""


class Part(NamedTuple):
    """One clause of an answer and what it says of a point."""

    clause: Piece
    said: dict[int, tuple[int, int]]
    """Place of a unit or value in the point, to where this clause says it."""
    values: list[Value]


def cut(text: str, window: Piece) -> list[Piece]:
    """The clauses of a window; none where there is only one, or too many."""
    ends = [mark.end() for mark in _CLAUSE_END.finditer(text, *window)]
    bounds = sorted({window.start, *ends, window.end})
    return [Piece(*pair) for pair in pairwise(bounds)] if 2 < len(bounds) <= _MANY + 1 else []


def rival_of(form: Form, parts: list[Part], reply: Reply) -> str:
    """The word of the point in whose place another stands, while it is said itself of something else; or nothing."""
    beside = sorted([unit.place for unit in form.units if unit.weight == 1] + [value.start for value in form.values])
    if form.latin and not form.values and not _is_sentence(form):
        return ""
    look = _Look(form, parts, reply)
    for left, right in pairwise(beside):
        if any(left in part.said and right in part.said for part in parts):
            continue
        found = look.pair(left, right)
        if found:
            return found
    return look.by_name(beside) or look.by_value(beside)


class _Look:
    """One point and the clauses of one window."""

    def __init__(self, form: Form, parts: list[Part], reply: Reply) -> None:
        self._units = {unit.place: unit for unit in form.units}
        self._form, self._parts, self._moods = form, parts, reply.moods
        self._text, self._folded = reply.text, reply.folded
        self._capital = {place for place in self._units if self._is_capital(place)}

    def pair(self, left: int, right: int) -> str:
        """Neighbours in the point that stand in different clauses, each with somebody else."""
        one, two = self._units.get(left), self._units.get(right)
        before = two is not None and one is not None and self._replaced(one, right, ahead=False)
        behind = two is not None and one is not None and self._replaced(two, left, ahead=True)
        if one and before and (behind or self._is_name(one)):
            return one.text
        return two.text if two and behind and (before or self._is_name(two)) else ""

    def by_name(self, beside: list[int]) -> str:
        """A name for which another stands where more of the point is said: 林岚负责采购，周航负责预算."""
        for unit in filter(self._is_name, self._form.units):
            homes = [part for part in self._parts if unit.place in part.said]
            for part in self._parts:
                more = all(part.said.keys() - home.said.keys() for home in homes)
                if not homes or unit.place in part.said or not more or not any(map(self._is_apart, homes)):
                    continue
                if any(self._has_like(unit, part, near) for near in _sides(unit, beside)):
                    return unit.text
        return ""

    def _has_like(self, unit: Unit, part: Part, near: int) -> bool:
        if near not in part.said:
            return False
        if unit.person and any(word.tag == "nr" for word in self._strangers(part, *part.clause)):
            return True
        word = self._neighbour(part, near, unit, ahead=unit.place > near)
        return word is not None and self._is_like(unit, word)

    def by_value(self, beside: list[int]) -> str:
        """A word that the clause with the number has another word for, while its own clause is the other's twin."""
        held = {value.start for value in self._form.values}
        parts = [part for part in self._parts if not held.isdisjoint(part.said)]
        if len(self._form.values) != 1 or len(parts) != 1:
            return ""
        there, own = parts[0], self._form.values[0]
        for unit in self._form.units:
            homes = [part for part in self._parts if unit.place in part.said]
            if unit.place in there.said or not homes:
                continue
            rivals = any(value.measure == own.measure for home in homes for value in home.values)
            if rivals and any(self._folded.find(other, *there.clause) >= 0 for other in unit.opposite):
                return unit.text
            if unit.weight == 1 and any(
                self._is_twin(unit, near, there, homes, rivals) for near in _sides(unit, beside)
            ):
                return unit.text
        return ""

    def _is_twin(self, unit: Unit, near: int, there: Part, homes: list[Part], rivals: bool) -> bool:
        """Whether a clause has another word beside the same neighbour: the Pro plan for the free plan."""
        # A word in front of a number says little of it: it is now 100.
        if (
            near not in there.said
            or (unit.latin and near not in self._units)
            or not (rivals or any(near in home.said for home in homes))
        ):
            return False
        ahead = unit.place > near
        word = self._neighbour(there, near, unit, ahead=ahead)
        if word is None or not unit.noun:
            return False
        if not word.nominal:
            # 对比模型 for 青岚模型: an attribute of any kind, when the other has a number of its own.
            return rivals and not ahead and near in self._units and self._touches(word, there.said[near], ahead=False)
        return not unit.latin or self._touches(word, there.said[near], ahead=ahead)

    def _touches(self, word: Word, span: tuple[int, int], *, ahead: bool) -> bool:
        gap = self._folded[span[1] : word.start] if ahead else self._folded[word.start + len(word.text) : span[0]]
        return len(gap.split()) == 0

    def _replaced(self, unit: Unit, near: int, *, ahead: bool) -> bool:
        """Whether a clause has another word of the same kind beside a neighbour, and the unit's clause a verb."""
        homes = [part for part in self._parts if unit.place in part.said]
        if not any(map(self._is_apart, homes)):
            return False
        found = (self._neighbour(part, near, unit, ahead=ahead) for part in self._parts if near in part.said)
        return any(word is not None and self._is_like(unit, word) for word in found)

    def _is_name(self, unit: Unit) -> bool:
        return unit.person or unit.named or (unit.latin and unit.place in self._capital)

    def _is_capital(self, place: int) -> bool:
        """Whether a word is written as a name, and not only because a sentence begins with it."""
        if place or not self._form.text[:1].isupper():
            return self._form.text[place].isupper()
        starts = [(part.clause.start, part.said[0][0]) for part in self._parts if 0 in part.said]
        return any(self._text[opening:start].strip() and self._text[start].isupper() for opening, start in starts)

    def _is_like(self, unit: Unit, word: Word) -> bool:
        if self._is_name(unit):
            return word.named or (word.latin and self._text[word.start].isupper())
        if unit.latin or word.latin:
            return False
        return word.nominal if unit.noun else word.tag in _VERBS

    def _is_apart(self, part: Part) -> bool:
        """Whether a clause says something of its own, and does not only add to the last."""
        if _ALSO.search(self._folded, *part.clause):
            return False
        if _VERB_EN.search(self._folded, *part.clause):
            return True
        return any(word.tag in _VERBS for word in words(self._folded[slice(*part.clause)]))

    def _neighbour(self, part: Part, near: int, unit: Unit, *, ahead: bool) -> Word | None:
        """The word next to a place that could stand for a unit, unless the point says it too or it no longer holds."""
        start, end = part.said[near]
        first, last = (
            (end, min(end + _REACH, part.clause.end)) if ahead else (max(start - _REACH, part.clause.start), start)
        )
        found = [word._replace(start=word.start + first) for word in words(self._folded[first:last])]
        for word in found if ahead else reversed(found):
            if word.tag not in _LOOSE and (weight(word) or (_is_verb(word) and not unit.noun)):
                return word if self._is_stranger(part, word) else None
        return None

    def _strangers(self, part: Part, start: int, end: int) -> Iterator[Word]:
        found = (word._replace(start=word.start + start) for word in words(self._folded[start:end]))
        return (word for word in found if self._is_stranger(part, word))

    def _is_stranger(self, part: Part, word: Word) -> bool:
        last = word.start + len(word.text)
        if any(begin < last and word.start < stop for begin, stop in part.said.values()):
            return False
        # 不是周航 names no rival, but 肝功能不全者 does.
        denied = (word.named or word.latin) and self._moods.negated(word.start)
        return not denied and not self._moods.past(word.start)


def _is_sentence(form: Form) -> bool:
    """Whether a point with Latin words is more than a name: Sunday night is none."""
    return not form.compact and sum(unit.weight == 1 for unit in form.units) > 2


def _is_verb(word: Word) -> bool:
    """Whether a word says what is done: 使用, which carries little elsewhere, is the rival of 禁用."""
    return word.tag in _VERBS and len(word.text) > 1 and word.text not in _MODALS


def _sides(unit: Unit, beside: list[int]) -> Iterator[int]:
    """The neighbours of a unit in the point."""
    before = [place for place in beside if place < unit.place]
    behind = [place for place in beside if place > unit.place]
    yield from (*before[-1:], *behind[:1])
