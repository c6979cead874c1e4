"""Questions without an answer, made from questions that have one; an exact search over all documents proves it."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice, zip_longest

from msgspec import structs

from ragstone.drafting.corpus import Corpus, Paper
from ragstone.drafting.draft import Absent, Draft
from ragstone.drafting.faults import ASKING, Asked, fits_elsewhere
from ragstone.drafting.find import Found, find
from ragstone.drafting.mentions import PROPER, TYPES, holds_kind, may_tell, names_in, said_of, stem
from ragstone.drafting.proving.elsewhere import restated
from ragstone.drafting.questions.parts import plain, words
from ragstone.drafting.questions.topics import MEASURED
from ragstone.reading.values.names import find_names, tagged
from ragstone.text.fold import fold
from ragstone.text.late import late
from ragstone.text.traditional import traditional

_ENDING = late(rf"(?:{TYPES})$")
_STEMS = ("霁岚", "栖梧", "云岫", "听澜", "沐野", "青屿", "汀兰", "望舒")
_PEOPLE = ("沈知遥", "罗屿白", "顾南栖", "叶澜生", "裴书砚", "陆汀洲")
_FOREIGN = ("维托·卡尔桑", "埃里克·诺瓦连", "玛琳·杜萨特", "奥列格·塔维诺")
_ENGLISH = ("Aldermere", "Cedarholt", "Marrowby", "Tallowick", "Pennistrand", "Ostrelle")
_ENGLISH_PEOPLE = ("Edda Tallowick", "Corin Marrowby", "Maud Cedarholt", "Ansel Pennistrand")
_LIFE = late("出生|生于|逝世|病逝|毕业于|就读|出道|was born|died (?:in|on|at)")
_PREFIX = late("关于|關於|根据|根據|据报道|據報道|According to |In ")
"""How a question begins that names its topic in front: without the topic it may still have its answer."""
_VALUED = frozenset(("date", "count", "amount", "share", "duration", "ordinal", "person"))
"""Kinds whose question makes sense of anything of the same sort."""
_LITTLE: dict[str | bool, int] = {False: 7, True: 10, "en": 50}
"""Characters of what is asked of a name that may tell which fact is meant, if there are more; of a measure with its
unit; in English."""
_PAPERS = 400
"""Documents looked into for something to ask of something else."""
_EACH = 4
"""Questions of a document that are tried."""
_PEERS = 30
"""Others of one sort to which a question is put before it is given up."""
_NAMED = late(r"(?:[A-Z][a-z]+ ){1,3}[A-Z][a-z]+")
_SORTS = words(
    "museum library theatre theater gallery bridge school college university hospital clinic park station ferry "
    "harbour harbor lighthouse observatory railway river lake island mill hall castle church abbey tower garden "
    "company group society institute academy factory hotel club festival market bank press airport canal quay"
)
_GOVERNED = "镇市县乡省村州"
"""Last characters in front of which any noun is a name."""
_DOER = late(r" by (?:the [a-z]+ )?[A-Z][\w'’-]*(?: (?:(?:of|the|and|&) )?[A-Z][\w'’-]+)*(?=\?$)")
_DIGIT = late(r"[0-9〇○]|[一二三四五六七八九十]+(?=[年月日])")
_KEY = late("[\u3400-\u9fff]{2,}|[a-z]{4,}")
_LIGHT = words(
    "what when where which does were many much long was has had have the people number are is how will of in by "
    "first most total only ever per each year"
)


Holding = Callable[[str], list[Paper]]
"""Finds the documents that hold a name."""


class Missed:
    """Why questions could not be turned into such that have no answer; of one that was tried twice, the last reason."""

    def __init__(self) -> None:
        self._why: dict[str, str] = {}
        self._made: set[str] = set()

    def note(self, question: str, why: str) -> None:
        """Remember why nothing came of a question."""
        self._why[question] = why

    def made(self, question: str) -> None:
        """Remember that something came of a question."""
        self._made.add(question)

    def counted(self) -> dict[str, int]:
        """Count the questions of which nothing came, by reason."""
        return dict(Counter(why for question, why in self._why.items() if question not in self._made).most_common())


def swapped(drafts: Iterable[Draft], corpus: Corpus, missed: Missed | None = None) -> Iterator[Draft]:
    """Ask the same of something that no document names; of more than the drafts, where those are too few."""
    asked, missed = Asked(), missed or Missed()
    holding: Holding = cache(corpus.holding)
    for at, draft in enumerate(_supply(drafts, corpus, missed)):
        if not _is_of_its_topic(draft):
            missed.note(draft.question, "topic")
            continue
        new = _other_name(draft, at, corpus, holding)
        question = draft.question.replace(draft.topic, new) if new else ""
        if new and not asked.repeats(question):
            asked.take(question)
            missed.made(draft.question)
            yield _without_answer(draft, question, Absent("swapped", (new,)))
        else:
            missed.note(draft.question, "repeats" if new else "sort")


def _supply(drafts: Iterable[Draft], corpus: Corpus, missed: Missed) -> Iterator[Draft]:
    """The drafts, then questions of every document in turn, a few of each."""
    taken = set()
    ways = [islice(_facts(paper, missed), _EACH) for paper in corpus.papers[:_PAPERS]]
    for draft in chain(map(_without_doer, drafts), (one for turn in zip_longest(*ways) for one in turn if one)):
        if draft.question not in taken:
            taken.add(draft.question)
            yield draft


def _facts(paper: Paper, missed: Missed) -> Iterator[Draft]:
    for draft in (_without_doer(one.draft) for one in find(paper) if isinstance(one, Found)):
        if _is_of_its_topic(draft):
            yield draft
        else:
            missed.note(draft.question, "topic")


def _without_doer(draft: Draft) -> Draft:
    """A question without the name of who did it, which tells what is meant: founded by Edith Farrow."""
    return structs.replace(draft, question=_DOER.sub("", draft.question))


def _is_of_its_topic(draft: Draft) -> bool:
    """Say whether a question names its topic as its subject, and nothing else that tells which fact is meant."""
    if draft.kind not in _VALUED or draft.difficulty != "easy" or _PREFIX.match(draft.question):
        return False
    begun, found, rest = draft.question.partition(draft.topic)
    if not found or (draft.writing != "en" and ASKING.sub("", plain(begun))) or draft.topic in rest:
        return False
    rest = rest if draft.writing == "en" else begun + rest
    most = _LITTLE["en" if draft.writing == "en" else draft.kind in MEASURED]
    said = len(ASKING.sub("", plain(rest))) > most
    return not (said or _DIGIT.search(rest) or stem(draft.topic) in rest or _names_other(rest, draft))


def _names_other(rest: str, draft: Draft) -> bool:
    if draft.writing == "en":
        return re.search("[A-Z“]", rest) is not None
    return any(names_in(rest)) or any(one.tag.startswith(PROPER) for one in tagged(plain(rest)))


def _without_answer(draft: Draft, question: str, absent: Absent) -> Draft:
    return structs.replace(draft, question=question, expected={}, absent=absent, kind="absent")


def _other_name(draft: Draft, at: int, corpus: Corpus, holding: Holding) -> str | None:
    """Invent a name of the same sort that no document holds."""
    for shift in range(len(_STEMS)):
        new = _invented(draft, at + shift, corpus)
        if new is None or not holding(stem(new)):
            return new
    return None


def _invented(draft: Draft, at: int, corpus: Corpus) -> str | None:
    sort = _sort(draft.topic, corpus.by_name[draft.documents[0]])
    if not sort:
        return None
    if draft.writing == "en":
        return _ENGLISH_PEOPLE[at % 4] if sort == "person" else f"{_ENGLISH[at % len(_ENGLISH)]} {sort}"
    say = traditional if draft.writing == "zh-Hant" else str
    if sort == "person":
        return say((_FOREIGN if "·" in draft.topic else _PEOPLE)[at % 4])
    return say(_STEMS[at % len(_STEMS)]) + draft.topic[-len(sort) :]


def _sort(topic: str, paper: Paper) -> str:
    """What a topic is by its last word: a person, a 县, a Museum; nothing where it is no name of its own."""
    if paper.writing == "en":
        return _english_sort(topic, paper)
    if paper.writing in ("ja", "ko"):
        return ""
    if (ending := _ENDING.search(plain(topic))) and ending.start() > 1:
        return ending[0] if _is_proper(plain(topic), ending.start()) else ""
    return "person" if _is_person(topic, paper) else ""


def _english_sort(topic: str, paper: Paper) -> str:
    last = topic.rsplit(" ", maxsplit=1)[-1]
    if not _NAMED.fullmatch(topic):
        return ""
    if last.lower() in _SORTS or last.lower() in paper.words:
        return last
    return "person" if _LIFE.search(paper.folded) else ""


def _is_proper(topic: str, end: int) -> bool:
    """Say whether what stands before the word for its sort names something: 青禾镇, and not 装配线."""
    tokens = tagged(topic)
    if len(tokens) == 1:
        return tokens[0].tag.startswith(PROPER)
    if topic[-1] in _GOVERNED:
        return all(one.tag[0] == "n" for one in tokens if one.start < end)
    return any(one.tag.startswith(PROPER) or one.tag == "x" for one in tokens if one.start < end)


def _is_person(topic: str, paper: Paper) -> bool:
    """Say whether a topic is somebody: a name, and a document that tells of a life."""
    names = find_names(topic)
    whole = len(names) == 1 and names[0].kind == "person" and names[0].end - names[0].start == len(topic)
    return whole and _LIFE.search(paper.folded) is not None


def misplaced(drafts: Sequence[Draft], corpus: Corpus, missed: Missed | None = None) -> Iterator[Draft]:
    """Ask of one thing what the documents tell of another of the same sort, and nowhere of it."""
    others: dict[tuple[str, str], list[str]] = {}
    for paper in corpus.papers[:_PAPERS]:
        others.setdefault((paper.writing, _sort(paper.title, paper)), []).append(paper.title)
    asked, missed = Asked(), missed or Missed()
    holding: Holding = cache(corpus.holding)
    for at, draft in enumerate(filter(_is_of_its_topic, _supply(drafts, corpus, missed))):
        sort = _sort(draft.topic, corpus.by_name[draft.documents[0]])
        peers = [one for one in others.get((draft.writing, sort), ()) if sort and one != draft.topic]
        turned = peers[at % len(peers) :] + peers[: at % len(peers)] if peers else []
        found = next((one for other in turned[:_PEERS] if (one := _asked_of(draft, other, holding))), None)
        if found and not asked.repeats(found.question):
            asked.take(found.question)
            missed.made(draft.question)
            yield found
        elif sort:
            missed.note(draft.question, "repeats" if found else "told" if peers else "alone")


def _asked_of(draft: Draft, other: str, holding: Holding) -> Draft | None:
    """Put a question to something else, if nothing said of it holds the question's word or a value of its kind."""
    key, name = _attribute(draft), stem(other)
    beside = any(fold(key) in paper.folded for paper in holding(other))
    if not key or beside or any(_may_tell(text, key, draft, other) for text in said_of(name, holding)):
        return None
    return _without_answer(draft, draft.question.replace(draft.topic, other), Absent("other_entity", (other, key)))


