"""Which files of a run are not as it left them, looked at once until one of them changes."""

from functools import lru_cache
from pathlib import Path

from ragstone.core.errors import UserError
from ragstone.runs.store.folder import META, RunFolder
from ragstone.runs.store.seal import FIGURES, altered

QUICK = 1 << 18
"""Bytes of a file that is hashed for a list of many runs; a run's own page hashes all of them."""


def altered_files(run: Path, *, quick: bool = False) -> tuple[str, ...]:
    """Name the files of a run that were changed behind its back; what cannot be read is told elsewhere."""
    stamps = {name: _stamp(run / name) for name in (*FIGURES, META)}
    names = tuple(name for name in FIGURES if not quick or stamps[name][0] <= QUICK)
    try:
        return _altered(run, names, tuple(stamps.values()))
    except (UserError, LookupError, TypeError, ValueError, OSError):
        return ()


@lru_cache(maxsize=4096)
def _altered(run: Path, names: tuple[str, ...], stamps: tuple[tuple[int, ...], ...]) -> tuple[str, ...]:
    return tuple(altered(RunFolder(run), names))


def _stamp(path: Path) -> tuple[int, ...]:
    """Say when a file was last changed; its inode's own time cannot be set back."""
    try:
        found = path.lstat()
    except OSError:
        return 0, 0, 0
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns
