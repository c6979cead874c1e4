"""A finished run, left as a process leaves it that was stopped or died in its middle; processes that may have."""

from pathlib import Path

from ragstone.runs.store.folder import JOURNAL, META, RunFolder
from ragstone.runs.store.seal import BEGUN, FILES, SEAL, meta_sha256, seal


def leave(path: Path, lines: slice | None = None, *, status: str = "running", drop: tuple[str, ...] = ()) -> RunFolder:
    """Keep some lines of a run's journal and let run_meta.json say that it is not over; `drop` are facts it lacks."""
    folder = RunFolder(path)
    if lines is not None:
        journal = path / JOURNAL
        journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[lines]))
    meta = {name: value for name, value in folder.meta().items() if name not in drop} | {"status": status}
    if status == "running":
        meta[FILES] = {name: sha for name, sha in meta[FILES].items() if name in BEGUN}
        folder.write(META, meta | {SEAL: meta_sha256(meta)})
    else:
        folder.write(META, seal(folder, meta))
    return folder


def alive(pid: int) -> bool:
    """Say whether a process still works: one that has ended and is not yet waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"
