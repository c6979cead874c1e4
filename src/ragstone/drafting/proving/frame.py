"""What gives a quotation its meaning, the title, section and columns it stands under, and whether that changed."""

from bisect import bisect_right
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from msgspec import structs

from ragstone.drafting.corpus import Block, Corpus, Paper, bare_title
from ragstone.drafting.draft import Draft, Frame, Place, Point
from ragstone.drafting.faults import pairs_of
from ragstone.drafting.questions.lists import cells_of, tables_of
from ragstone.drafting.questions.parts import plain
from ragstone.text.fold import squeeze


def framed(draft: Draft, corpus: Corpus) -> Draft:
    """Write down what stands around the quotations of a draft."""

    def told(point: Point) -> Point:
        place = point.place
        frame = frame_of(corpus.by_name[place.document], place)
        return structs.replace(point, place=structs.replace(place, frame=frame))

    return structs.replace(draft, points=tuple(told(point) for point in draft.points))


def frame_of(paper: Paper, place: Place) -> Frame:
    """What stands around a stretch of a document."""
    begins, blocks = _lines(paper)
    at = bisect_right(begins, (place.page, place.start)) - 1
    block = blocks[at] if at >= 0 and blocks[at].page == place.page else None
    if block is None:
        return Frame(paper.title)
    section = "" if block.section.startswith(paper.title) else block.section
    if block.form == "item":
        return Frame(paper.title, section, lead=_lead(paper, blocks[:at]))
    header = _headers(paper).get((block.page, block.start), ())
    if not header or place.start == block.start:
        return Frame(paper.title, section, header)
    return Frame(paper.title, section, *_of_cell(paper, place, block, header))


def _of_cell(paper: Paper, place: Place, block: Block, header: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """The column of a part of a row, and what the row is called."""
    row = paper.page(block.page)[block.start : block.end]
    column = row[: place.start - block.start].strip().removeprefix("|").count("|")
    return header[column : column + 1], cells_of(row)[0]


def _lead(paper: Paper, above: tuple[Block, ...]) -> str:
    """The line that announces the list an item is one of, if one does."""
    block = next((one for one in reversed(above) if one.form != "item"), None)
    text = paper.page(block.page)[block.start : block.end] if block else ""
    return text if text.endswith(("：", ":")) else ""


@lru_cache(64)
def _lines(paper: Paper) -> tuple[list[tuple[int, int]], tuple[Block, ...]]:
    """Where each line begins, in order."""
    blocks = tuple(sorted(paper.blocks, key=lambda block: (block.page, block.start)))
    return [(block.page, block.start) for block in blocks], blocks


@lru_cache(64)
def _headers(paper: Paper) -> dict[tuple[int, int], tuple[str, ...]]:
    """The columns of each row."""
    tables = tables_of(paper)
    return {(row.page, row.start): tuple(table.header) for table in tables for row in table.rows}


class Change(NamedTuple):
    """What stood around a quotation, and what stands there now."""

    was: str
    now: str


def change_of(was: Frame, now: Frame, question: str) -> Change | None:
    """Return what changed around a quotation of that which its question uses."""
    title = was.title if was.title == bare_title(now.title) else now.title  # drafts of earlier versions have no bracket
    pairs = ((was.title, title), (was.section, now.section), (was.row, now.row))
    told = next((Change(*pair) for pair in pairs if _is_used(*pair, question)), None)
    announced = Change(was.lead, now.lead) if _announces(was.lead, question) and was.lead != now.lead else None
    return told or announced or _of_header(was.header, now.header, question)


def _announces(lead: str, question: str) -> bool:
    """Say whether a question was made of the line above a list: then a word that is new in it counts as well."""
    said, asked = pairs_of(lead), plain(question).lower()
    return bool(said) and sum(pair in asked for pair in said) >= _ASKED * len(said)


_ASKED = 0.5
"""Share of a line above a list that a question made of it says; it has other words for “the following”."""


def _is_used(was: str, now: str, question: str) -> bool:
    """Say whether a question uses words that changed: all of them, or one that is gone."""
    if squeeze(was) == squeeze(now):
        return False
    asked = plain(question).lower()
    return squeeze(was) in squeeze(question) or any(word in asked for word in pairs_of(was) - pairs_of(now))


def _of_header(was: tuple[str, ...], now: tuple[str, ...], question: str) -> Change | None:
    """Return the first column that changed of those a question names; it may name none in their own words."""
    asked = squeeze(question)
    named = [one for one in was if one and squeeze(one) in asked] or list(was)
    for one, other in zip_longest(was, now, fillvalue=""):
        if one in named and squeeze(one) != squeeze(other):
            return Change(one, other)
    return None


def is_joined(text: str, at: int) -> bool:
    """Say whether a place is inside a word or number, or one joined by a hyphen.

    >>> is_joined("Re-Construction", 3), is_joined("Re: Construction", 4)
    (True, False)
    """
    before, after = text[max(0, at - 2) : at], text[at : at + 2]
    if not before or not after:
        return False
    sides = (_is_letter(before[-1:]), _is_letter(after[:1]))
    hyphened = (before[-1:] in _HYPHENS and _is_letter(before[-2:-1]), after[:1] in _HYPHENS and _is_letter(after[1:]))
    return all(sides) or (hyphened[0] and sides[1]) or (sides[0] and hyphened[1])


_HYPHENS = "-\u2010\u2011\u2013'\u2019_"


def _is_letter(char: str) -> bool:
    """Say whether a sign is a letter or digit of a script whose words stand apart."""
    return char.isalnum() and char < "\u2e80"
