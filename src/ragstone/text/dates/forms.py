"""Single dates as written, before they are laid on the calendar: Chinese, numeric and relative forms.

English forms stand in date_english.
"""

import re
from typing import Literal, NamedTuple

from ragstone.text.late import late
from ragstone.text.numbers.words import HAN, read_numeral

Precision = Literal["day", "part", "week", "month", "quarter", "half", "year", "decade"]
"""part: 上旬, 月底, early August, 年初, 夏天."""


class Point(NamedTuple):
    """One date as written: what is absent is None, and `shift` counts from a base or an earlier date."""

    start: int
    end: int
    rule: str
    precision: Precision
    year: int | None = None
    month: int | None = None
    day: int | None = None
    part: str = ""
    """上旬 中旬 下旬 初 中 底, q1..q4, h1, h2, 春 夏 秋 冬, early, mid, late, decade."""
    anchor: str = ""
    """What the date is counted from: base (昨天), text (次日), or nothing."""
    shift: tuple[str, int] | None = None
    """Unit (days, weeks, months, years to move; day, week, month, quarter, year, weekday to choose) and how many."""
    reason: str = ""
    """Why the phrase can be read in more than one way."""


N = r"(?:[0-9]{1,2}(?![0-9])|[一二三四五六七八九十廿卅]{1,3})"
_LONG = rf"(?:[0-9]{{1,4}}(?![0-9])|[{HAN}]{{1,6}})"
_ROW = "[〇零一二三四五六七八九]"
_TO = r" ?(?:-{1,2}|~|至|到|起至|起,至|起到) ?"
_ERAS = {"民国": 1911, "昭和": 1925, "平成": 1988, "令和": 2018, "大正": 1911, "明治": 1867}
_YEARS = {
    "大前年": -3,
    "前年": -2,
    "去年": -1,
    "上年": -1,
    "今年": 0,
    "本年": 0,
    "明年": 1,
    "来年": 1,
    "后年": 2,
    "大后年": 3,
}
_TEXT_YEARS = {"同年": 0, "当年": 0, "次年": 1, "翌年": 1, "隔年": 1}
_MONTHS = {
    "上上个月": -2,
    "上上月": -2,
    "上个月": -1,
    "上月": -1,
    "本月": 0,
    "这个月": 0,
    "下个月": 1,
    "下月": 1,
    "下下个月": 2,
}
_TEXT_MONTHS = {"当月": 0, "同月": 0, "次月": 1, "翌月": 1}
_DAYS = {
    "大前天": -3,
    "前天": -2,
    "前日": -2,
    "昨天": -1,
    "昨日": -1,
    "昨晚": -1,
    "今天": 0,
    "今日": 0,
    "今晚": 0,
    "今晨": 0,
}
_DAYS |= {"今早": 0, "明天": 1, "明日": 1, "明早": 1, "明晚": 1, "后天": 2, "后日": 2, "大后天": 3}
_TEXT_DAYS = {
    "当日": 0,
    "当天": 0,
    "同日": 0,
    "次日": 1,
    "翌日": 1,
    "隔天": 1,
    "隔日": 1,
    "第二天": 1,
    "前一天": -1,
    "前一日": -1,
}
_QUARTERS = {"上上": -2, "上一": -1, "上个": -1, "上": -1, "本": 0, "这个": 0, "这": 0, "下一": 1, "下个": 1, "下": 1}
_WEEKS = {"上上": -2, "上": -1, "本": 0, "这": 0, "下": 1, "下下": 2}
_ORDER = {"一": 1, "二": 2, "三": 3, "四": 4, "1": 1, "2": 2, "3": 3, "4": 4}
# A relative word can be cut out of other words (目前|日本, 声明|年份); these neighbours tell.
_NO_HEAD = (
    "(?:(?=大?前)(?<![目以之从此先提往史空生年月日天周])|(?=大?后)(?<![今然最以之随此先年月日天周])"
    "|(?=明)(?<![声证注标表])"
    "|(?=来)(?<![近以年])|(?=[上下])(?<![晚早以])|(?=本)(?<![基根])|(?=[去今昨同当次翌隔这第]))"
)
_NO_TAIL = r"(?![本语元报文]|年代|级|龄)"


def _names(*tables: dict[str, int]) -> str:
    return "|".join(sorted({name for table in tables for name in table}, key=len, reverse=True))


