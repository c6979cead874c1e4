"""Values in one form: what two JSON values are compared by.

Width, Traditional and Simplified, case and white space do not count; numbers and dates are compared by value (R0.1).
"""

import json
import re
from datetime import date
from decimal import Decimal
from functools import lru_cache
from math import isfinite
from typing import Any

from ragstone.text.dates.find import find_dates
from ragstone.text.fold import key
from ragstone.text.numbers.find import read_number

LONGEST_VALUE = 80
"""A text longer than this is prose, no number and no date."""
_LONGEST_KEPT = 200
_EDGES = " \t\r\n()[]{}<>（）［］【】「」『』《》“”‘’\"'`*_.。．,，、;；:：!！?？"
# 3 4 is two numbers; without the mark it would read as 34.
_GAP = re.compile(r"(?<=\d)\s+(?=\d)")
_CODE = re.compile(r"\s*0\d+\s*\Z")
_NUMERIC = re.compile(r"[\d〇零一二三四五六七八九十百千万亿兩两壹贰叁肆伍陆柒捌玖拾貳參陸萬億佰仟半]")


def canon(value: Any) -> str:
    """Return a key that is equal for values a careful reader calls the same: canon("ＡＩ 晶片") == canon("ai晶片")."""
    if isinstance(value, str):
        if value.isascii() and (value.isalnum() or value.isidentifier()):
            return value.lower()
        return _kept(value) if len(value) <= _LONGEST_KEPT else _text_key(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return str(int(value))
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 1e16 else f"{value:x}"
    return _text_key(json.dumps(value, ensure_ascii=False, sort_keys=True, default=str))


def _text_key(text: str) -> str:
    return key(_GAP.sub("_", text))


_kept = lru_cache(maxsize=8192)(_text_key)
"""Labels and short answers come again and again."""


def choice_key(value: Any) -> str:
    """Return the key of an option: brackets and marks around it do not count, "(B)." is "b"."""
    return canon(value.strip(_EDGES) if isinstance(value, str) else value)


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same in another form: 42000 and 四万二千, 2020年8月30日 and 2020-08-30."""
    if isinstance(one, bool) or isinstance(other, bool):
        return canon(one) == canon(other)
    if one == other or canon(one) == canon(other):
        return True
    if not _may_be_value(one) or not _may_be_value(other):
        return False
    number = value_of(one)
    if number is not None:
        return number == value_of(other)
    day = _day(one)
    return day is not None and day == _day(other)


def _may_be_value(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= LONGEST_VALUE and _NUMERIC.search(value) is not None
    return isinstance(value, (int, float))


def value_of(value: Any) -> Decimal | None:
    """Return the exact value of a number or of a text that is one number, else None; 000001 is a code, no number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, float):
        return Decimal(repr(value)) if isfinite(value) else None
    if not isinstance(value, str) or len(value) > LONGEST_VALUE or _CODE.match(value):
        return None
    return _read(value)


_read = lru_cache(maxsize=8192)(read_number)


def _day(value: Any) -> tuple[date | None, date | None] | None:
    """Return first and last day of a text that is one date and nothing else."""
    if not isinstance(value, str):
        return None
    found = find_dates(value)
    if len(found) != 1 or found[0].ambiguous or found[0].approximate or found[0].first is None:
        return None
    rest = value[: found[0].start] + value[found[0].end :]
    return (found[0].first, found[0].last) if not rest.strip(_EDGES) else None
