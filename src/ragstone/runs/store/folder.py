"""A run is a folder; this module knows its files, and nothing of what the figures mean."""

import contextlib
import io
import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self

import msgspec

from ragstone.core.errors import RunError
from ragstone.core.types import JSON, Result
from ragstone.runs.store.codec import decoder, encode, is_plain, open_plain, pretty, read_plain, write_whole
from ragstone.runs.store.journal import AnswerJournal, Salvaged, salvage
from ragstone.runs.store.shapes import check_shape

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has no advisory locks
    fcntl = None  # type: ignore[assignment]

FORMAT = 1
"""Version of the folder's layout; a newer one is refused, not guessed at."""
OLDEST = 1
"""Oldest layout that is still read."""

META = "run_meta.json"
JOURNAL = "answers.jsonl"
LOCK = "run.lock"
_BEGUN = frozenset({LOCK, "config.json", "dataset_fingerprint.json", "model_snapshot.json"})
"""What a run writes before run_meta.json makes it one; nothing has been asked by then."""
_RESULT, _VALUE = decoder(Result), decoder(object)
_CUT = 80
LARGEST = 1 << 28
"""Bytes of a JSON file of a run that is read whole."""
MOST_A_CASE = 1_000_000
"""Answers to one case: models times repeats."""
PATIENCE = 0.25
"""Seconds in which a lock may become free."""
LONGEST_NAME = 255
"""Bytes of a name; no common file system takes more."""