_YEAR = late(
    rf"(?:中华)?(?P<era>{'|'.join(_ERAS)}) ?(?P<era_year>元|{_LONG}) ?(?:年度?|(?=[-/.][0-9]{{1,2}}[-/.][0-9]))"
    rf"|(?P<full>[12][0-9]{{3}}|[一二]{_ROW}{{3}}|[一两二]千[零〇]{_ROW}"
    rf"|[一两二]千[零〇]?[一二三四五六七八九]?十{_ROW}?) ?(?:年度|学年|财年|年)(?!代|的?历史|之久)"
    rf"|(?P<short>[0-9]{{2}}|{_ROW}{{2}}) ?年(?= ?{N} ?月(?!大|个)|[初底末](?!步|级)|年[初底中末])"
    rf"|(?P<roc>1[0-9]{{2}}|一{_ROW}{{2}}) ?年(?:度|(?= ?{N} ?月(?!大|个)))"
    r"|(?<=[于在元自])(?P<early>[1-9][0-9]{2}) ?年(?![间里内来的])"
    rf"|{_NO_HEAD}(?:(?P<relative>{_names(_YEARS)})|(?P<text>{_names(_TEXT_YEARS)}))(?![度级龄份纪假休薪终检审会金费]|轻)"
)
_AFTER_YEAR = late(
    r" ?(?:的? ?(?:第 ?(?P<quarter>[一二三四1-4]) ?季度?|(?P<quarter2>[一二三四1-4]) ?季度"
    r"|q(?P<quarter3>[1-4]))|(?P<half>上半年|下半年)"
    r"|年?(?P<part>初(?!中|步|级|次|期|一|二|三)|底|末|中(?=$|[,;. 旬至到以前后左开时期]))"
    r"|(?P<season>[春夏秋冬])(?:天|季|(?=$|[,;. 至到])))"
)
_MONTH = late(
    rf" ?(?P<month>{N}) ?月(?![内供租薪饼亮球子刊大]|以内|之内|初[一二三四五六七八九十]|怀胎|天乐|流火"
    rf"|革命)(?:份(?!额))?"
    rf"|{_NO_HEAD}(?:(?P<relative>{_names(_MONTHS)})|(?P<text>{_names(_TEXT_MONTHS)}))(?:份(?!额))?"
)
_AFTER_MONTH = late(
    r" ?(?:(?P<part>上旬|中旬|下旬|初(?![步级])|底|末|中(?=$|[,;. 至到以前后左]))"
    rf"|(?P<day>{N}) ?(?:日|号(?!楼|院|线))|(?P<day2>[0-9]{{1,2}})(?=$|[,;.)|~至到前后起]))"
)
_HAN_DAY = late(r"(?P<day>[一二三四五六七八九十廿卅]{1,3})(?P<end>$|(?=[,;.)|至到的是前后起]))?")
_HOLIDAYS = {"元旦": (1, 1), "劳动节": (5, 1), "国庆节": (10, 1), "国庆": (10, 1), "圣诞节": (12, 25), "儿童节": (6, 1)}
_HOLIDAY = late(f" ?的?({'|'.join(_HOLIDAYS)})(?![期长假黄])")
_MONTH_SPAN = late(rf" ?(?P<month>{N})(?={_TO}{N} ?月)")
_DAY_SPAN = late(rf" ?(?P<day>{N})(?={_TO}{N} ?[日号])")
_DAY = late(rf" ?(?P<day>{N}) ?(?:日|号(?!楼|院|线))")
_BARE_YEAR = late(
    rf"(?P<full>[12][0-9]{{3}})(?={_TO}(?:[12][0-9]{{3}} ?年|(?:19|20)[0-9]{{2}}(?![0-9./-]|[元人个万亿%,])))"
)
_LAST_YEAR = late(r"(?P<year>(?:19|20)[0-9]{2})(?![0-9./-]|[元人个万亿%,])")
_LUNAR = late(r"(?:农历|阴历|旧历|夏历)[^,;.]{0,8}$")

