"""One document into the questions it can be asked, without a model; what is refused is told by its reason."""

import re
from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from ragstone.drafting.corpus import BREAK, Paper, Sentence
from ragstone.drafting.draft import Draft, Point
from ragstone.drafting.faults import leaks
from ragstone.drafting.questions import chinese, english, japanese, software
from ragstone.drafting.questions.chinese import plain
from ragstone.drafting.questions.lists import (
    Asked,
    ask_articles,
    ask_fields,
    ask_itself,
    ask_lists,
    ask_sections,
    ask_tables,
)
from ragstone.drafting.questions.manuals import PURPOSE, ask_manual
from ragstone.drafting.questions.parts import Ask, Refused
from ragstone.drafting.questions.topics import has_rules, introduce, leans
from ragstone.text.late import late

_SEPARATORS = re.compile(
    r"、|，|,\s*(?:and )?|(?<=[\u4e00-\u9fff」》])(?:以及|和|及|与|與)(?=[\u4e00-\u9fff「《])|\band\b"
)


_BACK = late("[该其此这那本](?=.)")
"""How an answer begins that names nothing by itself: 该县南部."""


_FAMILY = late("(?:家庭|世家|家中|家里)$")
"""What one is born into that is no place."""


_OPEN = late(r"\b(?:the|an?|of|to|in|on|at|for|and|or|with|by|from|as|be|that|when|if|than)$", re.IGNORECASE)
"""How an English answer ends that goes on in another line."""


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
    for sentence in paper.sentences[:: ceil(len(paper.sentences) / MOST_SENTENCES) or 1]:
        if len(sentence.text) > LONGEST_SENTENCE:
            yield Refused("length")
            continue
        for one in _asks(sentence, paper, rules=rules):
            yield one if isinstance(one, Refused) else _drafted(one, sentence, paper)
    for way in (ask_lists, ask_tables, ask_fields, ask_articles, ask_itself, ask_manual, ask_sections):
        for listed in way(paper):
            yield _listed(listed, paper)


def _asks(sentence: Sentence, paper: Paper, *, rules: bool) -> Iterator[Ask | Refused]:
    if paper.writing == "en" and paper.has_code:
        return software.ask(sentence, paper)
    if paper.writing == "en":
        return english.ask(sentence.text, paper.title, rules=rules, known=paper.words)
    if paper.writing == "ja":
        return japanese.ask(sentence.text, paper.title)
    return chinese.ask(sentence.text, paper.title, hant=paper.writing == "zh-Hant", rules=rules)


def _drafted(ask: Ask, sentence: Sentence, paper: Paper) -> Found | Refused:
    place = paper.place(sentence.page, sentence.start, sentence.start + len(sentence.text))
    answers = [sentence.text[start:end].strip() for start, end in ask.spans]
    if ask.kind == "list":
        answers = [one.strip(" ，,、") for one in _SEPARATORS.split(answers[0]) if one and one.strip(" ，,、")]
    question = introduce(ask, paper, sentence.section)
    if question is None or (leans(ask, paper) and not (sentence.first and ask.first)):
        return Refused("needs_context")
    points = tuple(Point(answer, place) for answer in answers)
    if not points:
        return Refused("broken")
    return _sound(_draft(question, points, ask, paper, sentence.section), ask.subject)


def _listed(listed: Asked, paper: Paper) -> Found | Refused:
    ask = Ask(listed.question, (), listed.kind, listed.expected, listed.subject)
    question = (
        listed.question
        if listed.kind in ("section", "option") or listed.section == PURPOSE
        else introduce(ask, paper, listed.section)
    )
    if question is None:
        return Refused("needs_context")
    points = tuple(Point(text, paper.place(page, start, end)) for text, page, start, end in listed.points)
    draft = _draft(question, points, ask, paper, listed.section)
    return _sound(draft, listed.subject if listed.kind in ("table", "field") else "")


def _draft(question: str, points: tuple[Point, ...], ask: Ask, paper: Paper, section: str) -> Draft:
    topic, place = paper.title, points[0].place
    return Draft(
        question=_BROKEN.sub("", question.replace("`", "")),
        points=points,
        kind=ask.kind,
        writing=paper.writing,
        topic=topic,
        section=section or topic,
        expected=ask.expected,
        context=paper.around(place.page, place.start, place.end),
    )


def _sound(draft: Draft, subject: str) -> Found | Refused:
    answers = [point.text for point in draft.points]
    if draft.kind == "place" and any(_FAMILY.search(plain(one)) for one in answers):
        return Refused("broken")
    told = draft.kind == "place" and draft.topic in draft.question and any(draft.topic in one for one in answers)
    if told or (draft.kind not in ("yes_no", "section") and leaks(draft.question, answers)):
        return Refused("leaks")
    if draft.writing == "en" and draft.kind != "section" and any(_OPEN.search(one) for one in answers):
        return Refused("broken")
    if any(_BACK.match(plain(one)) for one in answers) and draft.kind not in ("yes_no", "section"):
        return Refused("refers_back")
    if not all(answers) or (draft.kind == "list" and len(answers) < 2):
        return Refused("broken")
    if not all(point.text in point.place.quote for point in draft.points):
        return Refused("broken")
    return Found(draft, subject)
