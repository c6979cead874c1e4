"""Finds altered files of a run; the result is cached until one of them changes."""

from functools import lru_cache
from pathlib import Path

from ragstone.core.errors import UserError
from ragstone.runs.store.folder import META, RunFolder
from ragstone.runs.store.seal import FIGURES, altered

QUICK = 1 << 18
"""Bytes of a file that is hashed for a list of many runs; a run's own page hashes all of them."""


SOON = 1 << 24
"""Bytes of a run's files that are hashed while its page is waited for; more are hashed when the page is there."""
_hashed: set[tuple[Path, tuple[tuple[int, ...], ...]]] = set()
"""The runs whose files were hashed as they are now."""


def takes_long(run: Path) -> bool:
    """Return whether hashing a run's files would take long: they are large and not hashed yet."""
    stamps = tuple(_stamp(run / name) for name in (*FIGURES, META))
    return sum(size for size, *_ in stamps) > SOON and (run, stamps) not in _hashed


def altered_files(run: Path, *, quick: bool = False) -> tuple[str, ...]:
    """Return the files of a run that were altered; unreadable ones are reported elsewhere."""
    stamps = {name: _stamp(run / name) for name in (*FIGURES, META)}
    names = tuple(name for name in FIGURES if not quick or stamps[name][0] <= QUICK)
    try:
        found = _altered(run, names, tuple(stamps.values()))
        if not quick:
            _hashed.add((run, tuple(stamps.values())))
        return found
    except (UserError, LookupError, TypeError, ValueError, OSError):
        return ()


@lru_cache(maxsize=4096)
def _altered(run: Path, names: tuple[str, ...], stamps: tuple[tuple[int, ...], ...]) -> tuple[str, ...]:
    return tuple(altered(RunFolder(run), names))


def _stamp(path: Path) -> tuple[int, ...]:
    """Return when a file was last changed; ctime cannot be set back."""
    try:
        found = path.lstat()
    except OSError:
        return 0, 0, 0
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns
