"""Documents by name: few are held in memory, many in a temporary file, read when needed."""

import pickle
import weakref
from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile
from threading import Lock
from typing import IO

from ragstone.documents.page import Document

MOST = 1_000_000
"""Characters up to which documents are held in memory."""


class DocumentStore:
    """Documents by name, in their order."""

    def __init__(self, documents: Iterable[Document], most: int = MOST) -> None:
        self._near: dict[str, Document] = {}
        self._far: dict[str, int] = {}
        self._file: IO[bytes] | None = None
        self._lock = Lock()
        size = 0
        for document in documents:
            size += characters(document)
            self._near[document.name] = document
            if size > most:
                self._lay_out()

    def _lay_out(self) -> None:
        """Move what is held in memory to a temporary file, which vanishes with this shelf."""
        if self._file is None:
            self._file = TemporaryFile()  # noqa: SIM115 - it lives as long as we do
            weakref.finalize(self, self._file.close)
        for name, document in self._near.items():
            self._far[name] = self._file.tell()
            # Text of a damaged file may hold half of a surrogate pair, which is no UTF-8.
            pickle.dump(document, self._file, pickle.HIGHEST_PROTOCOL)
        self._near.clear()

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        yield from (*self._far, *self._near)

    def __len__(self) -> int:
        return len(self._far) + len(self._near)

    def __getitem__(self, name: str) -> Document:
        """Return the document with a name."""
        if self._file is None or name in self._near:
            return self._near[name]
        with self._lock:
            self._file.seek(self._far[name])
            # Written above, by this process.
            document: Document = pickle.load(self._file)  # noqa: S301
        return document


def characters(document: Document) -> int:
    """Count the characters of a document."""
    return sum(len(page.text) for page in document.pages)
