"""Single dates as written, before they are laid on the calendar: which year, month, day or part a phrase names."""

import re
from typing import Literal, NamedTuple

from ragstone.text.number_words import HAN, read_numeral

Precision = Literal["day", "part", "week", "month", "quarter", "half", "year", "decade"]
"""part: 上旬, 月底, early August, 年初."""


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
    """上旬 中旬 下旬 初 中 底, q1..q4, h1, h2, decade."""
    anchor: str = ""
    """What the date is counted from: base (昨天), text (次日), or nothing."""
    shift: tuple[str, int] | None = None
    """Unit (day, week, month, quarter, year, weekday) and how many, from the anchor."""
    reason: str = ""
    """Why the phrase can be read in more than one way."""


N = r"(?:[0-9]{1,2}(?![0-9])|[一二三四五六七八九十廿卅]{1,3})"
_LONG = rf"(?:[0-9]{{1,4}}(?![0-9])|[{HAN}]{{1,6}})"
TO = r" ?(?:-{1,2}|~|至|到|起至|起,至|起到) ?"
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
    "大前天": -3, "前天": -2, "前日": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "今天": 0, "今日": 0, "今晚": 0, "今晨": 0, "今早": 0,
    "明天": 1, "明日": 1, "明早": 1, "明晚": 1, "后天": 2, "后日": 2, "大后天": 3,
}  # fmt: skip
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
_CN_DIGIT = {"一": 1, "二": 2, "三": 3, "四": 4, "1": 1, "2": 2, "3": 3, "4": 4}


def _names(*tables: dict[str, int]) -> str:
    return "|".join(sorted({name for table in tables for name in table}, key=len, reverse=True))


_YEAR = re.compile(
    rf"(?:中华)?(?P<era>{'|'.join(_ERAS)}) ?(?P<era_year>元|{_LONG}) ?(?:年度?|(?=[-/.][0-9]{{1,2}}[-/.][0-9]))"
    r"|(?P<full>[12][0-9]{3}|[一二][〇零一二三四五六七八九]{3}) ?(?P<fill>年度|年|财年)(?!代)"
    rf"|(?P<short>[0-9]{{2}}|[〇零一二三四五六七八九]{{2}}) ?年(?= ?{N} ?月(?!大|个)|[初底末](?!步|级)|年[初底中末])"
    rf"|(?P<relative>{_names(_YEARS)})|(?P<text>{_names(_TEXT_YEARS)})"
)
_AFTER_YEAR = re.compile(
    r" ?(?:的? ?(?:第 ?(?P<quarter>[一二三四1-4]) ?季度?|(?P<quarter2>[一二三四1-4]) ?季度|q(?P<quarter3>[1-4]))|(?P<half>上半年|下半年)"
    r"|年?(?P<part>初(?!中|步|级|次|期)|底|末|中(?=$|[,;. 旬至到以前后左开时期])))"
)
_MONTH = re.compile(
    rf" ?(?P<month>{N}) ?月(?!内|供|租|薪|饼|亮|球|子|刊|以内|之内|大)(?:份(?!额))?|(?P<relative>{_names(_MONTHS)})(?:份(?!额))?|(?P<text>{_names(_TEXT_MONTHS)})(?:份(?!额))?"
)
_AFTER_MONTH = re.compile(
    rf" ?(?:(?P<part>上旬|中旬|下旬|初(?![一二三四五六七八九十步级])|底|末|中(?=$|[,;. 至到以前后左]))|(?P<day>{N}) ?(?:日|号(?!楼|院|线)))"
)
_MONTH_SPAN = re.compile(rf" ?(?P<month>{N})(?={TO}{N} ?月)")
_DAY_SPAN = re.compile(rf" ?(?P<day>{N})(?={TO}{N} ?[日号])")
_DAY = re.compile(rf" ?(?P<day>{N}) ?(?:日|号(?!楼|院|线))")
_BARE_YEAR = re.compile(rf"(?P<full>[12][0-9]{{3}})(?={TO}[12][0-9]{{3}} ?年)")
_LUNAR = re.compile(r"(?:农历|阴历|旧历|夏历)[^,;.]{0,8}$")

