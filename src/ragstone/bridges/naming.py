"""Turns a tool's metric names into names that flags and columns can hold, and finds the scale of each."""

import re
from collections.abc import Iterable, Sequence

from ragstone.bridges.records import Record
from ragstone.contracts.imported.cases import Metric
from ragstone.core.language import excerpt
from ragstone.core.types import MetricKind
from ragstone.text.visible import visible_line

MOST_METRICS = 200
RUBRIC = 10
"""Up to here a scale may be 1..5 or 0..10: its values are plain numbers, not hundredths of something."""
_UNSAFE = re.compile(r"[^\w.-]+")
_MARKS = re.compile(r"[|`<>\[\]\\*#]+")
RESERVED = frozenset({"pass_rate", "primary_score", "coverage", "cost", "total_tokens", "no_new_failures", "drop"})
"""Names a gate knows as something else; so are those that begin with latency_ms."""


class Names:
    """Gives each metric of a tool one safe name; equal ones get a number."""

    def __init__(self) -> None:
        self._of: dict[str, str] = {}
        self._taken: set[str] = set()

    def __getitem__(self, label: str) -> str:
        if label not in self._of:
            self._of[label] = self._new(label)
        return self._of[label]

    def __len__(self) -> int:
        return len(self._of)

    def items(self) -> Iterable[tuple[str, str]]:
        """Yield label and name, in the order they were met."""
        return self._of.items()

    def _new(self, label: str) -> str:
        base = _UNSAFE.sub("_", label[:80]).strip("_.-") or "metric"
        if base in RESERVED or base.startswith("latency_ms"):
            base = f"{base}_metric"
        name, number = base, 2
        while name in self._taken:
            name, number = f"{base}_{number}", number + 1
        self._taken.add(name)
        return name


def shown(label: str) -> str:
    """Return a label as a heading can show it."""
    return excerpt(_MARKS.sub(" ", visible_line(label)), 60) or "metric"


def metric(label: str, name: str, records: Sequence[Record], *, lower: bool) -> Metric | None:
    """Declare a metric by the values it has; None when some are negative, which no kind of ours can show."""
    values = [record.said.scores[label] for record in records if record.said.scores.get(label) is not None]
    known = [value for value in values if value is not None]
    if any(value < 0 for value in known):
        return None
    return Metric(name=name, label=shown(label), kind=_kind(known), better="lower" if lower else "higher")


def _kind(values: Sequence[float | bool]) -> MetricKind:
    if values and all(isinstance(value, bool) for value in values):
        return "flag"
    top = max(values, default=0.0)
    return "ratio" if top <= 1 else "points" if RUBRIC < top <= 100 else "error"
