"""Does a quotation stand in a text? By the house's folding, in one piece, with whole numbers and whole words."""

import re

from ragstone.text.fold import bare_with_offsets, fold

_DIGIT = "[0-9零〇一二三四五六七八九十百千万亿两]"
_NUMBER_BEFORE = re.compile(f"{_DIGIT}(?P<mark>[.,]?)$")
_NUMBER_BEHIND = re.compile(f"(?P<mark>[.,]?){_DIGIT}")
_DENIED = re.compile(r"(?:[不没未无非勿别]|\b(?:not|no|never|without)|n't)\s*$")
FEWEST = 2
"""Characters a quotation must have to prove anything, unless it is the whole text."""


def find_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a quotation stands in a text, or None: cut numbers, cut words and cut negations are no quotation.

    >>> find_quote("2 million", "It is 1.2 million.") is None, find_quote("ＩＳ 1.2", "It is 1.2 million.")
    (True, (3, 9))
    """
    wanted, placed, folded = bare_with_offsets(quote).text, bare_with_offsets(text), fold(text)
    if not wanted or (len(wanted) < FEWEST and wanted != placed.text):
        return None
    at = placed.text.find(wanted)
    while at >= 0:
        first, end = placed.span(at, at + len(wanted))
        if not (_is_cut(folded, first) or _is_cut(folded, end) or _DENIED.search(folded[max(0, first - 20) : first])):
            return first, end
        at = placed.text.find(wanted, at + 1)
    return None


def _is_cut(text: str, at: int) -> bool:
    """Say whether a number or a word goes on across a place."""
    if _is_latin(text[at - 1 : at]) and _is_latin(text[at : at + 1]):
        return True
    before, behind = _NUMBER_BEFORE.search(text[max(0, at - 2) : at]), _NUMBER_BEHIND.match(text, at)
    return bool(before and behind and not (before["mark"] and behind["mark"]))


def _is_latin(char: str) -> bool:
    return char.isalpha() and char < "\u2e80"
