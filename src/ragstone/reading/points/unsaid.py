"""What a text nowhere says: a value, a person or a code of a point that no other words could stand for."""

import itertools
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from ragstone.reading import scopes
from ragstone.reading.asked import listed, names_value
from ragstone.reading.cues import cue
from ragstone.reading.points.forms import RUN, Form
from ragstone.reading.statements import Statements
from ragstone.reading.values.name_words import SURNAMES
from ragstone.reading.values.values import Value
from ragstone.reading.verdicts import Verdict
from ragstone.text.fold import fold
from ragstone.text.late import late

_FIRM: dict[str, tuple[str, ...]] = {
    "date": ("bare", "month", "second"),
    "clock": ("bare", "clock", "date", "second"),
    "month": ("second", "date", "bare"),
    "second": ("month", "date", "clock", "bare"),
    **dict.fromkeys(("money", "share", "gram", "metre", "area", "byte", "litre"), ()),
}
"""Kinds of values that are stated by a value only, and the kinds in which they may be told too."""
_COUNTED = frozenset(("count", "bare"))
_MANY = 10
"""How many things are counted, and not told one by one."""
_MOST_TOLD = 24
"""Values of a text of which two are put together."""
_WHOLES = frozenset((Decimal(0), Decimal("0.5"), Decimal(1), Decimal(50), Decimal(100)))
"""Amounts that have words of their own: free, half, all."""
_COPULAS = frozenset(fold("是为由叫"))
"""In front of a person's name."""
_ROUGHLY = cue(
    r"约|近|大概|左右", r"\b(?:about|around|roughly|nearly|almost|approximately|some|over)\b", r"ほぼ|およそ|약|거의"
)
_RATE = cue(r"每|平均|人均|均|百公里", r"\b(?:per|average|mean|each)\b", r"毎|당 |평균")
_BEFORE = 14
_NEAR = Decimal("0.05")
_DIGITS = late(r"[0-9]+")
_LATIN = late(r"[a-z]{2}")
_CODE = late(r"(?=[a-z]*[0-9])(?=[0-9]*[a-z])[a-z0-9]{2,}")
"""Letters and digits in one: IPX4, B12."""
_PAIR = 2
_TURNING = (scopes.HEARSAY, scopes.GUESSED, scopes.PLANNED)


def unsaid(form: Form, said: Statements, question: str) -> Verdict | None:
    """No, where a value, person or code of a point stands nowhere in a text; None where it may be there."""
    ungiven = (one for one in form.values if _is_ungiven(one, said))
    ungiven = (one for one in ungiven if not (is_near(form, one, said) or _is_rate(form, one, said)))
    value = next((one for one in ungiven if not names_value(question, one)), None)
    if value:
        return Verdict("no", "value_missing", None, {"expected": value.text})
    name = next((one for one in _names(form) if _is_unnamed(one, said, question)), "")
    return Verdict("no", "name_missing", None, {"expected": name}) if name else None


def only_turned(form: Form, said: Statements, question: str) -> Verdict | None:
    """No, where a value, person or code of a point stands only in hearsay, guesses or plans."""
    if not said.turned or form.said.turned:
        return None
    for value in form.values:
        if value.measure in _FIRM and not names_value(question, value):
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
    """Whether a text gives a value nowhere, nor its number in another, nor what it may be worked out of."""
    if value.low in _WHOLES or isinstance(value.low, str) or not _is_specific(value):
        return False
    kinds = _FIRM.get(value.measure, ())
    if any(value.equals(one) or one.measure in kinds for one in said.values):
        return False
    if any(number in said.text for number in _numbers(value)) or _is_worked_out(value, said):
        return False
    return next(listed(said.text, "roughly"), None) is None


def _is_rate(form: Form, value: Value, said: Statements) -> bool:
    """Whether a point gives a rate or a mean, and a text another value of its kind, of which it may be made."""
    return _RATE.search(form.text) is not None and any(one.measure == value.measure for one in said.values)


def is_near(form: Form, value: Value, said: Statements) -> bool:
    """Whether a point gives a number roughly, and a text one that may be meant: 约3.4公里 and 3420米."""
    if not isinstance(value.low, Decimal) or not _ROUGHLY.search(form.text, max(0, value.start - _BEFORE), value.start):
        return False
    told = (one.low for one in said.values if one.measure == value.measure and isinstance(one.low, Decimal))
    return any(abs(low - value.low) <= _NEAR * value.low for low in told)


def _is_specific(value: Value) -> bool:
    """Whether only a value states it; a few things may be told one by one."""
    if value.measure in _COUNTED:
        return isinstance(value.low, Decimal) and value.low >= _MANY
    return value.measure in _FIRM


def _is_worked_out(value: Value, said: Statements) -> bool:
    """Whether two numbers of a text, or all of the value's kind, make it."""
    if isinstance(value.low, date):
        return any(one.measure == "date" for one in said.values)
    told = [one for one in said.values if isinstance(one.low, Decimal)]
    if len(told) > _MOST_TOLD:
        return True
    if sum(_amounts(one)[0] for one in told if one.measure == value.measure) == value.low:
        return True
    wanted, amounts = set(_amounts(value)), [_amounts(one) for one in told]
    pairs = (pair for two in itertools.combinations(amounts, 2) for pair in itertools.product(*two))
    return any(not wanted.isdisjoint(_made_of(one, two)) for one, two in pairs)


def is_multiple(value: Value, said: Statements) -> bool:
    """Whether a text tells a sum of money as so many times another, or the other way: two months' rent of 3,000."""
    if value.measure != "money":
        return False
    told = [one for one in said.values if isinstance(one.low, Decimal)]
    sums, times = (set[Decimal](), set[Decimal]())
    for one in told:
        (sums if one.measure == "money" else times).add(_amounts(one)[-1])
    pairs = itertools.product(sums, times - {Decimal(0)})
    return len(told) <= _MOST_TOLD and any(value.low in (one * time, one / time) for one, time in pairs)


def _amounts(value: Value) -> list[Decimal]:
    """A number in the smallest unit and as it is written; of a range, both ends."""
    ends = dict.fromkeys(end for end in (value.low, value.high) if isinstance(end, Decimal))
    return list(dict.fromkeys(abs(each) for end in ends for each in (end, end / value.factor)))


def _made_of(one: Decimal, two: Decimal) -> Iterator[Decimal]:
    """Sum, difference, product and quotients of two numbers, and by what share they differ."""
    less = abs(one - two)
    yield from (one + two, less, one * two)
    yield from (top / below for top in (one, two, less) for below in (one, two) if below)


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
