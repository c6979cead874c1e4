"""Streams the rows of a file, with a finding for every one that cannot be read; knows no contract."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import msgspec

from ragstone.core.types import JSON, Finding, Position
from ragstone.datasets.faults import (
    BOM,
    HEAD,
    UTF16_BOMS,
    Broken,
    crowded,
    decode,
    is_curly,
    no_number,
    reason,
    unreadable,
)
from ragstone.datasets.formats import (
    DamagedError,
    csv_records,
    form_of,
    open_bytes,
    parquet_rows,
    unsaved_formulas,
    xlsx_rows,
)
from ragstone.datasets.syntax.arrays import MAX_ROW_BYTES, BrokenError, items

if TYPE_CHECKING:
    from ragstone.datasets.syntax.yaml_text import Marked

_BLANK = b" \t\n\r\x0b\f\xef\xbb\xbf"
_CHUNK = 1 << 16
MOST_ITEMS = 1000
"""Texts in one list of a row: each is looked for in the answer."""
MOST_BLANK = 1_000_000
"""Blank lines in a row; a small packed file can hold hundreds of millions."""


class Row(NamedTuple):
    """One object of a file, where it stands, at which byte its line begins, and its number among the rows."""

    value: dict[str, JSON]
    position: Position
    offset: int
    """-1 where a row cannot be read again from its place: packed files, CSV, Parquet."""
    number: int = 0
    """Counted from 1, rows that are faulty counted too."""


class Part(NamedTuple):
    """Some whole lines of a plain file: its bytes, and how many lines and rows stand before it."""

    start: int
    end: int
    lines: int = 0
    rows: int = 0
    size: int = 0
    """Rows in it."""


_ONLY: ContextVar[tuple[Path, Part] | None] = ContextVar("only", default=None)


@contextmanager
def only(path: Path, part: Part) -> Iterator[None]:
    """Limit `read_rows` to one part of a file inside this block."""
    token = _ONLY.set((path, part))
    try:
        yield
    finally:
        _ONLY.reset(token)


def parts(path: Path, size: int, *, skip: int = 0, most: int | None = None, width: int = 1 << 30) -> Iterator[Part]:
    """Cut a plain file into parts of so many rows (or bytes), from the row after `skip` on; nothing is decoded."""
    end = None if most is None else skip + most
    start = offset = lines = first = rows = before = 0
    with path.open("rb") as file:
        for line in file:
            blank = not line.strip(_BLANK)
            if not blank and rows == end:
                break
            if not blank and (rows == skip or rows - first >= size or offset - start >= width):
                if rows > skip:
                    yield Part(start, offset, before, first, rows - first)
                start, before, first = offset, lines, rows
            offset += len(line)
            lines += 1
            rows += not blank
    if rows > max(first, skip):
        yield Part(start, offset, before, first, rows - first)


def read_rows(path: Path, *, name: str | None = None, max_bytes: int = MAX_ROW_BYTES) -> Iterator[Row | Finding]:
    """Stream the objects of a file of rows: JSONL (plain, .gz, .zst), CSV, Parquet, Excel, JSON or YAML, by its name.

    Blank lines are skipped, a BOM and CRLF are tolerated.
    """
    name, form = name or str(path), form_of(path)
    chosen = _ONLY.get()
    part = chosen[1] if chosen and chosen[0] == path else None
    if form.kind in {"parquet", "xlsx"}:
        numbered = enumerate(parquet_rows(path, name), start=1) if form.kind == "parquet" else xlsx_rows(path, name)
        yield from _from_table(numbered, name)
        if form.kind == "xlsx" and unsaved_formulas(path):
            yield Finding(level="warning", code="row.formulas", position=Position(name))
        return
    with open_bytes(path, name) as file:
        if form.plain:
            yield from _lines(file, name, max_bytes, path, part)
            return
        line = 0
        try:
            read = _READERS[form.kind]
            for row in read(file, name, max_bytes, path):
                line = row.position.line or 0
                yield row._replace(offset=-1) if isinstance(row, Row) else row
        except DamagedError as error:
            yield _fault("row.damaged", Position(name, line + 1), problem=str(error))


def _lines(file: BinaryIO, name: str, max_bytes: int, path: Path, part: Part | None = None) -> Iterator[Row | Finding]:
    if part is None and _is_utf16(file):
        yield _fault("row.utf16", Position(name, 1))
        return
    line, offset, number = (part.lines, part.start, part.rows) if part else (0, 0, 0)
    sound, blank = True, 0
    if part:
        file.seek(part.start)
    while (part is None or offset < part.end) and (raw := file.readline(max_bytes + 1)):
        line += 1
        start, offset = offset, offset + len(raw)
        if len(raw) > max_bytes and not raw.endswith(b"\n"):
            offset += _skip_line(file)
            number += 1
            yield _fault("row.too_long", Position(name, line), limit=max_bytes)
            continue
        if line == 1 and raw.startswith(BOM):
            raw = raw[3:]
        blank += 1
        if blank > MOST_BLANK:
            yield _fault("row.blank", Position(name, line), limit=MOST_BLANK)
            return
        if raw.strip():
            number += 1
            blank = 0
            row = _decode(raw, Position(name, line), start, number)
            if row.__class__ is Finding and sound:
                sound = False
                if fault := _whole_file(path, name):
                    yield fault
                    return
            yield row


def _whole_file(path: Path, name: str) -> Finding | None:
    """Return the fault of a whole file, as opposed to a row of it: another encoding, or no text at all."""
    with open_bytes(path, name) as file:
        fault = unreadable(file.read(HEAD))
    return fault.at(name) if fault and fault.code != "row.not_utf8" else None


def _from_csv(file: BinaryIO, name: str, max_bytes: int, path: Path) -> Iterator[Row | Finding]:
    if _is_utf16(file):
        yield _fault("row.utf16", Position(name, 1))
        return
    for number, cells in enumerate(csv_records(file, max_bytes), start=1):
        position = Position(name, cells.line)
        if cells.byte:
            fault = _whole_file(path, name) if number == 1 else None
            yield fault or _fault("row.not_utf8", position, byte=cells.byte)
            if fault:
                return
        elif cells.problem:
            yield _fault("row.csv", position, problem=cells.problem)
        elif any(name.startswith("__expected") for name in cells.value):
            yield from _expected(cells.value, position, number)
        else:
            yield Row(cells.value, position, -1, number)


def _expected(value: dict[str, JSON], position: Position, number: int) -> Iterator[Row | Finding]:
    """Read a row of promptfoo's CSV, and name what it wants that no row can say."""
    from ragstone.datasets.promptfoo import expected_cells, unread_cells  # noqa: PLC0415 - few tables need it

    row = expected_cells(value)
    yield Row(row, position, -1, number)
    yield from unread_cells(row, position)


