"""Stores the documents of a dataset, files or a zip of them, in a folder beside it."""

import lzma
import os
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO

from ragstone.documents.folder import KINDS
from ragstone.web.errors import PageError

ENDING = ".documents"
MOST_FILES = 2000
"""Documents of one dataset."""
LARGER = 4
"""How many times the largest upload a zip may unpack to."""
LONGEST_LIST = 4 << 20
"""Bytes of a zip's list of entries."""
END_OF_ZIP = (1 << 16) + 128
"""Bytes at the end of a zip where its list is announced."""
PRIVATE = 0o600
_PIECE = 1 << 18
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(NotImplementedError, RuntimeError, EOFError, OSError, ValueError),
)
"""What reading a damaged zip raises."""
_EMOJI = "\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u200d\ufe0f"
_PART = re.compile(rf"[\w(（{_EMOJI}][\w .()（）,，&+@\-{_EMOJI}]{{0,120}}")


def folder_of(dataset: Path) -> Path:
    """Return the folder of a dataset's uploaded documents."""
    return dataset.with_name(f"{dataset.name.partition('.')[0]}{ENDING}")


def check_document_name(name: str, content_start: bytes) -> None:
    """Refuse a name that no document can have; a zip's own name is not used."""
    if not name.lower().endswith(".zip"):
        place_of(name)


def place_of(name: str) -> PurePosixPath:
    """Read a document's name, with the folders it came in; a name that leads elsewhere is none."""
    path = PurePosixPath(name.replace("\\", "/"))
    plain = path.parts and len(path.parts) <= 6 and all(_PART.fullmatch(part) for part in path.parts)
    if not plain or path.suffix.lower() not in KINDS:
        raise PageError(422, "page.file_name", name=name[-80:], kinds=", ".join((*KINDS, ".zip")))
    return path


def add_document(folder: Path, name: str, temporary: Path, most: int) -> int:
    """Add a file, or the files of a zip, to the documents; return how many there are then."""
    if name.lower().endswith(".zip"):
        _unpack(folder, temporary, most)
    else:
        place = place_of(name)
        _require_room(count(folder) + _is_new(folder, place))
        with temporary.open("rb") as file:
            _write(folder, place, file, most)
    return count(folder)


def count(folder: Path | None) -> int:
    """Count the documents of a folder, as far as counting makes sense."""
    if folder is None or not folder.is_dir():
        return 0
    found = 0
    for _, _, files in os.walk(folder):
        found += sum(Path(name).suffix.lower() in KINDS for name in files)
        if found > MOST_FILES:
            break
    return found


def _unpack(folder: Path, path: Path, most: int) -> None:
    """Write the documents in a zip down; everything else in it is passed over, and too much of it refused."""
    left, held, places = most * LARGER, count(folder), set[PurePosixPath]()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _refusing_damage(), TemporaryDirectory(prefix=".", dir=folder.parent) as apart:
        _require_short_list(path)
        with zipfile.ZipFile(path) as packed:
            for entry in packed.infolist()[: 4 * MOST_FILES]:
                inner = _decoded(entry)
                if entry.is_dir() or Path(inner).suffix.lower() not in KINDS or _is_hidden(inner):
                    continue
                place = place_of(inner)
                held += place not in places and _is_new(folder, place)
                places.add(place)
                _require_room(held)
                with packed.open(entry) as file:
                    left -= _write(Path(apart), place, file, min(left, most))
        for place in sorted(places):
            with Path(apart, *place.parts).open("rb") as file:
                _write(folder, place, file, most)


@contextmanager
def _refusing_damage() -> Iterator[None]:
    try:
        yield
    except _DAMAGED as error:
        raise PageError(415, "page.zip", problem=str(error)[:200]) from error


def _require_short_list(path: Path) -> None:
    """Refuse a zip whose list of entries is long: it is read whole, and takes many times its bytes in memory."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - END_OF_ZIP))
        tail = file.read()
    end = tail[tail.rfind(b"PK\5\6") :]
    if b"PK\6\7" in tail or (len(end) >= 16 and int.from_bytes(end[12:16], "little") > LONGEST_LIST):
        raise PageError(413, "page.unpacks", name=path.name)


def _decoded(entry: zipfile.ZipInfo) -> str:
    """Return a name as it was meant: many tools write UTF-8 or, in Chinese, GBK without saying so."""
    if entry.flag_bits & 0x800:
        return entry.filename
    for encoding in ("utf-8", "gb18030"):
        with suppress(UnicodeError):
            return entry.filename.encode("cp437").decode(encoding)
    return entry.filename


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts)


def _is_new(folder: Path, inner: PurePosixPath) -> bool:
    return not folder.joinpath(*inner.parts).exists()


def _require_room(documents: int) -> None:
    if documents > MOST_FILES:
        raise PageError(409, "page.many_documents", number=MOST_FILES)


def _write(folder: Path, inner: PurePosixPath, source: IO[bytes], most: int) -> int:
    """Copy a document piece by piece to where it belongs; returns its length. One that is too long is refused."""
    target = folder.joinpath(*inner.parts)
    if folder.is_symlink() or any(parent.is_symlink() for parent in target.parents if parent.is_relative_to(folder)):
        raise PageError(409, "page.file_name", name=inner.name, kinds=", ".join(KINDS))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        file = os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb")
    except OSError as error:
        raise PageError(507, "page.disk", problem=error.strerror or "?") from error
    try:
        with file:
            return _copy(source, file, inner.name, most)
    except BaseException:
        target.unlink()
        raise


def _copy(source: IO[bytes], target: IO[bytes], name: str, most: int) -> int:
    length = 0
    while piece := source.read(_PIECE):
        length += len(piece)
        if length > most:
            raise PageError(413, "page.unpacks", name=name)
        try:
            target.write(piece)
        except OSError as error:
            raise PageError(507, "page.disk", problem=error.strerror or "?") from error
    return length
