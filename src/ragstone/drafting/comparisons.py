"""Questions that need two places, made of questions that need one: which came first, both dates, both amounts."""

from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from itertools import cycle, pairwise
from typing import NamedTuple

from msgspec import structs

from ragstone.drafting.draft import Difficulty, Draft, Point
from ragstone.drafting.find import Found
from ragstone.drafting.questions.chinese import plain
from ragstone.drafting.questions.parts import words
from ragstone.reading.values.names import tagged
from ragstone.reading.values.values import values
from ragstone.text.dates.find import find_dates
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


class Event(NamedTuple):
    """Something whose day is told: what happened, to what, and when."""

    told: str
    topic: str
    day: date
    draft: Draft


def events(found: Iterable[Found]) -> Iterator[Event]:
    """Turn every question for the day of something into what happened: 复兴社成立于哪一年？ → 复兴社成立."""
    for one in found:
        event = _event(one.draft) if one.draft.kind == "date" and one.draft.writing.startswith("zh") else None
        if event:
            yield event


def _event(draft: Draft) -> Event | None:
    asked = draft.question.rstrip("？")
    when = _WHEN.search(plain(asked))
    days = find_dates(draft.points[0].text)
    if when is None or len(days) != 1 or days[0].first is None:
        return None
    told = asked[: when.start()] + asked[when.end() :]
    what = told.removeprefix(draft.topic)
    if what == told or draft.topic not in draft.points[0].place.quote:
        return None
    told = draft.topic + _SHORT.get(what, what)
    fits = 2 <= len(told) - len(draft.topic) <= _LONGEST
    loose = _ALONE.search(what) or _LOOSE.search(plain(what))
    return Event(told, draft.topic, days[0].first, draft) if fits and not loose else None


def compare(found: Iterable[Found]) -> Iterator[Draft]:
    """Ask of two things to which the same happened, told by two documents, which was first, and when each was.

    Nobody asks which of a treaty and a film was earlier.
    """
    groups: dict[tuple[str, str], list[Event]] = {}
    for event in events(found):
        for verb in _verbs(event):
            groups.setdefault((event.draft.writing, verb), []).append(event)
    for _, group in sorted(groups.items()):
        group.sort(key=lambda event: (plain(event.told[len(event.topic) :]), event.topic))
        for at, one in enumerate(group):
            for two in group[at + 1 : at + 1 + _NEAR]:
                if one.day.year != two.day.year and one.topic != two.topic and _apart(one.draft, two.draft):
                    yield _earlier(one, two)
                    yield _both(one, two)


_WAS = late(r"When (?P<was>was|were) (?P<named>[A-Z].*)\?")
_DONE = late(r" (?P<done>(?:first )?(?:[a-z]+ed|built|held|sold|made|begun|laid|won))\b")


def compare_english(found: Iterable[Found]) -> Iterator[Draft]:
    """Ask which of two named things the same was done to first: Which was founded first, Ashford Mill or Quill Hall?"""
    groups: dict[tuple[str, str], list[Event]] = {}
    for one in found:
        asked = _WAS.fullmatch(one.draft.question) if one.draft.kind == "date" and one.draft.writing == "en" else None
        done = (
            _DONE.match(asked["named"], len(one.subject)) if asked and asked["named"].startswith(one.subject) else None
        )
        day = _told_day(one.draft.points[0])
        if asked and done and day and one.subject in one.draft.points[0].place.quote:
            event = Event(done["done"], one.subject, day, one.draft)
            groups.setdefault((asked["was"], done["done"]), []).append(event)
    for (was, what), group in sorted(groups.items()):
        group.sort(key=lambda event: event.topic)
        for a, b in pairwise(group):
            if a.day.year != b.day.year and a.topic != b.topic and _apart(a.draft, b.draft):
                first, last = sorted((a, b), key=lambda event: event.day)
                points = (Point(first.topic, first.draft.points[0].place), last.draft.points[0])
                question = f"Which {was} {what} first, {a.topic} or {b.topic}?"
                yield _joined(a, question, points, "comparison", "hard", first.topic)


