"""Whether a stretch of a text is told whole: it begins and ends between words and numbers, and inside no value."""

import re
from datetime import date

from ragstone.judging.checks import is_cut
from ragstone.reading.asked import read_question
from ragstone.reading.scopes import NEGATED
from ragstone.reading.statements import Statements
from ragstone.reading.values.values import Value, values
from ragstone.text.fold import fold
from ragstone.text.late import late

_AROUND = 40
"""Characters on either side in which a value that goes on may begin or end."""
_ALIKE = late(r"[a-z0-9]")
_SIGN = late(r"(?:^|[^\w)）])[-−–－]$")
_NUMERAL = late("[0-9零〇一二两三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟]")
_YEAR = late(r"[0-9]{4}|[〇零一二三四五六七八九]{4}年")
DENIES = late(r"[不没未无非]|\b(?:not|no|never|without)\b|n't")
"""In a folded question that denies something itself."""
_NOT_TO = late(r"(?:\b(?:not|never)|n't)(?: [a-z]+){0,2} (?:to )?$")
"""In front of what is denied: not allowed to."""
_DENIED = late(r"(?:[不没未无非勿别]|\b(?:not|no|never|without)|n't)\s*$", re.IGNORECASE)


def is_whole(text: str, start: int, end: int) -> bool:
    """Say whether a stretch cuts no number, no Latin word and no value.

    >>> is_whole("It has 1,180 metres", 7, 19), is_whole("It has 1,180 metres", 9, 19)
    (True, False)
    """
    dated = _YEAR.search(fold(text[start:end])) is not None
    return not (_is_inside(text, start, dated) or _is_inside(text, end, dated) or _loses_sign(text, start))


def is_denied(text: str, start: int) -> bool:
    """Say whether what stands directly before a stretch denies it: 不收费 for 收费."""
    return _DENIED.search(fold(text[max(0, start - 20) : start])) is not None


def loses_denial(point: str, quote: str, question: str) -> bool:
    """Say whether a point is cut out of what its quotation denies, and the question does not deny it either.

    >>> loses_denial("take photographs", "Visitors may not take photographs.", "May visitors take photographs?")
    True
    """
    at, asked = find_whole(point, quote), read_question(question)
    if at < 0 or NEGATED in Statements(point).flagged or DENIES.search(asked.plain):
        return False
    if is_denied(quote, at):
        return True
    before = fold(quote[max(0, at - _AROUND) : at])
    return asked.closed and (_NOT_TO.search(before) is not None or NEGATED in Statements(quote).flags(at)[0])


def find_whole(wanted: str, text: str) -> int:
    """Return where one text stands whole in another, or -1."""
    at = text.find(wanted) if wanted else -1
    while at >= 0 and not is_whole(text, at, at + len(wanted)):
        at = text.find(wanted, at + 1)
    return at


def _is_inside(text: str, at: int, dated: bool) -> bool:
    """Say whether a place is inside a word, a number, or a value that is told with two of them: 3 to 5 days, 19:30.

    Of a date the year alone is whole.
    """
    first = max(0, at - _AROUND)
    near, here = fold(text[first : at + _AROUND]), at - first
    if is_cut(near, here) or (_ALIKE.match(near[here - 1 : here]) and _ALIKE.match(near, here)):
        return True
    return any(_parts(value, near, here) for value in values(near) if not (dated and isinstance(value.low, date)))


def _parts(value: Value, text: str, at: int) -> bool:
    inside = value.start < at < value.end
    return inside and all(map(_NUMERAL.search, (text[value.start : at], text[at : value.end])))


def _loses_sign(text: str, start: int) -> bool:
    """Say whether a stretch begins behind the sign of its number."""
    return _NUMERAL.match(text, start) is not None and _SIGN.search(text[max(0, start - 2) : start]) is not None
