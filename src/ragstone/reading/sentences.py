"""Cut a text into sentences and clauses, and find what stands in quotes; knows no meaning."""

import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from ragstone.text.late import late

# Looked at behind the point, so that other characters cost nothing.
_TITLES = r"(?<!\bmr\.)(?<!\bms\.)(?<!\bdr\.)(?<!\bmrs\.)(?<!\bst\.)(?<!\bvs\.)(?<!\b[a-z]\.)"
# No. 4 goes on, and No. The lease … does not.
_TITLES += r"(?:(?<!\bno\.)|(?= +[a-z]{0,11}[ '’]))"
_SENTENCE_END = late(rf"[。！？!?；;…\n\r]+[”’」』）)\"]*|\.{_TITLES}[”’」』）)\"]*(?=\s|$)", re.IGNORECASE)
# The cuts of a text into clauses, each a sentence's end or less; 、 lists words and cuts nothing.
_CUTS = (
    rf"(?P<sentence>(?:[。！？!?；;…\n\r]+|(?<=[哦呢呀啦喔哈的])[~～]+|\.(?:{_TITLES}(?=[\s”’」』）)\"\]]|$)|(?=[^\x00-\x7f])))[”’」』）)\"\]]*)"
    r"|(?<=[하이되])[고며](?= )|[:：]\s*\n"
    r"|，|,(?!\d|(?<=\d,) ?[12]\d{3}\b)|[：:](?!\d)|(?<!\d)[,：:]|(?:(?<!\d)[—–]+|[—–]+(?! ?\d))|--+|(?<=\s)-(?=\s)"
)
_CUT = late(_CUTS, re.IGNORECASE)
_SIGN = late(r"[。！？!?；;…\n\r.:：，,—–、고며~～-]")
"""What every cut begins with: a class of characters is searched for much faster than the cut."""
_FINE_CUT = late(_CUTS + "|(?<=[\u3041-\u309f])、", re.IGNORECASE)
"""Also cuts at the comma of Japanese clauses."""
_QUOTED = late(
    r"“[^“”\n]{0,400}”|「[^「」\n]{0,400}」|『[^『』\n]{0,400}』|《[^《》\n]{0,200}》|\"[^\"\n]{0,400}\"|‘[^‘’\n]{0,400}’|`[^`\n]{0,200}`"
)
_COLON_LINE = late(r"[:：][ \t]*\n")
_ITEM = late(r"\s*(?:[-•·]|\*(?!\*)|\(?[0-9]{1,2}[.、)）])[^\n]{1,300}\n?")
_MOST_LISTS, _MOST_ITEMS, _LONG_HEADING = 100, 12, 200
"""Lists, their items and the characters of their headings that are read."""
_QUOTE_MARK = late('[“「『《"‘`]')


class Piece(NamedTuple):
    """A stretch of a text, by its offsets."""

    start: int
    end: int


def sentences(text: str) -> list[Piece]:
    """Cut a text into its sentences, end marks included; 4.2 ends nothing."""
    pieces: list[Piece] = []
    here = 0
    for mark in _SENTENCE_END.finditer(text):
        if text[here : mark.start()].strip():
            pieces.append(Piece(here, mark.end()))
        here = mark.end()
    return [*pieces, Piece(here, len(text))] if text[here:].strip() else pieces


def cuts(text: str, *, fine: bool = False) -> Iterator[tuple[int, bool]]:
    """Where each clause of a text ends, and whether a sentence ends there; `fine` ones also at 、 behind kana."""
    pattern, here = _FINE_CUT if fine else _CUT, 0
    while sign := _SIGN.search(text, here):
        here = sign.end()
        if sign[0] == "，":
            yield here, False
        elif mark := pattern.match(text, here - 1):
            here = mark.end()
            yield here, mark.lastgroup is not None
    yield len(text), True


def quotes(text: str) -> list[Piece]:
    """What stands in quotes or title marks."""
    return [Piece(*found.span()) for found in _QUOTED.finditer(text)] if _QUOTE_MARK.search(text) else []


def items(text: str) -> Iterator[tuple[Piece, Piece]]:
    """Each item of a list, behind the line with a colon that it stands under."""
    for colon in itertools.islice(_COLON_LINE.finditer(text), _MOST_LISTS):
        first = max(0, colon.start() - _LONG_HEADING)
        start = max(text.rfind(mark, first, colon.start()) for mark in "\n。！？!?；;") + 1
        here = colon.end()
        for end in itertools.islice(_items(text, colon.end()), _MOST_ITEMS):
            yield Piece(max(start, first), colon.start()), Piece(here, end)
            here = end


def _items(text: str, place: int) -> Iterator[int]:
    item = _ITEM.match(text, place)
    while item:
        yield item.end()
        item = _ITEM.match(text, item.end())
