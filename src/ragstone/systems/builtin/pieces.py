"""Cuts a chunk into the pieces an answer can be made of: sentences, list items, a question with its reply."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from ragstone.systems.builtin.chunks import Chunk
from ragstone.systems.builtin.terms import stems
from ragstone.systems.builtin.units import Unit, leads_in, split_units
from ragstone.text.fold import fold

LONG = 400
"""Characters of a reply after which its sentences become pieces of their own."""

_NUMERALS = "0-9零〇一二两三四五六七八九十百千万亿"
_MEASURE = re.compile(f"(?<=[{_NUMERALS}])[ ]?([^\\W{_NUMERALS}_])")
_NUMBER = re.compile(f"[{_NUMERALS}]")
_MONEY = re.compile(r"[$¥€£][ ]?[0-9]|[0-9][ ]?(?:dollars?|yuan|euros?|pounds?|usd|rmb|cny)\b")
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_DATE = re.compile(
    rf"\b(?:1[0-9]|20)[0-9]{{2}}\b|[0-9]{{4}}[-/.][0-9]{{1,2}}\b|\b{_MONTH}[a-z]{{0,6}} [0-9]|[0-9] {_MONTH}"
    r"|(?:星期|周)[一二三四五六日天]"
)
_LEANS = re.compile(
    r"[他她它]|[这那该此][些个件辆张笔次批只位名种份条项台家间套部本起事人]|\b(?:he|she|they|him|her|them|his|their|theirs)\b"
)


class Words(NamedTuple):
    """A text made ready for looking terms up."""

    folded: str
    stems: frozenset[str]

    @classmethod
    def of(cls, folded: str) -> "Words":
        """Make a folded text ready."""
        return cls(folded, stems(folded))


class Piece(NamedTuple):
    """A stretch of a chunk that can be said by itself."""

    first: int
    """Number of its first unit."""
    start: int
    end: int
    words: Words
    values: frozenset[str]
    """Marks of the values it states: the character after each number, `date`, `money`, `number`."""
    leans: bool
    """Whether it speaks of somebody or something named before."""
    turn: bool = False
    open: bool = False
    """A question of a talk without its reply."""


class Prepared(NamedTuple):
    """A chunk cut into pieces."""

    units: Sequence[Unit]
    pieces: Sequence[Piece]
    above: Words
    speaker: Words


@lru_cache(maxsize=2048)
def prepare(chunk: Chunk) -> Prepared:
    """Cut a chunk; kept, since the same chunks are found again and again."""
    folded = fold(chunk.text)
    units = split_units(chunk.text)
    pieces: list[Piece] = []
    for _, group in groupby(range(len(units)), key=lambda number: units[number].block):
        numbers = list(group)
        cut = _turns if units[numbers[0]].turn else _units
        pieces += cut(chunk.text, folded, units, numbers)
    return Prepared(units, pieces, Words.of(fold(chunk.above)), Words.of(fold(chunk.speaker)))


def leans_back(chunk: Chunk) -> bool:
    """Return whether a chunk begins with something that leans on the chunk before it."""
    pieces = prepare(chunk).pieces
    return bool(pieces) and pieces[0].leans


def _turns(text: str, folded: str, units: Sequence[Unit], numbers: Sequence[int]) -> Iterator[Piece]:
    """Keep a question and its reply together; the later sentences of a very long reply become pieces of their own."""
    first, last = units[numbers[0]], units[numbers[-1]]
    replies = [number for number in numbers if units[number].turn == "reply"]
    begin = units[replies[0]].start if replies else last.end
    near = [number for number in replies if units[number].end - begin <= LONG] or replies[:1]
    end = units[near[-1]].end if near else last.end
    values = _values(folded[begin:end])
    leans = first.turn == "reply" or _LEANS.search(folded[first.start : end]) is not None
    words = Words.of(folded[first.start : end])
    yield Piece(numbers[0], first.start, end, words, values, leans, turn=True, open=not replies)
    if len(near) < len(replies):
        yield from _units(text, folded, units, replies[len(near) :])


def _units(text: str, folded: str, units: Sequence[Unit], numbers: Sequence[int]) -> Iterator[Piece]:
    """Make every unit a piece; a question or a colon keeps the sentence it announces."""
    for number in numbers:
        start, end = units[number].start, _announced_end(text, units, number)
        values = _values(folded[start:end])
        yield Piece(number, start, end, Words.of(folded[start:end]), values, leans=False)


def _announced_end(text: str, units: Sequence[Unit], first: int) -> int:
    """Return where a question with its answer ends, or a unit by itself."""
    unit = units[first]
    asks = leads_in(text[unit.start : unit.end]) and first + 1 < len(units)
    follower = units[first + 1] if asks else unit
    return follower.end if follower.kind == "sentence" and follower.block == unit.block else unit.end


def _values(folded: str) -> frozenset[str]:
    """Collect the marks of the values in a folded text."""
    marks = set(_MEASURE.findall(folded))
    found = {"number": _NUMBER, "money": _MONEY, "date": _DATE}
    marks.update(name for name, pattern in found.items() if pattern.search(folded))
    return frozenset(marks)
