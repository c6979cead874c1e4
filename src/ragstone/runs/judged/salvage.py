"""judgements.jsonl with bad lines, mended: what is provably whole stays, the rest is asked again."""

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ragstone.core.types import JSON
from ragstone.judging.judgements import FILE, LONGEST, read_line
from ragstone.runs.judged.costs import NAME as PAID
from ragstone.runs.judged.judge_order import NAME as ORDER
from ragstone.runs.store.codec import is_plain
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.journal import Salvaged, free_name
from ragstone.runs.store.seal import renew

BROKEN = f"{FILE}.broken"


def salvage_judgements(folder: RunFolder) -> Salvaged:
    """Drop the lines that no judge said, and have the judge asked again; the file stays beside it as it was found.

    The run does not count as altered for it: a line that cannot be read decided nothing.
    """
    path = folder.path / FILE
    if not is_plain(path):
        return Salvaged(0, 0)
    lines = list(_good(path))
    kept = [line for line in lines if line]
    if len(kept) == len(lines):
        return Salvaged(len(kept), 0)
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with beside.open("wb") as file:
        file.writelines(kept)
        file.flush()
        os.fsync(file.fileno())
    path.replace(free_name(path.with_name(BROKEN)))
    beside.replace(path)
    renew(folder, FILE, _facts(folder, len(kept)))
    return Salvaged(len(kept), len(lines) - len(kept))


def _good(path: Path) -> Iterator[bytes]:
    """Yield every whole line that is good, and nothing in place of one that is not."""
    with path.open("rb") as file:
        for line in iter(lambda: file.readline(LONGEST + 1), b""):
            whole = line.endswith(b"\n")
            while not line.endswith(b"\n") and (line := file.readline(LONGEST)):
                pass
            if not (whole or line):
                return  # Cut short by a crash: nobody was told that it is there.
            try:
                read_line(line[:-1])
                yield line if whole else b""
            except (msgspec.DecodeError, ValueError, RecursionError):
                yield b""


def _facts(folder: RunFolder, lines: int) -> dict[str, JSON]:
    """Say in run_meta.json that the judge is to be asked again, and which lines are paid for."""
    meta = folder.meta()
    order = {ORDER: {**meta[ORDER], "due": True}} if isinstance(meta.get(ORDER), dict) else {}
    paid = meta.get(PAID)
    return order | ({PAID: {**paid, "lines": min(lines, paid.get("lines", 0))}} if isinstance(paid, dict) else {})
