"""Cuts a text into units: headings, sentences, list items, each with its place; knows no index and no question."""

import re
from typing import Literal, NamedTuple

Kind = Literal["heading", "sentence", "item"]
Turn = Literal["", "ask", "reply"]

_LINE = re.compile(r"[^\n]+")
_HEADING = re.compile(r"[ ]{0,3}(#{1,6})[ \t]+(?=\S)")
_ITEM = re.compile(
    r"\s*(?:[-*+•·▪◦●○■□◆]\s+|[0-9０-９]{1,3}[.．、)）](?![0-9])\s*|[（(][0-9０-９一二三四五六七八九十]{1,3}[)）]\s*"
    r"|[①-⑳]\s*|[一二三四五六七八九十]{1,3}、\s*|\|(?=.*\|\s*$))"
)
_NOISE = re.compile(r"[-=*_|:\s`~]{3,}|[>#\s]*|<!--.*-->|```.*")
_QUOTE_MARK = re.compile(r"\s*(?:>\s?)+")
_TURN = re.compile(r"[ \t>]*\*{0,2}(?:([问問Qq]|Question)|[答Aa]|Answer)[ \t]?[0-9]{0,3}[ \t]?[:：]")
_ENDS = re.compile(r"[。！？!?]+[”’」』）)\"]*|\.(?=[ \t])(?<!\b[A-Za-z]\.)(?<!\b(?:Mr|Ms|Dr|No|vs|St)\.)(?<!\bMrs\.)")


class Unit(NamedTuple):
    """One heading, sentence or list item: `text[start:end]`."""

    kind: Kind
    start: int
    end: int
    level: int = 0
    """Of a heading: 1 is the highest."""
    block: int = 0
    """Number of the paragraph or list it stands in; what a colon or a question announces belongs to it."""
    turn: Turn = ""
    """Of a talk written down: whether it belongs to what was asked (问：) or to what was replied (答：)."""


def split_units(text: str) -> list[Unit]:
    """Cut a text into units, in order; markup without words is left out."""
    units: list[Unit] = []
    block, gap = 0, 0
    previous: Kind = "heading"
    for line in _LINE.finditer(text):
        if is_noise(line[0]):
            continue
        new = _line_units(text, line.start(), line.end())
        blank = "\n" in text[gap : line.start()].replace("\n", "", 1)
        turn = turn_of(line[0])
        continues = _takes_turn(units, turn) if turn else _continues(text, units, new[0].kind, previous, blank)
        if not continues:
            block += 1
        elif not turn and units[-1].turn:
            turn = "reply"
        previous, gap = new[0].kind, line.end()
        units += [unit._replace(block=block, turn=turn) for unit in new]
    return units


def turn_of(line: str) -> Turn:
    """Return which turn of a dialogue a line begins, a question or a reply: 问：, 答：, Q:, A:."""
    found = _TURN.match(line)
    if found is None:
        return ""
    return "ask" if found[1] else "reply"


def is_noise(line: str) -> bool:
    """Return whether a line is markup without words: a rule, a table's separator, a comment, a fence."""
    return _NOISE.fullmatch(line.strip()) is not None


def leads_in(text: str) -> bool:
    """Return whether a sentence announces what follows: it ends with a colon, or asks."""
    return text.rstrip(" \t*_").endswith((":", "：", "?", "？"))


def _takes_turn(units: list[Unit], turn: Turn) -> bool:
    """Return whether a turn belongs to the block before it: a reply follows its question."""
    return turn == "reply" and bool(units) and units[-1].turn != ""


def _continues(text: str, units: list[Unit], kind: Kind, previous: Kind, blank: bool) -> bool:
    """Return whether a line belongs to the block of the line before."""
    if kind == "heading" or previous == "heading" or not units:
        return False
    announced = leads_in(text[units[-1].start : units[-1].end])
    return announced or previous == "item" if kind == "item" else announced or not blank


def _line_units(text: str, start: int, end: int) -> list[Unit]:
    """Cut one line."""
    heading = _HEADING.match(text, start, end)
    if heading:
        return [Unit("heading", *_trim(text, heading.end(), end), len(heading[1]))]
    if _ITEM.match(text, start, end):
        return [Unit("item", *_trim(text, start, end))]
    quote = _QUOTE_MARK.match(text, start, end)
    here = quote.end() if quote else start
    units = []
    for stop in _ENDS.finditer(text, here, end):
        units.append(Unit("sentence", *_trim(text, here, stop.end())))
        here = stop.end()
    units.append(Unit("sentence", *_trim(text, here, end)))
    return [unit for unit in units if unit.start < unit.end] or [Unit("sentence", start, end)]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Move both ends inward over white space."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
