"""The numbers and dates of a text in one comparable form, so that 四万二千元 meets 42,000元."""

import re
from typing import NamedTuple

from ragstone.text.fold import fold

_DIGITS = re.compile(r"(?<![a-z0-9.])\d+(?:[.,:/-]\d+)*(?![a-z0-9])")


class Value(NamedTuple):
    """One value with its place; two values are the same when kind and key are."""

    kind: str
    key: object
    start: int
    end: int


def values(text: str) -> list[Value]:
    """The numbers of a text, in order."""
    return [
        Value("number", found[0].replace(",", ""), found.start(), found.end()) for found in _DIGITS.finditer(fold(text))
    ]
