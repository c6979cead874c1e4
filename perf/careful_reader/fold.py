"""Folding: labelled pairs, and speed on running text."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from perf.careful_reader.row import Row, records, share, speed
from ragstone.text.fold import fold, same

OWN = Path(__file__).parents[2] / "tests/data/fold.jsonl"


def _right(row: dict[str, Any]) -> bool:
    if "a" in row:
        return same(row["a"], row["b"]) is row["expect"]
    return any(same(row["src"], wanted) for wanted in row["expect"])


def rows(data: Path) -> Iterator[Row]:
    """Right pairs, and texts a second."""
    yield share("fold", "own pairs", [same(row["a"], row["b"]) is row["same"] for row in records(OWN)], 1.0)
    yield share(
        "fold", "careful_reading/t3_norm", [*map(_right, records(data / "careful_reading/t3_norm.jsonl"))], 0.98
    )
    documents = [path.read_text("utf-8")[:500] for path in sorted((data / "keypoint/documents").glob("**/*.md"))[:100]]
    yield speed("fold", "passages of 500 characters", fold, documents, 5000)
