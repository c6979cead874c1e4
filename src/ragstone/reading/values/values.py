"""The numbers and dates of a text in one comparable form, so that 四万二千元 meets 42,000元 and 一年 meets 12个月."""

import re
from bisect import bisect_left
from calendar import monthrange
from datetime import date
from decimal import Decimal
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from ragstone.reading.cues import cue
from ragstone.reading.values.clocks import find_clocks, same_clock
from ragstone.reading.values.dimensions import dimension
from ragstone.reading.values.eastern import Eastern, find_eastern
from ragstone.reading.values.number_limits import NONE, Limit, is_change, is_old, limit_of
from ragstone.reading.values.parts import find_parts
from ragstone.text.dates.find import DateMention, find_dates
from ragstone.text.fold import fold
from ragstone.text.late import late
from ragstone.text.numbers.find import Quantity, find_numbers
from ragstone.text.numbers.words import HAN, read_english, read_numeral, unified

_ONE = Decimal(1)
_start = attrgetter("start")
_STRICT = frozenset(("month", "second", "gram", "metre", "area", "byte", "litre", "watt", "watt hour"))
"""Dimensions whose units are never mixed up; measure words such as 个 and 名 are."""
_TEMPERATURES = {"°C": "摄氏度 ℃ °c", "°F": "华氏度 ℉ °f"}
_YUAN = frozenset(("CNY", "TWD", "HKD", "MOP"))
"""Currencies that a bare 元 may stand for."""
_SCALES = {fold(unit): scale for scale, units in _TEMPERATURES.items() for unit in units.split()}
_TIMES_OF = ("clock", "date")
_COUNTED = frozenset(("count", "bare", "second"))
"""What numbers of days measure."""
_DAYS = cue(
    r"[0-9.〇零一二两三四五六七八九十百]{1,8} ?(?:\([^)]{1,8}\))? ?个?(?:(?P<work>工作[日天]|交易日)|自然日|日历日)",
    r"(?:[0-9]{1,4}|[a-z]{3,9}(?:-[a-z]{3,5})?)(?: \([^)]{1,20}\))?[ -]"
    r"(?:(?P<work_en>business|working|work)|calendar|consecutive) days?\b",
)
_KINDS = {"date": "date", "clock": "date", "month": "time", "second": "time"}
"""Measures whose limits are told in words of their own."""
_DAY_SIGNS = (
    *fold("工作日 工作天 交易日 自然日 日历日").split(),
    *("business day", "working day", "work day", "calendar day", "consecutive day"),
)
_BEGINS = cue(r"(?:起|开始|开放), ?(?:至|到)")
_TILL = cue(r" ?(?:至|到|-|~|から) ?", r" (?:to|till|until|through) ")
_WITH_YEAR = late(r"[0-9]{4}|年|民国|令和|平成")
_WEEKDAY = cue(r"星期|礼拜")
_MOVED = cue(
    r"(?P<number>[0-9零〇一二两三四五六七八九十百]+)个?(?P<unit>[天日周月年])(?:以|之)?(?:(?P<before>前)|后)",
    r"(?P<word>[a-z-]+|[0-9]+) (?P<unit_en>day|week|month|year)s? (?:(?P<before_en>ago|earlier)|later|from now)",
)
_UNIT_LETTERS = str.maketrans({"日": "天"})
_CHANGE = r"(?:调整|调|改|变更?|降低?|减少?|下降|缩短|提高|提升|增加|增长|上升|上涨|涨|升|延长|下调|上调|扩大|缩小)"
_CHANGE_EN = r"\b(?:reduc|decreas|increas|fall|fell|ris|rose|drop|cut|lower|rais|grow|grew|declin|shr[ai]nk)[a-z]*"
_TO = cue(rf"{_CHANGE}了?[到至为](?:原来的|约|仅)?\s?$", rf"{_CHANGE_EN}(?: [a-z]+){{0,4}} to (?:only |about )?$")
_BY = cue(rf"{_CHANGE}(?:了|约|近|幅度为){{0,2}}\s?$", rf"{_CHANGE_EN}(?: [a-z]+){{0,4}} by (?:about |almost )?$")
_MORE = cue(rf"{_CHANGE}(?:了|约|近){{0,2}}\s?$|[快慢大小高低多少重轻强贵长短宽深厚](?:了|约|近|出){{0,2}}\s?$")
_TIMES_TO = cue(r"[的为到至是]\s?$")
_OFTEN = {"once": 1, "twice": 2, "thrice": 3}
_TIMES = cue(r"\b(once|twice|thrice) (?:an?|per|each|every|daily|weekly|monthly|yearly|annually)\b")
_MONTHLY = cue(
    rf"每个?月的?(?P<day>[0-9]{{1,2}}|[{HAN}]{{1,3}}) ?[日号](?!楼|线)",
    r"\b(?P<day_en>[0-9]{1,2})(?:st|nd|rd|th)(?: day)? of (?:each|every) (?:calendar )?month\b",
    r"(?:매월|매달) ?(?P<day_ko>[0-9]{1,2})일",
)
_MONTHLY_SIGNS = ("每月", "每个月", " month", "매월", "매달")
_DAYS_OF_MONTH = 31
_BEFORE = 40
"""Characters in front of a number in which the change it measures is named."""
_CHANGERS = frozenset(fold("调改变降减下缩提增上涨升延扩"))
_CHANGERS_EN = ("to ", "to only ", "to about ", "by ", "by about ", "by almost ")
"""Each change of a number holds one of these, or ends with one of those."""
_CHANGE_ENDS = frozenset(
    (*fold("到至为的约仅了近整调改变更低减少降短高升加长涨大小"), *(one[-2] for one in _CHANGERS_EN))
)
_CHANGE_REACH = 12
"""How a change ends, and how long it is in Chinese."""


