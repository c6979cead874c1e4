"""The journal of a run: every finished answer, appended and flushed before anything is made of it.

One line an answer: {"unit": n, "id": case id, "answer": …, "crc": checksum}. A line cut short by a crash is dropped
when the file is opened again; a later line for the same unit replaces an earlier one. Lines of earlier versions have
no checksum; behind the first line that has one, every line must.
"""

import os
from array import array
from collections.abc import Iterator
from functools import partial
from heapq import merge
from pathlib import Path
from typing import NamedTuple, NoReturn
from zlib import crc32

import msgspec

from ragstone.core.errors import RunError
from ragstone.core.files.random_access import line_at
from ragstone.core.types import Answer
from ragstone.runs.store.codec import decoder, encode, is_plain, open_plain, read_plain

LONGEST_LINE = 1 << 28
"""Bytes of one line; a longer one is no answer of ours."""
GAP = 1 << 20
"""Units a line may skip before it is kept apart: what a file says must not decide how much memory is taken."""
BROKEN = "answers.jsonl.broken"
"""Where a journal is kept whose good lines were saved."""


class Entry(msgspec.Struct, frozen=True):
    """One line of the journal."""

    unit: int
    id: str
    answer: Answer


class _Key(msgspec.Struct, frozen=True):
    """The part of a line that says whose it is."""

    unit: int
    id: str


_ENTRY = decoder(Entry)
_KEY = decoder(_Key)
_SUM, _SUM_END, _TAIL = b',"crc":"', b'"}', 18


def line_of(unit: int, case_id: str, answer: Answer) -> bytes:
    """Write one line with its checksum, without the line's end."""
    head = encode(Entry(unit, case_id, answer))[:-1]
    return b'%b,"crc":"%08x"}' % (head, crc32(head))


def has_sum(line: bytes) -> bool:
    """Return whether a line (without its end) has a checksum; raises ValueError when it is not that of the line."""
    tail = line[-_TAIL:]
    if not (tail.startswith(_SUM) and tail.endswith(_SUM_END)):
        return False
    if tail[len(_SUM) : -len(_SUM_END)] != b"%08x" % crc32(line[:-_TAIL]):
        raise ValueError("the checksum does not fit the line")
    return True


def read_entry(line: bytes) -> Entry:
    """Read one line; raises DecodeError or ValueError when it is damaged."""
    has_sum(line)
    entry: Entry = _ENTRY(line)
    return entry


class _Reader:
    """Reads whose each line of a journal is, one after another."""

    def __init__(self, units: range | None) -> None:
        self._units = units
        self._summed = False

    def key(self, line: bytes) -> _Key:
        """Return whose a line is; raises DecodeError or ValueError when it cannot be believed."""
        if has_sum(line):
            self._summed = True
        elif self._summed:
            raise ValueError("the line has no checksum, though lines before it have one")
        key: _Key = _KEY(line)
        if key.unit < 0 or (self._units is not None and key.unit not in self._units):
            raise ValueError(f"unit {_short(key.unit)} is none of this run")
        return key


