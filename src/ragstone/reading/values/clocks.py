"""Times of day in any form: 上午九点, 下午3点半, 15:30, 9 am, nine o'clock; knows no date."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragstone.reading.cues import cue
from ragstone.text.numbers.words import read_numeral

_MORNING = "上午|早上|清晨|凌晨|早晨|早"
_EVENING = "下午|午后|傍晚|晚上|晚间|晚|夜里|夜间|深夜"
_HAN_HOUR = "二十[一二三四]?|十[一二三四五六七八九]?|[一二两三四五六七八九零]"
_HAN_MINUTE = "[二三四五]?十[一二三四五六七八九]?|零[一二三四五六七八九]"
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NEXT = "(?= ?(?:到|至|-|~) ?(?:上午|下午|早上|晚上|凌晨|中午|傍晚|晚|早)?[0-9一二两三四五六七八九十]{1,3} ?[点时:])"
_STARTS = (
    "(?=(?:整|钟|之?[前后])?(?:开|关|闭|营业|打烊|开始|结束|出发|集合|上[班课车]|下[班课车]|起飞|到达|抵达|发车|入场"
    "|截止)|之?[前后](?![者面])|起(?!点))"
)
_CLOCK = cue(
    r"(?![早晚]一点(?![半整钟零0-9一二三四五]))"
    rf"(?:(?:(?P<morning>{_MORNING})|(?P<evening>{_EVENING})|(?P<noon>中午|正午))的? ?)?"
    rf"(?:(?<![0-9.])(?<![0-9]:)(?P<hour>[0-9]{{1,2}})|(?<![一二三四五六七八九十百千万第])(?P<han>{_HAN_HOUR}))"
    rf"(?:(?::(?P<colon>[0-5][0-9])(?::[0-5][0-9])?(?![0-9:]))"
    rf"|(?P<mark> ?[点时](?!代|间|候|分|[一二三四五六七八九][^十\d分刻]))"
    rf"(?P<tail>(?P<half>半)|(?P<quarter>[一三])刻|(?P<minute>[0-5]?[0-9]|{_HAN_MINUTE})分?(?![0-9个元])|整|钟"
    rf"|{_NEXT}|{_STARTS})?)"
    r"(?: ?(?P<am>a\.?m\b)| ?(?P<pm>p\.?m\b))?",
    r"\b(?:(?P<short>[0-9]{1,2})|(?P<word>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))"
    r"(?: ?(?P<am2>a\.?m\b)| ?(?P<pm2>p\.?m\b)| (?P<oclock>o'clock)"
    r"(?: in the (?:(?P<forenoon>morning)|(?P<later>afternoon|evening)))?)",
)
_FIRST = cue("[0-9上早清凌下午傍晚夜深中正一二两三四五六七八九十零]", r"\b[otfsen]")
"""What every time of day begins with."""
_HINT = cue(
    "[:点时ap'](?:(?<=[0-9一二两三四五六七八九十零][:点时])|(?<= [点时])"
    r"|(?<=[0-9eonrtx ][ap])\.?m\b|(?<=o')clock)"
)
"""One of these is part of every time of day: am or pm behind a number or the end of its word."""
_REACH = 10
"""Characters of a time of day in front of its hint, at most."""
_RATIO = cue(r"(?:比例?|比分|比值|比率|ratio|scale|score)(?:为|是|约|达|of| |:){0,3}$")
_JOIN = cue(r" ?(?:到|至|-|~|to|and|until|till) ?")
_DAY, _HALF_DAY = 1440, 720
_MOST = 5000
"""Times that are read in one text."""


class Clock(NamedTuple):
    """One time of day."""

    start: int
    end: int
    minutes: int
    """Since midnight."""
    sure: bool
    """Whether it tells morning from evening."""


def find_clocks(folded: str) -> list[Clock]:
    """The times of day of a folded text, in order; the end of a span belongs to the same half day as its beginning."""
    found: list[Clock] = []
    spanned = False
    for match in _matches(folded):
        joined = bool(found) and _JOIN.fullmatch(folded, found[-1].end, match.start()) is not None
        clock = _clock(folded, match, joined)
        if clock is None:
            continue
        if len(found) == _MOST:
            break
        found.append(_paired(found[-1], clock, match) if joined and not spanned else clock)
        spanned = joined and not spanned
    return found


def _matches(folded: str) -> Iterator[re.Match[str]]:
    """What looks like a time of day, from left to right."""
    at = 0
    while hint := _HINT.search(folded, at):
        at = max(at, hint.start() - _REACH)
        while first := _FIRST.search(folded, at, hint.start()):
            match = _CLOCK.match(folded, first.start())
            at = max(match.end(), first.end()) if match else first.end()
            if match:
                yield match
        at = max(at, hint.start() + 1)


def _clock(folded: str, match: re.Match[str], joined: bool) -> Clock | None:
    hour, minute = _hour(match), _minute(match)
    if hour is None or hour > 24 or (match["mark"] and not joined and match["tail"] is None and not _part(match)):
        return None
    if match["colon"] and _RATIO.search(folded, max(0, match.start() - 12), match.start()):
        return None
    part = _part(match)
    if part == "evening" and hour < 12:
        hour += 12
    elif hour == 12 and (
        part == "morning" or (part == "evening" and match["evening"] and match["evening"][0] in "晚深夜")
    ):
        hour = 0
    elif part == "noon" and hour < 5:
        hour += 12
    sure = bool(part) or bool(match["colon"]) or hour > 12
    return Clock(match.start(), match.end(), (hour * 60 + minute) % _DAY, sure)


def _hour(match: re.Match[str]) -> int | None:
    if match["word"]:
        return _WORDS.index(match["word"]) + 1
    written = match["hour"] or match["short"] or match["han"]
    numeral = read_numeral(written)
    return int(numeral.value) if numeral else None


def _minute(match: re.Match[str]) -> int:
    if match["half"] or match["quarter"]:
        return 30 if match["half"] else 45 if match["quarter"] == "三" else 15
    written = match["colon"] or match["minute"]
    numeral = read_numeral(written.lstrip("零0") or "0") if written else None
    return int(numeral.value) if numeral else 0


def _part(match: re.Match[str]) -> str:
    if match["noon"]:
        return "noon"
    if match["morning"] or match["am"] or match["am2"] or match["forenoon"]:
        return "morning"
    return "evening" if match["evening"] or match["pm"] or match["pm2"] or match["later"] else ""


def _paired(first: Clock, second: Clock, match: re.Match[str]) -> Clock:
    """上午9点到5点 ends in the afternoon, 下午2点到5点 too."""
    if _part(match) or second.minutes > _HALF_DAY or not first.sure:
        return second
    later = second.minutes + _HALF_DAY if second.minutes <= first.minutes else second.minutes
    return second._replace(minutes=later % _DAY, sure=True)


def same_clock(one: int, other: int, *, sure: bool) -> bool:
    """Whether two times are one; unless both are sure, half a day apart is near enough."""
    return one == other if sure else (one - other) % _HALF_DAY == 0
