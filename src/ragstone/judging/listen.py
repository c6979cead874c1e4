"""What a judge's reply comes to: the chances of its first word, or a verdict with a quotation that can be checked.

Whatever cannot be read, was refused or cut short is unsure: never a no, never a number.
"""

from collections.abc import Mapping
from math import exp, log

from msgspec import Struct

from ragstone.core.types import JSON, Answer, Question
from ragstone.judging.checks import bears_on, find_quote
from ragstone.judging.prompts import Way
from ragstone.judging.replies import Outcome
from ragstone.reading.json.ladder import read_json

MOST_READ = 20_000
"""Characters of a reply that are looked at; a verdict with its quotation is shorter."""
_YES = frozenset(("是", "yes", "对", "有", "真", "true"))
_NO = frozenset(("否", "no", "不", "不是", "没有", "没", "无", "未", "假", "false"))
_VERDICTS: Mapping[str, Outcome] = {
    **dict.fromkeys(("yes", "stated", "是", "true", "supported"), "yes"),
    **dict.fromkeys(("no", "denied", "absent", "否", "false"), "no"),
    **dict.fromkeys(("unsure", "不确定"), "unsure"),
}


class Opinion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a judge said of one question."""

    margin: float | None = None
    """log p(yes) - log p(no) of the first word; None where it is not listened to."""
    verdict: Outcome = "unsure"
    """What the words say; with a margin, what the terms of the run make of it counts instead."""
    quote: tuple[int, int] | None = None
    why: str = ""
    """Why it is unsure, if it is: no_word, no_chances, unreadable, no_quote, idle_quote, refused."""


def listen(answer: Answer, question: Question, way: Way) -> Opinion:
    """Read a reply."""
    return by_margin(answer) if way == "margin" else by_quote(answer, question)


def by_margin(answer: Answer) -> Opinion:
    """Compare the chances of yes and no; a side that is not named has at most the chance of the last one named."""
    if not answer.first_word:
        return Opinion(why="no_chances")
    yes, no = (_chance(answer.first_word, words) for words in (_YES, _NO))
    if yes is None and no is None:
        return Opinion(why="no_word")
    least = min(answer.first_word.values())
    margin = round((least if yes is None else yes) - (least if no is None else no), 6)
    return Opinion(margin=margin, verdict="yes" if margin > 0 else "no")


def _chance(chances: Mapping[str, float], words: frozenset[str]) -> float | None:
    found = [value for token, value in chances.items() if token.strip(" \n\t“\"'▁Ġ.。").lower() in words]
    if not found:
        return None
    top = max(found)
    return top + log(sum(exp(value - top) for value in found))


def by_quote(answer: Answer, question: Question) -> Opinion:
    """Believe a yes only with a quotation that stands in the text under review."""
    text = answer.text[:MOST_READ]
    read = read_json(text)
    value = read.value if isinstance(read.value, dict) else None
    if value is None:
        return Opinion(why="refused" if answer.finish_reason == "content_filter" else "unreadable")
    verdict = _VERDICTS.get(str(value.get("verdict", "")).strip().lower())
    if verdict is None:
        return Opinion(why="unreadable")
    if verdict != "yes":
        return Opinion(verdict=verdict)
    return _proved(value.get("quote"), question)


def _proved(quote: JSON, question: Question) -> Opinion:
    under_review = question.source if question.kind == "supported" else question.answer
    span = find_quote(quote, under_review) if isinstance(quote, str) else None
    if span is None:
        return Opinion(why="no_quote")
    if not bears_on(under_review[slice(*span)], question):
        return Opinion(why="idle_quote")
    return Opinion(verdict="yes", quote=span)
