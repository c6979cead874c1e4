"""Questions that need two places, made of questions that need one: which came first, and when both were."""

from collections.abc import Iterable, Iterator
from datetime import date
from itertools import cycle
from typing import NamedTuple

from msgspec import structs

from ragstone.drafting.draft import Difficulty, Draft, Point
from ragstone.drafting.find import Found
from ragstone.drafting.questions.parts import plain, words
from ragstone.reading.values.names import tagged
from ragstone.reading.values.values import values
from ragstone.text.late import late
from ragstone.text.traditional import traditional

_WHEN = late("(?:是)?[于在]?(?:哪一年|哪年哪月|什么时候)")
_ALONE = late("[，、；：「」“”（）()]")
_LOOSE = late("(?:的|前|后|起|以来|以后|之前|是)$")
_ANYTHING = words("进行 成为 开始 获得 宣布 参加 发生 出现 使用 可以 没有")
"""Verbs that tell nothing of what happened."""
_SHORT = {"生": "出生", "卒": "逝世", "歿": "逝世", "殁": "逝世"}
_LONGEST = 18
"""Characters of what happened, without its topic."""
_NEAR = 4
"""Events that each is put beside."""
_WAS = late(r"When (?P<was>was|were) (?P<named>[A-Z].*)\?")
_DONE = late(r" (?P<done>(?:first )?(?:[a-z]+ed|built|held|sold|made|begun|laid|won))\b")
_LIFE = late("出生|诞生|逝世|去世|病逝|卒")
"""Somebody's birth or death, which is before or after everything else."""


class _Event(NamedTuple):
    """Something whose day is told: what happened to what, when, and the verbs by which it is compared."""

    told: str
    topic: str
    day: date
    draft: Draft
    verbs: tuple[str, ...]


def compared(found: Iterable[Found]) -> Iterator[Draft]:
    """Every question that needs two places."""
    found = list(found)
    for way in (compare, twice):
        yield from way(found)


def _events(found: Iterable[Found]) -> Iterator[_Event]:
    """Turn every question for the day of something into what happened: 复兴社成立于哪一年？ → 复兴社成立."""
    for one in found:
        if one.draft.kind == "date":
            event = _english_event(one) if one.draft.writing == "en" else _chinese_event(one.draft)
            if event:
                yield event


def _chinese_event(draft: Draft) -> _Event | None:
    asked, day = draft.question.rstrip("？"), _told_day(draft.points[0])
    when = _WHEN.search(plain(asked)) if draft.writing.startswith("zh") else None
    if when is None or day is None:
        return None
    told = asked[: when.start()] + asked[when.end() :]
    what = told.removeprefix(draft.topic)
    if what == told or draft.topic not in draft.points[0].place.quote:
        return None
    what = _SHORT.get(what, what)
    if not 2 <= len(what) <= _LONGEST or _ALONE.search(what) or _LOOSE.search(plain(what)):
        return None
    verbs = [one.word for one in tagged(plain(what)) if one.tag == "v" and len(one.word) > 1]
    return _Event(draft.topic + what, draft.topic, day, draft, tuple(one for one in verbs if one not in _ANYTHING))


def _english_event(found: Found) -> _Event | None:
    draft, subject = found.draft, found.subject
    asked, day = _WAS.fullmatch(draft.question), _told_day(draft.points[0])
    if not asked or not asked["named"].startswith(subject) or subject not in draft.points[0].place.quote:
        return None
    done = _DONE.match(asked["named"], len(subject))
    return _Event("", subject, day, draft, (f"{asked['was']} {done['done']}",)) if done and day else None


def _told_day(point: Point) -> date | None:
    """The day a point tells, read in its sentence: 1861 alone may be any number."""
    said = point.place.quote
    days = [one.low for one in values(said) if said[one.start : one.end] == point.text]
    return days[0] if len(days) == 1 and isinstance(days[0], date) else None


def compare(found: list[Found]) -> Iterator[Draft]:
    """Ask of two things to which the same happened, told by two documents, which was first, and when each was.

    Nobody asks which of a treaty and a film was earlier.
    """
    groups: dict[tuple[str, str], list[_Event]] = {}
    for event in _events(found):
        for verb in event.verbs:
            groups.setdefault((event.draft.writing, verb), []).append(event)
    for (writing, verb), group in sorted(groups.items()):
        group.sort(key=lambda event: (plain(event.told.removeprefix(event.topic)), event.topic))
        for at, one in enumerate(group):
            for two in group[at + 1 : at + 1 + _NEAR]:
                if one.day.year == two.day.year or one.topic == two.topic or not _apart(one.draft, two.draft):
                    continue
                if writing == "en":
                    yield _first(one, two, f"Which {verb} first, {one.topic} or {two.topic}?")
                else:
                    yield _first(one, two, f"{_say('哪一件事更早：', one)}{one.told}，{_say('还是', one)}{two.told}？")
                    yield _both(one, two)


def _first(one: _Event, two: _Event, question: str) -> Draft:
    """Ask which of two things was first: the name of one is the answer, and both days have to be known."""
    early, late_ = sorted((one, two), key=lambda event: event.day)
    points = (Point(early.topic, early.draft.points[0].place), late_.draft.points[0])
    draft = _joined(one.draft, question, points, "comparison", "hard")
    days = (early.draft.points[0], late_.draft.points[0])
    return structs.replace(draft, expected={"entity": early.topic}, compared=days)


def _joined(
    one: Draft, question: str, points: tuple[Point, ...], kind: str, difficulty: Difficulty = "medium"
) -> Draft:
    draft = Draft(question=question, points=points, kind=kind, difficulty=difficulty, writing=one.writing)
    return structs.replace(draft, topic=one.topic, section=one.topic)


def _apart(one: Draft, two: Draft) -> bool:
    return not set(one.documents) & set(two.documents)


def _both(one: _Event, two: _Event) -> Draft:
    question = f"{one.told}{_say('是在什么时候？', one)}{two.told}呢？"
    return _joined(one.draft, question, (one.draft.points[0], two.draft.points[0]), "date")


def _when_first(one: _Event, two: _Event) -> Draft:
    """Ask when the earlier of two things was: whoever tells has compared."""
    first, last = sorted((one, two), key=lambda event: event.day)
    question = f"{one.told}，{two.told}，{_say('这两件事中较早的一件是在什么时候？', one)}"
    draft = _joined(one.draft, question, first.draft.points + last.draft.points, "comparison", "hard")
    return structs.replace(draft, expected={"text_answer": first.draft.points[0].text})


def _say(words: str, event: _Event) -> str:
    return traditional(words) if event.draft.writing == "zh-Hant" else words


def twice(found: list[Found]) -> Iterator[Draft]:
    """Ask of two things that one document tells of its topic when each was, or when the first of them was, in turn."""
    last: dict[str, _Event] = {}
    ways = cycle((_both, _when_first))
    for event in _events(one for one in found if one.draft.writing != "en"):
        one = last.get(event.topic)
        if one and one.day.year != event.day.year and not _apart(one.draft, event.draft) and _elsewhere(one, event):
            lives = _LIFE.search(plain(one.told + event.told))
            yield _both(one, event) if lives else next(ways)(one, event)
            del last[event.topic]
        else:
            last[event.topic] = event


def _elsewhere(one: _Event, two: _Event) -> bool:
    """Say whether two things are told in two places, and neither is the other in fewer words (届龄退休, 退休)."""
    told = [event.told.removeprefix(event.topic) for event in (one, two)]
    within = told[0].endswith(told[1]) or told[1].endswith(told[0])
    return not within and one.draft.points[0].place != two.draft.points[0].place
