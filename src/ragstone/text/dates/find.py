"""Dates and ranges of dates in running text; what can be read in two ways is flagged, not guessed silently.

A partial date is a range: 2020年8月 is 2020-08-01 to 2020-08-31. A date that does not exist (2月30日) is left out.
Times of day, durations (三年六个月) and lunar dates are left out too.
In one text so many places that look like a date are read as `most_tries` says.
"""

import re
from datetime import date
from functools import lru_cache

import msgspec

from ragstone.text.dates import english
from ragstone.text.dates.calendar import Days, inherit, lay
from ragstone.text.dates.forms import N, Point, Precision, read_chinese, read_rest, whole
from ragstone.text.late import late
from ragstone.text.numbers.words import by_first_letter, most_tries, unify


class DateMention(msgspec.Struct, frozen=True, gc=False):
    """A date or range found in a text: its place, first and last day, and the rule that read it."""

    start: int
    end: int
    text: str
    first: date | None
    """The first day, or None when neither text nor base tells the year."""
    last: date | None
    """The last day: the same as the first for a single day."""
    precision: Precision
    rule: str
    """chinese, numeric, compact, english, roc_year, japanese_era, quarter, decade or relative."""
    month: int | None = None
    """The month as written, also where the year is unknown."""
    day: int | None = None
    """The day of the month as written."""
    is_range: bool = False
    """Whether two ends are written (5月3日到6月8日)."""
    approximate: bool = False
    mark: str = ""
    """The word that makes it approximate: 左右, 约, around."""
    reason: str = ""
    """Why it is ambiguous: two_digit_year, roc_year_assumed, day_month_order, no_year, year_from_base, year_from_text,
    no_base, refers_back, weekday, which_year; empty when it is not."""
    other: date | None = None
    """The other reading of 03/04/2020; the first one takes the month first."""

    @property
    def ambiguous(self) -> bool:
        """Whether the text can be read as another date."""
        return bool(self.reason)