def _told_day(point: Point) -> date | None:
    """The day a point tells, read in its sentence: 1861 alone may be any number."""
    said = point.place.quote
    days = [one.low for one in values(said) if said[one.start : one.end] == point.text]
    return days[0] if len(days) == 1 and isinstance(days[0], date) else None


def _verbs(event: Event) -> list[str]:
    what = plain(event.told[len(event.topic) :])
    return [one.word for one in tagged(what) if one.tag == "v" and len(one.word) > 1 and one.word not in _ANYTHING]


def _apart(one: Draft, two: Draft) -> bool:
    return not set(one.documents) & set(two.documents)


def _earlier(one: Event, two: Event) -> Draft:
    first, last = sorted((one, two), key=lambda event: event.day)
    points = (Point(first.topic, first.draft.points[0].place), last.draft.points[0])
    question = f"{_say('哪一件事更早：', one)}{one.told}，{_say('还是', one)}{two.told}？"
    return _joined(one, question, points, "comparison", "hard", first.topic)


def _both(one: Event, two: Event) -> Draft:
    question = f"{one.told}{_say('是在什么时候？', one)}{two.told}呢？"
    return _joined(one, question, (one.draft.points[0], two.draft.points[0]), "date", "medium")


def _when_first(one: Event, two: Event) -> Draft:
    """Ask when the earlier of two things was: whoever tells has compared."""
    first, last = sorted((one, two), key=lambda event: event.day)
    question = f"{_say('哪一件事更早，是在什么时候：', one)}{one.told}，{_say('还是', one)}{two.told}？"
    draft = _joined(one, question, first.draft.points + last.draft.points, "comparison", "hard")
    return structs.replace(draft, expected={"text_answer": first.draft.points[0].text})


def _say(words: str, event: Event) -> str:
    return traditional(words) if event.draft.writing == "zh-Hant" else words


def _joined(
    one: Event, question: str, points: tuple[Point, ...], kind: str, difficulty: Difficulty, entity: str = ""
) -> Draft:
    return Draft(
        question=question,
        points=points,
        kind=kind,
        difficulty=difficulty,
        writing=one.draft.writing,
        topic=one.topic,
        section=one.topic,
        expected={"entity": entity} if entity else {},
    )


def twice(found: Iterable[Found]) -> Iterator[Draft]:
    """Ask of two things that one document tells of its topic when each was, or when the first of them was, in turn."""
    found = list(found)
    last: dict[str, Event] = {}
    ways = cycle((_both, _when_first))
    for event in events(found):
        one = last.get(event.topic)
        if one and one.day.year != event.day.year and not _apart(one.draft, event.draft) and _elsewhere(one, event):
            yield _both(one, event) if _is_life(one) or _is_life(event) else next(ways)(one, event)
            del last[event.topic]
        else:
            last[event.topic] = event
    waiting: dict[str, Draft] = {}
    for draft in (one.draft for one in found if one.draft.kind == "date" and _WHEN_ENGLISH.search(one.draft.question)):
        name = draft.documents[0]
        if name in waiting and waiting[name].points[0].place != draft.points[0].place:
            yield _english(waiting.pop(name), draft)
        else:
            waiting[name] = draft


def _is_life(event: Event) -> bool:
    """Say whether somebody's birth or death is told, which is before or after everything else."""
    return _LIFE.search(plain(event.told)) is not None


_LIFE = late("出生|诞生|逝世|去世|病逝|卒")
_WHEN_ENGLISH = late(r"^(?:According to “[^”]*”, |In [^,]*, )?[Ww]hen (?=[a-z])")


def _elsewhere(one: Event, two: Event) -> bool:
    """Say whether two things are told in two places, and neither is the other in fewer words (届龄退休, 退休)."""
    told = [event.told.removeprefix(event.topic) for event in (one, two)]
    within = told[0].endswith(told[1]) or told[1].endswith(told[0])
    return not within and one.draft.points[0].place != two.draft.points[0].place


def _english(one: Draft, two: Draft) -> Draft:
    """Join two questions for a day; what they are about is said once."""
    begun = _WHEN_ENGLISH.match(two.question)
    assert begun is not None
    question = f"{one.question.rstrip('?')}, and when {two.question[begun.end() :]}"
    return structs.replace(one, question=question, points=one.points + two.points, difficulty="medium", expected={})