_ISO = re.compile(
    r"(?P<year>[12][0-9]{3}) ?(?P<mark>[-/.]) ?(?P<month>[0-9]{1,2}) ?(?P=mark) ?(?P<day>[0-9]{1,2})(?![0-9]|(?P=mark)[0-9])(?:t[0-9]{2}:[0-9]{2}[0-9:.]*+z?)?"
)
_ISO_MONTH = re.compile(
    r"(?P<year>(?:19|20)[0-9]{2})(?:(?P<mark>[-.])(?P<month>0[1-9]|1[0-2])|/(?P<month2>0?[1-9]|1[0-2]))(?![0-9./]|-[0-9]|[%元万亿k])"
)
_COMPACT = re.compile(
    r"(?P<year>(?:19|20)[0-9]{2})(?P<month>0[1-9]|1[0-2])(?P<day>[0-2][0-9]|3[01])(?![0-9a-z.,]|[元万亿个])"
)
_SLASHED = re.compile(
    r"(?P<one>[0-9]{1,2})(?P<mark>[-/.])(?P<two>[0-9]{1,2})(?P=mark)(?P<year>[12][0-9]{3})(?![0-9]|(?P=mark))"
)
_ERA_NUMERIC = re.compile(r"[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})(?![0-9])")
_QUARTER = re.compile(r"(?P<year>[12][0-9]{3})[ -]?(?P<kind>[qh])(?P<part>[1-4])(?![0-9a-z])")
_DECADE = re.compile(
    r"(?:(?P<century>[0-9]{2}|[一二]?十[一二三四五六七八九]?) ?世纪 ?)?(?P<decade>[0-9]{2}|[一二三四五六七八九]十) ?年代|(?P<full>[12][0-9]{2}0)(?: ?年代|s(?![a-z]))"
)
_AGO = re.compile(rf"(?P<count>{_LONG}|两) ?(?P<unit>天|日|周|个?星期|个?礼拜|个?月|年)(?:之|以)?(?P<way>前|后)")
_WEEK = re.compile(
    r"(?P<which>上上|下下|上|下|本|这)?个?(?P<name>周|星期|礼拜)(?P<day>[一二三四五六日天])?(?![0-9年期刊边围末])"
)

