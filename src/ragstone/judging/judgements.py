"""judgements.jsonl: what judges said, appended and flushed before anything is made of it, a checksum a line.

A line is found again by what was asked of whom, so that nothing is asked twice and every figure can be made again
without a call. A line cut short by a crash is dropped when the file is opened again.
"""

import os
from hashlib import sha256
from pathlib import Path
from typing import Literal
from zlib import crc32

import msgspec
from msgspec import Struct

from ragstone.core.errors import RunError
from ragstone.core.types import Question

FILE = "judgements.jsonl"
Outcome = Literal["yes", "no", "unsure"]
LONGEST = 16 << 20
"""Bytes a line may have."""
_TAIL = 18
_SUM = b',"crc":"%08x"}'


class Judgement(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line: what was asked of whom, and what came back."""

    key: str
    judge: str
    kind: str
    case: str
    point: str = ""
    answer: str
    """Hash of the answer's text, as labels have it."""
    margin: float | None = None
    verdict: Outcome = "unsure"
    quote: tuple[int, int] | None = None
    why: str = ""
    reply: str = ""
    version: str = ""
    tokens: int = 0
    cost: float | None = None


def key_of(question: Question, judge: str, prompt: str) -> str:
    """Hash a question with who is asked and what else is said; `judge` is the hash of its identity."""
    return sha256(msgspec.json.encode([judge, prompt, msgspec.to_builtins(question)])).hexdigest()[:32]


def read_line(line: bytes) -> Judgement:
    """Read one line without its end; raises DecodeError or ValueError when it is not what a judge said."""
    if line[-_TAIL:] != _SUM % crc32(line[:-_TAIL]):
        raise ValueError("the checksum does not fit the line")
    return msgspec.json.decode(line, type=Judgement)


class Judgements:
    """The file of a run, by key and version; a later line of the same version replaces an earlier one."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._found: dict[str, tuple[Judgement, ...]] = {}
        """What each version said, the latest last; nearly always there is one."""
        self._file = -1
        self.lines = 0
        """How many the file has."""
        end = self._learn()
        if not read_only:
            mode = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
            self._file = os.open(path, mode, 0o644)
            os.ftruncate(self._file, end)

    def _learn(self) -> int:
        """Read every whole line and return where the last one ends."""
        end = 0
        if self.path.is_symlink() or not self.path.is_file():
            return end
        with self.path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST + 1), b""), start=1):
                if len(line) > LONGEST:
                    raise self._damaged(number, f"longer than {LONGEST} bytes")
                if not line.endswith(b"\n"):
                    break
                one = self._read(line[:-1], number)
                self.lines = number
                self._learn_one(one)
                end += len(line)
        return end

    def _learn_one(self, one: Judgement) -> None:
        """Keep what decides in memory; the words are for people who open the file."""
        others = (known for known in self._found.get(one.key, ()) if known.version != one.version)
        self._found[one.key] = (*others, msgspec.structs.replace(one, reply="", case="", point="", answer=""))

    def _read(self, line: bytes, number: int) -> Judgement:
        try:
            return read_line(line)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise self._damaged(number, str(error)) from error

    def _damaged(self, line: int, problem: str) -> RunError:
        code = "judge.damaged" if self.path.name == FILE else "judge.damaged_part"
        return RunError(code, file=str(self.path), line=line, problem=problem, run=str(self.path.parent))

    def find(self, key: str, version: str | None = None) -> Judgement | None:
        """Return what was said before: by a version, or by the last one that said anything."""
        said = self._found.get(key, ())
        return next((one for one in reversed(said) if version is None or one.version == version), None)

    def __len__(self) -> int:
        return len(self._found)

    def append(self, one: Judgement) -> None:
        """Put an opinion on disk; it survives the death of this process from here on."""
        head = msgspec.json.encode(one)[:-1]
        line = head + _SUM % crc32(head) + b"\n"
        if os.write(self._file, line) != len(line):
            raise RunError("run.unwritable", folder=str(self.path.parent), problem="No space left on device")
        self.lines += 1
        self._learn_one(one)

    def close(self) -> None:
        """Sync and close the file."""
        if self._file >= 0:
            os.fsync(self._file)
            os.close(self._file)
            self._file = -1
