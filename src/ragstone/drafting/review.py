"""Accepting and dropping drafted rows in their file; other rows stay as they are."""

from collections.abc import Collection
from pathlib import Path

import msgspec

from ragstone.core.errors import SettingError
from ragstone.core.types import JSON
from ragstone.drafting.rows import PROVENANCE, REVIEWED

_IDS = ("id", "sample_id")


def accept(
    path: Path, ids: Collection[str], *, everything: bool = False, drop: Collection[str] = ()
) -> tuple[int, int]:
    """Mark drafts as reviewed and take others out; returns how many are now reviewed and how many there are."""
    data = path.read_bytes()
    lines = data.lstrip()[:1] != b"[" and b'"questions"' not in data[:400]
    whole: JSON = (
        [msgspec.json.decode(line) for line in data.splitlines() if line.strip()]
        if lines
        else msgspec.json.decode(data)
    )
    rows: list[dict[str, JSON]] = whole["questions"] if isinstance(whole, dict) else whole
    if not rows or PROVENANCE not in rows[0]:
        raise SettingError("draft.not_drafts", file=str(path))
    known = {_id(row) for row in rows}
    if unknown := sorted({*ids, *drop} - known):
        raise SettingError("draft.id", file=str(path), names=", ".join(unknown))
    kept = [_reviewed(row, ids, everything=everything) for row in rows if _id(row) not in drop]
    rows[:] = kept
    path.write_bytes(_encoded(whole, rows, lines=lines))
    return sum(row.get(REVIEWED) is True for row in rows), len(rows)


def _reviewed(row: dict[str, JSON], ids: Collection[str], *, everything: bool) -> dict[str, JSON]:
    return row | {REVIEWED: True} if everything or _id(row) in ids else row


def _id(row: dict[str, JSON]) -> str:
    return next((str(row[name]) for name in _IDS if name in row), "")


def _encoded(whole: JSON, rows: list[dict[str, JSON]], *, lines: bool) -> bytes:
    if lines:
        return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
    return msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n"
