"""Analyses a question: its content terms, the kind of value it asks for, one thing or several."""

import re
from typing import NamedTuple

from ragstone.systems.builtin.terms import question_runs, question_terms
from ragstone.text.fold import fold

DATE = frozenset("年月日号旬") | {"date"}
MONEY = frozenset("元块圆円") | {"money"}
NUMBER = frozenset({"number"})

_WHEN = re.compile(
    r"何[时日年月]|什么时[候间]|几时|哪一?[年天日月]|几[年月日号点]|日期|时间|いつ"
    r"|\bwhen\b|\bwhat (?:date|day|year|time)\b"
)
_HOW_MUCH = re.compile(
    r"多少[^，。？?,]{0,4}?[钱元款费金价]|[金数]额|价[格钱]|いくら|\bhow much\b|\bwhat (?:price|amount|sum)\b"
)
_HOW_MANY = re.compile(r"几([\u4e00-\u9fff])(?<![乎何年月日号点时])|多少([\u4e00-\u9fff])")
_ANY_NUMBER = re.compile(r"多少|\bhow (?:many|long|old|far|tall)\b")
_SEVERAL = re.compile(
    r"哪些|哪几|有何(?:证据|依据)|列[出举明]|逐[一笔项个]|分别|证据|依据|どのような|どんな"
    r"|\bevidence\b|^\W{0,9}(?:please )?list\b|\bwhich of\b"
)
_LONGEST = 2000
"""Characters of a question that are looked at."""


class ReadQuestion(NamedTuple):
    """A question as the search and the answer need it."""

    terms: tuple[str, ...]
    values: tuple[frozenset[str], ...]
    """Kinds of value asked for; each is met by a text that holds any of its marks."""
    several: bool
    """Whether more than one thing is asked for."""
    runs: tuple[tuple[str, ...], ...] = ()
    """The terms again, as they hang together; single characters stand in none."""


def read_question(question: str) -> ReadQuestion:
    """Read a question.

    >>> read_question("他何时买了几辆车？").values[1]
    frozenset({'辆'})
    """
    terms = tuple(question_terms(question))
    runs = (tuple(dict.fromkeys(run).keys() & set(terms)) for run in question_runs(question))
    plain = fold(question[:_LONGEST])
    kept = tuple(run for run in runs if any(len(term) > 1 for term in run))
    return ReadQuestion(terms, _values(plain), _SEVERAL.search(plain) is not None, kept)


def _values(plain: str) -> tuple[frozenset[str], ...]:
    """List the kinds of value that a folded question asks for."""
    values = []
    if _WHEN.search(plain):
        values.append(DATE)
    money = _HOW_MUCH.search(plain)
    if money:
        values.append(MONEY)
    measures = dict.fromkeys(found[1] or found[2] for found in _HOW_MANY.finditer(plain) if found[1] or not money)
    values += [frozenset({measure}) for measure in measures]
    if not money and not measures and _ANY_NUMBER.search(plain):
        values.append(NUMBER)
    return tuple(values)
