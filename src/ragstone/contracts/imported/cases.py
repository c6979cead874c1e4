"""JSONL rows {id, q, gold} into cases; the first row says which tool the run came from and what it measured."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from ragstone.core.errors import DatasetError
from ragstone.core.language import Text
from ragstone.core.types import JSON, Case, Finding, MetricKind, MetricSpec
from ragstone.datasets.rows import FieldReader, Row, read_rows

HEADER = "imported"
"""The field of the first row that holds the header."""
FIELDS = ("id", "q", "gold", "metrics")
MOST_HEADLINES = 4


class Metric(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the tool measured."""

    name: str
    """As flags and columns write it: letters, digits, dots, dashes and underscores."""
    label: str
    """As the tool writes it."""
    kind: MetricKind
    better: Literal["higher", "lower"] = "higher"

    def spec(self, *, headline: bool) -> MetricSpec:
        """Declare it the way contracts do."""
        label = Text(self.label, self.label)
        return MetricSpec(name=self.name, label=label, kind=self.kind, better=self.better, headline=headline)


class Header(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a run came from."""

    tool: str
    version: str = ""
    metrics: tuple[Metric, ...] = ()

    def specs(self) -> tuple[MetricSpec, ...]:
        """Declare the metrics; the first few are shown on every line."""
        return tuple(metric.spec(headline=at < MOST_HEADLINES) for at, metric in enumerate(self.metrics))


class Gold(Struct, frozen=True):
    """The reference the tool had, and the metrics that apply to the case; None for all."""

    points: tuple[str, ...]
    metrics: frozenset[str] | None = None


def gold_of(case: Case) -> Gold:
    """Return the gold this contract put into a case."""
    assert isinstance(case.gold, Gold)
    return case.gold


def header_of(first: JSON, file: str) -> Header:
    """Read the header out of the first row."""
    try:
        return msgspec.convert(first[HEADER], Header)
    except (KeyError, TypeError, msgspec.ValidationError) as error:
        raise DatasetError("import.header", file=file, problem=str(error)) from error


def load(path: Path) -> Iterator[Case | Finding]:
    """Stream the cases of a file, and every fault of its rows."""
    for row in read_rows(path):
        if isinstance(row, Finding):
            yield row
        else:
            yield from _case(row)


def _case(row: Row) -> Iterator[Case | Finding]:
    reader = FieldReader(row)
    case_id, question, points = reader.text("id"), reader.text("q"), reader.texts("gold")
    metrics = reader.texts("metrics", required=False)
    if reader.findings:
        yield from reader.findings
        return
    yield Case(
        id=case_id,
        question=question,
        gold=Gold(points, frozenset(metrics) if "metrics" in row.value else None),
        groups=_groups(row.value),
        position=row.position,
        extra=reader.unknown(FIELDS),
    )


def _groups(row: Mapping[str, JSON]) -> dict[str, tuple[str, ...]]:
    category = row.get("category")
    return {"category": (category,)} if isinstance(category, str) and category else {}
