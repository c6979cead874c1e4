"""Questions of one set beside one another: none asks for a fact again, and none tells another's answer."""

from collections.abc import Hashable, Iterable, Iterator

from ragstone.drafting.draft import Draft, Place, Point
from ragstone.drafting.faults import FITS, leaks, pairs_of
from ragstone.drafting.questions.parts import plain
from ragstone.reading.values.values import values
from ragstone.text.fold import squeeze

_STRETCH = 500
"""Characters of a page whose places are kept together."""


class Facts:
    """What was asked for so far; each question is compared only with those that share a place or a gold."""

    def __init__(self) -> None:
        self._drafts: list[Draft] = []
        self._places: dict[Hashable, list[int]] = {}
        self._golds: dict[Hashable, list[int]] = {}
        self._lengths: set[int] = set()
        self._asked: dict[Hashable, list[int]] = {}

    def take(self, draft: Draft) -> None:
        """Remember what a question asks for and says."""
        number = len(self._drafts)
        self._drafts.append(draft)
        golds = [squeeze(point.text) for point in facts_of(draft)]
        self._lengths.update(map(len, golds))
        for index, keys in (
            (self._places, [key for point in facts_of(draft) for key in _stretches(point.place)]),
            (self._golds, [*golds, *(key for point in facts_of(draft) for key in _values_in(point.text))]),
            (self._asked, [*_trigrams(squeeze(draft.question)), *_values_in(draft.question)]),
        ):
            for key in dict.fromkeys(keys):
                index.setdefault(key, []).append(number)

    def clash(self, draft: Draft) -> bool:
        """Say whether a question asks for a fact again, or one of the two would tell the other's answer."""
        beside = self._numbers(self._places, (key for one in facts_of(draft) for key in _stretches(one.place)))
        if any(_share(draft, self._drafts[at]) for at in sorted(beside)):
            return True
        told = self._numbers(self._golds, self._told_in(draft.question))
        telling = self._numbers(self._asked, self._telling(draft))
        return any(_tells(draft, self._drafts[at]) for at in sorted(told)) or any(
            _tells(self._drafts[at], draft) for at in sorted(telling)
        )

    def _told_in(self, question: str) -> Iterator[Hashable]:
        """Everything in a question that may be a gold."""
        asked = squeeze(question)
        for length in self._lengths:
            yield from (asked[at : at + length] for at in range(len(asked) - length + 1))
        yield from _values_in(question)

    def _telling(self, draft: Draft) -> Iterator[Hashable]:
        """What questions must hold to tell one of a question's golds."""
        for point in facts_of(draft):
            yield from _values_in(point.text)
            if grams := _trigrams(squeeze(point.text)):
                yield min(grams, key=lambda gram: len(self._asked.get(gram, ())))

    def _numbers(self, index: dict[Hashable, list[int]], keys: Iterable[Hashable]) -> set[int]:
        return {number for key in keys for number in index.get(key, ())}


def facts_of(draft: Draft) -> tuple[Point, ...]:
    """What a question asks for, and what has to be known to compare."""
    return draft.points + draft.compared


def _stretches(place: Place) -> Iterator[Hashable]:
    for part in range(place.start // _STRETCH, (place.end - 1) // _STRETCH + 1):
        yield place.document, place.page, part


def _values_in(text: str) -> Iterator[Hashable]:
    return ((one.measure, one.low) for one in values(text))


def _trigrams(text: str) -> list[str]:
    return [text[at : at + 3] for at in range(len(text) - 2)]


def _share(one: Draft, other: Draft) -> bool:
    """Say whether two questions that may rest on one place ask for one fact, or one tells the other's gold."""
    pairs = [(mine, there) for mine in facts_of(one) for there in facts_of(other) if _overlap(mine.place, there.place)]
    if not pairs:
        return False
    if one.kind == other.kind == "table" and one.difficulty == other.difficulty == "easy":
        return False  # two columns of a row may hold the same words
    if any(mine.text in there.text or there.text in mine.text for mine, there in pairs):
        return True
    return leaks(one.question, [there.text for _, there in pairs]) or leaks(
        other.question, [mine.text for mine, _ in pairs]
    )


def _overlap(one: Place, other: Place) -> bool:
    return (one.document, one.page) == (other.document, other.page) and one.start < other.end and other.start < one.end


def _tells(one: Draft, other: Draft) -> bool:
    """Say whether a question holds another's gold together with most of what that asks."""
    if not leaks(one.question, [point.text for point in facts_of(other)]):
        return False
    wanted, said = pairs_of(other.question), plain(one.question).lower()
    return bool(wanted) and sum(pair in said for pair in wanted) >= FITS * len(wanted)