_SIGN = cue(rf"[0-9a-z半年月日天周号星礼季晚{HAN}\u3041-\u30ff\uac00-\ud7a3]")
"""One of these is part of every number, date and time of day."""


class Value(Struct, frozen=True, array_like=True, gc=False):
    """One number or date with its place."""

    text: str
    start: int
    end: int
    measure: str
    """What is measured: date, clock, share, money, a dimension such as month, times, count for other units, bare,
    ordinal."""
    low: Decimal | date | str
    high: Decimal | date | str
    month: int = 0
    day: int = 0
    factor: Decimal = _ONE
    """How many of the dimension's smallest unit its unit holds."""
    step: str = ""
    """How a change is told: "by" so much, or "to" so much."""
    currency: str = ""
    """A currency, or the scale of a temperature."""
    limit: Limit = NONE
    """Whether it is a limit, and which."""
    old: bool = False
    """Whether something changed from it to another value."""
    days: str = ""
    """Which days are counted, where it is told: work or calendar."""
    sure: bool = True
    """Whether a time of day tells morning from evening."""

    def same(self, other: "Value") -> bool:
        """Whether the other is this value in another form, as firm and as current as this one."""
        if not self.equals(other) or (other.old and not self.old) or (self.old and other.step == "to"):
            return False
        return self.limit.admits(other.limit)

    def equals(self, other: "Value") -> bool:
        """Whether the other is this value in another form, or a closer date inside this one."""
        one, two = self.measure, other.measure
        if one == two:
            if one == "clock":
                return _same_clock(self, other)
            if one == "date":
                return _same_date(self, other)
            if self.low != other.low:
                return False
        elif one in _TIMES_OF or two in _TIMES_OF:
            return "clock" not in (one, two) and _same_year(self, other)
        elif (one != "bare" and two != "bare") or self.text in _OFTEN or other.text in _OFTEN:
            # Two tablets are not twice.
            return False
        if (self.days != other.days and self.days and other.days) or (
            self.step != other.step and self.step and other.step
        ):
            return False
        if not _same_money(self.currency, other.currency):
            return False
        if one == two:
            # 4.10 comes nine versions behind 4.1.
            return self.high == other.high and (one != "bare" or _decimals(self) == _decimals(other))
        if not {one, two}.isdisjoint(("share", "ordinal")) or _written(self) != _written(other):
            return False
        # 5.0 alone is a version, and no 5个.
        return _decimals(self) == _decimals(other)


def _decimals(value: Value) -> int:
    """How many digits of a bare number behind its point are written, where there are any."""
    digits = value.text.partition(".")[2]
    return len(digits) - len(digits.lstrip("0123456789"))


def values(text: str, folded: str = "") -> list[Value]:
    """The numbers and dates of a text, in order of their places; a number inside a date is part of the date."""
    folded = folded or fold(text)
    if not _SIGN.search(folded):
        return []
    line = unified(text, folded)
    taken = _dates(text, line, folded) + _clocks(folded)
    taken.sort(key=_start)
    starts = [one.start for one in taken]
    every = taken[:]
    for found in find_numbers(text, line):
        at = bisect_left(starts, found.end) - 1
        if at < 0 or taken[at].end <= found.start:
            every += _from_number(found, folded)
    every += _times(folded)
    every = _outside(every, _parts(folded))
    if not folded.isascii():
        every = _outside(every, _eastern(folded))
    if any(sign in folded for sign in _MONTHLY_SIGNS):
        every = _outside(every, _monthly(folded))
    if not every:
        return []
    days = "day" in folded or "日" in folded or "天" in folded
    counts_days = days and any(sign in folded for sign in _DAY_SIGNS)
    return sorted([_limited(value, text, folded, counts_days) for value in every], key=_start)


