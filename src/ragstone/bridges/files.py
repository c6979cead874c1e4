"""Reads foreign files safely: sizes are capped, NaN is allowed, and every fault is reported with its place."""

import csv
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from ragstone.core.errors import DatasetError
from ragstone.core.types import JSON

MOST_BYTES = 512 * 1024 * 1024
"""The largest file, and the most an archive may unpack to."""
MOST_ROW = 16 * 1024 * 1024
MOST_MEMBER = 64 * 1024 * 1024
MOST_MEMBERS = 200_000
MOST_DIRECTORY = 64 * 1024 * 1024
"""Bytes of an archive's list of members."""
_ENDS = ((b"PK\x05\x06", 12, 4), (b"PK\x06\x06", 40, 8))
"""Where the end of an archive, and its end in the large format, tell the size of that list: mark, place, bytes."""
_IN_ZIP64 = 0xFFFFFFFF
ZIP = b"PK\x03\x04"
_ZSTD = 93
_LOCAL = struct.Struct("<4s22xHH")


def objects(value: JSON, path: Path, tool: str, field: str) -> list[dict[str, JSON]]:
    """Return an array of objects, or refuse the file."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise fault("shape", path, tool=tool, field=field)
    return list(value)


def fault(code: str, path: Path, **params: JSON) -> DatasetError:
    """Return what is wrong with a file."""
    return DatasetError(f"import.{code}", file=str(path), **params)


def open_bytes(path: Path) -> BinaryIO:
    """Open a file that is not too large."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise fault("large", path, limit=f"{MOST_BYTES >> 20} MB")
        return path.open("rb")
    except FileNotFoundError as error:
        raise fault("missing", path) from error
    except OSError as error:
        raise fault("unreadable", path, problem=error.strerror or str(error)) from error


def read_bytes(path: Path) -> bytes:
    """Read a whole file that is not too large."""
    with open_bytes(path) as file:
        return file.read(MOST_BYTES)


def read_json(path: Path) -> JSON:
    """Read a file that is one JSON value."""
    return decode(read_bytes(path), path)


def decode(content: bytes, path: Path, where: str = "") -> JSON:
    """Read JSON; NaN and Infinity, which some tools write, are let in."""
    try:
        return msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        return _whole(json.loads(content.decode("utf-8-sig")))
    except UnicodeDecodeError as error:
        raise fault("encoding", path, where=where or f"byte {error.start + 1}") from error
    except json.JSONDecodeError as error:
        if not where and content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] not in {b"{", b"[", b""}:
            raise fault("no_json", path) from error
        place = where or f"line {error.lineno}, column {error.colno}"
        raise fault("json", path, where=place, problem=error.msg) from error
    except (RecursionError, ValueError) as error:
        raise fault("json", path, where=where or "-", problem=str(error)) from error


