"""Opens the formats a file of rows may have: lines (plain or packed), JSON, YAML, CSV, Parquet, Excel; knows no row."""

import io
import math
import re
import zlib
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple, cast

import msgspec

from ragstone.core.errors import DatasetError
from ragstone.core.types import JSON

Kind = Literal["lines", "json", "csv", "parquet", "xlsx", "yaml"]
SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".csv", ".csv.gz", ".csv.zst", ".parquet", ".xlsx")
"""Names of files that hold rows; .json is one value, and any other name is taken for plain lines."""
BATCH = 512
"""Rows of a Parquet file that are decoded at once."""
SAID = frozenset({"output"})
"""Columns of a CSV file that hold what a system said: text as it stands, though it be empty or look like JSON."""
_EXTRAS = {"zstandard": "zstd", "pyarrow.parquet": "parquet", "openpyxl": "excel"}
MOST_SHEET = 100 << 20
"""Bytes a workbook may unpack to; a cell of it is held whole."""
MOST_ABOVE = 10
"""Rows of a sheet among which its heading is looked for."""
_UNSAVED = re.compile(rb"</f>\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>")
MOST_SHEET_ROWS = 1 << 20
"""Rows of a sheet; a file may claim any number for the next one."""


class DamagedError(Exception):
    """A file that turns out to be broken on the way; what was read before it stands."""


class Form(NamedTuple):
    """How a file's name says it is to be read."""

    kind: Kind
    packed: Literal["", "gz", "zst"] = ""

    @property
    def plain(self) -> bool:
        """Whether a row can be read again from the byte its line begins at."""
        return self == ("lines", "")


def form_of(path: Path) -> Form:
    """Read a file's form from its name.

    >>> form_of(Path("a.jsonl.gz"))
    Form(kind='lines', packed='gz')
    """
    name = path.name.lower()
    packed: Literal["", "gz", "zst"] = ""
    if name.endswith(".gz"):
        packed, name = "gz", name[:-3]
    elif name.endswith(".zst"):
        packed, name = "zst", name[:-4]
    if name.endswith(".parquet"):
        return Form("parquet")
    if name.endswith(".xlsx"):
        return Form("xlsx")
    if name.endswith((".yaml", ".yml")):
        return Form("yaml", packed)
    if name.endswith(".json"):
        return Form("json", packed)
    return Form("csv" if name.endswith((".csv", ".tsv")) else "lines", packed)


def open_bytes(path: Path, name: str) -> BinaryIO:
    """Open a file as a stream of what is inside, unpacked on the way."""
    try:
        file = path.open("rb")
    except IsADirectoryError as error:
        raise DatasetError("dataset.directory", file=name) from error
    except FileNotFoundError as error:
        raise DatasetError("dataset.missing", file=name) from error
    except OSError as error:
        raise DatasetError("dataset.unreadable", file=name, problem=error.strerror or str(error)) from error
    packed = form_of(path).packed
    if packed == "gz":
        import gzip  # noqa: PLC0415 - most datasets need it not

        return _Unpacked(gzip.GzipFile(fileobj=file), file)
    if packed == "zst":
        try:
            return _Unpacked(_Zstd(need("zstandard", name), file), file)
        except DatasetError:
            file.close()
            raise
    return file


class _Zstd:
    """A zstd file's content; unlike its library it does not take a file cut short for a whole one."""

    def __init__(self, zstandard: Any, file: BinaryIO) -> None:
        self._zstandard = zstandard
        self._file = file
        unpack = zstandard.ZstdDecompressor(max_window_size=1 << 27)
        self._reader = unpack.stream_reader(file, read_across_frames=True, closefd=False)

    def read(self, size: int) -> bytes:
        """Return some bytes; none at the end, when the last frame ends there too."""
        try:
            piece: bytes = self._reader.read(size)
        except self._zstandard.ZstdError as error:
            raise DamagedError(str(error)) from error
        if not piece and size:
            self._file.seek(0)
            while self._next_frame():
                pass
        return piece

    def _next_frame(self) -> bool:
        """Step over one frame of the packed file, block by block."""
        start = self._file.tell()
        head = self._file.read(18)
        if not head:
            return False
        if head[1:4] == b"\x2a\x4d\x18":  # a frame to be skipped
            self._step(start + 8 + int.from_bytes(head[4:8], "little"))
            return True
        self._file.seek(start + self._zstandard.frame_header_size(head))
        last = False
        while not last:
            block = int.from_bytes(self._take(3), "little")
            last, kind, size = bool(block & 1), block >> 1 & 3, block >> 3
            self._step(self._file.tell() + (1 if kind == 1 else size))
        if self._zstandard.get_frame_parameters(head).has_checksum:
            self._take(4)
        return True

    def _take(self, size: int) -> bytes:
        piece = self._file.read(size)
        if len(piece) < size:
            raise DamagedError("the file is cut short")
        return piece

    def _step(self, to: int) -> None:
        """Go to a place that must lie within the file."""
        self._file.seek(to - 1)
        self._take(1)