def _from_json(file: BinaryIO, name: str, max_bytes: int, path: Path) -> Iterator[Row | Finding]:
    """Read an array, or an object that holds one; lines of objects under such a name are read as lines."""
    if _is_lines(file, max_bytes):
        with open_bytes(path, name) as again:
            yield from _lines(again, name, max_bytes, path)
        return
    with open_bytes(path, name) as again:
        config = _config(again, max_bytes)
    if config is not None:
        yield from _tests(config, name)
        return
    sound = True
    for row in _elements(path, name, max_bytes):
        if isinstance(row, Finding) and sound:
            sound = False
            if fault := _whole_file(path, name):
                yield fault
                return
        yield row


def _elements(path: Path, name: str, max_bytes: int) -> Iterator[Row | Finding]:
    try:
        for number, item in enumerate(items(lambda: open_bytes(path, name), max_bytes), start=1):
            whole = None if item.pointer else decode(item.raw)
            if isinstance(whole, Broken):
                yield whole.at(name)
            else:
                yield _decode(item.raw, Position(name, pointer=item.pointer), -1, number)
    except BrokenError as error:
        yield error.broken.at(name)


def _is_lines(file: BinaryIO, max_bytes: int) -> bool:
    """Return whether the first line alone is an object: JSON lines under the name of a JSON file."""
    head = file.read(_CHUNK).removeprefix(BOM).lstrip()
    if not head.startswith(b"{"):
        return False
    line, end, rest = head.partition(b"\n")
    if not end:
        line += file.readline(max_bytes)
    try:
        return bool(_OBJECT(line)) and any(map(bytes.strip, (rest, *iter(lambda: file.read(_CHUNK), b""))))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _config(file: BinaryIO, max_bytes: int) -> "Marked | None":
    """Return promptfoo's configuration where a JSON file is one."""
    head = file.read(_CHUNK)
    if b'"tests"' not in head:
        return None
    from ragstone.datasets.promptfoo import is_promptfoo  # noqa: PLC0415 - most datasets need it not
    from ragstone.datasets.syntax.yaml_text import Marked  # noqa: PLC0415

    value = decode(head + file.read(max_bytes))
    return Marked(value, {}) if is_promptfoo(value) else None


