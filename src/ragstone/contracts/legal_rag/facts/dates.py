"""Dates and date ranges of a fact_exact question (R1.2, R1.3, R1.4)."""

import re
from collections.abc import Sequence
from datetime import date

from ragstone.contracts.legal_rag.cases import Period
from ragstone.contracts.legal_rag.facts.given import Given, Verdict, plain
from ragstone.core.types import JSON
from ragstone.reading.answers.told import Choice, Found, Told, answers
from ragstone.reading.cues import cue
from ragstone.text.dates.find import DateMention, find_dates
from ragstone.text.fold import fold

_NEAR = 60
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_ROC_DAY = re.compile(r"(?<![\d./-])((1\d\d)[./-](\d{1,2})[./-](\d{1,2}))(?![\d./-]*\d)")
_ROC_ZERO = 1911
_NEAR_YEARS = 30
_BOUND_BEFORE = cue(
    r"(?:不?[早晚迟先后]于|最[早晚迟]|至迟|截[至止]到?|直[到至])(?:是|在|于|为)?\W?$",
    r"\b(?:before|after|by|until|till|(?:earlier|later) than|prior to|following)(?: or on)?(?: the| about)? ?$",
)
_BOUND_AFTER = cue(
    r"[ )]?(?:当[天日])?(?:之前|之后|以前|以后|前夕|为止|前(?![后往来去妻夫述期任台])|后(?![来天期续面半悔经]))"
)
# 直到8月30日才签 and "not signed until 30 August" name the day itself.
_ONLY_THEN = cue(r"^[^,.;!?]{0,20}才")
_NOT_UNTIL = cue(r"(?:\bnot\b|n't\b)[^,.;!?]{0,40}\b(?:until|till) ?$")
_ASKS_BOUND = cue(
    r"前|之后|以后|截止|截至|最[迟晚早]|期限|限期|到期|不[早晚迟]于",
    r"\b(?:before|after|by when|by what|until|deadline|due|latest|earliest|later than)\b",
)

_ASKS_LATEST = cue(
    r"截止|截至|最[迟晚]|期限|限期|不[晚迟]于|之?前", r"\b(?:by (?:when|what)|deadline|latest|due|before)\b"
)
_FROM_THEN = cue(
    r"[日号]之?[以]?后|不[早先]于",
    r"\b(?:after|following|from)(?: the)? $|\b(?:not before|no earlier than|after)(?: the)? (?=[0-9a-z])",
)
"""A day from which on something holds; it is no last day."""
_AHEAD, _BEHIND = 20, 3


def compare_date(given: Given) -> Verdict:
    """Compare the one day that is asked for."""
    wanted = given.fact.date
    assert wanted is not None
    if isinstance(given.value, str) and _ISO.fullmatch(given.value):
        return Verdict(plain(given.value == wanted.isoformat(), given.value), wanted.isoformat())
    told = given.told
    spoken = [m for m in find_dates(told.text) if m.first is not None or m.month is not None]
    spoken = sorted(spoken + _roc_days(told.text, wanted), key=lambda mention: mention.start)
    return Verdict(_choose_date(told, spoken, wanted, given, bounds=True), wanted.isoformat())


def _roc_days(text: str, wanted: date) -> list[DateMention]:
    """Read 109.8.30 by the ROC calendar, where that falls near the expected day; no other calendar has such years."""
    found = []
    for match in _ROC_DAY.finditer(text):
        year, month, day = (int(part) for part in match.groups()[1:])
        try:
            read = date(year + _ROC_ZERO, month, day)
        except ValueError:
            continue
        if abs(read.year - wanted.year) <= _NEAR_YEARS:
            found.append(DateMention(match.start(1), match.end(1), match[1], read, read, "day", "roc_year"))
    return found


def _choose_date(
    told: Told, found: Sequence[DateMention], wanted: date, given: Given, *, bounds: bool = False
) -> Choice:
    words = given.told.asked
    against = _FROM_THEN if _ASKS_LATEST.search(words) and not _FROM_THEN.search(words) else None
    bounds = bounds and not _ASKS_BOUND.search(words)
    by_place = {mention.start: mention for mention in found}
    years = fold(told.text) + given.told.asked

    def right(candidate: Found) -> bool:
        if bounds and (_is_bound(told, candidate)):
            return False
        if against and against.search(told.folded, max(0, candidate.start - _AHEAD), candidate.end + _BEHIND):
            return False
        return _same_day(by_place[candidate.start], wanted, years, exactly=given.fact.date_exact)

    asked = find_dates(given.question)
    granted = frozenset((m.first, m.last) for m in asked)
    wider = frozenset(
        (m.first, m.last) for m in found if m.first and m.last and m.first <= wanted <= m.last and m.first != m.last
    )
    spoken = [Found((m.first, m.last), m.start, m.end, m.rule) for m in found]
    if bounds:
        spoken = [_with_bound(told, candidate) for candidate in spoken]
        # 6月21日通知他于7月1日前搬走 names one day; the other is a term.
        spoken = [candidate for candidate in spoken if not _is_bound(told, candidate)] or spoken
    twofold = next((m for m in found if m.other == wanted), None)
    granted |= wider | {(m.first, m.last) for m in found if m.other == wanted}
    choice = answers(told, spoken, right, granted=granted, margin=1)
    if twofold is not None and choice.outcome == "wrong":
        return Choice("open", twofold.text, twofold.reason, (twofold.text,))
    return choice


