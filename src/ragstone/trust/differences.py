"""Turns pairs of rows into differences between two runs, figure by figure; knows no folder and no report."""

from collections.abc import Iterator, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from msgspec import structs

from ragstone.core.language import Text
from ragstone.core.types import JSON, Delta, Interval, MetricSpec, Result
from ragstone.judging.decisions import ESTIMATED
from ragstone.judging.estimates.clusters import given
from ragstone.judging.estimates.strata import PairedStrata
from ragstone.statistics.clusters import Clusters, Spread
from ragstone.statistics.intervals import LEVEL
from ragstone.statistics.paired import detectable, difference_interval, holm, mcnemar, p_value

PASSING = "pass_rate"
PRIMARY = "primary_score"
MOST_VALUES = 200
"""Distinct values of one group that are compared."""
_WHOLE = (
    MetricSpec(name=PASSING, label=Text("pass rate", "通过率"), kind="flag"),
    MetricSpec(name=PRIMARY, label=Text("score", "得分"), kind="ratio"),
)
SAME = 1e-9
"""Values that lie no further apart are equal: the last bits of a sum are no change."""
_SPANS: dict[str, float | None] = {"flag": 1.0, "ratio": 1.0, "points": 100.0, "error": None}


class Card(NamedTuple):
    """The outcome of a case in one run: of its only answer, or the mean of all answers to it."""

    passed: float
    """1 or 0, or the share of answers that passed."""
    primary_score: float
    sub_scores: Mapping[str, float | None]
    details: Mapping[str, JSON] = {}
    answer: str = ""
    """What was said, where there is one answer; of several nothing is estimated."""


def card_of(rows: Sequence[Result]) -> Card:
    """Score a case by its rows: a metric's mean is taken over the answers it applied to."""
    if len(rows) == 1:
        card = rows[0].scorecard
        return Card(float(card.passed), card.primary_score, card.sub_scores, card.details, rows[0].output_text)
    cards = [row.scorecard for row in rows]
    names = dict.fromkeys(name for card in cards for name in card.sub_scores)
    values = {name: [card.sub_scores.get(name) for card in cards] for name in names}
    means = {name: _mean([value for value in found if value is not None]) for name, found in values.items()}
    return Card(
        fsum(card.passed for card in cards) / len(cards),
        fsum(card.primary_score for card in cards) / len(cards),
        means,
    )


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None


class PairTally:
    """Collects pairs of rows and returns what differs, in all and by group.

    `cluster` names the group whose values belong together (such as the document); left out, equal questions do.
    `averaged` says that values are means over the answers to a case: a flag is then a share, and tested as one.
    """

    def __init__(
        self, specs: Sequence[MetricSpec], *, cluster: str = "", level: float = LEVEL, averaged: bool = False
    ) -> None:
        self._specs = specs
        self._averaged = averaged
        self._cluster = cluster
        self._level = level
        self._all: dict[str, _Set] = {}
        self._groups: dict[tuple[str, str, str], _Set] = {}
        self._sizes: dict[tuple[str, str], int] = {}

    def add(self, model: str, second: Result, before: Card, after: Card) -> None:
        """Add one pair, scored in both runs; its groups and its weight are those of the second run's row."""
        key, cells = self._key(second), _cells(self._specs, before, after, second.weight)
        whole = self._all.get(model)
        if whole is None:
            whole = self._all[model] = _Set(self._specs, self._averaged)
        whole.add(key, cells)
        whole.estimate(second.sample_id, key, before, after)
        for group, values in second.groups.items():
            for value in values:
                if (part := self._part(model, group, value)) is not None:
                    part.add(key, cells)
                    part.estimate(second.sample_id, key, before, after)
                    if whole.clusters.folded:
                        part.clusters.shrink()

    def add_equal(self, model: str, before: Card, after: Card, *, weight: float, times: int) -> None:
        """Add many equal pairs without groups, each of a question of its own."""
        whole = self._all.setdefault(model, _Set(self._specs, self._averaged))
        whole.add_equal(_cells(self._specs, before, after, weight), times)

    def _key(self, row: Result) -> str:
        if self._cluster and (values := row.groups.get(self._cluster)):
            return "\0".join(values)
        return row.question or row.sample_id

    def _part(self, model: str, group: str, value: str) -> "_Set | None":
        part = self._groups.get((model, group, value))
        if part is None and self._sizes.get((model, group), 0) < MOST_VALUES:
            self._sizes[model, group] = self._sizes.get((model, group), 0) + 1
            part = self._groups[model, group, value] = _Set(self._specs, self._averaged)
        return part

    def deltas(self) -> tuple[Delta, ...]:
        """Return what differs; over all cases every figure is tested, within groups passing only."""
        found: list[Delta] = []
        for model, whole in self._all.items():
            found += _adjusted(list(whole.deltas(model, "", "", self._level, tested=True)))
            parts = [(key, part) for key, part in sorted(self._groups.items()) if key[0] == model]
            inside = [d for (_, g, v), part in parts for d in part.deltas(model, g, v, self._level, tested=False)]
            found += _adjusted(inside)
        return tuple(found)


