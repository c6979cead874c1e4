"""The runs in a folder, found by looking there, and the deleted ones, which can be brought back for some days."""

import contextlib
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from ragstone.core.errors import RunError
from ragstone.core.types import JSON
from ragstone.runs.store.codec import is_plain
from ragstone.runs.store.folder import META, RunFolder, is_there

REMOVED = ".removed"
"""Folder among the runs that deleted ones are kept in."""
DAYS = 7
"""Days after which a deleted run is gone for good."""
MOST_NAMED = 5
"""Runs listed for an ambiguous name."""


class Entry(Struct, frozen=True):
    """One run, as its run_meta.json and summary.json tell it."""

    path: Path
    meta: dict[str, JSON]
    summary: dict[str, JSON]


def runs(folder: Path) -> Iterator[Entry]:
    """Yield the runs in a folder, newest first; what is no run is passed over."""
    if not is_there(folder) or not folder.is_dir():
        return
    found = [entry for path in folder.iterdir() if is_there(path / META) and (entry := _entry(path))]
    yield from sorted(found, key=_begun, reverse=True)


def _begun(entry: Entry) -> tuple[str, int, str]:
    """Return a sort key: when a run began, and within one second when its configuration was written."""
    try:
        written = (entry.path / "config.json").lstat().st_mtime_ns
    except OSError:
        written = 0
    return str(entry.meta.get("created")), written, entry.path.name


def _entry(path: Path) -> Entry | None:
    folder = RunFolder(path)
    try:
        meta = folder.meta()
    except RunError:
        return None
    try:
        summary = folder.read("summary.json")
    except RunError:
        summary = {}
    return Entry(path, meta, summary if isinstance(summary, dict) else {})


def find_run(folder: Path, name: str) -> RunFolder:
    """Open a run by its path, its id, a beginning of its id that fits one run only, or `latest`."""
    if not name.strip():
        raise RunError("run.unnamed", folder=str(folder))
    for path in (Path(name), folder / name):
        if is_plain(path / META):
            return RunFolder.open(path)
    found = [entry.path for entry in runs(folder)]
    if name == "latest" and found:
        return RunFolder.open(found[0])
    matching = [path for path in found if path.name == name] or [p for p in found if p.name.startswith(name)]
    if len(matching) == 1:
        return RunFolder.open(matching[0])
    if is_there(Path(name)) and Path(name).is_dir():
        raise RunError("run.not_a_run", run=name, file=META)
    if matching:
        names = [path.name for path in matching[:MOST_NAMED]]
        raise RunError("run.many", run=name, n=len(matching), names=names)
    raise RunError("run.missing" if is_there(folder) else "run.nowhere", run=name, folder=str(folder))


def remove(run: Path) -> None:
    """Move a run to the deleted ones; a running one stays."""
    with RunFolder(run):
        kept = _folder(run.parent) / run.name
        if is_there(kept):
            shutil.rmtree(kept)
        _move(run, kept)


def bring_back(runs_dir: Path, run_id: str) -> Path:
    """Restore a deleted run, unless another has its name now."""
    kept, run = _folder(runs_dir) / run_id, runs_dir / run_id
    if is_there(run):
        raise RunError("run.taken", run=str(run), flag="--run-id")
    if not is_removed(runs_dir, run_id):
        raise RunError("run.missing", run=run_id, folder=str(runs_dir))
    _move(kept, run)
    return run


def is_removed(runs_dir: Path, run_id: str) -> bool:
    """Return whether a run was deleted and can be brought back."""
    return _is_plain(run_id) and is_there(runs_dir / REMOVED / run_id / META)


def clear_removed(runs_dir: Path, now: float | None = None) -> None:
    """Remove for good what was deleted long ago."""
    with contextlib.suppress(OSError):
        for kept in (runs_dir / REMOVED).iterdir():
            if kept.stat().st_ctime < (now or time.time()) - DAYS * 86400 and not kept.is_symlink():
                shutil.rmtree(kept)


def _is_plain(name: str) -> bool:
    return bool(name) and not name.startswith(".") and not any(mark in name for mark in "/\\\0")


def _folder(runs_dir: Path) -> Path:
    folder = runs_dir / REMOVED
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise RunError("run.unwritable", folder=str(runs_dir), problem=error.strerror or str(error)) from error
    if folder.is_symlink():
        raise RunError("run.unwritable", folder=str(runs_dir), problem=f"{REMOVED} is a link")
    return folder


def _move(source: Path, target: Path) -> None:
    try:
        source.rename(target)
    except OSError as error:
        raise RunError("run.unwritable", folder=str(source), problem=error.strerror or str(error)) from error