def _from_yaml(file: BinaryIO, name: str, max_bytes: int, path: Path) -> Iterator[Row | Finding]:
    """Read promptfoo's tests, or a list of objects; nothing else in YAML is a table."""
    from ragstone.datasets.promptfoo import is_promptfoo  # noqa: PLC0415 - most datasets need it not
    from ragstone.datasets.syntax.yaml_text import read_marked  # noqa: PLC0415

    document = read_marked(file.read(max_bytes + 1), max_bytes)
    if isinstance(document, Broken):
        yield document.at(name)
    elif is_promptfoo(document.value):
        yield from _tests(document, name)
    else:
        for at, value in enumerate(_list(document.value)):
            yield _object(Position(name, document.lines[(at,)]), value, at + 1)


def _tests(document: "Marked", name: str) -> Iterator[Row | Finding]:
    from ragstone.datasets.promptfoo import read_tests  # noqa: PLC0415

    number = 0
    for item in read_tests(document, name):
        number += not isinstance(item, Finding)
        yield item if isinstance(item, Finding) else _object(*item, number)


def _list(value: JSON) -> list[JSON]:
    return value if isinstance(value, list) else []


def _object(position: Position, value: JSON, number: int) -> Row | Finding:
    if isinstance(value, dict):
        return Row({str(name): item for name, item in value.items()}, position, -1, number)
    return _fault("row.not_object", position, found=type_name(value))


def _from_table(numbered: Iterable[tuple[int, dict[str, JSON]]], name: str) -> Iterator[Row | Finding]:
    """Read a Parquet file or a workbook; its rows have numbers instead of lines."""
    place = 0
    try:
        for number, (place, value) in enumerate(numbered, start=1):
            yield Row(value, Position(name, place), -1, number)
    except DamagedError as error:
        yield _fault("row.damaged", Position(name, place + 1), problem=str(error))


def _is_utf16(file: BinaryIO) -> bool:
    return file.peek(2)[:2] in UTF16_BOMS  # type: ignore[attr-defined]


def _skip_line(file: BinaryIO) -> int:
    """Read past the rest of a line without holding it; return its length."""
    skipped = 0
    while piece := file.readline(_CHUNK):
        skipped += len(piece)
        if piece.endswith(b"\n"):
            break
    return skipped


def _decode(raw: bytes, position: Position, offset: int, number: int) -> Row | Finding:
    if many := crowded(raw):
        return _fault(many.code, position, **many.params)
    try:
        value = decode_row(raw)
    except (ValueError, RecursionError) as error:
        return _undecodable(raw, position, reason(error))
    if not isinstance(value, dict):
        code = "row.array" if isinstance(value, list) else "row.not_object"
        return _fault(code, position, found=type_name(value))
    return Row(value, position, offset, number)


def decode_row(raw: bytes) -> JSON:
    """Decode a line; half of a surrogate pair, which UTF-8 cannot hold but an escape can, is kept as it came."""
    try:
        return _DECODE(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        if b"\\ud" not in raw.lower() or no_number(raw) is not None:
            raise
        found: JSON = json.loads(raw)
        return found


def _undecodable(raw: bytes, position: Position, problem: str) -> Finding:
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        return _fault("row.not_utf8", position, byte=error.start + 1)
    if (found := no_number(raw)) is not None:
        return _fault("row.nan", position, found=found)
    return _fault("row.curly" if is_curly(raw) else "row.not_json", position, problem=problem)


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
        if isinstance(value, list) and len(value) > MOST_ITEMS:
            self._wrong(field, "too many items", f"at most {MOST_ITEMS} items", f"{len(value)} items")
            return ()
        if value is None:
            return ()
        if not isinstance(value, list):
            # The cell of a table is text: what an array looks like there is not plain.
            shown = f'{expected} such as ["…"]' if isinstance(value, str) else expected
            self._wrong(field, "wrong type", shown, type_name(value))
            return ()
        for index, item in enumerate(value):
            if not isinstance(item, str) or not item.strip():
                found = repr(item) if isinstance(item, str) else type_name(item)
                self._wrong(f"{field}[{index}]", "wrong item", "a non-empty string", found)
        if len(value) < least:
            self._wrong(field, "too few items", expected, f"{len(value)} items")
        return tuple(item for item in value if isinstance(item, str))

    def unknown(self, known: Sequence[str]) -> dict[str, JSON]:
        """Return the fields that are not among `known`."""
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
_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_READERS = {"lines": _lines, "csv": _from_csv, "json": _from_json, "yaml": _from_yaml}