def _adjusted(deltas: list[Delta]) -> list[Delta]:
    """Adjust the p-values of one family of tests; figures that differ in the very same way are one test."""
    tested = {_test(delta): delta.p for delta in deltas if delta.p is not None}
    adjusted = dict(zip(tested, holm(list(tested.values())), strict=True))
    return [structs.replace(delta, p_holm=adjusted.get(_test(delta))) for delta in deltas]


def _test(delta: Delta) -> tuple[object, ...]:
    numbers = (abs(delta.difference or 0.0), delta.error, delta.p or 0.0)
    rounded = tuple(round(value, 9) for value in numbers)
    return delta.group, delta.value, delta.n, delta.gained, delta.lost, *rounded


class _Cell(NamedTuple):
    first: float
    second: float
    weight: float


def _cells(specs: Sequence[MetricSpec], mine: Card, yours: Card, weight: float) -> "list[_Cell | None]":
    """Set both rows' values side by side; where one of them has none, there is nothing to compare."""
    cells: list[_Cell | None] = []
    for spec in specs:
        before, after = mine.sub_scores.get(spec.name), yours.sub_scores.get(spec.name)
        cells.append(None if before is None or after is None else _Cell(before, after, 1.0))
    cells.append(_Cell(mine.passed, yours.passed, 1.0))
    cells.append(_Cell(mine.primary_score, yours.primary_score, weight))
    return cells