def _whole(value: JSON) -> JSON:
    """Replace halves of characters, which JSON can write and no file of ours can hold."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return {_whole(name): _whole(item) for name, item in value.items()} if isinstance(value, dict) else value


class Line(NamedTuple):
    """One object of a JSONL or CSV file, and where it stands."""

    number: int
    value: dict[str, JSON]


def read_lines(path: Path) -> Iterator[Line]:
    """Stream the objects of a JSONL file; a line that is none is refused."""
    with open_bytes(path) as file:
        number = 0
        while raw := file.readline(MOST_ROW + 1):
            number += 1
            if len(raw) > MOST_ROW:
                raise fault("row", path, where=f"line {number}", limit=f"{MOST_ROW >> 20} MB")
            if raw.strip():
                value = decode(raw, path, f"line {number}")
                if not isinstance(value, dict):
                    raise fault("json", path, where=f"line {number}", problem="not an object")
                yield Line(number, value)


def read_csv(path: Path) -> Iterator[Line]:
    """Stream the records of a CSV file under the names of its first line; every cell is text, empty ones too."""
    csv.field_size_limit(max(csv.field_size_limit(), MOST_ROW))
    with io.TextIOWrapper(open_bytes(path), encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, strict=True)
        try:
            names = [cell.strip() for cell in next(reader, [])]
            for cells in reader:
                if cells:
                    yield Line(reader.line_num, _named(path, reader.line_num, names, cells))
        except csv.Error as error:
            raise fault("csv", path, line=reader.line_num, problem=str(error)) from error
        except UnicodeDecodeError as error:
            raise fault("encoding", path, where=f"line {reader.line_num + 1} or after") from error


def _named(path: Path, line: int, names: list[str], cells: list[str]) -> dict[str, JSON]:
    if len(cells) != len(names):
        raise fault("csv", path, line=line, problem=f"{len(cells)} cells under {len(names)} names")
    return dict(zip(names, cells, strict=True))


class Archive:
    """A zip of JSON files, such as an Inspect log; what it unpacks to is capped, whatever it says of itself."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._left = MOST_BYTES
        self._file = open_bytes(path)
        if _directory_size(self._file) > MOST_DIRECTORY:
            self._file.close()
            raise fault("members", path, limit=MOST_MEMBERS)
        try:
            self._zip = zipfile.ZipFile(self._file)
        except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error, EOFError) as error:
            self._file.close()
            raise fault("archive", path, problem=str(error)) from error
        self.names = [info.filename for info in self._zip.infolist()[: MOST_MEMBERS + 1]]
        if len(self.names) > MOST_MEMBERS:
            self.close()
            raise fault("members", path, limit=MOST_MEMBERS)

    def close(self) -> None:
        """Close the file."""
        self._zip.close()
        self._file.close()

    def json(self, name: str) -> JSON:
        """Read one member."""
        try:
            content = self._unpack(self._zip.getinfo(name))
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, struct.error, RuntimeError, ValueError) as error:
            raise fault("archive", self.path, problem=f"{name}: {error}") from error
        self._left -= len(content)
        if len(content) > MOST_MEMBER or self._left < 0:
            raise fault("unpacked", self.path, name=name, limit=f"{MOST_MEMBER >> 20} MB", all=f"{MOST_BYTES >> 20} MB")
        return decode(content, self.path, name)

    def _unpack(self, info: zipfile.ZipInfo) -> bytes:
        """Unpack one byte more than allowed at most."""
        most = min(MOST_MEMBER, self._left) + 1
        if info.compress_type != _ZSTD:
            with self._zip.open(info) as member:
                return member.read(most)
        return self._unpack_zstd(info, most)

    def _unpack_zstd(self, info: zipfile.ZipInfo, most: int) -> bytes:
        """Unpack what this Python's zipfile cannot: newer logs are packed by Zstandard."""
        zstandard = _zstandard(self.path)
        self._file.seek(info.header_offset)
        mark, name, more = _LOCAL.unpack(self._file.read(_LOCAL.size))
        if mark != ZIP:
            raise zipfile.BadZipFile("no file header where there should be one")
        self._file.seek(name + more, io.SEEK_CUR)
        packed = io.BytesIO(self._file.read(min(info.compress_size, MOST_BYTES)))
        try:
            with zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(packed) as reader:
                return _all(reader, most)
        except zstandard.ZstdError as error:
            raise zipfile.BadZipFile(str(error)) from error


def _directory_size(file: BinaryIO) -> int:
    """Read how large an archive's list of members is, before it is read; 0 where it is not stated."""
    end = file.seek(0, io.SEEK_END)
    file.seek(max(0, end - (1 << 17)))
    tail = file.read()
    file.seek(0)
    sizes = [0]
    for mark, at, size in _ENDS:
        place = tail.rfind(mark)
        sizes += [int.from_bytes(tail[place + at : place + at + size], "little")] if place >= 0 else []
    return max(size for size in sizes if size != _IN_ZIP64)


def _all(reader: Any, most: int) -> bytes:
    pieces, size = [], 0
    while size < most and (piece := reader.read(min(1 << 20, most - size))):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _zstandard(path: Path) -> Any:
    try:
        return import_module("zstandard")
    except ImportError as error:
        raise fault("zstd", path) from error
