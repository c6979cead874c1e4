"""Reads files and folders into documents, in a stable order, each with the reader for its type."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from ragstone.core.files.ragstone_files import is_ragstone_file, without_runs
from ragstone.core.types import Finding, Position
from ragstone.documents.encoding import decode, is_binary
from ragstone.documents.marks import split_pages
from ragstone.documents.page import MAX_BYTES, Document, DocumentError, Page

KINDS = (".md", ".txt", ".pdf", ".docx")
"""File name endings that can be read."""

Note = Callable[[Finding], object]


def read_document(path: Path | str, name: str | None = None) -> Document:
    """Read one document into pages, or raise DocumentError with what is wrong and what to do."""
    path = Path(path)
    name = path.name if name is None else name
    kind = path.suffix.lower()
    if kind not in KINDS:
        raise DocumentError("documents.kind", file=name, kinds=" ".join(KINDS))
    data = _bytes(path, name)
    # What reads PDF and Word takes a while to import, and most folders hold neither.
    if kind == ".pdf":
        from ragstone.documents.pdf import read_pdf  # noqa: PLC0415

        return Document(name, read_pdf(data, name))
    if kind == ".docx":
        from ragstone.documents.docx import read_docx  # noqa: PLC0415

        return Document(name, read_docx(data, name))
    return _read_text(data, name)


def read_folder(folder: Path | str, note: Note | None = None) -> Iterator[Document]:
    """Read every document of a folder and its subfolders, in the order of their names.

    What cannot be read is skipped; `note` (such as a list's `append`) is called with it, and with guessed encodings.
    A path to one file reads that file.
    """
    tell = note or (lambda finding: None)
    for path, name in find_files(folder, tell):
        try:
            document = read_document(path, name)
        except DocumentError as error:
            tell(error.finding(name))
            continue
        for finding in document.notes:
            tell(finding)
        yield document


def find_files(folder: Path | str, note: Note | None = None) -> Iterator[tuple[Path, str]]:
    """List the readable files of a folder as (path, name), sorted by name; links never lead out of the folder."""
    root = Path(folder)
    if root.is_file():
        yield root, root.name
        return
    tell = note or (lambda finding: None)
    inside = root.resolve()
    for path in sorted(_walk(root, tell), key=lambda path: path.relative_to(root).parts):
        name = _name(path, root)
        error = _reason_to_skip(path, name, inside)
        if error:
            tell(error.finding(name, "note"))
        else:
            yield path, name


def _walk(root: Path, tell: Note) -> Iterator[Path]:
    """Walk over all files but hidden ones and Ragstone's own, without entering linked folders."""

    def closed(error: OSError) -> None:
        name = _name(Path(error.filename), root)
        tell(DocumentError("documents.unreadable", file=name, problem=error.strerror).finding(name))

    for here, folders, files in os.walk(root, onerror=closed):
        folders[:] = without_runs(here, (folder for folder in folders if not folder.startswith(".")))
        paths = (Path(here, file) for file in files if not file.startswith("."))
        yield from (path for path in paths if not is_ragstone_file(path))


def _name(path: Path, root: Path) -> str:
    """Name a file relative to its folder; bytes of a name that are no UTF-8 are replaced."""
    return os.fsencode(path.relative_to(root).as_posix()).decode("utf-8", "replace")


def _reason_to_skip(path: Path, name: str, inside: Path) -> DocumentError | None:
    """Return why a file is skipped, or None."""
    if path.suffix.lower() not in KINDS:
        return DocumentError("documents.kind", file=name, kinds=" ".join(KINDS))
    if path.is_symlink() and not path.resolve().is_relative_to(inside):
        return DocumentError("documents.outside", file=name)
    if not path.is_file():
        # Opening a pipe would wait for ever.
        return DocumentError("documents.unreadable", file=name, problem="not a regular file")
    return None


def _bytes(path: Path, name: str) -> bytes:
    """Read the bytes of a file, up to a limit."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise DocumentError("documents.unreadable", file=name, problem=error.strerror or str(error)) from error
    if len(data) > MAX_BYTES:
        raise DocumentError("documents.too_large", file=name, limit=MAX_BYTES // 2**20)
    return data


def _read_text(data: bytes, name: str) -> Document:
    """Read a plain or Markdown text with its page marks."""
    text, encoding, sure = decode(data)
    if is_binary(text):
        raise DocumentError("documents.binary", file=name)
    notes = () if sure else (_encoding_note(name, encoding),)
    pages = split_pages(text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", ""))
    return Document(name, tuple(page for page in pages if page.text.strip()) or (Page(1, ""),), notes)


def _encoding_note(name: str, encoding: str) -> Finding:
    params = {"file": name, "encoding": encoding}
    return Finding(level="note", code="documents.encoding", position=Position(name), params=params)