_ISO = late(
    r"(?P<year>[12][0-9]{3}) ?(?P<mark>[-/.]) ?(?P<month>[0-9]{1,2}) ?(?P=mark) ?(?P<day>[0-9]{1,2})(?![0-9]"
    r"|(?P=mark)[0-9]{1,2}(?![0-9]))"
    r"(?:t[0-9]{2}:[0-9]{2}[0-9:.]*+(?:z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_ISO_MONTH = late(
    r"(?P<year>(?:19|20)[0-9]{2})(?:\.(?P<month>0[1-9]|1[0-2])|[-/](?P<month2>0?[1-9]|1[0-2]))(?![0-9./]"
    r"|-[0-9]|[%元万亿k个人])"
)
_COMPACT = late(
    r"(?P<year>(?:19|20)[0-9]{2})(?P<month>0[1-9]|1[0-2])(?P<day>[0-2][0-9]|3[01])(?![0-9a-z.,]|[元万亿个])"
)
_SLASHED = late(
    r"(?P<one>[0-9]{1,2})(?P<mark>[-/.])(?P<two>[0-9]{1,2})(?P=mark)(?P<year>[12][0-9]{3})(?![0-9]|(?P=mark))"
    r"|(?P<month>0?[1-9]|1[0-2])/(?P<of>(?:19|20)[0-9]{2})(?![0-9/])"
)
_SHORT_YEAR = late(
    r"(?P<year>[0-9]{2})(?P<mark>[-/])(?P<month>0?[1-9]|1[0-2])(?P=mark)(?P<day>[0-9]{1,2})(?![0-9]|(?P=mark))"
)
_MONTH_FIRST = late(r"(?P<month>0?[1-9]|1[0-2])/(?P<day>1[3-9]|2[0-9]|3[01])/(?P<year>[0-9]{2})(?![0-9/])")
_ERA_NUMERIC = late(r"[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})(?![0-9])")
_QUARTER = late(r"(?P<year>[12][0-9]{3})[ -]?(?P<kind>[qh])(?P<part>[1-4])(?![0-9a-z])")
_DECADE = late(
    r"(?:(?P<century>[0-9]{2}|[一二]?十[一二三四五六七八九]?) ?世纪 ?)?(?P<decade>[0-9]{2}"
    r"|[一二三四五六七八九]十) ?年代"
    r"|(?P<full>[12][0-9]{2}0)(?: ?年代|s(?![a-z]))"
)
_AGO = late(
    rf"(?<![满第每共前后])(?P<count>{_LONG}) ?(?P<unit>天|日|周|个?星期|个?礼拜|个月|年)(?:之|以)?(?P<way>前|后)"
)
_HALF_AGO = late("(?<![上下])半年(?:之|以)?(?P<way>前|后)")
_AGO_UNITS = {"天": "days", "日": "days", "周": "weeks", "期": "weeks", "拜": "weeks", "月": "months", "年": "years"}
_DAY_WORD = late(rf"{_NO_HEAD}(?:(?P<base>{_names(_DAYS)})|(?P<text>{_names(_TEXT_DAYS)})){_NO_TAIL}")
_WEEK = late(
    rf"(?<![晚早以])(?P<quarter>{_names(_QUARTERS)})季度"
    r"|(?<![晚早以])(?P<which>上上|下下|上|下|本|这)?个?(?P<name>周|星期"
    r"|礼拜)(?P<day>一(?![场次个起直共度样])|[二三四五六日天])?(?![0-9年期刊边围末])"
)


def whole(text: str) -> int | None:
    """The value of digits or Chinese numerals as an int, or None."""
    if text.isascii():
        return int(text) if text.isdigit() else None
    numeral = read_numeral(text)
    return int(numeral.value) if numeral and numeral.high is None else None


def read_chinese(line: str, at: int, *, joined: bool = False) -> Point | None:
    """The date in Chinese or digits that starts here, or None; `joined`: as the end of a range, after a dash."""
    if line[at].isdigit():
        numeric = None if not joined and _inside(line, at) else _numeric(line, at)
        return numeric or _decade(line, at) or _calendar(line, at) or _ago(line, at)
    return _calendar(line, at) or _decade(line, at) or _ago(line, at) or _day_word(line, at) or _week(line, at)


def read_rest(line: str, at: int, first: Point) -> Point | None:
    """The second end of a range that leaves out what the first said: the 30日 of 8月1日至30日."""
    in_month = first.month is not None or (first.shift is not None and first.shift[0] == "month")
    if first.day is not None and in_month:
        day = _DAY.match(line, at)
        if day is not None:
            return Point(at, day.end(), first.rule, "day", day=whole(day["day"]))
    if first.precision == "year" and first.year is not None and (year := _LAST_YEAR.match(line, at)):
        return Point(at, year.end(), first.rule, "year", int(year["year"]))
    return None


def _inside(line: str, at: int) -> bool:
    """Whether the digits here are the tail of a serial number or a version."""
    if at == 0 or not line[at - 1].isascii():
        return at > 0 and line[at - 1] == "第"
    return line[at - 1].isalpha() or (
        line[at - 1] in "./-_" and at > 1 and line[at - 2].isascii() and line[at - 2].isalnum()
    )


