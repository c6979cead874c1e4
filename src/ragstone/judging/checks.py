"""What a judge's yes must stand up to, by rule: a quotation that is in the text, numbers and names that are.

A quotation is found by the house's folding, in one piece, with whole numbers and whole words. A yes to a point with a
number or a name that the text under review does not have proves nothing.
"""

import re
from collections.abc import Container, Sequence
from datetime import date
from decimal import Decimal

from ragstone.core.types import Question
from ragstone.reading.values.dimensions import dimension
from ragstone.reading.values.names import find_names
from ragstone.reading.values.values import Value, values
from ragstone.text.fold import bare_with_offsets, fold
from ragstone.text.numbers.find import Quantity, find_numbers

CHECKED = frozenset({"states", "supported", "equivalent"})
"""Kinds of question whose numbers and names are checked."""
_DIGITS = re.compile(r"[0-9]+(?:[.,][0-9]+)*")
_SCALES = frozenset(("celsius", "fahrenheit", "am", "pm"))
"""Words with a capital letter that measure and name nothing."""
_ENDINGS = frozenset("s站市县省区镇")

_DIGIT = "[0-9零〇一二三四五六七八九十百千万亿两]"
_NUMBER_BEFORE = re.compile(f"{_DIGIT}(?P<mark>[.,]?)$")
_NUMBER_BEHIND = re.compile(f"(?P<mark>[.,]?){_DIGIT}")
_DENIED = re.compile(r"(?:[不没未无非勿别]|\b(?:not|no|never|without)|n't)\s*$")
FEWEST = 2
"""Characters a quotation must have to prove anything, unless it is the whole text."""

LONG = 5
"""Letters from which on one word says something; a Chinese character counts as two."""
TELLING = 4
"""Letters of a word that says something by itself; shorter ones are mostly of, you and the."""
_WORD = re.compile(r"[^\W_\u2e80-\U0010ffff]+")


def under_review(question: Question) -> str:
    """Return the text a quotation must stand in: the answer, or what is to support it."""
    return question.source if question.kind == "supported" else question.answer


