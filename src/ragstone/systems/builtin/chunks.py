"""Cuts documents into chunks at headings, filled with whole sentences, with page and offsets."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePosixPath

from msgspec import Struct

from ragstone.documents import Document, Page
from ragstone.systems.builtin.speaker import speaker_of
from ragstone.systems.builtin.units import Unit, split_units
from ragstone.text.tokens import has_cjk

CHUNK_SIZE = 300
"""Chinese characters a chunk is filled up to; Latin letters count half."""


class Chunk(Struct, frozen=True):
    """A piece of a page: `page.text[start:end]`, under its headings."""

    source_path: str
    page: int
    pages: int
    """How many pages the document has."""
    heading: str
    start: int
    end: int
    text: str
    speaker: str = ""
    """Who says I in a talk, as the head of the document names them."""

    @property
    def above(self) -> str:
        """What holds for the chunk without standing in it: the words of the file name and its headings."""
        return f"{title_of(self.source_path)} {self.heading}"


def split_document(document: Document, size: int = CHUNK_SIZE) -> Iterator[Chunk]:
    """Cut a document into chunks, in order; headings reach over page ends."""
    headings: list[tuple[int, str]] = []
    speaker = speaker_of(document)
    asked = ""
    for page in document.pages:
        all_units = split_units(page.text)
        for path, units in _sections(page, all_units, headings, asked):
            for start, end in _fill(page.text, units, size):
                text = page.text[start:end]
                yield Chunk(document.name, page.number, len(document.pages), path, start, end, text, speaker)
        asked = _open_question(page.text, all_units)


def title_of(name: str) -> str:
    """Return the words of a file name."""
    return PurePosixPath(name).stem.replace("_", " ").replace("-", " ")


def _sections(
    page: Page, all_units: Sequence[Unit], headings: list[tuple[int, str]], asked: str
) -> Iterator[tuple[str, list[Unit]]]:
    """Yield the units below each heading, with the path of headings above them; keeps `headings` up to date.

    A reply at the head of a page stands under the question at the foot of the page before.
    """
    orphan = [unit for unit in all_units if unit.block == 1 and unit.turn == "reply"] if asked else []
    if orphan:
        yield " › ".join([*(title for _, title in headings), asked]), orphan
    for is_heading, group in groupby(all_units[len(orphan) :], key=lambda unit: unit.kind == "heading"):
        units = list(group)
        if not is_heading:
            yield " › ".join(title for _, title in headings), units
            continue
        for unit in units:
            while headings and headings[-1][0] >= unit.level:
                headings.pop()
            headings.append((unit.level, page.text[unit.start : unit.end].strip("# ")))


def _open_question(text: str, units: Sequence[Unit]) -> str:
    """Return the question a page ends with, when its reply must stand on the next."""
    if not units or units[-1].turn != "ask":
        return ""
    return text[next(unit.start for unit in units if unit.block == units[-1].block) : units[-1].end]


def _fill(text: str, units: list[Unit], size: int) -> Iterator[tuple[int, int]]:
    """Join units into spans of about the wanted size; a list that fits stays whole."""
    start, end, filled = -1, -1, 0
    for _, group in groupby(units, key=lambda unit: unit.block):
        block = list(group)
        whole = _size(text[block[0].start : block[-1].end])
        fits = whole <= size * 4 // 3
        if filled and fits and filled + whole > size * 4 // 3:
            yield start, end
            filled = 0
        for piece_start, piece_end in _pieces(text, block, size):
            piece = _size(text[piece_start:piece_end])
            if filled and not fits and filled + piece > size:
                yield start, end
                filled = 0
            start = start if filled else piece_start
            end, filled = piece_end, filled + max(piece, 1)
    if filled:
        yield start, end


def _pieces(text: str, block: list[Unit], size: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of a block's units; a unit much too long is cut by force."""
    for unit in block:
        step = max(1, size if has_cjk(text[unit.start : unit.end]) else size * 2)
        if unit.end - unit.start <= step * 2:
            yield unit.start, unit.end
            continue
        for start in range(unit.start, unit.end, step):
            yield start, min(start + step, unit.end)


def _size(text: str) -> int:
    """Measure a text in Chinese characters: ASCII counts half."""
    return len(text) - sum(1 for char in text if char < "\x80") // 2
