"""Writing to a file of drafts: one command at a time, and whole lines only."""

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from ragstone.core.errors import SettingError
from ragstone.drafting.rows import unwritable
from ragstone.runs.store.codec import open_plain

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has no advisory locks
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"
"""How the file ends that lies beside drafts while a command works on them."""


@contextmanager
def alone(*files: Path) -> Iterator[None]:
    """Keep other commands from drafting into some files; a lock that a dead process left does not count."""
    with ExitStack() as held:
        for file in sorted(dict.fromkeys(files)):
            held.enter_context(_held(file))
        yield


@contextmanager
def _held(file: Path) -> Iterator[None]:
    path = file.with_name(file.name + LOCK)
    try:
        lock = _take(path)
    except BlockingIOError as error:
        raise SettingError("draft.busy", file=str(file)) from error
    except OSError as error:
        raise unwritable(path, error) from error
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink()
        os.close(lock)


def _take(path: Path) -> int:
    """Hold a lock; one that its holder took away in the meantime is made anew."""
    while True:
        lock = open_plain(path, os.O_RDWR | os.O_CREAT)
        try:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(lock, path):
                return lock
        except BaseException:
            os.close(lock)
            raise
        os.close(lock)


def _is_at(lock: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(lock), path.stat())
    except FileNotFoundError:
        return False


def append(path: Path, lines: Iterable[bytes]) -> None:
    """Write lines behind a file; a last line that was cut off is ended first, or it would swallow the next."""
    with path.open("ab") as stream:
        if path.stat().st_size and not _ends(path):
            stream.write(b"\n")
        stream.writelines(line + b"\n" for line in lines)


def _ends(path: Path) -> bool:
    """Say whether a file ends with a whole line."""
    with path.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        return stream.read(1) == b"\n"
