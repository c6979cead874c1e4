"""Reads Word files into pages with zipfile and ElementTree; sizes are limited, document type declarations ignored."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from xml.etree import ElementTree

from ragstone.documents.page import MAX_BYTES, DocumentError, Page

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_BODY = re.compile(r"word/document\d*\.xml")
_HEADING = re.compile(r"(?:heading|标题|標題)\s?([1-9])", re.IGNORECASE)
_TITLE = re.compile(r"title|标题|標題", re.IGNORECASE)
_UNSEEN = frozenset((f"{_W}strike", f"{_W}dstrike", f"{_W}vanish"))
_PLAIN = {f"{_W}tab": "\t", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"}


def read_docx(data: bytes, name: str) -> tuple[Page, ...]:
    """Read paragraphs, headings (as #, below a title as ##), list items (as -) and table rows (cells parted by |).

    Pages follow the page breaks that Word noted when it last drew the document, or else those the writer set.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            body = next((item for item in archive.namelist() if _BODY.fullmatch(item)), None)
            if body is None:
                raise DocumentError("documents.unreadable", file=name, problem="no word/document.xml inside")
            styles = _part(archive, "word/styles.xml", name) if "word/styles.xml" in archive.namelist() else ""
            text = _Reader(_heading_styles(styles), _part(archive, body, name)).text()
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise DocumentError("documents.unreadable", file=name, problem=str(error)) from error
    except ElementTree.ParseError as error:
        raise DocumentError("documents.unreadable", file=name, problem=str(error)) from error
    pages = tuple(Page(number, piece.strip("\n")) for number, piece in enumerate(text.split("\f"), 1))
    return tuple(page for page in pages if page.text.strip()) or (Page(1, ""),)


def _part(archive: zipfile.ZipFile, part: str, name: str) -> str:
    """Unpack one part as text; refuses what grows too large and what declares entities."""
    with archive.open(part) as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise DocumentError("documents.too_large", file=name, limit=MAX_BYTES // 2**20)
    # Parsed as text, not bytes: no declared encoding can hide a declaration from this look.
    text = data.decode("utf-8-sig")
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise DocumentError("documents.unreadable", file=name, problem="it declares a document type")
    return text


def _events(text: str) -> Iterator[tuple[str, ElementTree.Element]]:
    """Stream the elements, so that depth costs no recursion; finished ones are emptied."""
    parser: ElementTree.XMLPullParser[ElementTree.Element] = ElementTree.XMLPullParser(("start", "end"))
    for start in range(0, len(text), 65536):
        parser.feed(text[start : start + 65536])
        yield from parser.read_events()  # type: ignore[misc]
    parser.close()
    yield from parser.read_events()  # type: ignore[misc]


def _heading_styles(text: str) -> dict[str, int]:
    """Map style ids to heading levels, that of the document's title 0; localised Word names its styles 1, 2, a3 …"""
    levels: dict[str, int] = {}
    style = ""
    for event, element in _events(text) if text else ():
        if event == "start" and element.tag == f"{_W}style":
            style = element.get(f"{_W}styleId", "")
        elif event == "end" and element.tag == f"{_W}name":
            name = element.get(f"{_W}val", "")
            if found := _HEADING.match(name):
                levels[style] = int(found[1])
            elif _TITLE.fullmatch(name):
                levels[style] = 0
    return levels


class _Reader:
    """Turns the stream of elements of a document body into text."""

    def __init__(self, levels: dict[str, int], body: str) -> None:
        self._levels = levels
        self._body = body
        # Word's own marks are where pages really ended; the writer's breaks would count those twice.
        self._drawn = "lastRenderedPageBreak" in body
        self._lines: list[str] = []
        self._paragraph: list[str] = []
        self._prefix = ""
        self._is_title = False
        self._below_title = 0
        """By how much headings stand below a title."""
        self._cells: list[str] | None = None
        self._skip = 0
        self._unseen = False
        """Whether the run at hand is struck out or hidden."""

    def text(self) -> str:
        """Return the whole text, a form feed between pages."""
        for event, element in _events(self._body):
            if element.tag == _FALLBACK:
                self._skip += 1 if event == "start" else -1
            elif self._skip == 0:
                self._start(element) if event == "start" else self._end(element)
        return "\n".join(self._lines)

    def _start(self, element: ElementTree.Element) -> None:
        if element.tag == f"{_W}tr":
            self._cells = []
        elif element.tag == f"{_W}pStyle":
            level = self._levels.get(element.get(f"{_W}val", ""))
            if level is not None:
                self._prefix = "#" * (level + self._below_title or 1) + " "
                self._is_title = level == 0
        elif element.tag == f"{_W}numPr":
            self._prefix = self._prefix or "- "
        elif element.tag == f"{_W}r":
            self._unseen = False
        elif element.tag in _UNSEEN:
            self._unseen = element.get(f"{_W}val", "1") not in ("0", "false", "off")

    def _end(self, element: ElementTree.Element) -> None:
        tag = element.tag
        if tag == f"{_W}t":
            self._paragraph.append("" if self._unseen else element.text or "")
        elif tag in _PLAIN:
            self._paragraph.append(_PLAIN[tag])
        elif tag in (f"{_W}br", f"{_W}lastRenderedPageBreak", f"{_W}pageBreakBefore"):
            self._paragraph.append(self._break(element))
        elif tag == f"{_W}p":
            self._end_paragraph()
        elif tag == f"{_W}tr" and self._cells is not None:
            self._lines.append(" | ".join(cell for cell in self._cells if cell))
            self._cells = None
        element.clear()

    def _break(self, element: ElementTree.Element) -> str:
        """Return what a break stands for: a new page, a new line, or nothing."""
        if element.tag == f"{_W}lastRenderedPageBreak":
            return "\f"
        if element.tag == f"{_W}br" and element.get(f"{_W}type") != "page":
            return "\n"
        return "" if self._drawn else "\f"

    def _end_paragraph(self) -> None:
        text = "".join(self._paragraph)
        if self._prefix and text.strip():
            feeds = len(text) - len(text.lstrip("\f"))
            text = text[:feeds] + self._prefix + text[feeds:]
            self._below_title = self._below_title or int(self._is_title)
        if self._cells is None:
            self._lines += [text, ""] if not self._prefix.startswith("-") else [text]
        else:
            self._lines += ["\f"] * text.count("\f")
            self._cells.append(" ".join(text.split()))
        self._paragraph, self._prefix, self._is_title = [], "", False
