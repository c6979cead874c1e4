"""The journal of a run: every finished answer, appended and flushed before anything is made of it.

One line an answer: {"unit": n, "id": case id, "answer": …}. A line cut short by a crash is dropped when the file
is opened again; a later line for the same unit replaces an earlier one.
"""

import os
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import msgspec

from ragstone.core.errors import RunError
from ragstone.core.types import Answer
from ragstone.runs.store.codec import decoder, encode


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


def read_entry(line: bytes) -> Entry:
    """Read one line."""
    entry: Entry = _ENTRY(line)
    return entry


def line_at(file: int, offset: int) -> bytes:
    """Return the line of an open file that begins at a place."""
    pieces = []
    while piece := os.pread(file, 1 << 16, offset):
        head, newline, _ = piece.partition(b"\n")
        pieces.append(head)
        if newline:
            break
        offset += len(piece)
    return b"".join(pieces)


class AnswerJournal:
    """The append-only file of answers; eight bytes of memory a unit, nothing more."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._offsets = array("q")
        mode = os.O_RDONLY if read_only else os.O_RDWR | os.O_CREAT | os.O_APPEND
        self._file = os.open(path, mode | getattr(os, "O_CLOEXEC", 0), 0o644)
        self._end = 0
        self._synced = 0
        try:
            self._learn()
        except (RunError, OSError):
            os.close(self._file)
            raise
        if read_only:
            self._synced = self._end
        else:
            os.ftruncate(self._file, self._end)

    def _learn(self) -> None:
        """Find every whole line; one that was not finished is left out."""
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    break
                try:
                    key = _KEY(line)
                except (msgspec.DecodeError, ValueError) as error:
                    raise RunError("run.journal", file=str(self.path), line=number, problem=str(error)) from error
                self._note(key.unit, self._end)
                self._end += len(line)

    def _note(self, unit: int, offset: int) -> None:
        offsets = self._offsets
        if unit >= len(offsets):
            offsets.extend([-1] * (unit + 1 - len(offsets)))
        offsets[unit] = offset

    def append(self, unit: int, case_id: str, answer: Answer) -> None:
        """Put an answer on disk; it survives the death of this process from here on."""
        self._write(unit, encode(Entry(unit, case_id, answer)) + b"\n")

    def _write(self, unit: int, line: bytes) -> None:
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

    def append_line(self, unit: int, line: bytes) -> None:
        """Put an answer on disk that is written as a line already."""
        self._write(unit, line + b"\n")

    def offsets(self, first: int, end: int) -> "array[int]":
        """Say where the lines of some units begin; -1 for those that have none."""
        known = self._offsets[first:end]
        return known if len(known) == end - first else known + array("q", [-1]) * (end - first - len(known))

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
        if unit >= len(self._offsets) or (offset := self._offsets[unit]) < 0:
            return None
        return read_entry(line_at(self._file, offset))

    def line(self, unit: int) -> bytes:
        """Return the line of a unit that has one, as it stands."""
        return line_at(self._file, self._offsets[unit])

    def forget(self, unit: int) -> None:
        """Let a unit be asked again; its old line stays in the file, the new one will replace it."""
        if unit < len(self._offsets):
            self._offsets[unit] = -1

    def units(self) -> Iterator[int]:
        """Yield the numbers of the units that have an answer."""
        return (unit for unit, offset in enumerate(self._offsets) if offset >= 0)

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
