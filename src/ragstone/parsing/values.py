"""The numbers and dates of a text in one comparable form, so that 四万二千元 meets 42,000元 and 一年 meets 12个月."""

from bisect import bisect_left
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from ragstone.text.dates import DateMention, find_dates
from ragstone.text.fold import fold
from ragstone.text.numbers import Quantity, find_numbers

_LENGTHS = {
    "month": {"年": 12, "周年": 12, "个月": 1, "月": 1, "季度": 3, "year": 12, "years": 12, "month": 1, "months": 1},
    "day": {"天": 1, "日": 1, "周": 7, "星期": 7, "个星期": 7, "礼拜": 7, "day": 1, "days": 1, "week": 7, "weeks": 7},
    "minute": {"小时": 60, "个小时": 60, "分钟": 1, "钟头": 60, "hour": 60, "hours": 60, "minute": 1, "minutes": 1},
}
_DURATION = {fold(unit): (measure, times) for measure, units in _LENGTHS.items() for unit, times in units.items()}


class Value(NamedTuple):
    """One number or date with its place."""

    text: str
    start: int
    end: int
    measure: str
    """What is measured: date, share, month, day, minute or number."""
    low: Decimal | date | str
    high: Decimal | date | str
    month: int = 0
    day: int = 0

    def same(self, other: "Value") -> bool:
        """Whether the other is this value in another dress, or a closer date inside this one."""
        if self.measure == other.measure == "date":
            return _same_date(self, other)
        if self.measure == "date" or other.measure == "date":
            return _same_year(self, other)
        if self.measure != other.measure and "number" not in (self.measure, other.measure):
            return False
        if "share" in (self.measure, other.measure) and self.measure != other.measure:
            return False
        return (self.low, self.high) == (other.low, other.high)


def values(text: str) -> list[Value]:
    """The numbers and dates of a text, in order of their places; a number inside a date is part of the date."""
    dates = sorted((_from_date(found) for found in find_dates(text)), key=lambda value: value.start)
    starts = [day.start for day in dates]
    free = []
    for found in find_numbers(text):
        at = bisect_left(starts, found.end) - 1
        if at < 0 or dates[at].end <= found.start:
            free.append(_from_number(found))
    return sorted(dates + free, key=lambda value: value.start)


def _from_date(found: DateMention) -> Value:
    first: date | str = found.first or fold(found.text)
    last: date | str = found.last or fold(found.text)
    return Value(found.text, found.start, found.end, "date", first, last, found.month or 0, found.day or 0)


def _from_number(found: Quantity) -> Value:
    measure, times = _DURATION.get(found.unit, ("share" if found.kind in ("percent", "fraction") else "number", 1))
    high = found.value if found.high is None else found.high
    return Value(found.text, found.start, found.end, measure, found.value * times, high * times)


def _same_date(one: Value, other: Value) -> bool:
    if isinstance(one.low, date) and isinstance(other.low, date):
        return (one.low, one.high) == (other.low, other.high) or _inside(one, other)
    if one.month and (one.month, one.day) == (other.month, other.day):
        return True
    return one.low == other.low


def _inside(one: Value, other: Value) -> bool:
    assert isinstance(one.low, date) and isinstance(one.high, date)
    return (
        isinstance(other.low, date) and isinstance(other.high, date) and one.low <= other.low and other.high <= one.high
    )


def _same_year(one: Value, other: Value) -> bool:
    """1999年 and a bare 1999 are the same year."""
    day, number = (one, other) if one.measure == "date" else (other, one)
    if not isinstance(day.low, date) or not isinstance(day.high, date) or number.measure not in ("number", "month"):
        return False
    whole = (day.low.month, day.low.day, day.high.month, day.high.day) == (1, 1, 12, 31)
    year = number.low / 12 if number.measure == "month" and isinstance(number.low, Decimal) else number.low
    return whole and year == day.low.year
