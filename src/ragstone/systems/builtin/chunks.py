"""Documents into chunks: cut at headings, filled with whole sentences, with page and offsets."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import PurePosixPath

from msgspec import Struct

from ragstone.documents import Document, Page
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


def split_document(document: Document, size: int = CHUNK_SIZE) -> Iterator[Chunk]:
    """Cut a document into chunks, in order; headings reach over page ends."""
    headings: list[tuple[int, str]] = []
    for page in document.pages:
        for path, units in _sections(page, headings):
            for start, end in _fill(page.text, units, size):
                text = page.text[start:end]
                yield Chunk(document.name, page.number, len(document.pages), path, start, end, text)


def title_of(name: str) -> str:
    """Return the words of a file name."""
    return PurePosixPath(name).stem.replace("_", " ").replace("-", " ")


def _sections(page: Page, headings: list[tuple[int, str]]) -> Iterator[tuple[str, list[Unit]]]:
    """Yield the units below each heading, with the path of headings above them; keeps `headings` up to date."""
    for is_heading, group in groupby(split_units(page.text), key=lambda unit: unit.kind == "heading"):
        units = list(group)
        if not is_heading:
            yield " › ".join(title for _, title in headings), units
            continue
        for unit in units:
            while headings and headings[-1][0] >= unit.level:
                headings.pop()
            headings.append((unit.level, page.text[unit.start : unit.end].strip("# ")))


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