def _short(number: int) -> str:
    return str(number) if abs(number) < 1 << 64 else "of too many digits"


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the whole lines of a journal with their ends; one that was not finished is left out."""
    with read_plain(path) as file:
        for line in iter(partial(file.readline, LONGEST_LINE), b""):
            if not line.endswith(b"\n"):
                if len(line) >= LONGEST_LINE:
                    yield line
                return
            yield line


def is_summed(path: Path) -> bool:
    """Return whether a journal begins with a line that has a checksum; one that cannot be read has none."""
    try:
        line = next(_lines(path), b"") if is_plain(path) else b""
        return has_sum(line[:-1])
    except (OSError, ValueError):
        return False


class Salvaged(NamedTuple):
    """How many lines of a damaged journal could be kept, and how many could not."""

    kept: int
    dropped: int


def salvage(path: Path, units: range | None) -> Salvaged:
    """Keep the lines of a journal that are provably whole; the damaged file stays beside it."""
    reader, kept, dropped, beside = _Reader(units), 0, 0, path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644), "wb") as file:
        for line in _lines(path):
            try:
                reader.key(line[:-1])
                read_entry(line[:-1])
            except (msgspec.DecodeError, ValueError):
                dropped += 1
                continue
            kept += 1
            file.write(line)
        file.flush()
        os.fsync(file.fileno())
    if beside.stat().st_size != path.stat().st_size:
        path.replace(free_name(path.with_name(BROKEN)))
        beside.replace(path)
    else:
        beside.unlink()
    return Salvaged(kept, dropped)


def free_name(path: Path) -> Path:
    """Return the first of some names that is not taken."""
    number, free = 1, path
    while free.exists() or free.is_symlink():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


class AnswerJournal:
    """The append-only file of answers; eight bytes of memory a unit, nothing more.

    `units` are those of the run: a line for any other is refused.
    """

    def __init__(self, path: Path, *, read_only: bool = False, units: range | None = None) -> None:
        self.path = path
        self._first = units.start if units is not None else 0
        self._offsets = array("q")
        self._far: dict[int, int] = {}
        self._file = open_plain(path, os.O_RDONLY if read_only else os.O_RDWR | os.O_CREAT | os.O_APPEND)
        self._end = 0
        self._synced = 0
        try:
            self._learn(_Reader(units))
        except (RunError, OSError):
            os.close(self._file)
            raise
        if read_only:
            self._synced = self._end
        else:
            os.ftruncate(self._file, self._end)

    def _learn(self, reader: _Reader) -> None:
        """Find every whole line."""
        for number, line in enumerate(_lines(self.path), start=1):
            try:
                key = reader.key(line[:-1])
            except (msgspec.DecodeError, ValueError) as error:
                raise self._broken(number, error) from error
            self._note(key.unit, self._end)
            self._end += len(line)

    def _broken(self, line: int, error: Exception) -> RunError:
        return RunError("run.journal", file=str(self.path), line=line, problem=str(error), run=str(self.path.parent))

    def _note(self, unit: int, offset: int) -> None:
        offsets, place = self._offsets, unit - self._first
        if place >= len(offsets) + GAP or unit in self._far:
            self._far[unit] = offset
            return
        if place >= len(offsets):
            offsets.extend(array("q", [-1]) * (place + 1 - len(offsets)))
        offsets[place] = offset

    def _at(self, unit: int) -> int:
        """Return where a unit's line begins, or -1."""
        if (far := self._far.get(unit)) is not None:
            return far
        place = unit - self._first
        return self._offsets[place] if 0 <= place < len(self._offsets) else -1

    def append(self, unit: int, case_id: str, answer: Answer) -> None:
        """Write an answer to disk; it survives the death of this process from here on."""
        self.append_line(unit, line_of(unit, case_id, answer))

    def append_line(self, unit: int, line: bytes) -> None:
        """Write an answer to disk that is encoded already."""
        line += b"\n"
        try:
            if os.write(self._file, line) != len(line):
                raise OSError(28, "No space left on device")
        except OSError as error:
            os.ftruncate(self._file, self._end)
            self._fail(error)
        self._note(unit, self._end)
        self._end += len(line)

    def _fail(self, error: OSError) -> NoReturn:
        folder = str(self.path.parent)
        raise RunError("run.unwritable", folder=folder, problem=error.strerror or str(error)) from error

    def offsets(self, first: int, end: int) -> "array[int]":
        """Return where the lines of some units begin; -1 for those that have none."""
        return array("q", map(self._at, range(first, end)))

    def find(self, unit: int) -> Answer | None:
        """Return the recorded answer of a unit."""
        entry = self.entry(unit)
        return entry.answer if entry else None

    def id_of(self, unit: int) -> str | None:
        """Return the case id an answer was recorded under."""
        entry = self.entry(unit)
        return entry.id if entry else None

    def entry(self, unit: int) -> Entry | None:
        """Return the line of a unit: its answer and the case it was recorded under."""
        if (offset := self._at(unit)) < 0:
            return None
        try:
            return read_entry(line_at(self._file, offset))
        except (msgspec.DecodeError, ValueError) as error:
            raise self._broken(self.number_of(unit), error) from error

    def number_of(self, unit: int) -> int:
        """Return the number of a unit's line in the file, counted from 1."""
        with read_plain(self.path) as file:
            return file.read(self._at(unit)).count(b"\n") + 1

    def line(self, unit: int) -> bytes:
        """Return the line of a unit that has one, as it stands."""
        return line_at(self._file, self._at(unit))

    def forget(self, unit: int) -> None:
        """Mark a unit to be asked again; its old line stays in the file, the new one will replace it."""
        if self._at(unit) >= 0:
            self._note(unit, -1)

    def units(self) -> Iterator[int]:
        """Yield the numbers of the units that have an answer, in their order."""
        near = (unit for unit, offset in enumerate(self._offsets, self._first) if offset >= 0)
        far = sorted(unit for unit, offset in self._far.items() if offset >= 0)
        return merge(near, far) if far else near

    def __len__(self) -> int:
        return sum(1 for _ in self.units())

    def sync(self) -> None:
        """Force what was appended onto the disk itself, so that it survives a power cut."""
        if self._synced != self._end:
            end = self._end
            try:
                os.fdatasync(self._file)
            except OSError as error:
                self._fail(error)
            self._synced = end

    def close(self) -> None:
        """Sync and close the file."""
        try:
            self.sync()
        finally:
            os.close(self._file)