class _Unpacked(io.BufferedReader):
    """A packed file's content, whose own faults are all of one kind."""

    def __init__(self, inner: Any, file: BinaryIO) -> None:
        self._below = file
        super().__init__(_Raw(inner), 1 << 17)

    def close(self) -> None:
        super().close()
        self._below.close()


class _Raw(io.RawIOBase):
    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        try:
            piece = self._inner.read(len(into))
        except (OSError, EOFError, zlib.error) as error:
            raise DamagedError(str(error)) from error
        into[: len(piece)] = piece
        return len(piece)


def need(module: str, name: str) -> Any:
    """Import what a format needs besides, or say how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        extra = _EXTRAS[module]
        raise DatasetError("dataset.extra", file=name, extra=extra, package=module.partition(".")[0]) from error


class Cells(NamedTuple):
    """One record of a CSV file and the line it begins at; `problem` when it is none."""

    line: int
    value: dict[str, JSON]
    problem: str = ""
    byte: int = 0
    """The first of the line that is not UTF-8."""


def csv_records(file: BinaryIO, max_bytes: int) -> Iterator[Cells]:
    """Stream the records of a CSV file under the names its first line gives; an empty cell is no field."""
    import csv  # noqa: PLC0415 - most datasets need it not

    # Raised and left so: two files may be read at once, and the limit belongs to the whole process.
    csv.field_size_limit(max(csv.field_size_limit(), max_bytes))
    lines = _Lines(file, max_bytes)
    reader = csv.reader(lines, delimiter=lines.delimiter(), strict=True)
    names: list[str] = []
    while True:
        start, lines.taken = lines.number + 1, 0
        try:
            cells = next(reader)
        except StopIteration:
            return
        except UnicodeDecodeError as error:
            yield Cells(start, {}, byte=error.start + 1)
            if not names:
                return
            continue
        except csv.Error as error:
            yield Cells(start, {}, str(error))
            continue
        except _TooLongError as error:
            yield Cells(start, {}, str(error))
            return
        if not names:
            names = [cell.strip() for cell in cells]
        elif any(cell.strip() for cell in cells):
            yield _cells(start, names, cells)


def _cells(line: int, names: list[str], cells: list[str]) -> Cells:
    if len(cells) > len(names):
        return Cells(line, {}, f"{len(cells)} cells under {len(names)} names")
    named = zip(names, cells, strict=False)
    kept = {
        name: cell if name in SAID else _cell(cell) for name, cell in named if name in SAID or (name and cell.strip())
    }
    return Cells(line, kept)


def _cell(text: str) -> JSON:
    """Read a cell: a list or an object when it is written as JSON, else text."""
    if text.lstrip()[:1] in {"[", "{"}:
        try:
            return msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
            return text
    return text


class _TooLongError(Exception):
    """A record that does not end."""


class _Lines(Iterator[str]):
    """The lines of a CSV file, counted; a record that takes too many bytes (a quote never closed) is refused."""

    def __init__(self, file: BinaryIO, max_bytes: int) -> None:
        self._file = file
        self._most = max_bytes
        self._ahead: bytes | None = None
        self.number = 0
        self.taken = 0

    def delimiter(self) -> str:
        """Spreadsheets save with commas, semicolons or tabs: look at the first line."""
        self._ahead = self._file.readline(self._most + 1).removeprefix(b"\xef\xbb\xbf")
        counts = {mark: self._ahead.count(mark.encode()) for mark in ",\t;"}
        return max(counts, key=lambda mark: counts[mark])

    def __next__(self) -> str:
        raw = self._ahead if self._ahead is not None else self._file.readline(self._most + 1)
        self._ahead = None
        if not raw:
            raise StopIteration
        self.number += 1
        self.taken += len(raw)
        if self.taken > self._most:
            raise _TooLongError(f"the record is longer than {self._most} bytes; is a quote left open?")
        return raw.decode()


def parquet_rows(path: Path, name: str) -> Iterator[dict[str, JSON]]:
    """Stream the rows of a Parquet file; what is null is no field."""
    parquet = need("pyarrow.parquet", name)
    try:
        with parquet.ParquetFile(path, memory_map=False, pre_buffer=False) as file:
            for batch in file.iter_batches(batch_size=BATCH):
                yield from (cast("dict[str, JSON]", _kept(row)) for row in batch.to_pylist())
    except FileNotFoundError as error:
        raise DatasetError("dataset.missing", file=name) from error
    except (OSError, ValueError) as error:  # pyarrow's own errors are both
        if path.is_dir():
            raise DatasetError("dataset.directory", file=name) from error
        raise DamagedError(str(error).partition("\n")[0]) from error


def xlsx_rows(path: Path, name: str, *, blanks: bool = False) -> Iterator[tuple[int, dict[str, JSON]]]:
    """Stream the rows of a workbook's first table under the names its heading gives, each with its number there.

    With `blanks` every row has all names of the heading, "" where a cell is empty.
    """
    openpyxl = need("openpyxl", name)
    import zipfile  # noqa: PLC0415 - most datasets need it not

    try:
        with zipfile.ZipFile(path) as packed:
            if sum(part.file_size for part in packed.infolist()) > MOST_SHEET:
                raise DamagedError(f"it unpacks to more than {MOST_SHEET} bytes")
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        try:
            rows, names = _table(book.worksheets)
            for number, cells in rows:
                if number > MOST_SHEET_ROWS:
                    raise DamagedError(f"it has more than {MOST_SHEET_ROWS} rows")
                named = zip(names, cells, strict=False)
                if kept := {head: _sheet_cell(cell) for head, cell in named if head and cell not in (None, "")}:
                    yield number, ({head: "" for head in names if head} if blanks else {}) | kept
        finally:
            book.close()
    except FileNotFoundError as error:
        raise DatasetError("dataset.missing", file=name) from error
    except (OSError, ValueError, KeyError, IndexError, zipfile.BadZipFile, SyntaxError) as error:
        raise DamagedError(str(error).partition("\n")[0] or type(error).__name__) from error


def _table(sheets: Sequence[Any]) -> tuple[Iterator[tuple[int, tuple[Any, ...]]], list[str]]:
    """Find the first sheet with a table, and its heading: a title or a note above it fills a single cell."""
    for sheet in sheets:
        sheet.reset_dimensions()  # a file may claim a width that every row is filled up to
        rows = enumerate(sheet.iter_rows(values_only=True), start=1)
        head = list(islice(rows, MOST_ABOVE))
        wide = [place for place, (_, cells) in enumerate(head) if sum(map(_filled, cells)) > 1]
        if len(wide) > 1 or sheet is sheets[-1]:
            break
    if len(wide) < 2 and len(sheets) > 1:
        return _table(sheets[:1])
    first = wide[0] if wide else 0
    names = [str(cell or "").strip() for cell in head[first][1]] if head else []
    return chain(head[first + 1 :], rows), names


def _filled(cell: Any) -> bool:
    return cell is not None and bool(str(cell).strip())


def unsaved_formulas(path: Path) -> bool:
    """Return whether a workbook has formulas without their results: a program wrote it that does not calculate."""
    import zipfile  # noqa: PLC0415 - most datasets need it not

    try:
        with zipfile.ZipFile(path) as packed:
            sheets = [part for part in packed.infolist() if part.filename.startswith("xl/worksheets/sheet")]
            small = (part for part in sheets if part.file_size <= MOST_SHEET)
            return any(_UNSAVED.search(packed.read(part)) for part in small)
    except (OSError, zipfile.BadZipFile):
        return False


def _sheet_cell(value: Any) -> JSON:
    """Read a cell as a CSV file would have it; a whole number stays one."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return _cell(value) if isinstance(value, str) else _kept(value)


def _kept(value: Any) -> JSON:
    """Return a cell as JSON would have it: no nulls in objects, no NaN, dates as text."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return {name: kept for name, item in value.items() if (kept := _kept(item)) is not None}
    if isinstance(value, list):
        return [_kept(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return msgspec.to_builtins(value)
