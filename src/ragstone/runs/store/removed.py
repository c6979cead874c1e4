"""Runs that were deleted: they lie in a hidden folder among the runs for some days, and can be brought back."""

import contextlib
import shutil
import time
from pathlib import Path

from ragstone.core.errors import RunError
from ragstone.runs.store.folder import META, RunFolder, is_there

REMOVED = ".removed"
DAYS = 7
"""Days after which a deleted run is gone for good."""


def remove(run: Path) -> None:
    """Put a run away; one that goes on stays."""
    with RunFolder(run):
        kept = _folder(run.parent) / run.name
        if is_there(kept):
            shutil.rmtree(kept)
        _move(run, kept)


def bring_back(runs_dir: Path, run_id: str) -> Path:
    """Bring a deleted run back, unless another has its name now."""
    kept, run = _folder(runs_dir) / run_id, runs_dir / run_id
    if is_there(run):
        raise RunError("run.taken", run=str(run), flag="--run-id")
    if not is_removed(runs_dir, run_id):
        raise RunError("run.missing", run=run_id, folder=str(runs_dir))
    _move(kept, run)
    return run


def is_removed(runs_dir: Path, run_id: str) -> bool:
    """Say whether a run was deleted and can be brought back."""
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