# What must follow what begins a date: most words that look like a beginning are left here, before any reader is called.
_MAY_FOLLOW = "年月日号天周星礼世至到起~-"
_HAN_RUN = "[一二三四五六七八九十廿卅两百〇零千万]"
_EN_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MONTH_ENDS = "(?:uary|ruary|ch|il|e|y|ust|t|t?ember|ober)?"
_EN_MONTH = f"(?:{_EN_MONTHS}){_MONTH_ENDS}(?![a-z])"
_EN_WAYS = "(?:day|week|month|year)s? (?:ago|later|from|earlier)"
_SPACED = f"(?:[/.qh学财{_MAY_FOLLOW}]|个[月星礼]|(?:of )?{_EN_MONTH}|to |until|through|{_EN_WAYS})"
"""What may follow a number and a space: a month, the other end of a range, and no people or days that are counted."""
_EN_COUNT = "a|an|one|two|three|four|five|six|seven|eight|nine|ten"
_EN_FIRST = {
    _EN_MONTHS: rf"(?={_MONTH_ENDS}\.?[ ,-])",
    "early|mid|late": "(?=[ -])",
    "beginning|middle|end": "(?= of)",
    "q|h": "[1-4](?=[ ,])",
    "first|second|third|fourth": "(?= (?:quarter|half))",
    "|".join(english.ORDINALS): f"(?= (?:day )?of {_EN_MONTH})",
    "last day": f"(?= of {_EN_MONTH})",
    "the day": "(?= (?:before|after))",
    "yesterday|today|tomorrow": "",
    "last|this|next|previous": f"(?= (?:week|month|year|quarter|mon|tue|wed|thu|fri|sat|sun|{_EN_MONTHS}))",
    "in": f" (?:[0-9]{{1,4}}|{_EN_COUNT})(?= (?:day|week|month|year))",
    _EN_COUNT: f"(?= {_EN_WAYS})",
}
"""The words that an English date begins with, and what must follow them."""
_EN_LEADS = by_first_letter(
    [
        "in",
        "since",
        "by",
        "during",
        "until",
        "till",
        "circa",
        "from",
        "before",
        "after",
        "of",
        "year",
        "between",
        "through",
        "to",
    ]
)
_EN_STARTS = (
    by_first_letter([word + after for words, after in _EN_FIRST.items() for word in words.split("|")])
    + rf"|(?=[abcdfistuyo])(?:{_EN_LEADS})(?= (?:the )?(?:year )?(?:[12][0-9]{{3}}|{_EN_MONTH}))"
)
_FROM_NOW = "前(?=[天日年一])|后(?=[天日年])|去年|今(?=[年天日晚晨早])|明(?=[年天日早晚])|昨(?=[天日晚])|来年"
# Each begins with its own characters, and what stands before it is looked at behind them: most are left there.
_SIGN_START = (
    rf"[0-9](?<![0-9].)(?:[0-9]*+(?=[/.qhstnrdwmy{_MAY_FOLLOW}]|个[月星礼]| {_SPACED})|[0-9]{{7}}(?![0-9]))"
    r"|中华民国|民国|昭和|平成|令和|大正|明治"
    rf"|{_HAN_RUN}(?<!{_HAN_RUN}.){_HAN_RUN}*+(?= ?(?:[{_MAY_FOLLOW}]|个[月星礼]))"
    rf"|大(?:{_FROM_NOW})|{_FROM_NOW}"
    r"|[上下](?=[上下]?[个一]?[年月周星礼季])|[本这](?=个?[年月周星礼季])|[同当次翌隔](?=[年月日天])|第二天"
    r"|(?:周|星期|礼拜)(?=[一二三四五六日天])|半年"
)
_START = rf"{_SIGN_START}|(?<![a-z])(?:{_EN_STARTS})"
_SIGNS = "0-9中民昭平令大明前后去今昨来上下本这同当次翌隔第周星礼半一二三四五六七八九十廿卅两百〇零千万"
_REST = f"[^a-z{_SIGNS}]"
_NEXT = late(
    f"(?:(?=[a-z])(?:(?<=[a-z])|(?!{_EN_STARTS}))[a-z]++{_REST}*+|{_REST}++|(?!{_SIGN_START})[{_SIGNS}])*+(?P<start>{_START})"
)
"""All that holds no date, and what may begin one behind it; a text without dates is one failed match."""
_HAN_HINT = late("[年月日天周号]")
_HINT = late(
    r"[0-9][0-9][-/. q]|[0-9]{8}|星期|礼拜|季度|今晚|昨晚|jan|feb|mar|apr|may|jun|jul|aug|sep"
    r"|oct|nov|dec"
    r"|day|week|month|year|tomorrow|quarter|[a-z] [12][0-9]{3}|[qh][1-4][ ,]|[0-9]{4}(?:s|h|[~至到])|/[0-9]"
)
"""One of these is in every text with dates."""
_TIME = (
    r"(?: ?(?:上午|下午|凌晨|晚上|晚|中午|早上))?(?: ?[0-9]{1,2}(?:[时点](?:[0-9]{1,2}分?)?|:[0-9]{2}(?::[0-9]{2})?))?"
)
_LINK = late(
    rf"(?:{_TIME}) ?(?:起|开始)?,? ?(?:-{{1,2}}|~|至|到|to(?= )|until(?= )|through(?= )|and(?= )) ?(?:the )?"
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day )?"
)
_BEFORE = late(
    r"(约|大约|大概|大致|约莫|估计|接近|将近|around|about|approximately|approx\.?|circa|ca\.|roughly"
    r"|nearly)(?:在|于|是|为| on| in)? ?(?:the )?$"
)
_AFTER = late(r" ?(?:左右|前后|上下|or so)")
_WEEKDAY = late(r"[ ,]{0,2}\(?(?:星期|礼拜|周)[一二三四五六日天]\)?")
_ALSO = late(rf" ?(?:\||和|及|与) ?(?P<day>{N}) ?(?:日|号(?!楼|院|线))")


def find_dates(text: str, base: date | None = None, line: str = "") -> list[DateMention]:
    """All dates of a text in order; relative ones (昨天, 去年8月) are counted from the base, when one is given.

    `line` is the text unified, where that is known.
    """
    return list(_found(text, line or unify(text), base))


@lru_cache(maxsize=4)
def _found(text: str, line: str, base: date | None) -> tuple[DateMention, ...]:
    """The dates of a text; the rules that read one answer ask in turn."""
    first = _NEXT.match(line)
    if first is None or not (_HAN_HINT.search(line) or _HINT.search(line)):
        return ()
    return tuple(_Finder(text, line, base).find(first))


