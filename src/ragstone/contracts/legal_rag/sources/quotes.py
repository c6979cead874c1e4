"""Comparing quoted words with a source: width, spaces and punctuation aside, the characters must agree (R1.9)."""

import re
from functools import lru_cache

from ragstone.text.fold import bare

_ELLIPSIS = re.compile(r"[…⋯]+|[.．。]{3,}|[·・]{3,}|——+…*")
_SPACED_DIGITS = re.compile(r"(?<=\d)\s+(?=\d)")
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_SCALES = "万亿千百"


def quote_key(text: str) -> str:
    """Return the form in which two writings of the same words are equal: quote_key("３18,000 元！") == "318000元"."""
    # Digits on both sides of a space or line break are two numbers and must not grow together.
    key = bare(_SPACED_DIGITS.sub("¦", text))
    return _THOUSANDS.sub("", key) if "," in key else key


@lru_cache(maxsize=2048)
def quote_pieces(quote: str) -> tuple[str, ...]:
    """Cut a quote at its … into the keys of its pieces; () when nothing of it can be compared."""
    return tuple(key for piece in _ELLIPSIS.split(quote) if (key := quote_key(piece)))


def holds(key: str, pieces: tuple[str, ...]) -> bool:
    """Return whether a text (by its key) holds all pieces in order; 42000元 is not in 142000元."""
    here = 0
    for piece in pieces:
        at = _find(key, piece, here)
        if at < 0:
            return False
        here = at + len(piece)
    return True


def _find(key: str, piece: str, start: int) -> int:
    at = key.find(piece, start)
    while at >= 0 and _cuts_a_number(key, at, at + len(piece)):
        at = key.find(piece, at + 1)
    return at


def _cuts_a_number(key: str, start: int, end: int) -> bool:
    if key[start].isdigit() and start and key[start - 1].isdigit():
        return True
    if not key[end - 1].isdigit() or end >= len(key):
        return False
    return key[end].isdigit() or key[end] in _SCALES