def _numeric(line: str, at: int) -> Point | None:
    if found := _ISO.match(line, at):
        return Point(at, found.end(), "numeric", "day", int(found["year"]), int(found["month"]), int(found["day"]))
    if found := _COMPACT.match(line, at):
        return Point(at, found.end(), "compact", "day", int(found["year"]), int(found["month"]), int(found["day"]))
    if found := _ISO_MONTH.match(line, at):
        return Point(at, found.end(), "numeric", "month", int(found["year"]), int(found["month"] or found["month2"]))
    if found := _QUARTER.match(line, at):
        return quarter(at, found.end(), int(found["year"]), found["kind"], int(found["part"]))
    if found := _SHORT_YEAR.match(line, at):
        year, month, day = int(found["year"]), int(found["month"]), int(found["day"])
        return Point(at, found.end(), "numeric", "day", year, month, day, reason="two_digit_year")
    return _slashed(line, at) or _short_slashed(line, at)


def quarter(at: int, end: int, year: int, kind: str, part: int) -> Point | None:
    """A quarter (kind q) or a half (kind h) of a year."""
    if kind == "h" and part > 2:
        return None
    return Point(at, end, "quarter", "quarter" if kind == "q" else "half", year, part=f"{kind}{part}")


def _slashed(line: str, at: int) -> Point | None:
    found = _SLASHED.match(line, at)
    if found is None:
        return None
    if found["of"]:
        return Point(at, found.end(), "numeric", "month", int(found["of"]), int(found["month"]))
    one, two, year = int(found["one"]), int(found["two"]), int(found["year"])
    month, day = (two, one) if one > 12 else (one, two)
    reason = "day_month_order" if one <= 12 and two <= 12 and one != two else ""
    return Point(at, found.end(), "numeric", "day", year, month, day, reason=reason)


def _short_slashed(line: str, at: int) -> Point | None:
    """12/25/24: the month first and the year in two digits, where it cannot be read as a year first."""
    found = _MONTH_FIRST.match(line, at)
    if found is None:
        return None
    month, day, year = int(found["month"]), int(found["day"]), int(found["year"])
    return Point(at, found.end(), "numeric", "day", year, month, day, reason="two_digit_year")


def _decade(line: str, at: int) -> Point | None:
    found = _DECADE.match(line, at)
    if found is None:
        return None
    if found["full"]:
        return Point(at, found.end(), "decade", "decade", int(found["full"]), part="decade")
    decade, century = whole(found["decade"]), whole(found["century"] or "20")
    if decade is None or century is None or decade % 10 or (found["century"] is None and decade < 20):
        return None
    known = found["century"] or line[max(0, at - 3) : at] == "上世纪"
    year = (century - 1) * 100 + decade
    return Point(at, found.end(), "decade", "decade", year, part="decade", reason="" if known else "two_digit_year")


def _calendar(line: str, at: int) -> Point | None:
    """2020年8月30日 and all that leaves out its head or its tail."""
    if _LUNAR.search(line[max(0, at - 12) : at]):
        return None
    year = _YEAR.match(line, at)
    if year is None:
        bare = _BARE_YEAR.match(line, at)
        if bare and not _inside(line, at):
            return Point(at, bare.end(), "chinese", "year", int(bare["full"]))
        return _month_day(line, at, Point(at, at, "chinese", "year"))
    point = _year(year, at)
    return None if point is None else _after_year(line, point)


def _year(found: re.Match[str], at: int) -> Point | None:
    end = found.end()
    if found["era"]:
        count = 1 if found["era_year"] == "元" else whole(found["era_year"])
        rule = "roc_year" if found["era"] == "民国" else "japanese_era"
        return None if not count else Point(at, end, rule, "year", _ERAS[found["era"]] + count)
    if found["full"] or found["early"]:
        return Point(at, end, "chinese", "year", whole(found["full"] or found["early"]))
    if found["short"]:
        return Point(at, end, "chinese", "year", whole(found["short"]), reason="two_digit_year")
    if found["roc"]:
        return Point(at, end, "roc_year", "year", 1911 + (whole(found["roc"]) or 0), reason="roc_year_assumed")
    anchor, table = ("base", _YEARS) if found["relative"] else ("text", _TEXT_YEARS)
    return Point(at, end, "relative", "year", anchor=anchor, shift=("year", table[found["relative"] or found["text"]]))


