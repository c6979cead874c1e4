"""A JSONL file into rows, streamed, with a finding for every line that is none; knows no contract."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from ragstone.errors import DatasetError
from ragstone.types import JSON, Finding, Position

MAX_ROW_BYTES = 16 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_CHUNK = 1 << 16


class Row(NamedTuple):
    """One JSON object of a file, where it stands, and at which byte its line begins."""

    value: dict[str, JSON]
    position: Position
    offset: int


def read_rows(path: Path, *, name: str | None = None, max_bytes: int = MAX_ROW_BYTES) -> Iterator[Row | Finding]:
    """Stream the objects of a JSONL file; blank lines are skipped, a BOM and CRLF are tolerated."""
    name = name or str(path)
    try:
        file = path.open("rb")
    except IsADirectoryError as error:
        raise DatasetError("dataset.directory", file=name) from error
    except FileNotFoundError as error:
        raise DatasetError("dataset.missing", file=name) from error
    except OSError as error:
        raise DatasetError("dataset.unreadable", file=name, problem=error.strerror or str(error)) from error
    with file:
        if file.read(2) in _UTF16_BOMS:
            yield _fault("row.utf16", Position(name, 1))
            return
        file.seek(0)
        line, offset = 0, 0
        while raw := file.readline(max_bytes + 1):
            line += 1
            start, offset = offset, offset + len(raw)
            if len(raw) > max_bytes and not raw.endswith(b"\n"):
                offset += _skip_line(file)
                yield _fault("row.too_long", Position(name, line), limit=max_bytes)
                continue
            if line == 1 and raw.startswith(_BOM):
                raw = raw[3:]
            if raw.strip():
                yield _decode(raw, Position(name, line), start)


def _skip_line(file: BinaryIO) -> int:
    """Read past the rest of a line without holding it; return its length."""
    skipped = 0
    while piece := file.readline(_CHUNK):
        skipped += len(piece)
        if piece.endswith(b"\n"):
            break
    return skipped


def _decode(raw: bytes, position: Position, offset: int) -> Row | Finding:
    try:
        value = _DECODE(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _undecodable(raw, position, str(error))
    if not isinstance(value, dict):
        return _fault("row.not_object", position, found=type_name(value))
    return Row(value, position, offset)


def _undecodable(raw: bytes, position: Position, problem: str) -> Finding:
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        return _fault("row.not_utf8", position, byte=error.start + 1)
    return _fault("row.not_json", position, problem=problem)


def _fault(code: str, position: Position, **params: JSON) -> Finding:
    return Finding(level="error", code=code, position=position, params=params)


def type_name(value: JSON) -> str:
    """Name a JSON value's type the way a JSON author would."""
    if value is None:
        return "null"
    for kind, name in ((bool, "boolean"), (int | float, "number"), (str, "string"), (list, "array"), (dict, "object")):
        if isinstance(value, kind):
            return name
    return type(value).__name__


class FieldReader:
    """Reads the fields of one row and gathers everything that is wrong with them."""

    def __init__(self, row: Row, case_id: str | None = None) -> None:
        self.row = row
        self.case_id = case_id
        self.findings: list[Finding] = []

    def text(self, field: str, *, required: bool = True) -> str:
        """Read a string that is not blank."""
        value = self._take(field, "a non-empty string", required)
        if value is None:
            return ""
        if not isinstance(value, str):
            self._wrong(field, "wrong type", "a non-empty string", type_name(value))
            return ""
        if not value.strip() and required:
            self._wrong(field, "empty", "a non-empty string", repr(value))
        return value

    def texts(self, field: str, *, least: int = 0, required: bool = True) -> tuple[str, ...]:
        """Read an array of strings that are not blank."""
        expected = f"an array of at least {least} non-empty strings" if least else "an array of strings"
        value = self._take(field, expected, required)
        if value is None:
            return ()
        if not isinstance(value, list):
            self._wrong(field, "wrong type", expected, type_name(value))
            return ()
        for index, item in enumerate(value):
            if not isinstance(item, str) or not item.strip():
                found = repr(item) if isinstance(item, str) else type_name(item)
                self._wrong(f"{field}[{index}]", "wrong item", "a non-empty string", found)
        if len(value) < least:
            self._wrong(field, "too few items", expected, f"{len(value)} items")
        return tuple(item for item in value if isinstance(item, str))

    def unknown(self, known: Sequence[str]) -> dict[str, JSON]:
        """Return the fields nobody asked for."""
        return {name: value for name, value in self.row.value.items() if name not in known}

    def _take(self, field: str, expected: str, required: bool) -> JSON:
        value = self.row.value.get(field)
        if value is None and required:
            code = "row.field" if field in self.row.value else "row.missing"
            self._add(code, field=field, problem="null", expected=expected, found="null")
        return value

    def _wrong(self, field: str, problem: str, expected: str, found: str) -> None:
        self._add("row.field", field=field, problem=problem, expected=expected, found=found)

    def _add(self, code: str, **params: JSON) -> None:
        position = self.row.position
        self.findings.append(Finding(level="error", code=code, position=position, case_id=self.case_id, params=params))


_DECODE = msgspec.json.Decoder().decode
