"""Compares each field of a fact_exact question with what an answer states (R1.2)."""

import re
from collections.abc import Callable
from typing import NamedTuple

from ragstone.contracts.legal_rag.cases import Fact, Gold
from ragstone.contracts.legal_rag.facts import dates, numbers, words
from ragstone.contracts.legal_rag.facts.given import Given, Verdict
from ragstone.core.types import JSON, Reading
from ragstone.reading.answers.told import Outcome, Told
from ragstone.reading.lexicon import DEFAULT, Lexicon


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


_ASKED_LINE = re.compile(r"^[ \t>]*[问問]\s?[:：][^\n]*$", re.MULTILINE)
_TURN = re.compile(r"^[ \t>]*答\s?[:：]", re.MULTILINE)
_BY_VALUE = frozenset({"amount_total", "count", "date", "boolean_answer"})
_FIELD_OF = {"amount_total": "amount", "boolean_answer": "boolean", "text_answer": "text"}


def compare(gold: Gold, fact: Fact, reading: Reading, question: str, lexicon: Lexicon = DEFAULT) -> list[Compared]:
    """Compare every field that is asked for."""
    found = []
    names = " ".join(filter(None, (fact.entity, fact.text_answer)))
    whole = Told(_TURN.sub("", _ASKED_LINE.sub("", reading.text)), question, names)
    for name in fact.asked():
        value = reading.fields.get(_FIELD_OF.get(name, name))
        given = Given(value, Told(value, question, names) if isinstance(value, str) else whole, gold, fact, lexicon)
        choice, expected = _COMPARE[name](given)
        against = _contradictions(name, given, whole) if choice.outcome == "match" else ()
        found.append(Compared(name, choice.outcome, expected, choice.found, choice.rule, choice.others, against))
    return found


def _contradictions(name: str, given: Given, whole: Told) -> tuple[str, ...]:
    """Return what the text says against a structured value; a person reads the text."""
    if given.value is None or name not in _BY_VALUE or not whole.text.strip():
        return ()
    choice = _COMPARE[name](Given(None, whole, given.gold, given.fact, given.lexicon)).choice
    return choice.others if choice.outcome == "wrong" else ()


_COMPARE: dict[str, Callable[[Given], Verdict]] = {
    "amount_total": numbers.compare_amount_total,
    "amount_breakdown": numbers.compare_amount_breakdown,
    "date": dates.compare_date,
    "date_range": dates.compare_date_range,
    "count": numbers.compare_count,
    "text_answer": words.compare_text_answer,
    "boolean_answer": words.compare_boolean_answer,
    "entity": words.compare_entity,
}