def _after_year(line: str, point: Point) -> Point | None:
    if point.rule in ("roc_year", "japanese_era") and (found := _ERA_NUMERIC.match(line, point.end)):
        return point._replace(end=found.end(), precision="day", month=int(found["month"]), day=int(found["day"]))
    full = _month_day(line, point.end, point)
    if full is not None:
        return full
    if feast := _HOLIDAY.match(line, point.end):
        month, day = _HOLIDAYS[feast[1]]
        return point._replace(end=feast.end(), precision="day", month=month, day=day)
    found = _AFTER_YEAR.match(line, point.end)
    if found is None:
        return point
    name = found["quarter"] or found["quarter2"] or found["quarter3"]
    if name:
        return point._replace(end=found.end(), precision="quarter", part=f"q{_ORDER[name]}")
    if found["half"]:
        return point._replace(end=found.end(), precision="half", part="h1" if found["half"][0] == "上" else "h2")
    return point._replace(
        end=found.end(), precision="part", part=(found["part"] or found["season"]).replace("末", "底")
    )


def _month_day(line: str, at: int, point: Point) -> Point | None:
    found = _MONTH.match(line, at)
    if found is None:
        span = _MONTH_SPAN.match(line, at)
        return point._replace(end=span.end(), precision="month", month=whole(span["month"])) if span else None
    if found["month"]:
        return _after_month(line, point._replace(end=found.end(), precision="month", month=whole(found["month"])))
    if point.year is not None or point.shift is not None:
        return None
    name = found["relative"] or found["text"]
    anchor, table = ("base", _MONTHS) if found["relative"] else ("text", _TEXT_MONTHS)
    point = point._replace(
        end=found.end(), rule="relative", precision="month", anchor=anchor, shift=("month", table[name])
    )
    return _after_month(line, point)


def _after_month(line: str, point: Point) -> Point | None:
    if span := _DAY_SPAN.match(line, point.end):
        return point._replace(end=span.end(), precision="day", day=whole(span["day"]))
    found = _AFTER_MONTH.match(line, point.end)
    if found is None:
        return _bare_day(line, point)
    if found["part"]:
        return point._replace(end=found.end(), precision="part", part=found["part"].replace("末", "底"))
    return point._replace(end=found.end(), precision="day", day=whole(found["day"] or found["day2"]))


def _bare_day(line: str, point: Point) -> Point | None:
    """八月十五 without 日 is a lunar date, but with a year before it an ordinary one."""
    found = _HAN_DAY.match(line, point.end)
    if found is None:
        return point
    if point.year is None:
        return None if found["end"] is not None else point
    return (
        point._replace(end=found.end("day"), precision="day", day=whole(found["day"]))
        if found["end"] is not None
        else point
    )


def _ago(line: str, at: int) -> Point | None:
    if half := _HALF_AGO.match(line, at):
        months = -6 if half["way"] == "前" else 6
        return Point(at, half.end(), "relative", "day", anchor="base", shift=("months", months))
    found = _AGO.match(line, at)
    count = whole(found["count"]) if found else None
    if found is None or count is None or (found["unit"] == "年" and count >= 1000):
        return None
    unit = _AGO_UNITS[found["unit"][-1]]
    return Point(
        at, found.end(), "relative", "day", anchor="base", shift=(unit, -count if found["way"] == "前" else count)
    )


def _day_word(line: str, at: int) -> Point | None:
    found = _DAY_WORD.match(line, at)
    if found is None:
        return None
    anchor, table = ("base", _DAYS) if found["base"] else ("text", _TEXT_DAYS)
    return Point(
        at, found.end(), "relative", "day", anchor=anchor, shift=("days", table[found["base"] or found["text"]])
    )


def _week(line: str, at: int) -> Point | None:
    found = _WEEK.match(line, at)
    if found is None:
        return None
    point = Point(at, found.end(), "relative", "week", anchor="base")
    if found["quarter"]:
        return point._replace(precision="quarter", shift=("quarter", _QUARTERS[found["quarter"]]))
    if found["which"] is None and found["day"] is None:
        return None
    weeks = _WEEKS[found["which"] or "本"]
    if not found["day"]:
        return point._replace(shift=("week", weeks))
    day = "一二三四五六日".index(found["day"].replace("天", "日"))
    return point._replace(
        precision="day", day=day, shift=("weekday", weeks), reason="" if found["which"] else "weekday"
    )
