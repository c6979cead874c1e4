"""One document into the questions it can be asked, without a model; what is refused is told by its reason."""

import re
from collections.abc import Iterator, Sequence
from math import ceil
from typing import NamedTuple

from ragstone.drafting.answers.cases import is_one_case
from ragstone.drafting.answers.exceptions import has_exception
from ragstone.drafting.answers.faq import ask_itself
from ragstone.drafting.answers.people import asks_who, is_agent, names_of, tells_another
from ragstone.drafting.corpus import BREAK, Paper, Sentence
from ragstone.drafting.draft import Draft, Point
from ragstone.drafting.faults import leaks, pairs_of
from ragstone.drafting.proving.whole import find_whole
from ragstone.drafting.questions import chinese, english
from ragstone.drafting.questions.chinese_rules import lacks_context
from ragstone.drafting.questions.lists import (
    Listed,
    ask_fields,
    ask_lists,
    ask_sections,
    ask_tables,
)
from ragstone.drafting.questions.parts import MARKUP, Ask, Refused, is_unseen, plain
from ragstone.drafting.questions.topics import MEASURED, has_rules, introduce, is_news, leans
from ragstone.reading.answers.told import Told
from ragstone.reading.answers.yes_no import read_yes_no
from ragstone.text.late import late

_SEPARATORS = re.compile(
    r"、|，|,\s*(?:and )?|(?<=[\u4e00-\u9fff」》])(?:以及|和|及|与|與)(?=[\u4e00-\u9fff「《])|\band\b"
)


_BACK = late("[该其此这那本](?=.)")
"""How an answer begins that names nothing by itself: 该县南部."""


_FAMILY = late("(?:家庭|世家|家中|家里|气候[带区])$")
"""What one is born into, or lies in, that is no place."""


_OPEN = late(r"\b(?:the|an?|of|to|in|on|at|for|and|or|with|by|from|as|be|that|when|if|than)$", re.IGNORECASE)
"""How an English answer ends that goes on in another line."""


_GAP = late("(?<=[\u3400-\u9fff，]) {2,}| {2,}(?=[\u3400-\u9fff])")
_BROKEN = late(rf"[ \t\u3000]*{BREAK}[ \t\u3000]*| +(?= )|\u2010 +")
"""Where a line ended within a question."""


MOST_SENTENCES = 2000
"""Sentences of a document that are asked about; of a longer one every second, every third."""


LONGEST_SENTENCE = 1000
"""Characters of what may be a sentence; a longer line is data, or has lost its full stops."""


class Found(NamedTuple):
    """A draft and whom it is about."""

    draft: Draft
    subject: str


def find(paper: Paper) -> Iterator[Found | Refused]:
    """Every question a document gives."""
    if paper.writing == "ko" or (paper.writing == "en" and not paper.is_english):
        yield Refused("no_language")
        return
    rules = has_rules(paper)
    for at in range(0, len(paper.sentences), ceil(len(paper.sentences) / MOST_SENTENCES) or 1):
        sentence = paper.sentences[at]
        if len(sentence.text) > LONGEST_SENTENCE:
            yield Refused("length")
            continue
        asked = list(_asks(sentence, paper, rules=rules))
        if not asked and not sentence.text.endswith(("：", ":")):
            yield Refused("nothing_told")
        for one in (_limited(one, paper, at) for one in asked):
            yield one if isinstance(one, Refused) else _drafted(one, sentence, paper)
    for way in (ask_lists, ask_tables, ask_fields, ask_itself, ask_sections):
        for listed in way(paper):
            yield listed if isinstance(listed, Refused) else _listed(listed, paper)


def _limited(one: Ask | Refused, paper: Paper, at: int) -> Ask | Refused:
    """Refuse a rule with an exception beside it, and a figure of one case among others."""
    if isinstance(one, Ask) and one.kind == "yes_no" and has_exception(paper, at):
        return Refused("excepted")
    if isinstance(one, Ask) and one.kind in MEASURED and _goes_on(paper, at):
        return Refused("half")
    return one


