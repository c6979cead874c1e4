"""The source documents page by page, ready to be searched for quoted words; knows no question and no answer."""

import re
from collections import OrderedDict
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Literal, NamedTuple

from ragstone.contracts.legal_rag.sources.quotes import holds, quote_key, quote_pieces
from ragstone.documents import Document, read_folder
from ragstone.documents.store import MOST, DocumentStore, characters
from ragstone.reading.citations.document_names import document_key, same_document
from ragstone.reading.values.support import Evidence

Speaker = Literal["question", "answer", "header"]

_TURN = re.compile(r"^[\s>*#-]*(?:(问|問|Q)|(答|A))\s?(?:\*\*)?[:：]", re.IGNORECASE)


class Turn(NamedTuple):
    """What one speaker says on one page; a header is what stands before the first question."""

    speaker: Speaker
    key: str


class Paper:
    """One document, each of its pages folded for comparing once."""

    def __init__(self, document: Document) -> None:
        self.name = document.name
        self.size = characters(document)
        """How many characters it has."""
        self._document = document
        self._pages = {page.number: page.text for page in document.pages}
        self._keys: dict[int, str] = {}

    @property
    def text(self) -> str:
        """The whole text, joined when it is wanted: a folder of documents is held once."""
        return self._document.text

    def _key(self, page: int) -> str:
        """Return a page folded for comparing."""
        if (key := self._keys.get(page)) is None:
            key = self._keys[page] = quote_key(self._pages[page])
        return key

    @cached_property
    def evidence(self) -> Evidence:
        """The document as evidence for the specifics of an answer, read once."""
        return Evidence.prepare(self.text)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The page numbers, in order."""
        return tuple(self._pages)

    def holds(self, page: int, words: str) -> bool:
        """Return whether a page holds the words (with … piece by piece)."""
        return page in self._pages and holds(self._key(page), quote_pieces(words))

    def find(self, words: str) -> tuple[int, ...]:
        """Name the pages that hold the words."""
        pieces = quote_pieces(words)
        return tuple(number for number in self._pages if pieces and holds(self._key(number), pieces))

    def speakers(self, page: int, words: str) -> frozenset[Speaker]:
        """Return who says the words on a page; empty where the document has no 问/答 structure."""
        pieces = quote_pieces(words)
        return frozenset(turn.speaker for turn in self._turns.get(page, ()) if holds(turn.key, pieces))

    @cached_property
    def _turns(self) -> dict[int, tuple[Turn, ...]]:
        turns: dict[int, tuple[Turn, ...]] = {}
        speaker: Speaker = "header"
        for number, text in self._pages.items():
            # A turn may go on over the page break: the next page begins with whoever spoke last.
            found = list(_turns_of(text, speaker))
            turns[number] = tuple(Turn(who, quote_key(said)) for who, said in found)
            speaker = found[-1][0] if found else speaker
        return turns if speaker != "header" else {}


def _turns_of(text: str, speaker: Speaker) -> Iterator[tuple[Speaker, str]]:
    said: list[str] = []
    for line in text.splitlines():
        mark = _TURN.match(line)
        if mark:
            yield speaker, "\n".join(said)
            speaker, said = ("question" if mark[1] else "answer"), []
        said.append(line)
    yield speaker, "\n".join(said)


class Library:
    """The documents at hand, each found by any of its names; of many only those that were wanted last are held."""

    def __init__(self, folder: Path | None, most: int = MOST) -> None:
        self.folder = folder
        self._most = most
        self._open: OrderedDict[str, Paper] = OrderedDict()
        self._lock = Lock()

    @cached_property
    def _shelf(self) -> DocumentStore:
        return DocumentStore(read_folder(self.folder) if self.folder else (), self._most)

    @cached_property
    def _by_stem(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self._shelf:
            found.setdefault(document_key(name), []).append(name)
        return found

    def paper(self, name: str | None) -> Paper | None:
        """Return the document with a name, or else its only copy in another format; without a name, the only one."""
        if name:
            names = self._by_stem.get(document_key(name), [])
            only = names[0] if len(names) == 1 else None
            found = next((known for known in names if same_document(known, name)), only)
        else:
            found = next(iter(self._shelf)) if len(self._shelf) == 1 else None
        return None if found is None else self._opened(found)

    def _opened(self, name: str) -> Paper:
        """Return a document, and let those go that were not wanted for long."""
        with self._lock:
            if (paper := self._open.get(name)) is None:
                paper = self._open[name] = Paper(self._shelf[name])
                while len(self._open) > 1 and sum(one.size for one in self._open.values()) > self._most:
                    self._open.popitem(last=False)
            self._open.move_to_end(name)
            return paper

    def source(self, name: str | None) -> Evidence | None:
        """Return what the document with a name states, or without a name all documents; None when not at hand."""
        paper = self.paper(name)
        if paper is not None:
            return paper.evidence
        return None if name or not len(self._shelf) else self._everything

    @cached_property
    def _everything(self) -> Evidence:
        return Evidence.prepare(*(self._shelf[name].text for name in self._shelf))
