"""JSONL rows {q, gold, doc_hint} into cases Q1, Q2, …"""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from ragstone.core.types import JSON, Case, Finding
from ragstone.datasets.rows import FieldReader, Row, read_rows

FIELDS = ("q", "gold", "doc_hint")
GROUPS = ("type", "category", "difficulty", "tags")


class Gold(Struct, frozen=True):
    """What a right answer states, and the documents it rests on."""

    points: tuple[str, ...]
    documents: tuple[str, ...]


def gold_of(case: Case) -> Gold:
    """Return the gold this contract put into a case."""
    assert isinstance(case.gold, Gold)
    return case.gold


def load(path: Path) -> Iterator[Case | Finding]:
    """Stream the cases of a file, and every fault of its rows; blank lines are allowed (R2.4)."""
    for row in read_rows(path):
        if isinstance(row, Finding):
            yield row
        else:
            yield from _case(row, f"Q{row.number}")


def _case(row: Row, case_id: str) -> Iterator[Case | Finding]:
    reader = FieldReader(row, case_id)
    question = reader.text("q")
    points = reader.texts("gold", least=1)
    documents = reader.texts("doc_hint")
    if reader.findings:
        yield from reader.findings
        return
    extra = reader.unknown(FIELDS)
    gold = Gold(points, documents)
    yield Case(id=case_id, question=question, gold=gold, groups=_groups(extra), position=row.position, extra=extra)


def _groups(extra: dict[str, JSON]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    if not extra:
        return found
    for name in GROUPS:
        value = extra.get(name)
        values = value if isinstance(value, list) else [value]
        if names := tuple(item for item in values if isinstance(item, str) and item):
            found[name] = names
    return found
