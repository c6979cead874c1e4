"""Laying a date as written on the calendar: first and last day, against a base date and the date named before it."""

from calendar import monthrange
from datetime import date, timedelta
from typing import NamedTuple

from ragstone.text.dates.forms import Point

_THIRDS = {"上旬": (1, 10), "初": (1, 10), "中旬": (11, 20), "中": (11, 20), "下旬": (21, 31), "底": (21, 31)}
_THIRDS |= {"early": (1, 10), "mid": (11, 20), "late": (21, 31)}
_YEAR_PARTS = {"q1": (1, 3), "q2": (4, 6), "q3": (7, 9), "q4": (10, 12), "h1": (1, 6), "h2": (7, 12)}
_YEAR_PARTS |= {"初": (1, 1), "中": (6, 7), "底": (12, 12), "early": (1, 4), "mid": (5, 8), "late": (9, 12)}
_YEAR_PARTS |= {"春": (3, 5), "夏": (6, 8), "秋": (9, 11)}
# POSIX reads 69-99 as the last century; with a base, up to ten years after it count as this one.
_PIVOT = 68


class Days(NamedTuple):
    """A stretch of days; both ends None when the year is not known."""

    first: date | None
    last: date | None
    reason: str = ""


def lay(point: Point, base: date | None, before: date | None) -> Days | None:
    """The days a point names, or None when there is no such day."""
    try:
        return _lay(point, base, before)
    except (ValueError, OverflowError):
        return None


def inherit(first: Point, second: Point) -> tuple[Point, Point]:
    """Both ends of a range, each with what only the other one says."""
    if second.month is None and second.day is not None and not second.shift:
        second = second._replace(month=first.month)
    if first.month is None and first.day is not None and not first.shift:
        first = first._replace(month=second.month)
    if first.shift and first.shift[0] == "weekday" and not first.reason and second.reason == "weekday":
        second = second._replace(shift=first.shift, reason="")  # 下周一至周三 is one week
    if second.year is None and not second.shift:
        second = second._replace(year=first.year, reason=second.reason or first.reason)
        unit = first.shift[0] if first.shift else ""
        if unit == "year" or (unit == "month" and second.month is None):
            second = second._replace(anchor=first.anchor, shift=first.shift)
    elif first.year is None and not first.shift:
        first = first._replace(year=second.year, reason=first.reason or second.reason)
    return first, second


def _lay(point: Point, base: date | None, before: date | None) -> Days | None:
    if point.shift:
        return _shifted(point, base, before)
    year, reason = point.year, point.reason
    if year is not None and reason == "two_digit_year" and year < 100:
        year += _century(year, base)
    if year is None:
        known = before or base
        if known is None:
            return _yearless(point)
        year, reason = known.year, reason or ("year_from_text" if before else "year_from_base")
    first, last = _span(year, point.month, point.day, point.part)
    return Days(first, last, reason)


def _century(year: int, base: date | None) -> int:
    pivot = base.year % 100 + 10 if base else _PIVOT
    century = base.year // 100 * 100 if base else 2000
    return century if year <= pivot else century - 100


def _yearless(point: Point) -> Days | None:
    _span(2000, point.month, point.day, point.part)  # a leap year: refuses 2月30日, allows 2月29日
    return Days(None, None, "no_year")


def _shifted(point: Point, base: date | None, before: date | None) -> Days | None:
    anchor = base if point.anchor == "base" else before
    if anchor is None or point.shift is None:
        return Days(None, None, "no_base" if point.anchor == "base" else "refers_back")
    reason = point.reason or ("refers_back" if point.anchor == "text" else "")
    unit, count = point.shift
    if unit == "year":
        first, last = _span(anchor.year + count, point.month, point.day, point.part)
    elif unit == "month":
        moved = _add_months(anchor.replace(day=1), count)
        first, last = _span(moved.year, moved.month, point.day, point.part)
    elif unit == "quarter":
        moved = _add_months(anchor.replace(day=1), 3 * count)
        first, last = _span(moved.year, None, None, f"q{(moved.month + 2) // 3}")
    elif unit in ("week", "weekday"):
        first, last = _weeks(anchor, count, point.day)
    else:
        first = last = _move(anchor, unit, count)
    return Days(first, last, reason)


def _weeks(anchor: date, count: int, day: int | None) -> tuple[date, date]:
    monday = anchor + timedelta(days=7 * count - anchor.weekday())
    if day is None:
        return monday, monday + timedelta(days=6)
    return monday + timedelta(days=day), monday + timedelta(days=day)


def _move(anchor: date, unit: str, count: int) -> date:
    if unit in ("days", "weeks"):
        return anchor + timedelta(days=count * (7 if unit == "weeks" else 1))
    return _add_months(anchor, count * (12 if unit == "years" else 1))


def _add_months(anchor: date, count: int) -> date:
    year, month = divmod(anchor.year * 12 + anchor.month - 1 + count, 12)
    return date(year, month + 1, min(anchor.day, monthrange(year, month + 1)[1]))


def _span(year: int, month: int | None, day: int | None, part: str) -> tuple[date, date]:
    """The first and last day; ValueError when there is no such day."""
    if part == "decade":
        return date(year, 1, 1), date(year + 9, 12, 31)
    if part == "冬":
        return date(year, 12, 1), date(year + 1, 2, monthrange(year + 1, 2)[1])
    if month is None:
        low, high = _YEAR_PARTS.get(part, (1, 12))
        return date(year, low, 1), date(year, high, monthrange(year, high)[1])
    if not 1 <= month <= 12:
        raise ValueError(month)
    if day is not None:
        return date(year, month, day), date(year, month, day)
    length = monthrange(year, month)[1] if 1 <= year <= 9999 else 0
    low, high = _THIRDS.get(part, (1, 31))
    return date(year, month, low), date(year, month, min(high, length))
