"""Drafted questions as a queue of their own: accepted or rejected in their file, as `ragstone draft accept` does it."""

import threading
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ragstone.core.language import Lang
from ragstone.core.types import JSON
from ragstone.drafting.files.accept import accept, draft_rows, find_draft, put_back
from ragstone.drafting.rows import PROVENANCE, REVIEWED, draft_id
from ragstone.text.visible import visible_block
from ragstone.web.errors import PageError
from ragstone.web.places import Places
from ragstone.web.review.expected import answers_of, proof_of

_DECIDING = threading.Lock()
_DECIDED: dict[Path, deque[tuple[int, dict[str, JSON]]]] = {}
"""The drafts decided lately, as they were, and their places in their file."""
MOST_UNDONE = 200
"""Decisions on a file that can be taken back."""
MOST_LISTED = 50
MOST_BYTES = 16 << 20
"""Larger files are not looked through for drafts."""


class Drafts(NamedTuple):
    """A file of drafts."""

    name: str
    left: int
    total: int


def path_of(places: Places, name: str) -> Path:
    """Find a dataset of drafts by its name."""
    for one in places.datasets():
        if one.name == name and not one.bundled:
            return one.path
    raise PageError(404, "page.dataset", name=name, folder=places.datasets_dir.name)


def listed(places: Places) -> Iterator[Drafts]:
    """Yield the datasets with unreviewed drafts."""
    for one in places.datasets()[:MOST_LISTED]:
        if one.bundled or not one.path.is_file() or one.path.stat().st_size > MOST_BYTES:
            continue
        with one.path.open("rb") as file:
            if PROVENANCE.encode() not in file.read(1 << 16):
                continue
        found = list(_rows(one.path))
        if left := sum(row.get(REVIEWED) is not True for row in found):
            yield Drafts(one.name, left, len(found))


def _rows(path: Path) -> list[dict[str, JSON]]:
    try:
        return [row for row in draft_rows(path.read_bytes()).rows if PROVENANCE in row]
    except (OSError, ValueError, RecursionError):
        return []


def following(path: Path, lang: Lang, after: str = "") -> dict[str, JSON]:
    """Return the first unreviewed draft after one, or from the beginning."""
    found = _rows(path)
    left = [row for row in found if row.get(REVIEWED) is not True]
    ids = [draft_id(row) for row in left]
    begin = ids.index(after) + 1 if after in ids else 0
    order = [row for row in (*left[begin:], *left[:begin]) if draft_id(row) != after]
    return {"draft": _shown(order[0], lang) if order else None, "left": len(left), "total": len(found)}


def decide(path: Path, draft: str, lang: Lang, *, accepted: bool, documents: Path | None = None) -> dict[str, JSON]:
    """Accept or reject a draft; returns the next."""
    with _DECIDING:
        # Where to go on is looked up first: a rejected draft is gone afterwards.
        follow = following(path, lang, draft)["draft"]
        before = find_draft(path, draft)
        accept(path, {draft} if accepted else set(), drop=set() if accepted else {draft}, documents=documents)
        _DECIDED.setdefault(path.resolve(), deque(maxlen=MOST_UNDONE)).append(before)
        now = following(path, lang)
    return {**now, "draft": follow}


def undo(path: Path, lang: Lang) -> dict[str, JSON]:
    """Undo the last decision on a file, while this server runs; its draft is shown again."""
    with _DECIDING:
        history = _DECIDED.get(path.resolve())
        if not history:
            return {**following(path, lang), "undone": ""}
        at, row = history.pop()
        put_back(path, at, row)
        return {**following(path, lang), "draft": _shown(row, lang), "undone": draft_id(row)}


def _shown(row: dict[str, JSON], lang: Lang) -> dict[str, JSON]:
    """Return a draft as a reviewer sees it: question, gold, and what proves it."""
    question = next((row[name] for name in ("q", "question", "input") if isinstance(row.get(name), str)), "")
    return {
        "id": draft_id(row),
        "question": visible_block(question),
        "gold": answers_of(row, lang),
        "proof": proof_of(row, lang),
    }
