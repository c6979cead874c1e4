"""Rows {q, gold, doc_hint}, or a table whose columns say the same, into cases: by their own ids, or Q1, Q2, …"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from ragstone.core.types import JSON, Case, Finding
from ragstone.datasets.columns import Columns, cell, find_columns, points_of, row_id
from ragstone.datasets.fields.slips import slips
from ragstone.datasets.formats import form_of
from ragstone.datasets.rows import FieldReader, Row, read_rows

GROUPS = ("type", "category", "difficulty", "tags")


class Gold(Struct, frozen=True):
    """What a right answer states, and the documents it rests on."""

    points: tuple[str, ...]
    documents: tuple[str, ...]


def gold_of(case: Case) -> Gold:
    """Return the gold this contract put into a case."""
    assert isinstance(case.gold, Gold)
    return case.gold


def load(path: Path, given: Mapping[str, str] | None = None) -> Iterator[Case | Finding]:
    """Stream the cases of a file, and every fault of its rows; blank lines are allowed (R2.4).

    `given` names the columns of fields that cannot be told from their names.
    """
    plain = form_of(path).kind == "lines"
    for row in read_rows(path):
        if isinstance(row, Finding):
            yield row
        else:
            columns = find_columns(row.value, given)
            yield from _case(row, columns, strict=plain and columns.gold == "gold")


def _case(row: Row, columns: Columns, *, strict: bool) -> Iterator[Case | Finding]:
    """Make a case of a row; the document's own format is an array, a cell of another table may be plain text."""
    question, gold, documents = columns.question or "q", columns.gold or "gold", columns.documents or "doc_hint"
    case_id = row_id(row, columns)
    reader = FieldReader(Row(_fields(row, columns, strict=strict), row.position, row.offset, row.number), case_id)
    text = reader.text(question)
    points = reader.texts(gold, least=1)
    named = reader.texts(documents, required=False)
    if reader.findings:
        yield from reader.findings
        known = ("q", "gold", "doc_hint", "id", *GROUPS)
        yield from (slip.at(row.position, case_id) for slip in slips(row.value, known))
        return
    taken = _taken(question, gold, documents, columns.id)
    extra = {name: value for name, value in row.value.items() if name not in taken}
    yield Case(
        id=case_id,
        question=text,
        gold=Gold(points, named),
        groups=_groups(extra),
        position=row.position,
        extra=extra,
    )


@lru_cache(maxsize=256)
def _taken(*columns: str) -> frozenset[str]:
    """Return the names of fields that columns stand in; a dot leads into an object."""
    return frozenset((*columns, *(name.partition(".")[0] for name in columns)))


def slips_of(case: Case) -> Iterator[Finding]:
    """Name the fields of a sound row that are nearly `doc_hint`, if it has none, or those that make groups."""
    known = GROUPS if gold_of(case).documents else ("doc_hint", *GROUPS)
    return (slip.at(case.position, case.id) for slip in slips(case.extra, known))


def _fields(row: Row, columns: Columns, *, strict: bool) -> dict[str, JSON]:
    """Take the cells a case is made of out of a row, under the names the user gave them."""
    names = [name for name in (columns.question, columns.gold, columns.documents) if name]
    found = {name: cell(row.value, name) for name in names}
    if strict:
        return found
    lists = [name for name in (columns.gold, columns.documents) if found.get(name) is not None]
    return found | {name: points_of(name, found[name]) for name in lists}


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
