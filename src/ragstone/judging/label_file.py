"""labels.jsonl: appended and synced before anybody is told that a label is kept, a checksum a line.

Tables (CSV with a byte-order mark, Excel) and JSON lines have the same columns. Lines without a checksum are those
that somebody wrote by hand; a line whose checksum does not fit was damaged or edited, and is refused by its number.
"""

import csv
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO, StringIO
from math import inf
from pathlib import Path
from zlib import crc32

import msgspec

from ragstone.core.errors import RunError, SettingError
from ragstone.core.types import JSON
from ragstone.datasets.formats import DamagedError, need, xlsx_rows
from ragstone.judging.people import Label, hash_of

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has none: one server appends there
    fcntl = None  # type: ignore[assignment]

FILE = "labels.jsonl"
FORMATS = (".csv", ".jsonl", ".xlsx")
COLUMNS = tuple(name for name in Label.__struct_fields__)
_SUM = b',"crc":"%08x"}'
_TAIL = 18
_LAST = 1 << 16
"""Bytes at the end of a file in which the beginning of its last line is looked for first."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MARK = "'"
"""Keeps a spreadsheet from taking a text for a formula."""
LEAST_CHANCE = 1e-6
"""The least likely draw: one of a million cases."""
LONGEST = 16 << 20
"""Bytes a line may have."""
_BOM = b"\xef\xbb\xbf"
_LISTED = {"quote": "-", "synonyms": "="}
"""Columns that hold several values in a table, and what stands between them."""
_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("stated", "yes", "true", "1", "是", "对", "√"), "stated"),
    **dict.fromkeys(("absent", "no", "false", "0", "否", "错", "×", "not stated"), "absent"),
    **dict.fromkeys(("denied", "否定"), "denied"),
    **dict.fromkeys(("unsure", "不确定", ""), "unsure"),
    "withdrawn": "withdrawn",
}


def read_labels(path: Path) -> list[Label]:
    """Read labels: JSON lines, or a table with the same columns; `answer_text` may stand for the hash."""
    ending = path.suffix.lower()
    if ending == ".xlsx":
        return [_label(_typed(row), path, number) for number, row in _sheet(path)]
    if ending == ".csv":
        return [_label(_typed(row), path, number) for number, row in enumerate(_table(path), start=1)]
    lines = (_line(line, path, number, whole=whole) for number, line, whole in _lines(path))
    return [label for label in lines if label is not None]


def _lines(path: Path) -> Iterator[tuple[int, bytes, bool]]:
    """Yield the lines of a file by their numbers, and whether each has its end."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST + 1), b""), start=1):
                if len(line) > LONGEST:
                    raise ValueError(f"line {number} is longer than {LONGEST} bytes")
                yield number, line.removeprefix(_BOM) if number == 1 else line, line.endswith(b"\n")
    except (OSError, ValueError) as error:
        raise SettingError("labels.file", file=str(path), problem=str(error)) from error


def _table(path: Path) -> Iterator[dict[str, JSON]]:
    try:
        yield from csv.DictReader(line.decode() for _, line, _ in _lines(path))
    except (UnicodeDecodeError, csv.Error) as error:
        raise SettingError("labels.file", file=str(path), problem=str(error)) from error


def _sheet(path: Path) -> Iterator[tuple[int, dict[str, JSON]]]:
    try:
        yield from xlsx_rows(path, path.name)
    except DamagedError as error:
        raise SettingError("labels.file", file=str(path), problem=str(error)) from error


def _line(line: bytes, path: Path, number: int, *, whole: bool = True) -> Label | None:
    """Read one line; the last one may be cut short by a crash: whoever wrote it was not told that it is kept."""
    line = line.rstrip(b"\r\n")
    if not line.strip():
        return None
    try:
        row = _object(line)
    except ValueError as error:
        if not whole:
            return None
        raise SettingError("labels.file", file=f"{path}:{number}", problem=str(error)) from error
    if "crc" in row and line[-_TAIL:] != _SUM % crc32(line[:-_TAIL]):
        raise SettingError("labels.damaged", file=f"{path}:{number}")
    return _label({name: value for name, value in row.items() if name != "crc"}, path, number)


def _object(line: bytes) -> dict[str, JSON]:
    try:
        return msgspec.json.decode(line, type=dict[str, JSON])
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except msgspec.DecodeError:
        # Escaped lone surrogates are no UTF-8, and may be part of a point all the same.
        try:
            row = json.loads(line)
        except RecursionError:
            raise ValueError("nested too deeply") from None
        if not isinstance(row, dict):
            raise ValueError("not an object") from None
        return row


def _label(row: Mapping[str, JSON], path: Path, number: int) -> Label:
    value = {name: found for name, found in row.items() if found not in (None, "")}
    if "answer_text" in value:
        value.setdefault("answer", hash_of(str(value["answer_text"])))
    value["verdict"] = _WORDS.get(str(row.get("verdict", "")).strip().lower(), row.get("verdict"))
    try:
        label = msgspec.convert(value, Label, strict=False)
    except msgspec.ValidationError as error:
        raise SettingError("labels.file", file=f"{path}:{number}", problem=str(error)) from error
    _bounded(label, f"{path}:{number}")
    return label