class _Finder:
    """One pass over a text, remembering the last date for 次日 and for days without a year."""

    def __init__(self, text: str, line: str, base: date | None) -> None:
        self.text, self.line, self.base = text, line, base
        self.found: list[DateMention] = []
        self.before: date | None = None
        self.most = most_tries(line)

    def find(self, start: re.Match[str] | None) -> list[DateMention]:
        """Every mention, from left to right, the first one behind the beginning that was found."""
        tried = 0
        while start and tried < self.most > len(self.found):
            tried += 1
            at = start.start("start")
            point = self._point(at)
            start = _NEXT.match(self.line, start.end() if point is None else max(self._add(point), at + 1))
        return self.found

    def _point(self, at: int) -> Point | None:
        first = self.line[at]
        point = read_chinese(self.line, at) if first.isdigit() or not first.isascii() else None
        if point is None and first.isascii():
            return english.read_english(self.text, self.line, at)
        return point

    def _add(self, point: Point) -> int:
        """Keep the date, and the second end of a range with it; returns where to go on."""
        second = self._second(point)
        if second is None:
            days = lay(point, self.base, self.before)
            if days is None:
                return point.end
            self._keep(point, point.end, days)
            return self._also(point)
        first, last = inherit(point, second)
        one = lay(first, self.base, self.before)
        two = lay(last, self.base, (one.first if one else None) or self.before)
        if one and two and _backwards(one, two) and second.year is None and last.year is not None:
            two = lay(last._replace(year=last.year + 1), self.base, None)
        if one and two and not _backwards(one, two):
            self._keep(first, second.end, _range(one, two), is_range=True)
        return second.end

    def _second(self, point: Point) -> Point | None:
        link = _LINK.match(self.line, point.end)
        if link is None or link.end() >= len(self.line):
            return None
        if link[0].lstrip().startswith("and") and "between" not in self.line[max(0, point.start - 9) : point.start]:
            return None
        at = link.end()
        if not self.line[at].isascii() or self.line[at].isdigit():
            second = read_chinese(self.line, at, joined=True) or read_rest(self.line, at, point)
            if second is not None:
                return second
        second = english.read_english(self.text, self.line, at)
        return second or (english.read_rest(self.line, at, point) if point.rule == "english" else None)

    def _also(self, point: Point) -> int:
        """The further days of 8月30日、31日."""
        end = (
            weekday.end()
            if point.precision == "day" and (weekday := _WEEKDAY.match(self.line, point.end))
            else point.end
        )
        while point.day and point.month and len(self.found) < self.most and (found := _ALSO.match(self.line, end)):
            point = point._replace(start=found.start("day"), end=found.end(), day=whole(found["day"]))
            days = lay(point, self.base, self.before)
            if days is not None:
                self._keep(point, point.end, days)
            end = found.end()
        return end

    def _keep(self, point: Point, end: int, days: Days, *, is_range: bool = False) -> None:
        mark = self._mark(point.start, end)
        other = None
        if days.reason == "day_month_order" and days.first is not None:
            other = date(days.first.year, days.first.day, days.first.month)
        chosen_day = point.shift is not None and point.shift[0] == "weekday"
        mention = DateMention(
            point.start,
            end,
            self.text[point.start : end],
            days.first,
            days.last,
            point.precision,
            point.rule,
            point.month,
            None if chosen_day else point.day,
            is_range,
            bool(mark),
            mark,
            days.reason,
            other,
        )
        self.found.append(mention)
        self.before = days.last or self.before

    def _mark(self, start: int, end: int) -> str:
        if found := _AFTER.match(self.line, end):
            return found[0].strip()
        found = _BEFORE.search(self.line[max(0, start - 16) : start])
        return found[1] if found else ""


def _range(one: Days, two: Days) -> Days:
    """From the first day of one to the last of the other; unknown when either end is."""
    if one.first is None or two.last is None:
        return Days(None, None, one.reason if one.first is None else two.reason)
    return Days(one.first, two.last, one.reason or two.reason)


def _backwards(one: Days, two: Days) -> bool:
    return one.first is not None and two.last is not None and two.last < one.first
