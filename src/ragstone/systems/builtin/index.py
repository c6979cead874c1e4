"""The index: chunks and their terms in one SQLite file (or in memory), ranked by BM25, named by its content."""

import hashlib
import math
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import astuple

from ragstone.core.errors import ConnectError
from ragstone.core.types import Finding
from ragstone.documents import KINDS, find_files, read_folder
from ragstone.systems.builtin.chunks import CHUNK_SIZE, Chunk, split_document
from ragstone.systems.builtin.terms import index_terms

FORMAT = "2"
"""Changes whenever the same documents would be indexed in another way."""

HEADING_WEIGHT = 0.6

_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE chunk (id INTEGER PRIMARY KEY, source_path TEXT, page INTEGER, pages INTEGER, heading TEXT,
                    "start" INTEGER, "end" INTEGER, text TEXT, speaker TEXT);
CREATE VIRTUAL TABLE terms USING fts5(body, above, content='', tokenize='unicode61 remove_diacritics 0');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(terms, 'row');
"""
_SEARCH = """
SELECT source_path, page, pages, heading, "start", "end", text, speaker, -bm25(terms, 1.0, ?) AS score, chunk.id
FROM terms JOIN chunk ON chunk.id = terms.rowid WHERE terms MATCH ? ORDER BY score DESC, chunk.id LIMIT ?
"""


class Hit(NamedTuple):
    """A chunk that was found, and how well it fits."""

    chunk: Chunk
    score: float
    number: int = 0
    """Its place among all chunks of the index."""


class Index:
    """Chunks that can be searched by terms."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        meta = dict(connection.execute("SELECT name, value FROM meta").fetchall())
        self.version: str = meta["version"]
        self.documents = int(meta["documents"])
        self.chunks = int(meta["chunks"])

    def search(self, terms: Sequence[str], top_k: int) -> list[Hit]:
        """Return the best chunks, best first; equal ones in the order of the documents."""
        if not terms:
            return []
        query = " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
        rows = self._connection.execute(_SEARCH, (HEADING_WEIGHT, query, top_k))
        return [Hit(Chunk(*row[:8]), round(row[8], 6), row[9]) for row in rows]

    def before(self, hits: Sequence[Hit]) -> dict[int, Chunk]:
        """Return the chunk that stands before each hit in its document, by the number of the hit."""
        if not hits:
            return {}
        names = {hit.number: hit.chunk.source_path for hit in hits}
        places = ",".join("?" * len(names))
        query = f"SELECT chunk.*, id + 1 FROM chunk WHERE id IN ({places})"  # noqa: S608 - only question marks are put in
        rows = self._connection.execute(query, [number - 1 for number in names]).fetchall()
        return {row[-1]: Chunk(*row[1:-1]) for row in rows if row[1] == names[row[-1]]}

    def weigh(self, terms: Sequence[str]) -> dict[str, float]:
        """Give each term its weight: the rarer, the heavier; one that no chunk has weighs like one that one chunk has.

        A pair of characters that no chunk has, between two that some have, is where two words meet: it weighs nothing.
        """
        places = ",".join("?" * len(terms))
        counts = dict(
            self._connection.execute(f"SELECT term, doc FROM vocabulary WHERE term IN ({places})", terms).fetchall()  # noqa: S608 - only question marks are put in
        )
        pairs = [term for term in counts if len(term) == 2]
        firsts, lasts = {pair[0] for pair in pairs}, {pair[1] for pair in pairs}
        seams = {pair for pair in terms if _is_pair(pair) and pair[0] in lasts and pair[1] in firsts} - counts.keys()
        weights = {term: math.log(1 + self.chunks / (max(counts.get(term, 0), 1) + 0.5)) for term in terms}
        return weights | dict.fromkeys(seams, 0.0)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _is_pair(term: str) -> bool:
    return len(term) == 2 and not term.isascii()


def open_index(folder: Path, out: Path | None = None, *, size: int = CHUNK_SIZE) -> Index:
    """Open the index of a folder: in memory, or kept in the folder `out` and found there again by its content."""
    if not folder.exists():
        raise ConnectError("documents.missing", folder=str(folder))
    if out is None:
        return Index(_make(":memory:", folder, version_of(folder, size), size))
    return Index(_connect(build_index(folder, out, size=size)))


def build_index(
    folder: Path, out: Path, *, size: int = CHUNK_SIZE, note: Callable[[Finding], object] | None = None
) -> Path:
    """Build the index of a folder as a file in `out`, named by its content, unless it is there already."""
    if not folder.exists():
        raise ConnectError("documents.missing", folder=str(folder))
    version = version_of(folder, size)
    path = out / f"{version}.sqlite"
    if _is_whole(path, version):
        return path
    draft = out / f".{version}.{os.getpid()}.draft"
    try:
        out.mkdir(parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        _make(str(draft), folder, version, size, note).close()
        draft.replace(path)
    except (OSError, sqlite3.Error) as error:
        raise ConnectError("builtin.index", file=str(path), problem=str(error)) from error
    return path


def version_of(folder: Path, size: int) -> str:
    """Name an index by what goes into it: the bytes and names of the documents, and the settings."""
    total = hashlib.sha256(f"{FORMAT}\0{size}".encode())
    for path, name in find_files(folder):
        total.update(f"\0{name}\0{_digest(path)}".encode())
    return total.hexdigest()[:16]


def _digest(path: Path) -> str:
    """Hash a file without holding it in memory; one that cannot be read has no content."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return ""


def _connect(path: Path | str) -> sqlite3.Connection:
    # Asked from one event loop at a time, which need not run in the thread that opened it.
    return sqlite3.connect(path, check_same_thread=False)


def _is_whole(path: Path, version: str) -> bool:
    """Return whether a file holds the index it is named after."""
    if not path.is_file():
        return False
    try:
        with closing(_connect(path)) as connection:
            return Index(connection).version == version
    except (sqlite3.Error, KeyError, ValueError):
        return False


def _make(
    target: str, folder: Path, version: str, size: int, note: Callable[[Finding], object] | None = None
) -> sqlite3.Connection:
    """Read the documents and write the index."""
    connection = _connect(target)
    try:
        _write(connection, folder, version, size, note)
    except BaseException:
        connection.close()
        raise
    return connection


def _write(
    connection: sqlite3.Connection, folder: Path, version: str, size: int, note: Callable[[Finding], object] | None
) -> None:
    """Fill an empty index."""
    connection.executescript(_SCHEMA)
    documents, chunks = 0, 0
    for document in read_folder(folder, note):
        documents += 1
        chunks += _add(connection, chunks, split_document(document, size))
    if not chunks:
        raise ConnectError("documents.empty", folder=str(folder), kinds=" ".join(KINDS))
    meta = {"version": version, "documents": str(documents), "chunks": str(chunks)}
    connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
    connection.execute("INSERT INTO terms(terms) VALUES ('optimize')")
    connection.commit()


def _add(connection: sqlite3.Connection, before: int, chunks: Iterable[Chunk]) -> int:
    """Add chunks under the numbers after `before`; return how many."""
    added = 0
    for added, chunk in enumerate(chunks, 1):
        row = (before + added, *astuple(chunk))
        connection.execute("INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        above = f"{chunk.above} {chunk.speaker}"
        terms = (" ".join(index_terms(chunk.text)), " ".join(index_terms(above)))
        connection.execute("INSERT INTO terms(rowid, body, above) VALUES (?, ?, ?)", (before + added, *terms))
    return added