def _is_bound(told: Told, candidate: Found) -> bool:
    """Return whether a day only bounds the answer: 2020年8月30日前, 不早于2020年8月30日."""
    before = told.folded[max(0, candidate.start - _NEAR) : candidate.start]
    after = told.folded[candidate.end : candidate.end + _NEAR]
    if _BOUND_AFTER.match(after):
        return "前后" not in after[:3]
    return bool(_BOUND_BEFORE.search(before)) and not (_ONLY_THEN.match(after) or _NOT_UNTIL.search(before))


def _with_bound(told: Told, candidate: Found) -> Found:
    """Show a day with the words that make it a bound: 2020年8月30日之前."""
    if not _is_bound(told, candidate):
        return candidate
    behind = _BOUND_AFTER.match(told.folded, candidate.end)
    if behind:
        return candidate._replace(shown_to=behind.end())
    opening = max(0, candidate.start - _NEAR)
    before = _BOUND_BEFORE.search(told.folded[opening : candidate.start])
    return candidate._replace(shown_from=opening + before.start()) if before else candidate


def _same_day(mention: DateMention, wanted: date, years: str, *, exactly: bool) -> bool:
    if mention.is_range:
        return False
    if mention.first is None:
        same = (mention.month, mention.day) == (wanted.month, wanted.day)
        return same and f"{wanted.year}" in years
    if mention.first == mention.last == wanted:
        return True
    if exactly or mention.last is None:
        return False
    vague = mention.approximate or mention.precision in ("part", "week", "month")
    return vague and _month(mention.first) == _month(mention.last) == _month(wanted)


def _month(day: date) -> tuple[int, int]:
    return day.year, day.month


def compare_date_range(given: Given) -> Verdict:
    """Compare both ends of a period, stated as one range or apart."""
    wanted = given.fact.date_range
    assert wanted is not None
    shown: JSON = {"start": wanted.start.isoformat(), "end": wanted.end.isoformat()}
    ends = _structured_ends(given.value)
    if ends:
        return Verdict(_choose_ends(ends, wanted, given), shown)
    told = given.told
    found = [m for m in find_dates(told.text) if m.first is not None]
    whole = [m for m in found if _is_period(m, wanted, exactly=given.fact.date_exact)]
    if whole:
        return Verdict(Choice("match", whole[0].text, whole[0].rule), shown)
    # Two ends named apart: each must be stated, the other one is no rival to it.
    single = [m for m in found if not m.is_range]
    if wanted.start == wanted.end or not single:
        return Verdict(Choice("wrong" if found else "missing", others=tuple(m.text for m in found)), shown)
    for end, other in ((wanted.start, wanted.end), (wanted.end, wanted.start)):
        choice = _choose_date(told, [m for m in single if not _covers(m, other)], end, given)
        if choice.outcome != "match":
            return Verdict(choice, shown)
    return Verdict(Choice("match", "、".join(m.text for m in single), "two_dates"), shown)


def _covers(mention: DateMention, day: date) -> bool:
    return mention.first is not None and mention.last is not None and mention.first <= day <= mention.last


def _is_period(mention: DateMention, wanted: Period, *, exactly: bool) -> bool:
    if (mention.first, mention.last) == (wanted.start, wanted.end):
        return True
    if exactly or not mention.first or not mention.last or not mention.approximate:
        return False
    return (_month(mention.first), _month(mention.last)) == (_month(wanted.start), _month(wanted.end))


def _structured_ends(value: JSON) -> list[str]:
    if isinstance(value, dict):
        value = [value.get("start"), value.get("end")]
    if isinstance(value, list) and len(value) == 2 and all(isinstance(end, str) for end in value):
        return value
    return []


def _choose_ends(ends: Sequence[str], wanted: Period, given: Given) -> Choice:
    for text, day in zip(ends, (wanted.start, wanted.end), strict=True):
        found = [m for m in find_dates(text) if not m.is_range]
        same = any(_same_day(m, day, text, exactly=given.fact.date_exact) for m in found)
        if not same and text != day.isoformat():
            return Choice("wrong", others=tuple(ends))
    return Choice("match", "、".join(ends), "structured")
