"""Numbers, dates and times of day as Japanese and Korean write them: 다섯 권, 7천 원, 24か月, 午前9時半.

Each find is told as (start, end, measure, amount, factor) in the units of `dimensions`, so that values can compare it.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from typing import NamedTuple

from ragstone.reading.cues import cue
from ragstone.text.late import late
from ragstone.text.numbers.words import read_numeral

_TENS: dict[str, int] = dict(
    zip(
        ["열", "스무", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"],
        (10, 20, *range(20, 100, 10)),
        strict=True,
    )
)
_ONES: dict[str, int] = {
    **dict(zip(["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉"], range(1, 10), strict=True)),
    **dict(zip(["하나", "둘", "셋", "넷"], range(1, 5), strict=True)),
    "석": 3,
    "넉": 4,
    "서": 3,
    "너": 4,
}
_SINO: dict[str, int] = dict(zip("일이삼사오육칠팔구", range(1, 10), strict=True)) | {"영": 0, "공": 0}
_PLACES: dict[str, int] = {"십": 10, "백": 100, "천": 1000}
_NATIVE = rf"(?:{'|'.join(_TENS)})?(?:{'|'.join(sorted(_ONES, key=len, reverse=True))})|{'|'.join(_TENS)}"
_DIGITS = r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?"
_KO_UNITS = {
    "month": "개월=1 달=1 년=12 해=12",
    "second": "시간=3600 분=60 초=1 일=86400 주일=604800 주=604800 하루=86400",
    "share": "퍼센트=0.01 프로=0.01 %=0.01",
    "money": "원=1",
    "metre": "킬로미터=1000 km=1000 미터=1 센티미터=0.01 센티=0.01 cm=0.01 밀리미터=0.001",
    "gram": "킬로그램=1000 kg=1000 그램=1",
    "litre": "리터=1 밀리리터=0.001",
    "times": "번=1 회=1 차례=1",
    "area": "제곱미터=1 평방미터=1 평=3.3058",
    "count": ("명=1 사람=1 권=1 개=1 장=1 대=1 살=1 세=1 곳=1 마리=1 가지=1 건=1 통=1 잔=1 병=1 층=1 알=1 정=1"),
}
_JA_UNITS = {
    "month": "か月=1 ヶ月=1 カ月=1 ヵ月=1 ケ月=1 箇月=1 か月间=1 ヶ月间=1 年间=12",
    "second": "时间=3600 分间=60 秒间=1 日间=86400 周间=604800",
    "share": "割=0.1 パーセント=0.01",
    "metre": "キロメートル=1000 メートル=1 センチメートル=0.01 センチ=0.01 ミリメートル=0.001",
    "gram": "キログラム=1000 グラム=1",
    "litre": "リットル=1 ミリリットル=0.001",
    "times": "回=1",
    "count": "册=1 枚=1 台=1 匹=1 头=1 歳=1 岁=1 か所=1 ヶ所=1",
}


def _table(units: dict[str, str]) -> dict[str, tuple[str, Decimal]]:
    pairs = ((one.split("="), measure) for measure, told in units.items() for one in told.split())
    return {unit: (measure, Decimal(factor)) for (unit, factor), measure in pairs}


_UNITS = _table(_KO_UNITS) | _table(_JA_UNITS) | {"分": ("second", Decimal(60))}
_KO_DAYS = {"이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "열흘": 10, "보름": 15}
_KO = sorted((unit for unit in _table(_KO_UNITS)), key=len, reverse=True)
_JA = sorted((unit for unit in _table(_JA_UNITS)), key=len, reverse=True)
_KO_VALUE = late(
    rf"(?:(?P<digits>{_DIGITS}(?:(?: ?{_DIGITS})? ?[백천만억조])*)"
    rf"|(?<![\uac00-\ud7a3])(?P<native>{_NATIVE})|(?<![\uac00-\ud7a3])(?P<sino>[일이삼사오육칠팔구십백천만]+))"
    rf" ?(?P<unit>{'|'.join(_KO)})(?P<half> ?반(?![\uac00-\ud7a3]))?|(?P<halved>반) ?(?:년|달|나절|시간)"
    rf"|(?<![\uac00-\ud7a3])(?P<days>{'|'.join(_KO_DAYS)})"
)
_KO_CLOCK = late(
    rf"(?:(?P<am>오전|아침|새벽)|(?P<pm>오후|저녁|밤))? ?(?:(?P<hour>[0-9]{{1,2}})|(?P<word>{_NATIVE})) ?시(?!간)"
    rf"(?: ?(?:(?P<minute>[0-9]{{1,2}})|(?P<sino>[일이삼사오육칠팔구십]+)) ?분|(?P<half> ?반))?"
)
_JA_VALUE = cue(
    rf"(?<![千万億亿])(?P<digits>{_DIGITS}|[〇零一二三四五六七八九十百千]+) ?(?P<big>[千万億亿]?)"
    rf"(?P<unit>{'|'.join(_JA)}|分(?=以内|以上|ほど|くらい|ぐらい|程度|後|前|おき|ごと|で|に|か|を|は|です)|(?<=[千万億亿一二三四五六七八九十百])円)(?P<half>半)?"
)
_JA_CLOCK = cue(
    r"(?:(?P<am>午前|朝)|(?P<pm>午後|午后|夕方|夜))? ?"
    r"(?P<hour>[0-9]{1,2}|十[一二]?|[一二三四五六七八九]) ?时(?!间|代|期|々|に?な)"
    r"(?:(?P<minute>[0-9]{1,2}|[二三四五]?十[一二三四五六七八九]?)分|(?P<half>半))?"
)
_DATE = cue(
    r"(?:(?P<year>[0-9]{4})년 ?)?(?P<month>[0-9]{1,2})월(?: ?(?P<day>[0-9]{1,2})일)?|(?P<alone>[12][0-9]{3})년(?! ?간)"
)
_HANGUL, _KANA = late(r"[\uac00-\ud7a3]"), cue(r"[\u3041-\u30ff]|[0-9一二三四五六七八九十] ?(?:时间|割|円)")
_SIGN = cue(r"[\u3041-\u30ff\uac00-\ud7a3时割円](?:(?<!时)|(?=间))")
"""One of these is in every text that is read here: a set alone is looked for several times as fast."""
_BIG = {"만": 10**4, "억": 10**8, "조": 10**12, "千": 1000, "万": 10**4, "億": 10**8, "亿": 10**8, "": 1}
_PART = late(rf"{_DIGITS}|[백천만억조]")


_MOST = 20_000
"""Numbers of one kind that are read in one text."""


class Eastern(NamedTuple):
    """A number, a date or a time of day, in the smallest unit of its measure."""

    start: int
    end: int
    measure: str
    amount: Decimal
    factor: Decimal = Decimal(1)
    year: int = 0
    month: int = 0
    day: int = 0
    sure: bool = True


def find_eastern(folded: str) -> list[Eastern]:
    """What a folded text with kana or Hangul says of numbers, dates and times, in order; nothing in other texts."""
    if not _SIGN.search(folded):
        return []
    readers: tuple[Iterator[Eastern], ...] = ()
    if _HANGUL.search(folded):
        readers = (_dates(folded), _clocks(folded, _KO_CLOCK), _korean(folded))
    elif _KANA.search(folded):
        readers = (_clocks(folded, _JA_CLOCK), _japanese(folded))
    found = [one for reader in readers for one in islice(reader, _MOST)]
    kept: list[Eastern] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _korean(folded: str) -> Iterator[Eastern]:
    for match in _KO_VALUE.finditer(folded):
        if match["halved"]:
            months = "년" in match[0] or "달" in match[0]
            amount = Decimal(6 if "년" in match[0] else "0.5") if months else Decimal(1800)
            yield Eastern(match.start(), match.end(), "month" if months else "second", amount)
            continue
        if match["days"]:
            yield Eastern(match.start(), match.end(), "second", Decimal(_KO_DAYS[match["days"]] * 86400))
            continue
        measure, factor = _UNITS[match["unit"]]
        if match["unit"] == "분" and match["native"]:
            measure, factor = "count", Decimal(1)
        word = match["native"] or match["sino"]
        amount = Decimal(_word(word)) if word else _amount(match["digits"])
        amount += Decimal("0.5") if match["half"] else 0
        yield Eastern(match.start(), match.end(), measure, amount * factor, factor)


def _japanese(folded: str) -> Iterator[Eastern]:
    for match in _JA_VALUE.finditer(folded):
        read = read_numeral(match["digits"].replace(",", ""))
        if read is None:
            continue
        measure, factor = _UNITS.get(match["unit"], ("money", Decimal(1)))
        amount = read.value * _BIG[match["big"]] + (Decimal("0.5") if match["half"] else 0)
        yield Eastern(match.start(), match.end(), measure, amount * factor, factor)


def _amount(digits: str) -> Decimal:
    """7천, 4만 5천, 3천만, 1억 2천만."""
    total = section = Decimal(0)
    last: Decimal | None = None
    for piece in _PART.findall(digits):
        if piece[0].isdigit():
            last = Decimal(piece.replace(",", ""))
        elif piece in _PLACES:
            section, last = section + (last or 1) * _PLACES[piece], None
        else:
            total, section, last = total + (section + (last or 0) or 1) * _BIG[piece], Decimal(0), None
    return total + section + (last or 0)


def _word(word: str) -> int:
    """열두, 스물, 사십."""
    for tens, value in _TENS.items():
        if word.startswith(tens):
            return value + _ONES.get(word[len(tens) :], 0)
    if word in _ONES:
        return _ONES[word]
    if "만" in word:
        many, _, rest = word.partition("만")
        return (_word(many) or 1) * _BIG["만"] + _word(rest)
    total = last = 0
    for char in word:
        total += (last or 1) * _PLACES[char] if char in _PLACES else 0
        last = 0 if char in _PLACES else _SINO.get(char, 0)
    return total + last


def _clocks(folded: str, pattern: re.Pattern[str]) -> Iterator[Eastern]:
    for match in pattern.finditer(folded):
        told = match.groupdict()
        hour = _read(told["hour"], told.get("word"))
        if not hour or hour > 24:
            continue
        minute = 30 if told["half"] else _read(told["minute"], told.get("sino"))
        hour += 12 if told["pm"] and hour < 12 else 0
        sure = bool(told["am"] or told["pm"]) or hour > 12
        yield Eastern(match.start(), match.end(), "clock", Decimal(hour * 60 + minute), sure=sure)


def _read(digits: str | None, word: str | None) -> int:
    if digits:
        read = read_numeral(digits)
        return int(read.value) if read else 0
    return _word(word) if word else 0


def _dates(folded: str) -> Iterator[Eastern]:
    for match in _DATE.finditer(folded):
        year = int(match["year"] or match["alone"] or 0)
        month, day = int(match["month"] or 0), int(match["day"] or 0)
        if month <= 12 and day <= 31:
            yield Eastern(match.start(), match.end(), "date", Decimal(0), year=year, month=month, day=day)
