"""Single dates as written in English, before they are laid on the calendar."""

import re
from calendar import monthrange
from typing import cast

from ragstone.text.dates.forms import Point, Precision, quarter
from ragstone.text.late import late
from ragstone.text.numbers.words import words

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_M = (
    "(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    "|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?)(?![a-z])\.?"
)
_TH = "(?:st|nd|rd|th)?(?![a-z0-9])"
_Y = r"(?:(?:,| of)?[ -]?(?P<year>[12][0-9]{3})(?![0-9]))"
ORDINALS = words(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth "
    "twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
)
"""The days of a month in words."""
_W = f"(?P<word>{'|'.join(sorted(ORDINALS, key=len, reverse=True))})(?: day)?(?![a-z-])"
_MONTH_WORD = late(rf"{_M} (?:the )?{_W}{_Y}?")
_WORD_MONTH = late(rf"(?:{_W}|(?P<last>last day)) of {_M}{_Y}?")
_MDY = late(rf"{_M} (?:the )?(?P<day>[0-9]{{1,2}}){_TH}{_Y}?")
_DMY = late(rf"(?P<day>[0-9]{{1,2}}){_TH}[ -](?:of )?{_M}{_Y}?")
_MY = late(rf"{_M}{_Y}")
_MONTH = late(_M)
_DAY_SPAN = late(
    rf"(?P<day>[0-9]{{1,2}}){_TH}"
    rf"(?= ?(?:-|to|until|through) ?(?:(?:{'|'.join(_WEEKDAYS)}) )?[0-9]{{1,2}}{_TH} (?:of )?{_M})"
)
_MONTH_SPAN = late(rf"{_M}(?= ?(?:-|to|until|through) ?{_M.replace('month', 'other')}{_Y})")
_DAY = late(rf"(?P<day>[0-9]{{1,2}}){_TH}{_Y}?")
_PART = late(
    rf"(?P<part>early|mid|late|beginning of|end of|middle of)[ -](?:the )?(?:{_M}{_Y}?"
    rf"|(?P<only>[12][0-9]{{3}})(?![0-9]))"
)
_QUARTER = late(
    r"(?:(?P<kind>[qh])(?P<part>[1-4])|(?P<word>first|second|third|fourth) (?P<name>quarter|half))(?: of|,)? "
    r"?(?P<year>[12][0-9]{3})(?![0-9])"
)
_WORD = late(r"(?:the day before yesterday|the day after tomorrow|yesterday|today|tomorrow)(?![a-z])")
_WHICH = late(
    rf"(?P<which>last|this|next|previous) (?:(?P<unit>week|month|year|quarter|{'|'.join(_WEEKDAYS)})(?![a-z])|{_M})"
)
_COUNTED = late(
    r"(?:(?P<lead>in) )?(?P<count>[0-9]{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten) (?P<of>day"
    r"|week|month|year)s?"
    r"(?: (?P<way>ago|later|from now|earlier))?(?![a-z])"
)
_AFTER = late(
    r"(?:in|since|by|during|until|till|circa|from|before|after|of|year|between|through|to)(?: the)?(?: year)? "
    r"(?:(?P<year>1[5-9][0-9]{2}|20[0-9]{2})(?![0-9%]|[.,][0-9]| (?:people|yuan|dollars|words|items|units"
    r"|users|members|rows))"
    rf"|{_M}(?!\.? ?[0-9]))"
)
_DAYS = {"the day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "the day after tomorrow": 2}
_COUNTS = {word: at for at, word in enumerate(words("zero one two three four five six seven eight nine ten"))} | {
    "a": 1,
    "an": 1,
}
_SHIFTS = {"last": -1, "previous": -1, "this": 0, "next": 1}
_PARTS = {"beginning of": "初", "middle of": "中", "end of": "底"}


def read_english(text: str, line: str, at: int) -> Point | None:
    """The English date that starts here, or None."""
    if at and line[at - 1].isascii() and line[at - 1].isalnum():
        return None
    if line[at].isdigit():
        return _day_first(text, line, at) or _counted(line, at)
    named = _named(text, line, at)
    if named is not None:
        return named
    return _relative(text, line, at) or _counted(line, at) or _after_preposition(text, line, at)


def read_rest(line: str, at: int, first: Point) -> Point | None:
    """The second end of a range that leaves out what the first said: the 5 of August 1-5, 2020."""
    if first.day is not None and first.month is not None and (day := _DAY.match(line, at)):
        return Point(at, day.end(), first.rule, "day", _int(day["year"]), day=int(day["day"]))
    if first.month is not None and (name := _MONTH.match(line, at)):
        return Point(at, name.end(), first.rule, "month", month=_number(name["month"]))
    return None


def _int(text: str | None) -> int | None:
    return int(text) if text else None


def _number(name: str) -> int:
    return _MONTHS.index(name[:3]) + 1


def _is_verb(text: str, found: re.Match[str]) -> bool:
    """Whether may or march is written small and so is rather the verb."""
    return found["month"] in ("may", "march", "mar") and text[found.start("month")].islower()


def _day_first(text: str, line: str, at: int) -> Point | None:
    if found := _DMY.match(line, at):
        if _is_verb(text, found):
            return None
        return Point(at, found.end(), "english", "day", _int(found["year"]), _number(found["month"]), int(found["day"]))
    if found := _DAY_SPAN.match(line, at):
        return Point(at, found.end("day"), "english", "day", day=int(found["day"]))
    return None


def _named(text: str, line: str, at: int) -> Point | None:
    for pattern in (_MDY, _MY):
        found = pattern.match(line, at)
        if found and not _is_verb(text, found):
            day = int(found["day"]) if pattern is _MDY else None
            precision: Precision = "month" if day is None else "day"
            return Point(at, found.end(), "english", precision, _int(found["year"]), _number(found["month"]), day)
    for pattern in (_MONTH_WORD, _WORD_MONTH):
        found = pattern.match(line, at)
        if found and not _is_verb(text, found) and (point := _in_words(found)):
            return point
    if (found := _MONTH_SPAN.match(line, at)) and not _is_verb(text, found):
        return Point(at, found.end(), "english", "month", month=_number(found["month"]))
    if found := _PART.match(line, at):
        year, month = _int(found["year"] or found["only"]), _number(found["month"]) if found["month"] else None
        return Point(at, found.end(), "english", "part", year, month, part=_PARTS.get(found["part"], found["part"]))
    if found := _QUARTER.match(line, at):
        part = int(found["part"] or ["first", "second", "third", "fourth"].index(found["word"]) + 1)
        return quarter(at, found.end(), int(found["year"]), found["kind"] or found["name"][0], part)
    return None


def _in_words(found: re.Match[str]) -> Point | None:
    """The twelfth of June, the last day of February 2024; without a year the last day of a month is not known."""
    year, month = _int(found["year"]), _number(found["month"])
    if found["word"]:
        day = ORDINALS.index(found["word"]) + 1
    elif year:
        day = monthrange(year, month)[1]
    else:
        return None
    return Point(found.start(), found.end(), "english", "day", year, month, day)


def _after_preposition(text: str, line: str, at: int) -> Point | None:
    """in 2020, since August: alone, a year or a month needs a preposition to be one."""
    found = _AFTER.match(line, at)
    if found is None:
        return None
    if found["year"]:
        return Point(found.start("year"), found.end(), "english", "year", int(found["year"]))
    if _is_verb(text, found):
        return None
    return Point(found.start("month"), found.end(), "english", "month", month=_number(found["month"]))


def _relative(text: str, line: str, at: int) -> Point | None:
    point = Point(at, at, "relative", "day", anchor="base")
    if word := _WORD.match(line, at):
        return point._replace(end=word.end(), shift=("days", _DAYS[word[0]]))
    found = _WHICH.match(line, at)
    if found is None:
        return None
    which, unit, point = _SHIFTS[found["which"]], found["unit"], point._replace(end=found.end())
    if unit in _WEEKDAYS:
        return point._replace(day=_WEEKDAYS.index(unit), shift=("weekday", which), reason="weekday")
    if unit:
        return point._replace(precision=cast("Precision", unit), shift=(unit, which))
    if _is_verb(text, found):
        return None
    return point._replace(precision="month", month=_number(found["month"]), shift=("year", which), reason="which_year")


def _counted(line: str, at: int) -> Point | None:
    """3 days ago, in two weeks."""
    found = _COUNTED.match(line, at)
    if found is None or (found["lead"] is None) == (found["way"] is None):
        return None
    count = _COUNTS.get(found["count"])
    count = int(found["count"]) if count is None else count
    shift = (found["of"] + "s", -count if found["way"] in ("ago", "earlier") else count)
    return Point(at, found.end(), "relative", "day", anchor="base", shift=shift)
