"""Compares two runs for the page: long ones by their indexes or in a separate process, so that the page never waits."""

import asyncio
import contextlib
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import structs

from ragstone.core.errors import UserError
from ragstone.core.interfaces import Shard, Work
from ragstone.core.settings import Settings
from ragstone.core.types import Change, Comparison
from ragstone.runs.engines.process import Processes
from ragstone.runs.store.folder import META, RunFolder
from ragstone.runs.store.seal import FIGURES
from ragstone.trust.compare import compare
from ragstone.web.admission import PageGuard
from ragstone.web.cases.index import Indexes
from ragstone.web.cases.paired import Paired, Side, compare_in_step
from ragstone.web.cases.stored import open_run
from ragstone.web.places import Places

KEPT = 4
MOST_COMPARED = 100_000
"""Cases that broke, and cases that were fixed, that can be paged through; all are counted."""
MOST_HERE = 10_000
"""Rows of both runs up to which they are compared in the page's own process."""


class Compared(NamedTuple):
    """What two runs differ in, and where the changed cases are."""

    found: Comparison
    paired: Paired | None = None

    def listed(self, kind: str) -> int:
        """Return how many cases changed in one way."""
        if self.paired is not None:
            return int(getattr(self.found, kind))
        return sum(change.kind == kind for change in self.found.changes)

    def changes(self, kind: str, start: int, limit: int, guard: PageGuard) -> list[Change]:
        """Return some of the cases that changed in one way."""
        if self.paired is not None:
            return self.paired.changes(kind, start, limit, guard)
        return [change for change in self.found.changes if change.kind == kind][start : start + limit]


class Comparisons:
    """The comparisons that were made last; paging through one is quick."""

    def __init__(self, settings: Settings, guard: PageGuard, indexes: Indexes) -> None:
        self._settings, self._guard, self._indexes = settings, guard, indexes
        self._kept: OrderedDict[tuple[object, ...], asyncio.Task[Compared]] = OrderedDict()
        self._turns = asyncio.Semaphore(2)  # the threads that serve pages are few

    async def of(self, first: RunFolder, second: RunFolder, *, whole: bool = False) -> Compared:
        """Compare two runs; `whole` also says what groups differ in and why every case changed."""
        stamps = tuple(
            (run.path, *(file_stamp(run.path / name) for name in (*FIGURES, META))) for run in (first, second)
        )
        key = (whole, *stamps)
        if key not in self._kept:
            self._kept[key] = asyncio.create_task(self._made(first, second, whole=whole))
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        try:
            return await asyncio.shield(self._kept[key])
        except (UserError, LookupError, TypeError, ValueError, OSError):
            self._kept.pop(key, None)
            raise

    async def _made(self, first: RunFolder, second: RunFolder, *, whole: bool) -> Compared:
        async with self._turns:
            return await asyncio.to_thread(self._compare, first, second, whole=whole)

    def _compare(self, first: RunFolder, second: RunFolder, *, whole: bool) -> Compared:
        before, after = (Side(open_run(run.path), self._indexes.of(run.path)) for run in (first, second))
        rows = len(before.cases) + len(after.cases)
        quick = None if whole else compare_in_step(before, after, self._guard)
        if quick is not None:
            return Compared(*quick)
        if rows <= MOST_HERE:
            return Compared(compare(first, second, most=MOST_COMPARED, guard=self._guard))
        return Compared(self._elsewhere(first, second))

    def _elsewhere(self, first: RunFolder, second: RunFolder) -> Comparison:
        """Compare two long runs in a separate process, so that the page answers meanwhile."""
        settings = structs.replace(self._settings, token="")
        setup = msgspec.msgpack.encode((settings, str(first.path), str(second.path)))
        engine = Processes(1)
        try:
            (content,) = engine.run(Work(f"{__name__}:compare_shard", setup), [Shard("compare", b"")])
        finally:
            engine.close()
        return msgspec.msgpack.decode(content, type=Comparison)


def compare_shard(setup: bytes, _: bytes) -> bytes:
    """Compare two runs; this is what the process beside calls."""
    settings, *paths = msgspec.msgpack.decode(setup, type=tuple[Settings, str, str])
    first, second = (RunFolder(Path(path)) for path in paths)
    found = compare(first, second, most=MOST_COMPARED, guard=PageGuard(Places(settings)))
    return msgspec.msgpack.encode(found)


def file_stamp(path: Path) -> tuple[int, int]:
    """Return the size and time of a file; zeros if there is none."""
    with contextlib.suppress(OSError):
        stat = path.stat()
        return stat.st_size, stat.st_mtime_ns
    return 0, 0
