"""Compares each field of a fact_exact question with what an answer states (R1.2)."""

import re
from collections.abc import Callable
from typing import NamedTuple

from ragstone.contracts.legal_rag import fact_dates, fact_numbers, fact_words
from ragstone.contracts.legal_rag.cases import Fact, Gold
from ragstone.contracts.legal_rag.given import Given, Verdict
from ragstone.contracts.legal_rag.stated import Outcome
from ragstone.core.types import JSON, Reading
from ragstone.reading.lexicon import DEFAULT, Lexicon
from ragstone.reading.sentences import sentences


class Compared(NamedTuple):
    """The verdict on one field."""

    field: str
    outcome: Outcome
    expected: JSON
    found: str = ""
    rule: str = ""
    others: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()
    """What the text says instead, when a structured value is right and the text states only others."""


_ASKING = re.compile(r"[?？]|[吗嗎]|^\s*[答問问]\s?[:：]", re.MULTILINE)
_ASKED_LINE = re.compile(r"^[ \t>]*[问問]\s?[:：][^\n]*$", re.MULTILINE)
_TURN = re.compile(r"^[ \t>]*答\s?[:：]", re.MULTILINE)
_ASKS = re.compile(r"(?:[?？]|[吗嗎][。.！!]?)[”’」』）)\"]*\s*$")
_BY_VALUE = frozenset({"amount_total", "count", "date", "boolean_answer"})
_FIELD_OF = {"amount_total": "amount", "boolean_answer": "boolean", "text_answer": "text"}


def compare(gold: Gold, fact: Fact, reading: Reading, question: str, lexicon: Lexicon = DEFAULT) -> list[Compared]:
    """Compare every field that is asked for."""
    found = []
    text, asks = _without_questions(reading.text)
    for name in fact.asked():
        value = reading.fields.get(_FIELD_OF.get(name, name))
        given = Given(value, text, question, gold, fact, "" if isinstance(value, str) else asks, lexicon)
        choice, expected = _COMPARE[name](given)
        against = _contradictions(name, given) if choice.outcome == "match" else ()
        found.append(Compared(name, choice.outcome, expected, choice.found, choice.rule, choice.others, against))
    return found


def _contradictions(name: str, given: Given) -> tuple[str, ...]:
    """Return what the text says against a structured value; a person reads the text."""
    if given.value is None or name not in _BY_VALUE or not given.text.strip():
        return ()
    choice = _COMPARE[name](given._replace(value=None)).choice
    return choice.others if choice.outcome == "wrong" else ()


class _Split(NamedTuple):
    told: str
    asked: str


def _without_questions(text: str) -> _Split:
    """Take the questions out of an answer, also those it repeats (问：… 答：…): they state nothing."""
    if not _ASKING.search(text):
        return _Split(text, "")
    told = _TURN.sub("", _ASKED_LINE.sub("", text))
    pieces = [told[span.start : span.end] for span in sentences(told)]
    asked = [piece for piece in pieces if _ASKS.search(piece)]
    return _Split("".join(piece for piece in pieces if not _ASKS.search(piece)), "\n".join(asked))


_COMPARE: dict[str, Callable[[Given], Verdict]] = {
    "amount_total": fact_numbers.compare_amount_total,
    "amount_breakdown": fact_numbers.compare_amount_breakdown,
    "date": fact_dates.compare_date,
    "date_range": fact_dates.compare_date_range,
    "count": fact_numbers.compare_count,
    "text_answer": fact_words.compare_text_answer,
    "boolean_answer": fact_words.compare_boolean_answer,
    "entity": fact_words.compare_entity,
}
