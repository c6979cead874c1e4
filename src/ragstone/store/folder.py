"""A run is a folder; this room knows its files, and nothing of what the figures mean."""

import os
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import msgspec

from ragstone.errors import RunError
from ragstone.store.codec import decoder, encode, pretty, write_whole
from ragstone.store.journal import AnswerJournal
from ragstone.types import JSON, Result

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has no advisory locks
    fcntl = None  # type: ignore[assignment]

FORMAT = 1
"""Version of the folder's layout; a newer one is refused, not guessed at."""

META = "run_meta.json"
Status = Literal["running", "complete", "partial"]
_RESULT = decoder(Result)


def new_run_id(contract: str, now: datetime | None = None) -> str:
    """Make a name that sorts by time and says what was measured."""
    stamp = (now or datetime.now(UTC)).strftime("%Y%m%d-%H%M%S")
    return f"{stamp}-{contract}-{secrets.token_hex(2)}"


class RunFolder:
    """The files of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    @classmethod
    def create(cls, runs_dir: Path, run_id: str) -> "RunFolder":
        """Make the folder of a new run."""
        path = runs_dir / run_id
        try:
            path.mkdir(parents=True)
        except FileExistsError as error:
            raise RunError("run.exists", run=str(path)) from error
        except OSError as error:
            raise RunError("run.unwritable", folder=str(path), problem=error.strerror or str(error)) from error
        return cls(path)

    @classmethod
    def open(cls, path: Path) -> "RunFolder":
        """Open the folder of a run that was begun before."""
        folder = cls(path)
        folder.meta()
        return folder

    def __enter__(self) -> Self:
        """Keep other processes from working on this run."""
        self._lock = os.open(self.path / "run.lock", os.O_RDWR | os.O_CREAT, 0o644)
        if fcntl is not None:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                os.close(self._lock)
                self._lock = None
                raise RunError("run.busy", run=str(self.path)) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def meta(self) -> dict[str, JSON]:
        """Read run_meta.json, refusing folders that are none or that a newer version made."""
        try:
            meta: dict[str, JSON] = msgspec.json.decode((self.path / META).read_bytes())
            found = int(meta["format_version"])
        except (OSError, msgspec.DecodeError, KeyError, TypeError, ValueError) as error:
            raise RunError("run.not_a_run", run=str(self.path), file=META) from error
        if found > FORMAT:
            raise RunError("run.newer", run=str(self.path), found=found, known=FORMAT)
        return meta

    def read(self, name: str) -> JSON:
        """Read one of the run's JSON files."""
        try:
            return msgspec.json.decode((self.path / name).read_bytes())
        except (OSError, msgspec.DecodeError) as error:
            raise RunError("run.not_a_run", run=str(self.path), file=name) from error

    def write(self, name: str, value: object) -> None:
        """Write one of the run's JSON files."""
        self.write_bytes(name, pretty(value))

    def write_bytes(self, name: str, content: bytes) -> None:
        """Write any of the run's files at once."""
        try:
            write_whole(self.path / name, content)
        except OSError as error:
            raise RunError("run.unwritable", folder=str(self.path), problem=error.strerror or str(error)) from error

    def journal(self) -> AnswerJournal:
        """Open the journal of answers."""
        return AnswerJournal(self.path / "answers.jsonl")

    def results(self) -> Iterator[Result]:
        """Stream the rows of results.jsonl; a line cut short by a crash is left out."""
        try:
            with (self.path / "results.jsonl").open("rb") as file:
                for line in file:
                    if line.endswith(b"\n"):
                        yield _RESULT(line)
        except FileNotFoundError:
            return


class ResultWriter:
    """Writes results.jsonl; what is lost of it in a crash is made again from the journal."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("wb", buffering=1 << 18)

    def add(self, result: Result) -> None:
        """Write one row."""
        try:
            self._file.write(encode(result) + b"\n")
        except OSError as error:
            self._fail(error)

    def flush(self) -> None:
        """Let readers see the rows so far."""
        try:
            self._file.flush()
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        folder = str(self._path.parent)
        raise RunError("run.unwritable", folder=folder, problem=error.strerror or str(error)) from error

    def close(self) -> None:
        """Finish the file."""
        self.flush()
        os.fsync(self._file.fileno())
        self._file.close()