def find_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a quotation stands in a text, or None: cut numbers, cut words and cut negations are no quotation.

    >>> find_quote("2 million", "It is 1.2 million.") is None, find_quote("ＩＳ 1.2", "It is 1.2 million.")
    (True, (3, 9))
    """
    wanted, placed, folded = bare_with_offsets(quote).text, bare_with_offsets(text), fold(text)
    if not wanted or (len(wanted) < FEWEST and wanted != placed.text):
        return None
    at = placed.text.find(wanted)
    while at >= 0:
        first, end = placed.span(at, at + len(wanted))
        if not (is_cut(folded, first) or is_cut(folded, end) or _DENIED.search(folded[max(0, first - 20) : first])):
            return first, end
        at = placed.text.find(wanted, at + 1)
    return None


def bears_on(quote: str, question: Question) -> bool:
    """Say whether a quotation is long enough to say something, or has a number or a word of the point.

    >>> you = Question(kind="states", point="Refunds take 7 days", answer="You get your money back after 7 days.")
    >>> bears_on("You", you), bears_on("7", you), bears_on("your money", you), bears_on(you.answer, you)
    (False, True, True, True)
    """
    if question.kind not in CHECKED:
        return True
    said, whole = fold(quote), fold(under_review(question))
    words, bare = _WORD.findall(said), _bare(said)
    if len(bare) + sum(map(_is_wide, bare)) >= LONG or len(words) > 1 or bare == _bare(whole):
        return True
    wanted = fold(f"{question.point} {question.question}")
    pairs = (said[at : at + 2] for at in range(len(said) - 1))
    shared = {word for word in words if len(word) >= TELLING or word.isdigit()} & set(_WORD.findall(wanted))
    return bool(shared) or any(_is_wide(pair[0]) and _is_wide(pair[1]) and pair in wanted for pair in pairs)


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def is_cut(text: str, at: int) -> bool:
    """Say whether a number or a word of a folded text goes on across a place."""
    if _is_latin(text[at - 1 : at]) and _is_latin(text[at : at + 1]):
        return True
    before, behind = _NUMBER_BEFORE.search(text[max(0, at - 2) : at]), _NUMBER_BEHIND.match(text, at)
    return bool(before and behind and not (before["mark"] and behind["mark"]))


def _is_latin(char: str) -> bool:
    return char.isalpha() and char < "\u2e80"


def keeps_values(question: Question) -> bool:
    """Say whether every number and every name of a point stands in the text under review or in the question.

    >>> keeps_values(Question(kind="states", point="七天内可退", answer="一星期之内都能退"))
    True
    >>> keeps_values(Question(kind="states", point="押金300元", answer="押金是五百元"))
    False
    >>> keeps_values(Question(kind="states", point="The prize went to Ada.", answer="The prize went to Ben."))
    False
    """
    if question.kind not in CHECKED:
        return True
    text = under_review(question)
    return _keeps_numbers(question.point, text, question.question) and _keeps_names(question.point, text, question)


def _keeps_numbers(point: str, *texts: str) -> bool:
    plain, measured = _numbers(texts)
    numbers = find_numbers(point)
    lacking = [n for n in numbers if n.value not in plain and _measured(n) not in measured]
    read = values(point)
    sole = [v for v in read if _is_time(v) or (_stands_alone(v, plain) and not any(_overlap(v, n) for n in numbers))]
    wanted = [*sole, *(value for value in read if any(_overlap(value, n) for n in lacking))]
    there = [value for part in texts for value in values(part)] if wanted else []
    found = [value for value in wanted if any(value.equals(other) for other in there)]
    # A number may be read in two ways; one of them is enough. What no way reads is lacking.
    return all(value in found for value in sole) and all(any(_overlap(value, n) for value in found) for n in lacking)


def _numbers(texts: Sequence[str]) -> tuple[set[Decimal], set[tuple[str, Decimal]]]:
    """Return the numbers of some texts, bare and in the smallest unit of what they measure."""
    there = [number for part in texts for number in find_numbers(part)]
    digits = (found[0] for part in texts for found in _DIGITS.finditer(fold(part)) if found[0].count(".") <= 1)
    plain = {number.value for number in there} | {Decimal(one.replace(",", "")) for one in digits}
    return plain, set(map(_measured, there))


def _is_time(value: Value) -> bool:
    """Say whether a value is a time of day or a day of a month, of which a bare number tells little."""
    return value.measure == "clock" or value.month > 0


def _stands_alone(value: Value, plain: Container[Decimal]) -> bool:
    """Say whether a value that holds no number must be found: an amount in words (두 달), or a year that is lacking."""
    if value.measure != "date":
        return True
    return isinstance(value.low, date) and not value.limit.side and Decimal(value.low.year) not in plain


def _overlap(value: Value, number: Quantity) -> bool:
    return value.start < number.end and number.start < value.end


def _keeps_names(point: str, text: str, question: Question) -> bool:
    """Say whether the names of a point are there; a text in another script may write them otherwise."""
    if _is_wide(text) != _is_wide(point):
        return True
    there = fold(f"{text} {question.question}")
    names = (fold(point[name.start : name.end]) for name in find_names(point))
    return all(_short(name) in there or name in _SCALES for name in names)


def _is_wide(text: str) -> bool:
    return any(char >= "\u2e80" for char in text)


def _short(name: str) -> str:
    """Cut off what a name may be written without: 北站 for 北, ATMs for ATM, 柯兰公司 for 柯兰."""
    name = name.removesuffix("公司") or name
    return name[:-1] if len(name) > FEWEST and name[-1] in _ENDINGS else name


def _measured(number: Quantity) -> tuple[str, Decimal]:
    """Return a number in the smallest unit of what it measures."""
    found = dimension(number.unit)
    return found.name, number.value * found.factor
