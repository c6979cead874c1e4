"""What a judge's reply comes to: the chances of its first word, or a verdict with a quotation that can be checked.

Whatever cannot be read, was refused or cut short is unsure: never a no, never a number.
"""

from collections.abc import Mapping
from math import exp, log

from msgspec import Struct

from ragstone.core.types import JSON, Answer, Question
from ragstone.judging.checks import bears_on, find_quote, under_review
from ragstone.judging.judgements import Outcome
from ragstone.judging.prompts import Way
from ragstone.reading.json.ladder import read_json
from ragstone.text.yes_no import Side, bare_word, side_of, side_of_token

MOST_READ = 20_000
"""Characters of a reply that are looked at; a verdict with its quotation is shorter."""
_HALF = 0.5
"""What the words of both sides must carry together of a first word's probability to decide anything."""
_ABOVE = 1e-3
"""How far above 0 a rounded logarithm of a chance may lie."""
_NONE = 1e-30
"""A chance that is as good as none."""
_REST = 1e-4
"""The least that is left for words an endpoint does not name: chances come rounded."""
_VERDICTS: Mapping[str, Outcome] = {
    **dict.fromkeys(("stated", "supported"), "yes"),
    **dict.fromkeys(("denied", "absent"), "no"),
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
    """Why it is unsure, if it is: no_word, no_chances, unreadable, no_quote, idle_quote, refused; raised, odd."""


def listen(answer: Answer, question: Question, way: Way) -> Opinion:
    """Read a reply."""
    return by_margin(answer) if way == "margin" else by_quote(answer, question)


def by_margin(answer: Answer) -> Opinion:
    """Compare the chances of yes and no, where the words of both carry most of what the first word may be."""
    chances = answer.first_word
    # Not a number is not below anything.
    if not chances or not all(value <= _ABOVE for value in chances.values()):
        return Opinion(why="no_chances")
    yes, no = _chance(chances, "yes"), _chance(chances, "no")
    if yes + no < _HALF:
        return Opinion(why="no_word")
    least = _unnamed(chances)
    margin = round(log(max(yes or least, _NONE)) - log(max(no or least, _NONE)), 6)
    return Opinion(margin=margin, verdict="yes" if margin > 0 else "no")


def _chance(chances: Mapping[str, float], side: Side) -> float:
    return sum(exp(value) for token, value in chances.items() if side_of_token(token) == side)


def _unnamed(chances: Mapping[str, float]) -> float:
    """Return what a side that is not named has at most: the chance of the last one named, and what is left."""
    return min(exp(min(chances.values())), max(_REST, 1 - sum(map(exp, chances.values()))))


def by_quote(answer: Answer, question: Question) -> Opinion:
    """Believe a yes only with a quotation that stands in the text under review."""
    text = answer.text[:MOST_READ]
    read = read_json(text)
    value = read.value if isinstance(read.value, dict) else None
    # An object that has a key twice may have two verdicts.
    if value is None or "duplicate_keys" in read.tags:
        return Opinion(why="refused" if answer.finish_reason == "content_filter" else "unreadable")
    said = str(value.get("verdict", ""))
    verdict = side_of(said) or _VERDICTS.get(bare_word(said))
    if verdict is None:
        return Opinion(why="unreadable")
    if verdict != "yes":
        return Opinion(verdict=verdict)
    return _proved(value.get("quote"), question)


def _proved(quote: JSON, question: Question) -> Opinion:
    text = under_review(question)
    span = find_quote(quote, text) if isinstance(quote, str) else None
    if span is None:
        return Opinion(why="no_quote")
    if not bears_on(text[slice(*span)], question):
        return Opinion(why="idle_quote")
    return Opinion(verdict="yes", quote=span)
