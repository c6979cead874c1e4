"""Two runs of the same cases in the same order, compared by their indexes: no row is read but those that are shown.

`ragstone.trust.compare` is what comparing means, and compares all others. What is said here is the same, for runs of so
many cases that only sums are kept of them, each with a question of its own.
"""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from typing import NamedTuple

from ragstone.core.types import Change, Comparison, Delta
from ragstone.runs.reopen import model_names
from ragstone.runs.store.admission import Guard
from ragstone.runs.store.folder import RunFolder
from ragstone.statistics.clusters import MOST
from ragstone.trust.attribution import Attribution
from ragstone.trust.compare import differs_in, has_moved, require_two
from ragstone.trust.differences import SAME, Card, PairTally
from ragstone.trust.pairs import label
from ragstone.web.cases.index import Index
from ragstone.web.cases.query import Row
from ragstone.web.cases.stored import Stored

Patterns = Counter[tuple[float | None, ...]]
"""How often cases came out in each of the ways there are."""
Kind = str
KINDS: dict[Kind, str] = {
    "broken": "a.state = 0 AND b.state != 0",
    "fixed": "a.state != 0 AND b.state = 0",
    "moved": "(a.state = 0) = (b.state = 0) AND ({moved})",
}
"""How a case came out otherwise, and how the indexes say it."""


class Side(NamedTuple):
    """One of two runs."""

    stored: Stored
    cases: Index


class Paired:
    """Two runs that are in step."""

    def __init__(self, first: Side, second: Side) -> None:
        self._sides = first, second
        names = {spec.name for spec in first.stored.specs}
        self._specs = [spec for spec in second.stored.specs if spec.name in names]
        self._columns = [(first.cases.column(spec.name), second.cases.column(spec.name)) for spec in self._specs]

    def patterns(self) -> Patterns | None:
        """Count the ways cases came out in both: model, weight, passing, score and metrics; None when out of step."""
        rows = len(self._sides[0].cases)
        first, second = (side.cases for side in self._sides)
        if not (rows > MOST and rows == len(second) and _alike(first, second) and first.is_plain and second.is_plain):
            return None
        values = "".join(f", a.{mine}, b.{yours}" for mine, yours in self._columns)
        shown = f"a.model, b.weight, a.state = 0, b.state = 0, a.score, b.score{values}"
        same = "a.id = b.id AND a.q = b.q AND a.model = b.model"
        found = self._ask(f"SELECT count(*), {shown} {_JOINED} WHERE {same} GROUP BY {shown}")
        counted: Patterns = Counter({tuple(values): int(times) for times, *values in found})
        return counted if counted.total() == rows else None

    def _ask(self, statement: str) -> list[tuple[float, ...]]:
        first, second = (side.cases.path.resolve().as_uri() for side in self._sides)
        with closing(sqlite3.connect(f"{first}?mode=ro", uri=True)) as database:
            database.execute("ATTACH ? AS other", (f"{second}?mode=ro",))
            return database.execute(statement).fetchall()

    def deltas(self, patterns: Patterns) -> tuple[Delta, ...]:
        """Return what differs, over all cases."""
        tally, names = PairTally(self._specs), self.models
        for (model, weight, *values), times in patterns.items():
            before, after = (self._card(values[side::2]) for side in (0, 1))
            tally.add_equal(names[int(model or 0)], before, after, weight=float(weight or 0), times=times)
        return tally.deltas()

    @property
    def models(self) -> tuple[str, ...]:
        """How the paired models are called."""
        first, second = (side.cases.model_names for side in self._sides)
        return tuple(label(first[k], second[k]) for k in sorted(first))

    def _card(self, values: Sequence[float | None]) -> Card:
        passed, score, *metrics = values
        names = (spec.name for spec in self._specs)
        return Card(float(passed or 0), score or 0.0, dict(zip(names, metrics, strict=True)))

    def kinds(self, patterns: Patterns) -> Counter[str]:
        """Count the cases that came out otherwise, by how."""
        found: Counter[str] = Counter()
        for (_, _, *values), times in patterns.items():
            before, after, *others = values
            if before != after:
                found["broken" if before else "fixed"] += times
            elif any(has_moved(*others[at : at + 2]) for at in range(0, len(others), 2)):
                found["moved"] += times
        return found

    def changes(self, kind: Kind, start: int, limit: int, guard: Guard) -> list[Change]:
        """List some of the cases that came out otherwise in one way, with their causes."""
        moved = " OR ".join(
            f"(a.{mine} IS NULL) != (b.{yours} IS NULL) OR coalesce(abs(a.{mine} - b.{yours}), 0) > {SAME}"
            for mine, yours in [("score", "score"), *self._columns]
        )
        which = KINDS[kind].format(moved=moved)
        found = self._ask(f"SELECT a.n {_JOINED} WHERE {which} ORDER BY a.n LIMIT {limit:d} OFFSET {start:d}")
        numbers = [int(n) + 1 for (n,) in found]
        firsts, seconds = (side.cases.rows_at(numbers) for side in self._sides)
        before, after = self._sides
        with Attribution(RunFolder(before.stored.folder), RunFolder(after.stored.folder), guard) as reasons:
            return [self._change(kind, *pair, reasons) for pair in zip(firsts, seconds, strict=True)]

    def _change(self, kind: Kind, first: Row, second: Row, reasons: Attribution) -> Change:
        before, after = first.result, second.result
        return Change(
            sample_id=after.sample_id,
            model=label(before.model_step, after.model_step),
            kind=kind,  # type: ignore[arg-type]
            first_score=before.scorecard.primary_score,
            second_score=after.scorecard.primary_score,
            cause=reasons.cause(before, after),
            explain=after.scorecard.explain,
        )


_JOINED = "FROM cases a JOIN other.cases b ON a.n = b.n"


def _alike(first: Index, second: Index) -> bool:
    """Return whether two runs asked the same models, or one each."""
    mine, yours = first.model_names, second.model_names
    return mine == yours or len(mine) == len(yours) == 1


def compare_in_step(first: Side, second: Side, guard: Guard) -> tuple[Comparison, Paired] | None:
    """Compare two runs by their indexes; None when they are not in step, or short enough to be read."""
    folders = RunFolder(first.stored.folder), RunFolder(second.stored.folder)
    require_two(*folders)
    paired = Paired(first, second)
    repeats = [int(side.stored.config.get("repeats") or 1) for side in (first, second)]
    if repeats != [1, 1] or (patterns := paired.patterns()) is None:
        return None
    counts = paired.kinds(patterns)
    with Attribution(*folders, guard) as reasons:
        differs = differs_in(reasons)
    asked = [set(model_names(folder)) for folder in folders]
    return (
        Comparison(
            first=first.stored.run_id,
            second=second.stored.run_id,
            paired=patterns.total(),
            only_first=0,
            only_second=0,
            differs=differs,
            mock=tuple(side.stored.run_id for side in (first, second) if side.stored.dry_run),
            models=paired.models,
            unpaired_models=tuple(sorted(asked[0] ^ asked[1])) if len(paired.models) > 1 else (),
            broken=counts["broken"],
            fixed=counts["fixed"],
            moved=counts["moved"],
            causes={},
            deltas=paired.deltas(patterns),
            changes=(),
        ),
        paired,
    )