def _may_tell(text: str, key: str, draft: Draft, other: str) -> bool:
    return fold(key) in fold(text) or holds_kind(text, draft, other)


def _attribute(draft: Draft) -> str:
    """The last word that tells what is asked for, as both documents would write it: 人口, employ, found."""
    rest = ASKING.sub("\n", plain(draft.question.replace(draft.topic, "\n")).lower())
    if draft.writing == "en":
        found = [one for one in _KEY.findall(rest) if one not in _LIGHT]
        return re.sub("(?:ed|s|e)$", "", found[-1]) if found else ""
    tokens = [one for one in tagged(rest) if one.tag[0] in "nvjl" and len(one.word) > 1]
    return tokens[-1].word if tokens else ""


def is_told(draft: Draft, given: Corpus) -> bool:
    """Whether documents that a system is given may answer a question."""
    return may_tell(draft, given) or fits_elsewhere(draft, "", given) or restated(draft, given.papers)


def left_out(drafts: Iterable[Draft], kept: Corpus, missed: Missed | None = None) -> Iterator[Draft]:
    """Keep what no document that a system is given answers: none names it beside a value of the kind asked for."""
    missed = missed or Missed()
    for draft in drafts:
        if draft.difficulty == "easy" and is_told(draft, kept):
            missed.note(draft.question, "told")
        elif draft.difficulty == "easy":
            missed.made(draft.question)
            yield _without_answer(draft, draft.question, Absent("left_out", draft.documents))
