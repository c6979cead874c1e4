"""Numbers are still checked by rule after a judge's yes: one that the text under review does not have is no proof."""

from decimal import Decimal

from ragstone.core.types import Question
from ragstone.reading.values.dimensions import dimension
from ragstone.text.numbers.find import Quantity, find_numbers

CHECKED = frozenset({"states", "supported", "equivalent"})


def keeps_figures(question: Question) -> bool:
    """Say whether every number of a point stands in the text under review, in any unit, or was named by the question.

    >>> keeps_figures(Question(kind="states", point="七天内可退", answer="一星期之内都能退"))
    True
    >>> keeps_figures(Question(kind="states", point="押金300元", answer="押金是五百元"))
    False
    """
    if question.kind not in CHECKED:
        return True
    wanted = find_numbers(question.point)
    if not wanted:
        return True
    text = question.source if question.kind == "supported" else question.answer
    there = [number for part in (text, question.question) for number in find_numbers(part)]
    plain, measured = {number.value for number in there}, set(map(_measured, there))
    return all(number.value in plain or _measured(number) in measured for number in wanted)


def _measured(number: Quantity) -> tuple[str, Decimal]:
    """Return a number in the smallest unit of what it measures."""
    found = dimension(number.unit)
    return found.name, number.value * found.factor
