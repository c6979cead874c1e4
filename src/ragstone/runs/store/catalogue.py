"""The runs there are, found by looking at the folders; there is no list to fall out of step with them."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from ragstone.core.errors import RunError
from ragstone.core.types import JSON
from ragstone.runs.store.codec import is_plain
from ragstone.runs.store.folder import META, RunFolder, is_there

MOST_NAMED = 5
"""Runs named to somebody who gave too little of a name."""


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
    """Say when a run began; of runs of the same second, whose configuration was written later."""
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
    raise RunError("run.missing", run=name, folder=str(folder))