def _dates(text: str, line: str, folded: str) -> list[Value]:
    return [_of_decade(value, folded) for found in find_dates(text, line=line) for value in _dated(found)]


def _times(folded: str) -> list[Value]:
    """Twice a day is two times a day."""
    found = _TIMES.finditer(folded) if "ce " in folded else ()
    read = ((one, Decimal(_OFTEN[one[1]])) for one in found)
    return [Value(one[1], *one.span(1), "times", often, often) for one, often in read]


def _monthly(folded: str) -> list[Value]:
    """The day of every month: 每月5日, the 5th of each month."""
    found = []
    for one in _MONTHLY.finditer(folded):
        number = read_numeral(one["day"] or one["day_en"] or one["day_ko"])
        day = int(number.value) if number and number.value <= _DAYS_OF_MONTH else 0
        found += [Value(one[0], *one.span(), "date", f"0-{day}", f"0-{day}", 0, day)] * bool(day)
    return found


def _outside(found: list[Value], better: list[Value]) -> list[Value]:
    """The values, with better readings in the place of what these overlap."""
    if not better:
        return found
    better = sorted(better, key=_start)
    starts = [one.start for one in better]
    kept = [one for one in found if not _overlaps(one, better, bisect_left(starts, one.end) - 1)]
    return kept + better


def _overlaps(one: Value, better: list[Value], at: int) -> bool:
    return at >= 0 and better[at].end > one.start


def _eastern(folded: str) -> list[Value]:
    return [_from_eastern(one, folded) for one in find_eastern(folded)]


def _from_eastern(one: Eastern, folded: str) -> Value:
    text = folded[one.start : one.end]
    if one.measure != "date":
        return Value(text, one.start, one.end, one.measure, one.amount, one.amount, factor=one.factor, sure=one.sure)
    if not one.year:
        return Value(text, one.start, one.end, "date", text, text, one.month, one.day)
    first = date(one.year, one.month or 1, one.day or 1)
    last = first if one.day else date(one.year, one.month or 12, monthrange(one.year, one.month or 12)[1])
    return Value(text, one.start, one.end, "date", first, last, one.month, one.day)


def _clocks(folded: str) -> list[Value]:
    return [
        Value(folded[one.start : one.end], one.start, one.end, "clock", minutes, minutes, sure=one.sure)
        for one in find_clocks(folded)
        for minutes in (Decimal(one.minutes),)
    ]


def _limited(value: Value, text: str, folded: str, counts_days: bool) -> Value:
    days = ""
    if counts_days and value.measure in _COUNTED and (told := _DAYS.match(folded, value.start)):
        days = "work" if told["work"] or told["work_en"] else "calendar"
    limit = limit_of(folded, value.start, value.end, _KINDS.get(value.measure, "number"))
    if limit is not NONE:
        # A time of day is told as a limit as often as not: check out by noon.
        limit = limit._replace(firm=False) if value.measure == "clock" else limit
        first, last = min(value.start, limit.start), max(value.end, limit.end)
        return replace(value, limit=limit, text=text[first:last].strip(), days=days)
    old = value.old or is_old(folded, value.start, value.end)
    return replace(value, days=days, old=old) if days or old else value


def _parts(folded: str) -> list[Value]:
    return [
        Value(folded[one.start : one.end], one.start, one.end, one.measure, one.amount, one.amount, factor=one.factor)
        for one in find_parts(folded)
    ]


def _dated(found: DateMention) -> list[Value]:
    """Cut a beginning and an end that stand in two clauses apart: 自9月15日开始，至9月30日截止; also without a year."""
    written = fold(found.text)
    apart = _BEGINS.search(written)
    if found.is_range and not (found.first and _WITH_YEAR.search(written)):
        apart = apart or _TILL.search(written)
    if not apart:
        return [_from_date(found)]
    first, last = found.text[: apart.start()], found.text[apart.end() :]
    ends = [*find_dates(first), *(_moved(one, apart.end()) for one in find_dates(last))]
    # 6月至9月 may be written 6-9月 elsewhere.
    kinds = {(bool(one.month), bool(one.day)) for one in ends}
    days = len(ends) == 2 and kinds in ({(True, True)}, {(False, False)})
    if not days:
        return [_from_date(found)]
    values = [_from_date(_moved(one, found.start)) for one in ends]
    if not found.first or not found.last:
        return values
    # The year stands before both: 2025年招生于5月18日至5月22日进行.
    return [replace(one, low=day, high=day) for one, day in zip(values, (found.first, found.last), strict=True)]