_EN_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
EN_MONTH = "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_TH = "(?:st|nd|rd|th)?(?![a-z0-9])"
_Y = r"(?:(?:,| of)? ?(?P<year>[12][0-9]{3})(?![0-9]))"
_MDY = re.compile(rf"(?P<month>{EN_MONTH})\.? (?:the )?(?P<day>[0-9]{{1,2}}){_TH}{_Y}?")
_DMY = re.compile(rf"(?P<day>[0-9]{{1,2}}){_TH} (?:of )?(?P<month>{EN_MONTH})(?![a-z])\.?{_Y}?")
_MY = re.compile(rf"(?P<month>{EN_MONTH})(?![a-z])\.?{_Y}")
_DAY_EN = re.compile(rf"(?P<day>[0-9]{{1,2}}){_TH}(?= ?(?:-|to|until|through) ?[0-9]{{1,2}}{_TH} (?:of )?{EN_MONTH})")
_DAY_LATE = re.compile(rf"(?P<day>[0-9]{{1,2}}){_TH}{_Y}?")
_MONTH_EN = re.compile(rf"(?P<month>{EN_MONTH})(?![a-z])\.?")
_PART_EN = re.compile(
    rf"(?P<part>early|mid|late|beginning of|end of|middle of)[ -](?:the )?(?:(?P<month>{EN_MONTH})(?![a-z])\.?{_Y}?|(?P<only>[12][0-9]{{3}})(?![0-9]))"
)
_QUARTER_EN = re.compile(
    r"(?:(?P<kind>[qh])(?P<part>[1-4])|(?P<word>first|second|third|fourth) (?P<name>quarter|half))(?: of|,)? ?(?P<year>[12][0-9]{3})(?![0-9])"
)
_RELATIVE_EN = re.compile(
    r"(?P<plain>the day before yesterday|the day after tomorrow|yesterday|today|tomorrow)(?![a-z])"
    r"|(?P<which>last|this|next|previous) (?P<unit>week|month|year|quarter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?![a-z])"
    rf"|(?P<which2>last|this|next) (?P<month>{EN_MONTH})(?![a-z])"
    r"|(?:(?P<lead>in) )?(?P<count>[0-9]{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten) (?P<of>day|week|month|year)s?(?: (?P<way>ago|later|from now|earlier|before))?(?![a-z])"
)
_IN_EN = re.compile(
    rf"(?:in|since|by|during|until|till|from|before|after|of|year|between|through|to)(?: the)?(?: year)? (?:(?P<year>1[5-9][0-9]{{2}}|20[0-9]{{2}})(?![0-9%]|[.,][0-9]| [a-z]*(?:people|yuan|dollars|words|items|units|users))|(?P<month>{EN_MONTH})(?![a-z]| ?[0-9]))"
)
_EN_DAYS = {"the day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "the day after tomorrow": 2}
_EN_COUNT = {word: at for at, word in enumerate("zero one two three four five six seven eight nine ten".split())} | {
    "a": 1,
    "an": 1,
}
_WHICH = {"上上": -2, "上": -1, "本": 0, "这": 0, "下": 1, "下下": 2, "last": -1, "previous": -1, "this": 0, "next": 1}
_EN_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_EN_PARTS = {"early": "初", "beginning of": "初", "mid": "中", "middle of": "中", "late": "底", "end of": "底"}


def whole(text: str) -> int | None:
    """The value of digits or Chinese numerals as an int, or None."""
    if text.isascii() and text.isdigit():
        return int(text)
    if text == "两":
        return 2
    numeral = read_numeral(text)
    return int(numeral.value) if numeral and numeral.high is None else None


def read_point(text: str, line: str, at: int, *, joined: bool = False) -> Point | None:
    """The date that starts at this place, or None."""
    first = line[at]
    if first.isdigit():
        numeric = None if not joined and _inside(line, at) else _numeric(line, at)
        return numeric or _decade(line, at) or _chinese(line, at) or _ago(line, at) or _english_digit(text, line, at)
    if first.isascii():
        return _english(text, line, at)
    return _chinese(line, at) or _decade(line, at) or _ago(line, at) or _day_word(line, at) or _week(line, at)


def read_second(text: str, line: str, at: int, first: Point) -> Point | None:
    """The second end of a range, which may leave out what the first end said."""
    point = read_point(text, line, at, joined=True)
    if point is not None:
        return point
    if first.day is not None and first.month is not None:
        if (day := _DAY.match(line, at)) is not None:
            return Point(at, day.end(), first.rule, "day", day=whole(day["day"]))
        if line[at].isdigit() and (late := _DAY_LATE.match(line, at)) is not None and first.rule.startswith("english"):
            return Point(at, late.end(), first.rule, "day", day=int(late["day"]), year=_int(late["year"]))
    if first.rule.startswith("english") and (name := _MONTH_EN.match(line, at)):
        return Point(at, name.end(), first.rule, "month", month=_month(name["month"]))
    return None


def _int(text: str | None) -> int | None:
    return int(text) if text else None


def _month(name: str) -> int:
    return _EN_MONTHS.index(name[:3]) + 1


def _inside(line: str, at: int) -> bool:
    """Whether the digits here are the tail of a serial number or a version."""
    if at == 0 or not line[at - 1].isascii():
        return False
    return line[at - 1].isalpha() or (line[at - 1] in "./-_" and at > 1 and line[at - 2].isalnum())


def _numeric(line: str, at: int) -> Point | None:
    if found := _ISO.match(line, at):
        return Point(at, found.end(), "numeric", "day", int(found["year"]), int(found["month"]), int(found["day"]))
    if found := _COMPACT.match(line, at):
        return Point(at, found.end(), "compact", "day", int(found["year"]), int(found["month"]), int(found["day"]))
    if found := _ISO_MONTH.match(line, at):
        return Point(at, found.end(), "numeric", "month", int(found["year"]), int(found["month"] or found["month2"]))
    if found := _QUARTER.match(line, at):
        return _quarter(at, found.end(), int(found["year"]), found["kind"], int(found["part"]))
    return _slashed(line, at)


def _quarter(at: int, end: int, year: int | None, kind: str, part: int) -> Point | None:
    if kind == "h" and part > 2:
        return None
    return Point(at, end, "quarter", "quarter" if kind == "q" else "half", year, part=f"{kind}{part}")


def _slashed(line: str, at: int) -> Point | None:
    found = _SLASHED.match(line, at)
    if found is None:
        return None
    one, two, year = int(found["one"]), int(found["two"]), int(found["year"])
    month, day = (two, one) if one > 12 else (one, two)
    reason = "day_month_order" if one <= 12 and two <= 12 and one != two else ""
    return Point(at, found.end(), "numeric", "day", year, month, day, reason=reason)


def _decade(line: str, at: int) -> Point | None:
    found = _DECADE.match(line, at)
    if found is None:
        return None
    if found["full"]:
        return Point(at, found.end(), "decade", "decade", int(found["full"]), part="decade")
    decade, century = whole(found["decade"]), whole(found["century"] or "20")
    if decade is None or century is None or decade % 10 or (found["century"] is None and decade < 20):
        return None
    reason = "" if found["century"] else "two_digit_year"
    return Point(at, found.end(), "decade", "decade", (century - 1) * 100 + decade, part="decade", reason=reason)


def _chinese(line: str, at: int) -> Point | None:
    if _LUNAR.search(line[max(0, at - 12) : at]):
        return None
    year = _YEAR.match(line, at)
    if year is None:
        bare = _BARE_YEAR.match(line, at)
        if bare:
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
    if found["full"]:
        return Point(at, end, "chinese", "year", whole(found["full"]))
    if found["short"]:
        return Point(at, end, "chinese", "year", whole(found["short"]), reason="two_digit_year")
    if found["relative"]:
        return Point(at, end, "relative", "year", anchor="base", shift=("year", _YEARS[found["relative"]]))
    return Point(at, end, "relative", "year", anchor="text", shift=("year", _TEXT_YEARS[found["text"]]))


def _after_year(line: str, point: Point) -> Point | None:
    if point.rule in ("roc_year", "japanese_era") and (found := _ERA_NUMERIC.match(line, point.end)):
        return point._replace(end=found.end(), precision="day", month=int(found["month"]), day=int(found["day"]))
    full = _month_day(line, point.end, point)
    if full is not None:
        return full
    found = _AFTER_YEAR.match(line, point.end)
    if found is None:
        return point
    quarter = found["quarter"] or found["quarter2"] or found["quarter3"]
    if quarter:
        return point._replace(end=found.end(), precision="quarter", part=f"q{_CN_DIGIT[quarter]}")
    if found["half"]:
        return point._replace(end=found.end(), precision="half", part="h1" if found["half"][0] == "上" else "h2")
    return point._replace(end=found.end(), precision="part", part=found["part"].replace("末", "底"))


def _month_day(line: str, at: int, point: Point) -> Point | None:
    found = _MONTH.match(line, at)
    if found is None:
        span = _MONTH_SPAN.match(line, at)
        if span is None or (
            point.year is None and point.shift is None and point.end == at and not _is_month(span["month"])
        ):
            return None
        return point._replace(end=span.end(), precision="month", month=whole(span["month"]))
    if found["month"]:
        point = point._replace(end=found.end(), precision="month", month=whole(found["month"]))
    elif point.year is not None or point.shift is not None:
        return None
    else:
        name = found["relative"] or found["text"]
        anchor, table = ("base", _MONTHS) if found["relative"] else ("text", _TEXT_MONTHS)
        point = point._replace(
            end=found.end(), rule="relative", precision="month", anchor=anchor, shift=("month", table[name])
        )
    return _after_month(line, point)


def _is_month(text: str) -> bool:
    value = whole(text)
    return value is not None and 1 <= value <= 12


def _after_month(line: str, point: Point) -> Point:
    if span := _DAY_SPAN.match(line, point.end):
        return point._replace(end=span.end(), precision="day", day=whole(span["day"]))
    found = _AFTER_MONTH.match(line, point.end)
    if found is None:
        return point
    if found["day"]:
        return point._replace(end=found.end(), precision="day", day=whole(found["day"]))
    return point._replace(end=found.end(), precision="part", part=found["part"].replace("末", "底"))


def _ago(line: str, at: int) -> Point | None:
    found = _AGO.match(line, at)
    count = whole(found["count"]) if found else None
    if found is None or count is None or (found["unit"] == "年" and count >= 1000):
        return None
    unit = {"天": "day", "日": "day", "周": "week", "期": "week", "拜": "week", "月": "month", "年": "year"}[
        found["unit"][-1]
    ]
    if unit == "month" and "个" not in found["unit"]:
        return None
    return Point(
        at, found.end(), "relative", "day", anchor="base", shift=(f"{unit}s", -count if found["way"] == "前" else count)
    )


_DAY_WORD = re.compile(f"(?P<base>{_names(_DAYS)})|(?P<text>{_names(_TEXT_DAYS)})")


def _day_word(line: str, at: int) -> Point | None:
    found = _DAY_WORD.match(line, at)
    if found is None:
        return None
    if found["base"]:
        return Point(at, found.end(), "relative", "day", anchor="base", shift=("days", _DAYS[found["base"]]))
    return Point(at, found.end(), "relative", "day", anchor="text", shift=("days", _TEXT_DAYS[found["text"]]))


def _week(line: str, at: int) -> Point | None:
    found = _WEEK.match(line, at)
    if found is None or (found["which"] is None and found["day"] is None):
        return None
    weeks = _WHICH[found["which"] or "本"]
    if not found["day"]:
        return Point(at, found.end(), "relative", "week", anchor="base", shift=("week", weeks))
    day = "一二三四五六日".index(found["day"].replace("天", "日"))
    reason = "" if found["which"] else "weekday"
    return Point(at, found.end(), "relative", "day", day=day, anchor="base", shift=("weekday", weeks), reason=reason)


def _english_digit(text: str, line: str, at: int) -> Point | None:
    if found := _DMY.match(line, at):
        if _is_verb(text, found):
            return None
        return Point(at, found.end(), "english", "day", _int(found["year"]), _month(found["month"]), int(found["day"]))
    if found := _DAY_EN.match(line, at):
        return Point(at, found.end(), "english_day", "day", day=int(found["day"]))
    return _relative_en(text, line, at)


def _is_verb(text: str, found: re.Match[str]) -> bool:
    """Whether may or march is written small and so is rather the verb."""
    place = found.start("month")
    return found["month"] in ("may", "march", "mar") and text[place].islower()


def _english(text: str, line: str, at: int) -> Point | None:
    if at and line[at - 1].isascii() and line[at - 1].isalnum():
        return None
    for pattern in (_MDY, _MY):
        found = pattern.match(line, at)
        if found and not _is_verb(text, found):
            day = int(found["day"]) if pattern is _MDY else None
            return Point(
                at, found.end(), "english", "day" if day else "month", _int(found["year"]), _month(found["month"]), day
            )
    if found := _PART_EN.match(line, at):
        year, month = _int(found["year"] or found["only"]), _month(found["month"]) if found["month"] else None
        return Point(at, found.end(), "english", "part", year, month, part=_EN_PARTS[found["part"]])
    if found := _QUARTER_EN.match(line, at):
        kind = found["kind"] or found["name"][0]
        part = int(found["part"] or ["first", "second", "third", "fourth"].index(found["word"]) + 1)
        return _quarter(at, found.end(), int(found["year"]), "q" if kind == "q" else "h", part)
    return _relative_en(text, line, at) or _after_preposition(text, line, at)


def _after_preposition(text: str, line: str, at: int) -> Point | None:
    found = _IN_EN.match(line, at)
    if found is None:
        return None
    if found["year"]:
        return Point(found.start("year"), found.end(), "english", "year", int(found["year"]))
    if _is_verb(text, found):
        return None
    return Point(found.start("month"), found.end(), "english", "month", month=_month(found["month"]))


def _relative_en(text: str, line: str, at: int) -> Point | None:
    found = _RELATIVE_EN.match(line, at)
    if found is None:
        return None
    point = Point(at, found.end(), "relative", "day", anchor="base")
    if found["plain"]:
        return point._replace(shift=("days", _EN_DAYS[found["plain"]]))
    if found["count"]:
        return _counted_en(found, point)
    if found["month"]:
        if _is_verb(text, found):
            return None
        return point._replace(
            precision="month",
            month=_month(found["month"]),
            shift=("year", _WHICH[found["which2"]]),
            reason="which_year",
        )
    which, unit = _WHICH[found["which"]], found["unit"]
    if unit in _EN_WEEKDAYS:
        return point._replace(day=_EN_WEEKDAYS.index(unit), shift=("weekday", which), reason="weekday")
    return point._replace(precision=unit, shift=(unit, which))


def _counted_en(found: re.Match[str], point: Point) -> Point | None:
    way = found["way"]
    if (found["lead"] is None) == (way is None):
        return None
    count = _EN_COUNT.get(found["count"]) or int(found["count"])
    return point._replace(shift=(found["of"] + "s", -count if way in ("ago", "earlier", "before") else count))
