"""Page marks in plain text: form feeds, and lines such as `<!-- page 3 -->`, `--- 第 3 页 ---`, `[page 3]`."""

import re
from itertools import pairwise
from typing import NamedTuple

from ragstone.documents.page import Page

_EDGE = r"[-=*~#_<>!|\[\](){}【】（）〔〕—–─═ \t]{0,24}"
_NUMBER = r"([0-9０-９]{1,6}|[〇零一二三四五六七八九十百]{1,7})"
_CHINESE = rf"第[ \t]?{_NUMBER}[ \t]?[页頁](?:[ \t,，/、]{{0,4}}共[ \t]?[^\s页頁]{{1,7}}[ \t]?[页頁])?"
_ENGLISH = r"page[ \t:]{0,3}([0-9]{1,6})(?:[ \t]{0,2}(?:of|/)[ \t]{0,2}[0-9]{1,6})?"
_MARK = re.compile(rf"^{_EDGE}(?:{_CHINESE}|{_ENGLISH}){_EDGE}$", re.IGNORECASE)
_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0}


class _Cut(NamedTuple):
    """A place where a page begins (or, for a foot, ends): its number and the text span of the mark."""

    number: int
    start: int
    end: int


def split_pages(text: str) -> tuple[Page, ...]:
    """Cut a text at its page marks; without any mark it is one page.

    A numbered mark stands at the head of its page, unless the text ends with one: then marks are feet.
    What stands before a first mark `1` belongs to page 1.
    """
    cuts = _numbered(text)
    if cuts:
        return _join(_by_number(text, cuts))
    if "\f" in text:
        pieces = text.split("\f")
        return tuple(Page(number, piece) for number, piece in enumerate(pieces, 1) if piece.strip() or number == 1)
    return (Page(1, text),)


def _numbered(text: str) -> list[_Cut]:
    """Find the marks that carry a number."""
    cuts = []
    here = 0
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if len(bare) <= 80 and ("页" in bare or "頁" in bare or "age" in bare or "AGE" in bare):
            found = _MARK.match(bare)
            if found:
                cuts.append(_Cut(_value(found[1] or found[2]), here, here + len(line)))
        here += len(line)
    return cuts


def _value(digits: str) -> int:
    """Read a page number in Arabic digits of any width or in Chinese numerals up to 999."""
    if digits[0].isdecimal():
        return int(digits)
    if not any(unit in digits for unit in "十百"):
        return int("".join(str(_DIGITS[char]) for char in digits))
    total, digit = 0, 0
    for char in digits:
        if char in _DIGITS:
            digit = _DIGITS[char]
        else:
            total += max(digit, 1) * (100 if char == "百" else 10)
            digit = 0
    return total + digit


def _by_number(text: str, cuts: list[_Cut]) -> list[Page]:
    """Number the pages: each stretch of text between marks is one."""
    head, tail = text[: cuts[0].start], text[cuts[-1].end :]
    if head.strip() and not tail.strip():
        starts = [0, *(cut.end for cut in cuts)]
        return [Page(cut.number, text[start : cut.start]) for cut, start in zip(cuts, starts, strict=False)]
    stops = [*cuts, _Cut(0, len(text), len(text))]
    pages = [Page(cut.number, text[cut.end : after.start]) for cut, after in pairwise(stops)]
    return [Page(max(1, cuts[0].number - 1), head), *pages] if head.strip() else pages


def _join(pages: list[Page]) -> tuple[Page, ...]:
    """Join pieces of the same page, in the order in which pages first appear."""
    texts: dict[int, list[str]] = {}
    for page in pages:
        texts.setdefault(page.number, []).append(page.text.replace("\f", "\n"))
    return tuple(Page(number, "\n".join(pieces)) for number, pieces in texts.items())