def _moved(found: DateMention, by: int) -> DateMention:
    return replace(found, start=found.start + by, end=found.end + by)


def _of_decade(value: Value, folded: str) -> Value:
    """The 1930s are ten years."""
    if not folded.startswith(("s", "'s", "年代"), value.end) or not isinstance(value.low, date) or value.low.year % 10:
        return value
    return replace(value, high=date(value.low.year + 9, 12, 31))


_SAME_TIME = {
    **dict.fromkeys(("当日", "同日"), "当天"),
    **dict.fromkeys(("翌日", "隔日", "隔天", "第二天"), "次日"),
    "前一日": "前一天",
    "翌年": "次年",
    "翌月": "次月",
    "同年": "当年",
    "同月": "当月",
}
"""Words for the same time, reckoned from one a text speaks of."""


def _from_date(found: DateMention) -> Value:
    written = _WEEKDAY.sub("周", fold(found.text)).replace("周天", "周日").replace("个月", "月")
    if not found.first and found.day:
        written = f"{found.month or 0}-{found.day}"
    elif moved := _MOVED.fullmatch(written):
        written = _moved_by(moved)
    written = _SAME_TIME.get(written, written)
    first: date | str = found.first or written
    last: date | str = found.last or written
    return Value(found.text, found.start, found.end, "date", first, last, found.month or 0, found.day or 0)


def _moved_by(moved: re.Match[str]) -> str:
    """How far a day lies from another, whatever it is written in: 十天前, 10日之前, ten days before."""
    number = moved["number"] or moved["word"] or ""
    read = read_english(number) if number.isascii() and not number.isdigit() else read_numeral(number)
    unit = (moved["unit"] or moved["unit_en"]).translate(_UNIT_LETTERS)
    return f"{read.value if read else number} {unit} {'-' if moved['before'] or moved['before_en'] else '+'}"


def _from_number(found: Quantity, folded: str) -> list[Value]:
    """The number as a value; what changed from one to another, raised from 10 GB to 20 GB, is cut in two."""
    start = found.start
    measure, factor = _measure(found)
    low = found.value * factor
    high = low if found.high is None else found.high * factor
    step = _step(found.unit, folded, start)
    currency = found.currency or _SCALES.get(found.unit, "")
    value = Value(found.text, start, found.end, measure, low, high, 0, 0, factor, step, currency)
    if low == high or not is_change(folded, start):
        return [value]
    return [replace(value, high=low, old=True), replace(value, low=high, step="to")]


def _step(unit: str, folded: str, start: int) -> str:
    """快三倍 is a change by, 是旧版的三倍 one to so much."""
    last = folded[start - 1 : start] if folded[start - 1 : start] != " " else folded[start - 2 : start - 1]
    if last not in _CHANGE_ENDS and unit != "倍":
        return ""
    before = folded[max(0, start - _BEFORE) : start]
    if unit == "倍":
        return "to" if _TIMES_TO.search(before) else "by" if _MORE.search(before) else ""
    if not before.endswith(_CHANGERS_EN) and _CHANGERS.isdisjoint(before[-_CHANGE_REACH:]):
        return ""
    return "to" if _TO.search(before) else "by" if _BY.search(before) else ""


def _measure(found: Quantity) -> tuple[str, Decimal]:
    if found.kind in ("percent", "fraction"):
        return "share", _ONE
    if found.kind == "ordinal" and found.unit != "季度":
        return "ordinal", _ONE
    if found.currency:
        return "money", _ONE
    scale = dimension(found.unit)
    if scale.name in _STRICT:
        return scale.name, scale.factor
    return ("times" if scale.name == "time" else "count" if found.unit else "bare"), _ONE


def _same_clock(one: Value, other: Value) -> bool:
    assert isinstance(one.low, Decimal) and isinstance(other.low, Decimal)
    return same_clock(int(one.low), int(other.low), sure=one.sure and other.sure)


def _same_money(one: str, other: str) -> bool:
    return not one or not other or one == other or {one, other} <= _YUAN


def _written(value: Value) -> tuple[object, object]:
    """Both ends as they are written: 1 and 1 for 一年, which is twelve months."""
    assert isinstance(value.low, Decimal) and isinstance(value.high, Decimal)
    return value.low / value.factor, value.high / value.factor


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
    if not isinstance(day.low, date) or not isinstance(day.high, date) or number.measure not in ("bare", "month"):
        return False
    whole = (day.low.month, day.low.day, day.high.month, day.high.day) == (1, 1, 12, 31)
    return whole and isinstance(number.low, Decimal) and number.low / number.factor == day.low.year
