"""Accepting and dropping drafted rows in their file; other rows stay as they are."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import msgspec

from ragstone.core.errors import SettingError
from ragstone.core.types import JSON
from ragstone.drafting.rows import PROVENANCE, REVIEWED
from ragstone.runs.store.codec import write_whole

_IDS = ("id", "sample_id")


def accept(
    path: Path, ids: Collection[str], *, everything: bool = False, drop: Collection[str] = ()
) -> tuple[int, int]:
    """Mark drafts as reviewed and take others out; returns how many are now reviewed and how many there are."""
    if not path.is_file():
        raise SettingError("draft.no_file", file=str(path))
    try:
        whole, rows, lines = draft_rows(path.read_bytes())
    except (ValueError, RecursionError):
        rows = []
    if not rows or PROVENANCE not in rows[0]:
        raise SettingError("draft.not_drafts", file=str(path))
    known = {draft_id(row) for row in rows}
    if unknown := sorted({*ids, *drop} - known):
        raise SettingError("draft.id", file=str(path), names=", ".join(unknown))
    kept = [_reviewed(row, ids, everything=everything) for row in rows if draft_id(row) not in drop]
    rows[:] = kept
    write_whole(path, _encoded(whole, rows, lines=lines))
    return sum(row.get(REVIEWED) is True for row in rows), len(rows)


def _reviewed(row: dict[str, JSON], ids: Collection[str], *, everything: bool) -> dict[str, JSON]:
    return row | {REVIEWED: True} if everything or draft_id(row) in ids else row


class DraftFile(NamedTuple):
    """What a file of drafts holds: everything, the rows in it, and whether each row is a line."""

    whole: JSON
    rows: list[dict[str, JSON]]
    lines: bool


def draft_rows(data: bytes) -> DraftFile:
    """Read a file of drafts, whatever contract it is for; raises ValueError or RecursionError where it is none."""
    try:
        whole: JSON = msgspec.json.decode(data)
        lines = isinstance(whole, dict) and "questions" not in whole
    except msgspec.DecodeError:
        whole, lines = [msgspec.json.decode(line) for line in data.splitlines() if line.strip()], True
    whole = [whole] if lines and isinstance(whole, dict) else whole
    rows = whole["questions"] if isinstance(whole, dict) else whole
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError("not a list of rows")
    return DraftFile(whole, rows, lines)


def draft_id(row: dict[str, JSON]) -> str:
    """Return what a draft is called."""
    return next((str(row[name]) for name in _IDS if name in row), "")


def _encoded(whole: JSON, rows: list[dict[str, JSON]], *, lines: bool) -> bytes:
    if lines:
        return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
    return msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n"
