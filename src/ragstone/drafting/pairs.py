"""Questions that need two places: the same attribute of two things, and which of two things came first."""

import re
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from ragstone.drafting.corpus import Paper
from ragstone.drafting.draft import Draft, Point
from ragstone.drafting.finding import Found
from ragstone.drafting.questions.chinese import plain
from ragstone.text.dates.find import find_dates
from ragstone.text.late import late
from ragstone.text.traditional import traditional

_VERBS = (
    "成立|建立|创立|创建|创办|建成|开通|通车|启用|出版|发行|上映|首播|出生|逝世|去世|开业|开幕|竣工|创刊|设立|发售|公映|落成|签署|"
    "签订|生效|开播"
)
_BEHIND = late(rf"^(?:在[^，。；]{{2,10}})?(?:正式|首次)?(?P<verb>{_VERBS})")
_BEFORE = late(rf"(?P<verb>{_VERBS}|生|卒)[于在]$")
_LINK = late(r"(?:是|最早|正式)?[于在]$|是$")
_MOST = 400
"""Pairs that are looked at."""


class Event(NamedTuple):
    """Something whose day is told."""

    name: str
    verb: str
    day: object
    written: str
    point: Point
    writing: str


def events(paper: Paper) -> Iterator[Event]:
    """What a document says of the day its own subject began, appeared or ended."""
    if not paper.writing.startswith("zh"):
        return
    title = plain(paper.title)
    for sentence in paper.sentences:
        folded = plain(sentence.text)
        for found in find_dates(sentence.text):
            verb = _verb(folded, found.start, found.end, title)
            if verb and not found.reason and not found.is_range and not found.approximate and found.first:
                place = paper.place(sentence.page, sentence.start, sentence.start + len(sentence.text))
                yield Event(paper.title, verb, found.first, found.text, Point(found.text, place), paper.writing)


def _verb(folded: str, start: int, end: int, title: str) -> str:
    """Return what the title did on a day: 普朗特生于…, …于1990年成立."""
    before = re.sub(r"[（(][^（）()]*[）)]", "", folded[:start])
    if behind := _BEFORE.search(before):
        rest = before[: behind.start()]
        verb = {"生": "出生", "卒": "逝世"}.get(behind["verb"], behind["verb"])
    else:
        after = _BEHIND.match(folded[end:])
        rest, verb = _LINK.sub("", before), after["verb"] if after else ""
    return verb if verb and rest.strip("《》「」") == title.strip("《》「」") else ""


def comparisons(found: Iterable[Event]) -> Iterator[Draft]:
    """Ask which of two things came first, and when each of them did."""
    kinds: dict[tuple[str, str], list[Event]] = {}
    for event in found:
        kinds.setdefault((event.verb, event.writing), []).append(event)
    for (verb, writing), group in sorted(kinds.items()):
        distinct = list({event.name: event for event in group}.values())
        for at, (one, two) in enumerate(combinations(distinct, 2)):
            if at < _MOST and one.day != two.day and one.point.place.document != two.point.place.document:
                yield _earlier(one, two, verb, writing)
                yield _both(one, two, verb, writing)


def _earlier(one: Event, two: Event, verb: str, writing: str) -> Draft:
    first = min(one, two, key=lambda event: str(event.day))
    ask = "谁更早" if verb in ("出生", "逝世", "去世") else "哪一个更早"
    question = f"{one.name}和{two.name}，{ask}{verb}？"
    points = tuple(Point(event.name if event is first else event.written, event.point.place) for event in (one, two))
    gold = tuple(point for point in points if point.text == first.name)
    other = tuple(point for point in points if point.text != first.name)
    return Draft(
        question=traditional(question) if writing == "zh-Hant" else question,
        points=gold + other,
        kind="comparison",
        difficulty="hard",
        writing="zh-Hant" if writing == "zh-Hant" else "zh-Hans",
        topic=one.name,
        section=one.name,
        expected={"entity": first.name},
    )


def _both(one: Event, two: Event, verb: str, writing: str) -> Draft:
    question = f"{one.name}和{two.name}分别是什么时候{verb}的？"
    return Draft(
        question=traditional(question) if writing == "zh-Hant" else question,
        points=(one.point, two.point),
        kind="date",
        difficulty="medium",
        writing="zh-Hant" if writing == "zh-Hant" else "zh-Hans",
        topic=one.name,
        section=one.name,
    )


def alike(found: Iterable[Found]) -> Iterator[Draft]:
    """Ask for one attribute of two things whose documents tell it in the same words."""
    groups: dict[tuple[str, str], list[Draft]] = {}
    for one in found:
        draft = one.draft
        if draft.kind in ("count", "amount", "duration", "table") and draft.question.startswith(f"{draft.topic}的"):
            groups.setdefault((draft.question.removeprefix(draft.topic), draft.writing), []).append(draft)
    for (rest, writing), group in sorted(groups.items()):
        for first, second in zip(group[::2], group[1::2], strict=False):
            say = traditional if writing == "zh-Hant" else str
            if first.documents != second.documents and first.topic != second.topic:
                yield Draft(
                    question=f"{first.topic}和{second.topic}{rest}{say('请分别说明。')}",
                    points=first.points + second.points,
                    kind=first.kind,
                    difficulty="medium",
                    writing=first.writing,
                    topic=first.topic,
                    section=first.section,
                )
