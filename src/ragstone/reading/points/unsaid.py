"""What a text nowhere says: a value, a person or a code of a point that no other words could stand for."""

import re
from collections.abc import Iterator
from decimal import Decimal

from ragstone.reading import scopes
from ragstone.reading.asked import listed, read_question
from ragstone.reading.points.forms import RUN, Form
from ragstone.reading.statements import Statements
from ragstone.reading.values.name_words import SURNAMES
from ragstone.reading.values.values import Value
from ragstone.reading.verdicts import Verdict
from ragstone.text.fold import fold
from ragstone.text.late import late

_FIRM: dict[str, tuple[str, ...]] = {
    "money": ("bare",),
    "share": ("bare", "count"),
    "date": ("bare", "month", "second"),
    "clock": ("bare", "date", "second"),
    "month": ("second", "date", "bare"),
    "second": ("month", "date", "clock", "bare"),
    "gram": ("bare", "count"),
    "metre": ("bare", "count"),
    "area": ("bare", "count"),
    "byte": ("bare", "count"),
    "litre": ("bare", "count"),
}
"""Kinds of values that are stated by a value only, and the kinds in which they may be told too."""
_WHOLES = frozenset((Decimal(0), Decimal("0.5"), Decimal(1), Decimal(50), Decimal(100)))
"""Amounts that have words of their own: free, half, all."""
_COPULAS = frozenset(fold("是为由叫"))
"""In front of a person's name."""
_DIGITS = late(r"[0-9]+")
_LATIN = late(r"[a-z]{2}")
_CODE = late(r"(?=[a-z]*[0-9])(?=[0-9]*[a-z])[a-z0-9]{2,}")
"""Letters and digits in one: IPX4, B12."""
_PAIR = 2
_TURNING = (scopes.HEARSAY, scopes.GUESSED, scopes.PLANNED)


def unsaid(form: Form, said: Statements, question: str) -> Verdict | None:
    """No, where a value, person or code of a point stands nowhere in a text; None where it may be there."""
    asked = read_question(question)
    value = next((one for one in form.values if not asked.has(one) and _is_ungiven(one, said)), None)
    if value:
        return Verdict("no", "value_missing", None, {"expected": value.text})
    name = next((one for one in _names(form) if _is_unnamed(one, said, question)), "")
    return Verdict("no", "name_missing", None, {"expected": name}) if name else None


def only_turned(form: Form, said: Statements, question: str) -> Verdict | None:
    """No, where a value, person or code of a point stands only in hearsay, guesses or plans."""
    if not said.turned or form.said.turned:
        return None
    asked = read_question(question)
    for value in form.values:
        if value.measure in _FIRM and not asked.has(value):
            places = [one.start for one in said.values if value.equals(one)]
            if places and (flag := _shared_flag(places, said)):
                return Verdict("no", flag, said.span(places[0], places[0] + len(value.text)))
    for name in _names(form):
        places = [match.start() for match in re.finditer(re.escape(name), said.text)] if name not in question else []
        if places and (flag := _shared_flag(places, said)):
            return Verdict("no", flag, said.span(places[0], places[0] + len(name)))
    return None


def _shared_flag(places: list[int], said: Statements) -> str:
    """The flag that turns every one of some places; empty where one of them is under none."""
    found = [next((flag for flag in _TURNING if flag in said.flags(place)[0]), "") for place in places]
    return found[0] if all(found) else ""


def _is_ungiven(value: Value, said: Statements) -> bool:
    """Whether a text gives no value of this kind at all, nor its number in another: what may be worked out is open."""
    if value.measure not in _FIRM or value.low in _WHOLES or isinstance(value.low, str):
        return False
    if any(one.measure == value.measure or one.measure in _FIRM.get(value.measure, ()) for one in said.values):
        return False
    if any(number in said.text for number in _numbers(value)):
        return False
    return next(listed(said.text, "roughly"), None) is None


def _numbers(value: Value) -> set[str]:
    """The numerals of a value as they may be written elsewhere."""
    return set(_DIGITS.findall(value.text)) | {str(one) for one in (value.month, value.day) if one}


def _names(form: Form) -> Iterator[str]:
    """The persons, names of several words and codes of a point."""
    for start, end in form.people:
        if form.text[start] in SURNAMES and (end - start > _PAIR or form.text[start - 1 : start] in _COPULAS):
            yield form.text[start:end]
    for name in form.names:
        text = " ".join(word.text for word in name)
        if name[0].hard and (len(name) > 1 or (_CODE.fullmatch(text) and form.runs)):
            yield text


def _is_unnamed(name: str, said: Statements, question: str) -> bool:
    """Whether neither a text nor its question has any part of a name."""
    latin = name.isascii()
    if not (_CODE.fullmatch(name) or (_LATIN if latin else RUN).search(said.text)):
        return False  # it may be there in another script
    parts = name.split() if latin else [name[0], name[1:]]
    return not any(part in said.text or part in question for part in parts)