def alike(found: Iterable[Found]) -> Iterator[Draft]:
    """Ask for one attribute of two things whose documents tell it in the same words."""
    groups: dict[tuple[str, str], list[Draft]] = {}
    for one in found:
        draft = one.draft
        if draft.kind in ("count", "amount", "duration", "table") and draft.question.startswith(draft.topic):
            groups.setdefault((draft.question.removeprefix(draft.topic), draft.writing), []).append(draft)
    for (rest, writing), group in sorted(groups.items()):
        for first, second in zip(group[::2], group[1::2], strict=False):
            say = traditional if writing == "zh-Hant" else str
            if _apart(first, second) and first.topic != second.topic:
                each = rest.replace("为多少", "分别为多少") if "为多少" in rest else f"{rest}{say('请分别说明。')}"
                yield Draft(
                    question=f"{first.topic}和{second.topic}{each}",
                    points=first.points + second.points,
                    kind=first.kind,
                    difficulty="medium",
                    writing=first.writing,
                    topic=first.topic,
                    section=first.section,
                )


_LARGER = {
    "面积": "大",
    "人口": "多",
    "全长": "长",
    "长度": "长",
    "高度": "高",
    "海拔": "高",
    "人数": "多",
    "票价": "高",
}
_MEASURE_ZH = late(rf"的?(?P<what>[\u4e00-\u9fff]{{0,3}}(?:{'|'.join(_LARGER)}))(?:为|是|约|约为)?多少[^，？]{{1,6}}？")
_COUNTED_EN = late(r"How many (?P<things>[a-z ]{3,30}) does (?P<topic>[A-Z].*) (?P<verb>[a-z]+)\?")
_MEASURED_EN = late(r"How much is the (?P<what>[a-z ]{3,30}) of (?P<topic>[A-Z].*)\?")


class _Measured(NamedTuple):
    """A measure of something by name: what asks which of two has more of it, and how much this one has."""

    asks: str
    value: Decimal
    measure: str
    topic: str
    draft: Draft


def larger(found: Iterable[Found]) -> Iterator[Draft]:
    """Ask which of two things has more of what their documents measure in the same words and unit."""
    groups: dict[tuple[str, str], list[_Measured]] = {}
    for one in found:
        if one.draft.kind in ("count", "amount") and (measured := _measured(one.draft)):
            groups.setdefault((measured.asks, measured.measure), []).append(measured)
    for _, group in sorted(groups.items()):
        group.sort(key=lambda one: one.topic)
        for a, b in pairwise(group):
            if a.value != b.value and a.topic != b.topic and _apart(a.draft, b.draft):
                more, less = sorted((a, b), key=lambda one: -one.value)
                points = (Point(more.topic, more.draft.points[0].place), less.draft.points[0])
                event = Event("", a.topic, date.min, a.draft)
                question = a.asks.format(a.topic, b.topic)
                yield _joined(event, question, points, "comparison", "hard", more.topic)


def _measured(draft: Draft) -> _Measured | None:
    point = draft.points[0]
    told = [one for one in values(point.text) if one.low == one.high and isinstance(one.low, Decimal)]
    asks = _asks_more(draft)
    if len(told) != 1 or not asks or draft.topic not in point.place.quote:
        return None
    unit = f"{told[0].measure} {told[0].currency}"
    return _Measured(asks, Decimal(str(told[0].low)), unit, draft.topic, draft)


def _asks_more(draft: Draft) -> str:
    if draft.writing == "en":
        if (found := _COUNTED_EN.fullmatch(draft.question)) and found["topic"] == draft.topic:
            return f"Which {found['verb']}s more {found['things']}, {{}} or {{}}?"
        found = _MEASURED_EN.fullmatch(draft.question)
        return f"Which has the higher {found['what']}, {{}} or {{}}?" if found and found["topic"] == draft.topic else ""
    found = _MEASURE_ZH.fullmatch(plain(draft.question.removeprefix(draft.topic)))
    if not found or not draft.question.startswith(draft.topic):
        return ""
    say = traditional if draft.writing == "zh-Hant" else str
    more = next(word for name, word in _LARGER.items() if found["what"].endswith(name))
    return say(f"{{}}和{{}}，哪一个的{found['what']}更{more}？")