def _goes_on(paper: Paper, at: int) -> bool:
    """Say whether a figure has another one beside it for another case: Loans last 14 days; for drones, seven days."""
    after = paper.sentences[at + 1].text if at + 1 < len(paper.sentences) else ""
    return paper.sentences[at].text.endswith(";") and _OTHER_CASE.match(after) is not None


_OTHER_CASE = late(r"(?:and |but )?(?:for|in|on|at|if|or|when|others?|those|after|before|during)\b")


def _asks(sentence: Sentence, paper: Paper, *, rules: bool) -> Iterator[Ask | Refused]:
    if paper.writing == "en" and paper.has_code:
        return iter((Refused("software"),))
    if paper.writing == "en":
        return english.ask(sentence.text, paper.title, rules=rules, known=paper.words)
    if paper.writing == "ja":
        return iter((Refused("no_language"),))
    return chinese.ask(sentence.text, paper.title, hant=paper.writing == "zh-Hant", rules=rules, told=is_news(paper))


def _drafted(ask: Ask, sentence: Sentence, paper: Paper) -> Found | Refused:
    place = paper.place(sentence.page, sentence.start, sentence.start + len(sentence.text))
    answers = [sentence.text[start:end].strip() for start, end in ask.spans]
    if ask.kind == "person":
        answers = [] if tells_another(sentence.text[ask.spans[0][1] :]) else list(names_of(answers[0]))
        if paper.writing.startswith("zh") and not all(map(is_agent, answers)):
            return Refused("half")
        ask = _of_people(ask, answers)
    elif ask.kind == "list":
        answers = [one.strip(" ，,、") for one in _SEPARATORS.split(answers[0]) if one and one.strip(" ，,、")]
    if is_one_case(ask, sentence.text, *_joined(sentence, paper)):
        return Refused("excepted")
    named = plain(f"{paper.title} {sentence.section}")
    chinese_one = paper.writing.startswith("zh")
    if chinese_one and lacks_context(plain(ask.question), named, first=sentence.first):
        return Refused("needs_context")
    if _leaves(ask, sentence.section) or (paper.writing == "en" and _told_before(ask, sentence, paper)):
        return Refused("needs_context")
    question = introduce(ask, paper, sentence.section)
    if question is None or (leans(ask, paper) and not (sentence.first and ask.first)):
        return Refused("needs_context" if paper.heading else "no_title")
    points = tuple(Point(answer, place) for answer in answers)
    if not points:
        return Refused("half" if ask.kind == "person" else "broken")
    return _sound(_draft(question, points, ask, paper, sentence.section), ask.subject)


def _told_before(ask: Ask, sentence: Sentence, paper: Paper) -> bool:
    """Say whether the thing asked about was introduced right before, with more told of it: a one-time allowance of."""
    noun = _THE_ONE.fullmatch(ask.subject)
    before = paper.page(sentence.page)[max(0, sentence.start - _NEAR) : sentence.start]
    return (
        noun is not None and re.search(rf"\ban? (?:[\w-]+ ){{0,2}}{noun[1]} (?:of|for|from|to)\b", before) is not None
    )


_THE_ONE = late("the ([a-z]+)", re.IGNORECASE)


def _joined(sentence: Sentence, paper: Paper) -> tuple[str, str]:
    """What semicolons join to a sentence, before and behind it."""
    text, start, end = paper.page(sentence.page), sentence.start, sentence.start + len(sentence.text)
    before = re.split(r"[.!?] |\n", text[max(0, start - _NEAR) : start])[-1]
    after = re.split(r"[.!?](?: |$)|\n", text[end : end + _NEAR])[0]
    return before if before.rstrip().endswith(";") else "", after if sentence.text.endswith(";") else ""


_NEAR = 200
"""Characters on either side of a sentence in which what is joined to it stands."""