def _bounded(label: Label, place: str) -> None:
    """Refuse figures that cannot be: a label weighs as much as it was unlikely to be drawn."""
    chance, seconds = label.probability, label.seconds
    if chance is not None and not LEAST_CHANCE <= chance <= 1:
        raise SettingError("labels.file", file=place, problem=f"probability: {chance} is not {LEAST_CHANCE:f} to 1")
    if seconds is not None and not 0 <= seconds < inf:
        raise SettingError("labels.file", file=place, problem=f"seconds: {seconds}")


def _typed(row: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return the cells of a table as a label has them: without the mark against formulas, several values apart."""
    found = {name: _unmarked(str(value)) for name, value in row.items() if name and value not in (None, "")}
    several = {name: [part.strip() for part in found[name].split(_LISTED[name])] for name in _LISTED if name in found}
    return {**found, **several}


def _unmarked(text: str) -> str:
    rest = text.removeprefix(_MARK)
    return rest if rest.lstrip().startswith(_FORMULA) or rest.startswith(_MARK) else text


def cell_of(label: Label, name: str) -> str:
    """Return one column of a label as a table holds it: a spreadsheet shows it and does not compute it."""
    value: JSON = getattr(label, name)
    if name in _LISTED and value:
        value = f" {_LISTED[name]} ".join(map(str, value))
    text = "" if value is None or value is False or value == () else "true" if value is True else str(value)
    text = text.encode("utf-8", "replace").decode()
    return _MARK + text if text.lstrip().startswith(_FORMULA) or text.startswith(_MARK) else text


def encode_labels(labels: Iterable[Label], ending: str) -> bytes:
    """Write labels as a file of one of the formats."""
    if ending == ".jsonl":
        return b"".join(map(encode_line, labels))
    rows = ([cell_of(label, name) for name in COLUMNS] for label in labels)
    if ending == ".csv":
        table = StringIO(newline="")
        csv.writer(table, lineterminator="\r\n").writerows([COLUMNS, *rows])
        return b"\xef\xbb\xbf" + table.getvalue().encode()
    return _workbook(rows)


def _workbook(rows: Iterable[list[str]]) -> bytes:
    openpyxl = need("openpyxl", "labels.xlsx")
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("labels")
    for row in ([*COLUMNS], *rows):
        sheet.append([openpyxl.cell.cell.ILLEGAL_CHARACTERS_RE.sub("�", cell) for cell in row])
    content = BytesIO()
    book.save(content)
    return content.getvalue()


def encode_line(label: Label) -> bytes:
    """Write a label as one line with its checksum."""
    try:
        head = msgspec.json.encode(label)[:-1]
    except UnicodeEncodeError:
        head = json.dumps(msgspec.to_builtins(label), ensure_ascii=True).encode()[:-1]
    return head + _SUM % crc32(head) + b"\n"


def append_labels(path: Path, labels: Iterable[Label]) -> None:
    """Put labels on disk, each a whole line, before anything is made of them."""
    lines = b"".join(map(encode_line, labels))
    mode = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        file = os.open(path, mode, 0o644)
    except OSError as error:
        raise RunError("run.unwritable", folder=str(path.parent), problem=error.strerror or str(error)) from error
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        lines = _complete(file) + lines
        if os.write(file, lines) != len(lines):
            raise RunError("run.unwritable", folder=str(path.parent), problem="No space left on device")
        os.fsync(file)
    finally:
        os.close(file)


def _complete(file: int) -> bytes:
    """Take away a last line that a crash cut short; return what must stand before the next one."""
    size = os.fstat(file).st_size
    tail = _last_line(file, size)
    if not tail:
        return b""
    try:
        _object(tail)
    except ValueError:
        os.ftruncate(file, size - len(tail))
        return b""
    return b"\n"


def _last_line(file: int, size: int) -> bytes:
    """Return what stands behind the last line break."""
    span = _LAST
    while True:
        start = max(0, size - span)
        os.lseek(file, start, os.SEEK_SET)
        _, found, tail = os.read(file, size - start).rpartition(b"\n")
        if found or not start:
            return tail
        span *= 16


class LabelFile:
    """labels.jsonl as somebody keeps it open: appended to, and read on where others have appended."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._at = 0
        self._number = 0

    def fresh(self) -> list[Label] | None:
        """Return the labels that stand in the file since the last look; None when it became shorter: look anew."""
        try:
            with self.path.open("rb") as file:
                if os.fstat(file.fileno()).st_size < self._at:
                    self._at = self._number = 0
                    return None
                file.seek(self._at)
                content = file.read()
        except FileNotFoundError:
            return None if self._at else []
        return list(self._read(content[: content.rfind(b"\n") + 1]))

    def _read(self, content: bytes) -> Iterator[Label]:
        for line in content.split(b"\n")[:-1]:
            self._number += 1
            label = _line(line, self.path, self._number)
            if label is not None:
                yield label
        self._at += len(content)

    def append(self, labels: Iterable[Label]) -> None:
        """Put labels on disk; `fresh` tells of them like of anybody's."""
        append_labels(self.path, labels)