def new_run_id(contract: str) -> str:
    """Make a name that sorts by time and says what was measured."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return f"{stamp}-{contract}-{secrets.token_hex(2)}"


def _mode(runs_dir: Path) -> int:
    """Keep a run to its owner: answers may be private. A folder with the setgid bit is shared with its group."""
    return 0o770 if runs_dir.stat().st_mode & stat.S_ISGID else 0o700


class RunFolder:
    """The files of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None
        self._new = False
        self._flag = ""

    @classmethod
    def create(cls, runs_dir: Path, run_id: str, flag: str = "--run-id") -> "RunFolder":
        """Make the folder of a new run; one whose maker died before it asked anything is taken over.

        `flag` is what a user chooses another name with.
        """
        if not _is_name(run_id):
            raise RunError("run.name", name=run_id if len(run_id) < _CUT else f"{run_id[:_CUT]}…")
        folder = cls(runs_dir / run_id)
        folder._new, folder._flag = True, flag
        try:
            runs_dir.mkdir(parents=True, exist_ok=True)
            folder.path.mkdir(mode=_mode(runs_dir))
        except OSError as error:
            if not is_there(folder.path):
                problem = error.strerror or str(error)
                place = "--runs-dir" if flag == "--run-id" else flag
                raise RunError("run.no_folder", folder=str(folder.path), problem=problem, flag=place) from error
            if not folder._is_empty():
                raise folder._taken() from error
        return folder

    def _is_empty(self) -> bool:
        """Return whether a process died here before there was a run."""
        try:
            names = [path.name for path in self.path.iterdir()]
        except OSError:
            return False
        return all(name in _BEGUN or _is_leftover(name) for name in names)

    def _taken(self) -> RunError:
        """Return the error that the name is taken; it mentions `resume` only where that would work."""
        try:
            meta = self.meta()
        except RunError:
            meta = {}
        own = self._flag == "--run-id" and meta and not (meta.get("imported_from") or meta.get("rescored_from"))
        return RunError("run.exists" if own else "run.taken", run=str(self.path), flag=self._flag)

    def _unwritable(self, error: OSError) -> RunError:
        return RunError("run.unwritable", folder=str(self.path), problem=error.strerror or str(error))

    @classmethod
    def open(cls, path: Path) -> "RunFolder":
        """Open the folder of a run that was begun before."""
        folder = cls(path)
        folder.meta()
        return folder

    def __enter__(self) -> Self:
        """Keep other processes from working on this run."""
        self._refuse_links()
        try:
            self._lock = open_plain(self.path / LOCK, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            self._take()
        except BaseException as error:
            os.close(self._lock)
            self._lock = None
            if isinstance(error, OSError):
                raise self._unwritable(error) from error
            raise
        return self

    def _refuse_links(self) -> None:
        """Refuse links, so that nothing outside the folder is written."""
        for name in (LOCK, JOURNAL, "results.jsonl", "judgements.jsonl", "labels.jsonl"):
            path = self.path / name
            if os.path.lexists(path) and not is_plain(path):
                problem = f"{name} is a link" if path.is_symlink() else f"{name} is not a plain file"
                raise RunError("run.unwritable", folder=str(self.path), problem=problem)

    def _locked(self) -> bool:
        """Take the lock; a process that only checks whether a run is busy holds it for a moment."""
        assert self._lock is not None
        until = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                if time.monotonic() > until:
                    return False
                time.sleep(0.01)
            else:
                return True

    def _take(self) -> None:
        """Hold the lock; what a dead process left half written goes."""
        if fcntl is not None and not self._locked():
            raise RunError("run.busy", run=str(self.path))
        if self._new and (self.path / META).exists():
            # Another process was quicker to make a run of this name.
            raise self._taken()
        for path in self.path.glob(".*.tmp"):
            if _is_leftover(path.name):
                with contextlib.suppress(OSError):
                    path.unlink()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def meta(self) -> dict[str, JSON]:
        """Read run_meta.json, refusing folders that are none or that a newer version made."""
        try:
            meta: dict[str, JSON] = _VALUE(self._bytes(META))
            found = int(meta["format_version"])
        except (OSError, msgspec.DecodeError, KeyError, TypeError, ValueError, OverflowError) as error:
            raise RunError("run.not_a_run", run=str(self.path), file=META) from error
        if found > FORMAT:
            raise RunError("run.newer", run=str(self.path), found=found, known=FORMAT)
        if found < OLDEST:
            raise RunError("run.older", run=str(self.path), found=found, known=OLDEST)
        self._check(META, meta)
        return meta

    def read(self, name: str) -> JSON:
        """Read one of the run's JSON files; one that is not what its name says is refused."""
        try:
            value = _VALUE(self._bytes(name))
        except (OSError, msgspec.DecodeError, ValueError) as error:
            raise RunError("run.not_a_run", run=str(self.path), file=name) from error
        self._check(name, value)
        return value

    def _bytes(self, name: str) -> bytes:
        """Read a whole file; a pipe or device is refused rather than waited for."""
        with read_plain(self.path / name) as file:
            if os.fstat(file.fileno()).st_size > LARGEST:
                raise ValueError(f"more than {LARGEST} bytes")
            return file.read()

    def _check(self, name: str, value: JSON) -> None:
        try:
            check_shape(name, value)
        except (ValueError, RecursionError) as error:
            raise RunError("run.damaged", run=str(self.path), file=name, problem=str(error)) from error

    def write(self, name: str, value: object) -> None:
        """Write one of the run's JSON files."""
        self.write_bytes(name, pretty(value))

    def write_bytes(self, name: str, content: bytes) -> None:
        """Write any of the run's files at once."""
        try:
            write_whole(self.path / name, content)
            self._new = False
        except OSError as error:
            raise self._unwritable(error) from error

    def units(self) -> range | None:
        """Return the numbers of the units this run has; a part of a run keeps the numbers of the whole."""
        if not is_plain(self.path / "config.json"):
            return None
        config: dict[str, JSON] = self.read("config.json")
        step = len(self.read("model_snapshot.json")["models"]) * config["repeats"]
        if step > MOST_A_CASE:
            problem = f"more than {MOST_A_CASE} answers a case"
            raise RunError("run.damaged", run=str(self.path), file="config.json", problem=problem)
        first = (config.get("span") or (0, 0))[0] * step
        return range(first, first + int(self.meta().get("expected") or 0))

    def journal(self, *, read_only: bool = False) -> AnswerJournal:
        """Open the journal of answers; a line that is none of this run's is refused."""
        path = self.path / JOURNAL
        if read_only and not is_plain(path):
            raise RunError("run.not_a_run", run=str(self.path), file=JOURNAL)
        try:
            return AnswerJournal(path, read_only=read_only, units=self.units())
        except OSError as error:
            raise self._unwritable(error) from error

    def salvage(self) -> Salvaged:
        """Keep the lines of the journal that are provably good."""
        path = self.path / JOURNAL
        try:
            return salvage(path, self.units()) if is_plain(path) else Salvaged(0, 0)
        except OSError as error:
            raise self._unwritable(error) from error

    def answered(self) -> int:
        """Count the answers on record."""
        try:
            with closing(self.journal(read_only=True)) as journal:
                return len(journal)
        except RunError:
            return 0

    def is_busy(self) -> bool:
        """Return whether a process is working on this run now; True where locks are not supported."""
        try:
            lock = open_plain(self.path / LOCK)
        except OSError:
            return False
        try:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(lock)
        return fcntl is None

    def results(self) -> Iterator[Result]:
        """Stream the rows of results.jsonl; a line cut short by a crash is left out."""
        path = self.path / "results.jsonl"
        try:
            with read_plain(path) as file:
                for number, line in enumerate(file, start=1):
                    if line.endswith(b"\n"):
                        yield read_row(path, number, line)
        except FileNotFoundError:
            return
        except OSError as error:
            problem = error.strerror or str(error)
            raise RunError("run.damaged", run=str(self.path), file=path.name, problem=problem) from error


def read_row(path: Path, number: int, line: bytes) -> Result:
    """Read one line of results.jsonl; one that is none is named by its number."""
    try:
        row: Result = _RESULT(line)
    except (msgspec.DecodeError, ValueError) as error:
        raise RunError("run.row", file=str(path), line=number, problem=str(error)) from error
    return row


class ResultWriter:
    """Writes results.jsonl; what is lost of it in a crash is made again from the journal."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = io.BufferedWriter(io.FileIO(path, "w"), 1 << 18)
        except OSError as error:
            self._fail(error)

    def add(self, result: Result) -> None:
        """Write one row."""
        self.add_line(encode(result))

    def add_line(self, line: bytes) -> None:
        """Write one row that is a line already."""
        try:
            self._file.write(line + b"\n")
        except OSError as error:
            self._fail(error)

    def flush(self) -> None:
        """Flush buffered rows, so that readers see them."""
        try:
            self._file.flush()
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> NoReturn:
        folder = str(self._path.parent)
        raise RunError("run.unwritable", folder=folder, problem=error.strerror or str(error)) from error

    def close(self) -> None:
        """Finish the file."""
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            self._drop()
            self._fail(error)
        self._file.close()

    def _drop(self) -> None:
        """Close without writing what is left: there is no room for it."""
        with contextlib.suppress(OSError):
            self._file.raw.close()
        with contextlib.suppress(OSError, ValueError):
            self._file.close()


def is_there(path: Path) -> bool:
    """Return whether there is such a file or folder; what cannot be a path is nowhere."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _is_name(text: str) -> bool:
    """Return whether a text names a folder inside another, and not one somewhere else."""
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        return False
    return text not in {".", ".."} and 0 < size <= LONGEST_NAME and not any(sign in text for sign in "/\\\0")


def _is_leftover(name: str) -> bool:
    """Return whether a name is that of a file still being written; a verdict may be written without the lock."""
    return name.startswith(".") and name.endswith(".tmp") and not name.startswith(".gate")