def _leaves(ask: Ask, section: str) -> bool:
    """Say whether a question shares no word with the document's own that it was to answer, which tells what of."""
    return section.endswith(("?", "？")) and _stems(section).isdisjoint(_stems(ask.question))


def _stems(text: str) -> frozenset[str]:
    """What a text says, without the ends of English words: plots, plot."""
    return frozenset(one[:_STEM] for one in pairs_of(text))


_STEM = 4


def _of_people(ask: Ask, names: Sequence[str]) -> Ask:
    """A question for somebody with the bare name as its answer; for several it is a list of them."""
    if len(names) > 1:
        return ask._replace(kind="list", expected={})
    return ask._replace(expected={next(iter(ask.expected)): names[0]}) if names else ask


def _with_names(listed: Listed) -> Listed | None:
    """What a line or cell fills in for somebody, as bare names."""
    if len(listed.points) != 1 or listed.kind not in ("table", "field", "asked") or not asks_who(listed.question):
        return listed
    names = names_of(listed.points[0][0])
    if any(char.isdigit() for name in names for char in name):
        return None
    points = tuple((name, *listed.points[0][1:]) for name in names)
    if len(names) > 1:
        return listed._replace(points=points, kind="list", expected={})
    return listed._replace(points=points, expected={"text_answer": names[0]}) if names else None


def _listed(told: Listed, paper: Paper) -> Found | Refused:
    if told.kind != "section" and any(end - start > LONGEST_SENTENCE for _, _, start, end in told.points):
        return Refused("length")
    listed = _with_names(told)
    if listed is None:
        return Refused("half")
    ask = Ask(listed.question, (), listed.kind, listed.expected, listed.subject)
    question = listed.question if listed.kind == "section" else introduce(ask, paper, listed.section)
    if question is None:
        return Refused("needs_context" if paper.heading else "no_title")
    points = tuple(Point(text, paper.place(page, start, end)) for text, page, start, end in listed.points)
    draft = _draft(question, points, ask, paper, listed.section)
    return _sound(draft, listed.subject if listed.kind in ("table", "field") else "")


def _draft(question: str, points: tuple[Point, ...], ask: Ask, paper: Paper, section: str) -> Draft:
    topic, place = paper.title, points[0].place
    return Draft(
        question=_worded(question),
        points=points,
        kind=ask.kind,
        writing=paper.writing,
        topic=topic,
        section=section or topic,
        expected=ask.expected,
        context=paper.around(place.page, place.start, place.end),
    )


def _worded(question: str) -> str:
    """A question without marks, ends of lines, and gaps where something is not seen."""
    return _BROKEN.sub("", _GAP.sub("", re.sub(r"`|\*\*", "", question)))


def _sound(draft: Draft, subject: str) -> Found | Refused:
    answers = [point.text for point in draft.points]
    if is_unseen(draft.question, draft.context, *(point.place.quote for point in draft.points)):
        return Refused("hostile")
    if MARKUP.search(draft.question) or any(MARKUP.search(one) for one in answers if draft.kind != "section"):
        return Refused("hostile")
    if draft.kind == "place" and any(_FAMILY.search(plain(one)) for one in answers):
        return Refused("broken")
    told = draft.kind == "place" and draft.topic in draft.question and any(draft.topic in one for one in answers)
    if told or (draft.kind not in ("yes_no", "section") and leaks(draft.question, answers)):
        return Refused("leaks")
    if draft.writing == "en" and draft.kind != "section" and any(_OPEN.search(one) for one in answers):
        return Refused("broken")
    yes = draft.expected.get("boolean_answer")
    if yes is not None and any(read_yes_no(Told(one, draft.question)) is (not yes) for one in answers):
        return Refused("unsure")
    if any(_BACK.match(plain(one)) for one in answers) and draft.kind not in ("yes_no", "section"):
        return Refused("refers_back")
    if not all(answers) or (draft.kind == "list" and len(answers) < 2):
        return Refused("broken")
    if any(find_whole(point.text, point.place.quote) < 0 for point in draft.points):
        return Refused("broken")
    return Found(draft, subject)