class _Set:
    """One set of pairs."""

    def __init__(self, specs: Sequence[MetricSpec], averaged: bool) -> None:
        self._specs = [*specs, *_WHOLE]
        self._exact = not averaged
        """Flags are 0 or 1, so that cases can be counted."""
        self.clusters = Clusters(len(self._specs))
        self._estimates = {spec.name: PairedStrata() for spec in specs if spec.name.endswith(ESTIMATED)}
        width = range(len(self._specs))
        self._firsts, self._seconds, self._weights = [0.0 for _ in width], [0.0 for _ in width], [0.0 for _ in width]
        self._counts, self._gained, self._lost = [0 for _ in width], [0 for _ in width], [0 for _ in width]

    def add(self, key: str, cells: Sequence["_Cell | None"]) -> None:
        self.clusters.add(key, self._count(cells, 1))

    def add_equal(self, cells: Sequence["_Cell | None"], times: int) -> None:
        self.clusters.add_equal(self._count(cells, times), times)

    def _count(self, cells: Sequence["_Cell | None"], times: int) -> list[float]:
        """Add up so many equal pairs; return one as its cluster is told it."""
        flat: list[float] = []
        for at, cell in enumerate(cells):
            if cell is None:
                flat += (0.0, 0.0)
                continue
            first, second, weight = cell
            difference = second - first if abs(second - first) > SAME else 0.0
            flat += (weight * difference, weight)
            self._firsts[at] += times * weight * first
            self._seconds[at] += times * weight * second
            self._weights[at] += times * weight
            self._counts[at] += times
            if difference:
                better = (difference > 0) == (self._specs[at].better == "higher")
                self._gained[at] += times * better
                self._lost[at] += times * (not better)
        return flat

    def estimate(self, case: str, key: str, before: Card, after: Card) -> None:
        """Add people's labels on both answers to a case; cases of one `key` belong together."""
        for name, strata in self._estimates.items():
            same, both = before.answer == after.answer, (given(case, key, card.answer) for card in (before, after))
            first, second = both
            strata.add(name.removesuffix(ESTIMATED), before.details, after.details, same=same, given=(first, second))

    def deltas(self, model: str, group: str, value: str, level: float, *, tested: bool) -> Iterator[Delta]:
        for at, spec in enumerate(self._specs):
            if spec.name in self._estimates:
                found = self._estimated(model, spec, level)
                p = found.p if tested else None
                yield structs.replace(found, group=group, value=value, p=p)
                continue
            column = self.clusters.spread(at)
            delta = Delta(
                model=model,
                figure=spec.name,
                group=group,
                value=value,
                n=self._counts[at],
                clusters=column.clusters,
                first=self._mean(self._firsts, at),
                second=self._mean(self._seconds, at),
                difference=column.mean if column.size else None,
                error=column.error,
                interval=self._interval(at, column, level),
                gained=self._gained[at],
                lost=self._lost[at],
                detectable=self._detectable(at, column, level),
                better=spec.better,
            )
            yield self._tested(delta, at, column) if tested or spec.name == PASSING else delta

    def _estimated(self, model: str, spec: MetricSpec, level: float) -> Delta:
        """Estimate a difference from labels on both answers; there is none without such labels."""
        strata = self._estimates[spec.name]
        found, n = strata.difference(level), strata.labelled
        rates = strata.rates(found) if found else (None, None)
        turned = (strata.gained, strata.lost) if spec.better == "higher" else (strata.lost, strata.gained)
        return Delta(
            model=model,
            figure=spec.name,
            n=n,
            clusters=n,
            first=rates[0],
            second=rates[1],
            difference=found.second - found.first if found else None,
            error=found.error if found else 0.0,
            interval=found.interval if found else None,
            gained=turned[0],
            lost=turned[1],
            p=found.p if found else None,
            test="strata" if found else "",
            detectable=detectable(found.error, confidence=level) if found else None,
            better=spec.better,
            open=strata.lacking,
        )

    def _mean(self, sums: Sequence[float], at: int) -> float | None:
        return sums[at] / self._weights[at] if self._weights[at] else None

    def _interval(self, at: int, column: Spread, level: float) -> Interval | None:
        gained, lost = self._gained[at], self._lost[at]
        if self._specs[at].better == "lower":
            gained, lost = lost, gained
        flags = (gained, lost) if self._is_flag(at) else (None, None)
        return difference_interval(column, *flags, level=level, span=_SPANS[self._specs[at].kind])

    def _is_flag(self, at: int) -> bool:
        return self._exact and self._specs[at].kind == "flag"

    def _detectable(self, at: int, column: Spread, level: float) -> float | None:
        """Return the smallest difference that can be found; None when there is no such on the figure's scale."""
        found, span = detectable(column.error, confidence=level), _SPANS[self._specs[at].kind]
        return None if found is None or (span is not None and found > span) else found

    def _tested(self, delta: Delta, at: int, column: Spread) -> Delta:
        if not column.size:
            return delta
        if self._is_flag(at) and column.clusters == column.size:
            return structs.replace(delta, p=mcnemar(delta.gained, delta.lost), test="mcnemar")
        test = "permutation" if column.sums else "normal"
        return structs.replace(delta, p=p_value(column), test=test)
