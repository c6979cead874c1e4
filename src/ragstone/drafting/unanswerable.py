"""Questions without an answer, made from questions that have one; an exact search over all documents proves it."""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from ragstone.drafting.corpus import Corpus
from ragstone.drafting.draft import Absent, Draft
from ragstone.drafting.faults import fits_elsewhere, pairs_of
from ragstone.drafting.questions.chinese import plain
from ragstone.reading.values.names import find_names
from ragstone.text.fold import fold
from ragstone.text.late import late
from ragstone.text.traditional import traditional

_ENDING = late(
    r"(?:大学|公司|铁路|主教座堂|车站|战争|条约|协定|足球会|足球队|山脉|半岛|[镇市县区站山岛湖河州城寺庙路道线属科鱼蛇猫乡省鲷村])$"
)
_STEMS = ("霁岚", "栖梧", "云岫", "听澜", "沐野", "青屿", "汀兰", "望舒")
_PEOPLE = ("沈知遥", "罗屿白", "顾南栖", "叶澜生", "裴书砚", "陆汀洲")
_FOREIGN = ("维托·卡尔桑", "埃里克·诺瓦连", "玛琳·杜萨特", "奥列格·塔维诺")
_ENGLISH = ("Alder Quay", "Cedar Ledger", "Marrow Point", "Tallow Bay")
_LIFE = late("出生|生于|逝世|病逝|毕业于|就读|出道")
_PREFIX = late("关于|關於|根据|根據|According to ")
"""How a question begins that names its topic in front: without the topic it may still have its answer."""
_SAYS_LITTLE = 6
"""Pairs of characters below which a question says too little to be asked of something else."""
_UNRELATED = 0.34
"""Share of what a question says that the other's documents may hold."""


def swapped(drafts: Iterable[Draft], corpus: Corpus) -> Iterator[Draft]:
    """Ask the same of something that no document names."""
    for at, draft in enumerate(drafts):
        new = _other_name(draft, at, corpus)
        if new and draft.topic in draft.question and not _PREFIX.match(draft.question) and draft.difficulty == "easy":
            question = draft.question.replace(draft.topic, new)
            yield structs.replace(
                draft, question=question, expected={}, absent=Absent("swapped", (new,)), kind="absent"
            )


def _other_name(draft: Draft, at: int, corpus: Corpus) -> str | None:
    """Invent a name of the same sort that no document holds."""
    for shift in range(len(_STEMS)):
        new = _invented(draft, at + shift, corpus)
        if new is None or not corpus.holding(new):
            return new
    return None


def _invented(draft: Draft, at: int, corpus: Corpus) -> str | None:
    topic = draft.topic
    if draft.writing == "en":
        return _ENGLISH[at % len(_ENGLISH)] if re.fullmatch(r"(?:[A-Z][a-z]+ ?){1,3}", topic) else None
    if draft.writing in ("ja", "ko"):
        return None
    say = traditional if draft.writing == "zh-Hant" else str
    if ending := _ENDING.search(plain(topic)):
        return say(_STEMS[at % len(_STEMS)]) + topic[ending.start() :]
    return say((_FOREIGN if "·" in topic else _PEOPLE)[at % 4]) if _is_person(draft, corpus) else None


def _is_person(draft: Draft, corpus: Corpus) -> bool:
    """Say whether a draft is about somebody: a name, and a document that tells of a life."""
    topic, paper = draft.topic, corpus.by_name[draft.documents[0]]
    names = find_names(topic)
    whole = len(names) == 1 and names[0].kind == "person" and names[0].end - names[0].start == len(topic)
    return whole and _LIFE.search(paper.folded) is not None


def misplaced(drafts: Sequence[Draft], corpus: Corpus) -> Iterator[Draft]:
    """Ask of one thing what the documents say of another of the same sort only."""
    for at, draft in enumerate(drafts):
        if (
            not draft.question.startswith(draft.topic)
            or draft.difficulty != "easy"
            or draft.kind in ("definition", "place")
        ):
            continue
        for shift in range(1, min(len(drafts), 30)):
            other = drafts[(at + shift) % len(drafts)]
            found = _asked_of(draft, other.topic, corpus) if _alike(draft, other, corpus) else None
            if found:
                yield found
                break


def _alike(one: Draft, other: Draft, corpus: Corpus) -> bool:
    if one.topic == other.topic or one.writing != other.writing:
        return False
    ends = [_ENDING.search(plain(draft.topic)) for draft in (one, other)]
    if ends[0] or ends[1]:
        return bool(ends[0] and ends[1] and ends[0][0] == ends[1][0])
    foreign = [("·" in draft.topic) for draft in (one, other)]
    return foreign[0] == foreign[1] and _is_person(one, corpus) and _is_person(other, corpus)


def _asked_of(draft: Draft, other: str, corpus: Corpus) -> Draft | None:
    """Put a question to something else, if none of its documents says much of what the question says."""
    rest = draft.question.replace(draft.topic, "")
    wanted = pairs_of(rest)
    runs = re.findall("[\u3400-\u9fffA-Za-z]{4,}", re.sub("[哪什几多].*$", "", plain(rest)))
    key = max(runs or re.findall("[\u3400-\u9fff]{4,}", plain(rest)), key=len, default="")
    papers = corpus.holding(other)
    if len(wanted) < _SAYS_LITTLE or not key or any(fold(key) in paper.folded for paper in papers):
        return None
    if any(sum(pair in paper.folded for pair in wanted) > _UNRELATED * len(wanted) for paper in papers):
        return None
    question = draft.question.replace(draft.topic, other)
    return structs.replace(
        draft, question=question, expected={}, absent=Absent("other_entity", (other, key)), kind="absent"
    )


def left_out(drafts: Iterable[Draft], kept: Corpus) -> Iterator[Draft]:
    """Keep what no document that a system is given answers: by no sentence, and by no gold beside its topic."""
    for draft in drafts:
        told = any(kept.holding(draft.topic, point.text) for point in draft.points)
        if not told and not fits_elsewhere(draft, "", kept):
            yield structs.replace(draft, expected={}, absent=Absent("left_out", draft.documents), kind="absent")
