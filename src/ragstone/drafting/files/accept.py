"""Accepting and dropping drafted rows in their file; other rows stay as they are."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import msgspec

from ragstone.core.errors import DatasetError, SettingError
from ragstone.core.types import JSON, Position
from ragstone.datasets.rows import Row
from ragstone.drafting.files.lock import append
from ragstone.drafting.proof import documents_named, documents_of, wrong
from ragstone.drafting.rows import PROVENANCE, REVIEWED, draft_id
from ragstone.runs.store.codec import write_whole


def accept(
    path: Path,
    ids: Collection[str],
    *,
    everything: bool = False,
    drop: Collection[str] = (),
    documents: Path | None = None,
) -> tuple[int, int]:
    """Mark drafts as reviewed and take others out; returns how many are now reviewed and how many there are.

    A draft that `check` rejects is not accepted; the documents are those given, or `documents` beside the file.
    """
    if not path.is_file():
        raise SettingError("draft.no_file", file=str(path))
    data = path.read_bytes()
    try:
        whole, rows, lines = draft_rows(data)
    except (ValueError, RecursionError) as error:
        if line := _broken_line(data):
            raise SettingError("draft.line", file=str(path), line=line) from error
        rows = []
    if not rows or PROVENANCE not in rows[0]:
        raise SettingError("draft.not_drafts", file=str(path))
    if both := sorted({*ids} & {*drop}):
        raise SettingError("draft.both", file=str(path), names=", ".join(both))
    known = {draft_id(row) for row in rows}
    if unknown := sorted({*ids, *drop} - known):
        raise SettingError("draft.id", file=str(path), names=", ".join(unknown))
    left = [row for row in rows if draft_id(row) not in drop]
    _require_sound(path, [row for row in left if everything or draft_id(row) in ids], documents)
    remember_dropped(path, [row for row in rows if draft_id(row) in drop])
    kept = [_reviewed(row, ids, everything=everything) for row in left]
    rows[:] = kept
    write_whole(path, encoded(whole, rows, lines))
    return sum(row.get(REVIEWED) is True for row in rows), len(rows)


DROPPED = ".dropped.jsonl"
"""How the file ends that keeps what was taken out of a file of drafts, so that it is not drafted again."""


def remember_dropped(path: Path, rows: list[dict[str, JSON]]) -> None:
    """Keep drafts that are taken out of their file."""
    if rows:
        append(path.with_suffix(DROPPED), map(msgspec.json.encode, rows))


def dropped_from(path: Path) -> list[dict[str, JSON]]:
    """The drafts that were taken out of a file."""
    kept = path.with_suffix(DROPPED)
    return draft_rows(kept.read_bytes()).rows if kept.exists() else []


def _require_sound(path: Path, rows: list[dict[str, JSON]], documents: Path | None) -> None:
    """Refuse drafts with faults, naming all of them; what is written for `reviewed` is put right by accepting."""
    drafts = [Row(row, Position(str(path)), -1) for row in rows if PROVENANCE in row]
    folder = documents_of(path, documents)
    found = [one for one in wrong(drafts, folder, documents_named(rows)) if one.level == "error"]
    found = [one for one in found if one.code != "draft.reviewed"]
    if found and folder is not None and documents is None:
        raise DatasetError("draft.unsound_beside", found, file=str(path), folder=str(folder))
    if found:
        raise DatasetError("draft.unsound", found, file=str(path))


def _reviewed(row: dict[str, JSON], ids: Collection[str], *, everything: bool) -> dict[str, JSON]:
    return row | {REVIEWED: True} if everything or draft_id(row) in ids else row


def find_draft(path: Path, name: str) -> tuple[int, dict[str, JSON]]:
    """Return a draft of a file and its place among the rows."""
    try:
        rows = draft_rows(path.read_bytes()).rows
    except (ValueError, RecursionError):
        rows = []
    for at, row in enumerate(rows):
        if draft_id(row) == name:
            return at, row
    raise SettingError("draft.id", file=str(path), names=name)


def put_back(path: Path, at: int, row: dict[str, JSON]) -> None:
    """Put a draft back as it was, in its place or where it stands now."""
    whole, rows, lines = draft_rows(path.read_bytes())
    rest = [one for one in rows if draft_id(one) != draft_id(row)]
    here = next((number for number, one in enumerate(rows) if draft_id(one) == draft_id(row)), at)
    rows[:] = [*rest[:here], row, *rest[here:]]
    write_whole(path, encoded(whole, rows, lines))


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


def _broken_line(data: bytes) -> int:
    """Number the first line that is no JSON, of a file of lines or of one value; 0 where that cannot be told."""
    lines = data.splitlines()
    if lines and _is_json(lines[0]):
        return next((number for number, line in enumerate(lines, 1) if line.strip() and not _is_json(line)), 0)
    try:
        json.loads(data)
    except json.JSONDecodeError as error:
        return error.lineno
    except (ValueError, RecursionError):
        pass
    return 0


def _is_json(text: bytes) -> bool:
    try:
        msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return False
    return True


def encoded(whole: JSON, rows: list[dict[str, JSON]], lines: bool) -> bytes:
    """Write a file of drafts as it was read."""
    if lines:
        return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
    return msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n"
