"""Is this a question set of contract 4? Imports next to nothing, because every dataset is asked."""

import json
from pathlib import Path

from ragstone.core.interfaces import Source
from ragstone.core.types import JSON

options = frozenset({"prompt", "repair"})
_BOM = b"\xef\xbb\xbf"
_HEAD_BYTES = 1 << 20
"""How much of a file is looked at to recognise it."""


def _first_row(path: Path) -> JSON:
    """Return the first row of a JSON array without reading the rest of the file; None when there is none."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES).removeprefix(_BOM).decode("utf-8", "replace").lstrip()
        start = head.index("{") if head.startswith("[") else -1
        return json.JSONDecoder().raw_decode(head, start)[0] if start > 0 else None
    except (OSError, ValueError, RecursionError):
        return None


def recognises(source: Source) -> bool:
    """Return whether the first row has a question and what is expected of its answer."""
    row = _first_row(source.path) if source.first is None else source.first
    if not isinstance(row, dict) or "question" not in row or not isinstance(row.get("expected"), dict):
        return False
    return "answer_example" in row["expected"] or bool({"must_include", "keywords"} & row["expected"].keys())
