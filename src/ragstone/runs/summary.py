"""Turns rows into figures: means, counts and groups, always with what was left out."""

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import merge
from math import ceil
from typing import NamedTuple

from msgspec.json import Encoder

from ragstone.core.types import (
    JSON,
    Block,
    Costs,
    Figure,
    Interval,
    MetricSpec,
    ModelSummary,
    Result,
    RuleVerdict,
    StepName,
    Summary,
)
from ragstone.judging.decisions import DETAIL, ESTIMATED, author_counts, judge_votes, unasked_count
from ragstone.judging.estimates.clusters import given
from ragstone.judging.estimates.rule_checks import check_of, overruled
from ragstone.judging.estimates.strata import StrataTally
from ragstone.statistics.clusters import Clusters
from ragstone.statistics.intervals import mean_interval
from ragstone.statistics.repeats import RepeatTally

MOST_VALUES = 200
"""Distinct values kept of one group; the rest is counted together."""
OTHERS = "…"
AT_MOST = "at_most"
"""Detail of a scorecard: what its metrics would be if every open verdict were a yes."""
LOST = "not_scored"
"""Tag of an answer another tool could not score; its reasons of the code `lost` name the metrics."""
PIECE = 100_000
"""Latencies and tokens that are sorted at once."""
_DIGITS = 12
"""Places a sum of money is rounded to, so that the last bits of the adding do not show."""
_BOUNDS: dict[str, float | None] = {"flag": 1.0, "ratio": 1.0, "points": 100.0, "error": None}


class _Tally:
    """Counts one set of cases."""

    def __init__(self, specs: Sequence[MetricSpec]) -> None:
        self.specs = specs
        self.cases = self.errored = self.unparsed = self.passed = 0
        self.weight = self.weighted = 0.0
        self.totals = dict.fromkeys((spec.name for spec in specs), 0.0)
        self.counts = dict.fromkeys(self.totals, 0)
        self.lost: Counter[str] = Counter()
        self.open: Counter[str] = Counter()
        self.gains = dict.fromkeys(self.totals, 0.0)
        self.clusters = Clusters(len(specs) + 2)
        self.strata = {s.name: StrataTally() for s in specs if s.name.endswith(ESTIMATED)}

    def add(self, result: Result, key: str, cells: Sequence[float]) -> None:
        self.clusters.add(key, cells)
        card = result.scorecard
        self.cases += 1
        self.passed += card.passed
        if result.error_type is not None:
            if result.error_type == "unparsed":
                self.unparsed += 1
            else:
                self.errored += 1
        self.weight += result.weight
        self.weighted += result.weight * card.primary_score
        totals, counts = self.totals, self.counts
        for name, value in card.sub_scores.items():
            if value is not None and name in totals:
                totals[name] += value
                counts[name] += 1
        for name, strata in self.strata.items():
            strata.add(name.removesuffix(ESTIMATED), card.details, given(result.sample_id, key, result.output_text))
        at_most = card.details.get(AT_MOST)
        if isinstance(at_most, dict):
            self._add_open(card.sub_scores, at_most)
        if LOST in card.error_tags:
            self.lost.update(reason.metric for reason in card.reasons if reason.code == "lost")

    def _add_open(self, values: Mapping[str, float | None], at_most: Mapping[str, JSON]) -> None:
        """Count what would be gained if every open verdict were a yes."""
        for name, high in at_most.items():
            value = values.get(name)
            if name in self.gains and value is not None and high > value:
                self.open[name] += 1
                self.gains[name] += high - value

    def block(self, *, sure: bool = True) -> Block:
        """Return the figures; without `sure` they come without intervals, which take time."""
        last = len(self.specs)
        return Block(
            cases=self.cases,
            scored=self.cases - self.errored - self.unparsed,
            errored=self.errored,
            unparsed=self.unparsed,
            passed=self.passed,
            pass_rate=self.passed / self.cases if self.cases else None,
            primary_score=self.weighted / self.weight if self.weight else 0.0 if self.cases else None,
            metrics={spec.name: self._figure(spec, at, sure) for at, spec in enumerate(self.specs)},
            pass_interval=self._interval(last, "flag") if sure else None,
            score_interval=self._interval(last + 1, "ratio") if sure else None,
        )

    def _figure(self, spec: MetricSpec, at: int, sure: bool) -> Figure:
        if spec.name in self.strata:
            return self.strata[spec.name].figure()
        total, n = self.totals[spec.name], self.counts[spec.name]
        interval = self._interval(at, spec.kind) if sure else None
        none, lost = self.cases - n, self.lost[spec.name]
        undecided = self.open[spec.name]
        return Figure(
            mean=total / n if n else None,
            n=n,
            not_applicable=none,
            total=total,
            lost=lost,
            interval=interval,
            open=undecided,
            mean_high=(total + self.gains[spec.name]) / n if undecided and n else None,
        )

    def _interval(self, column: int, kind: str) -> Interval | None:
        return mean_interval(self.clusters.spread(column), flag=kind == "flag", high=_BOUNDS[kind])


class _ModelTally:
    """Counts the cases of one model, in all and by group."""

    def __init__(self, specs: Sequence[MetricSpec], step: StepName | None = None, tables: Iterable[str] = ()) -> None:
        self.specs = specs
        self.step = step
        self.tables: dict[str, Counter[str]] = {name: Counter() for name in tables}
        self.all = _Tally(specs)
        self.groups: dict[str, dict[str, _Tally]] = {}
        self.latencies = array("d")
        self.tokens = array("q")
        self.retries = self.cached = 0
        self.cost: float | None = None
        self.repeats = RepeatTally()
        self.flat = False
        self.authors: Counter[str] = Counter()
        self.unasked = 0
        self.judged_kinds: Counter[str] = Counter()
        self.overruled: dict[tuple[str, int], tuple[RuleVerdict, bool]] = {}

    def add(self, result: Result) -> None:
        # Cases that ask the same thing are not independent, and neither are two answers to one case.
        key, cells = result.question or result.sample_id, _cells(result, self.specs)
        self.all.add(result, key, cells)
        for group, values in result.groups.items():
            tallies = self.groups.setdefault(group, {})
            for value in values:
                known = value if value in tallies or len(tallies) < MOST_VALUES else OTHERS
                if known not in tallies:
                    tallies[known] = self._new_tally()
                tallies[known].add(result, key, cells)
        if self.all.clusters.folded and not self.flat:
            self._flatten()
        details = result.scorecard.details
        for table, cells_of in self.tables.items():
            if isinstance(cell := details.get(table), str):
                cells_of[cell] += 1
        if DETAIL in details:
            self._add_judged(result)
        self.repeats.add(result.sample_id, result.scorecard.primary_score, result.scorecard.passed)
        self._add_costs(result)

    def _add_judged(self, result: Result) -> None:
        """Count who decided what."""
        details = result.scorecard.details
        self.authors.update(author_counts(details))
        self.unasked += unasked_count(details)
        self.judged_kinds.update(kind for kind, _ in judge_votes(details))
        for kind, point, rule, stated in overruled(details):
            self.overruled[kind, hash((result.sample_id, result.output_text, point))] = rule, stated

    def _new_tally(self) -> _Tally:
        tally = _Tally(self.specs)
        if self.flat:
            tally.clusters.shrink()
        return tally

    def _flatten(self) -> None:
        """Keep memory flat: the groups' parts are not kept once those of the whole are not."""
        self.flat = True
        for tallies in self.groups.values():
            for tally in tallies.values():
                tally.clusters.shrink()

    def _add_costs(self, result: Result) -> None:
        if result.latency_ms is not None and not result.cached:
            self.latencies.append(result.latency_ms)
        if result.usage is not None:
            self.tokens.append(result.usage.total_tokens)
        self.retries += max(0, result.attempts - 1)
        self.cached += result.cached
        if result.cost is not None:
            self.cost = (self.cost or 0.0) + result.cost

    def summary(self) -> ModelSummary:
        groups = {g: {v: t.block() for v, t in tallies.items()} for g, tallies in self.groups.items()}
        return ModelSummary(
            all=self.all.block(),
            costs=self._costs(),
            groups=groups,
            repeats=self.repeats.summary(),
            step=self.step,
            tables={name: dict(sorted(cells.items())) for name, cells in self.tables.items()},
            authors=dict(sorted(self.authors.items())),
            unasked=self.unasked,
            judged_kinds=dict(sorted(self.judged_kinds.items())),
            rule_checks={
                kind: check_of(said for (of, _), said in self.overruled.items() if of == kind)
                for kind in sorted({kind for kind, _ in self.overruled})
            },
        )

    def _costs(self) -> Costs:
        latency, tokens = measure(self.latencies), measure(self.tokens)
        return Costs(
            answered=self.all.cases - self.all.errored,
            latency_ms_mean=latency.mean,
            latency_ms_p50=latency.p50,
            latency_ms_p95=latency.p95,
            total_tokens=sum(self.tokens),
            tokens_mean=tokens.mean,
            tokens_p95=tokens.p95,
            retries=self.retries,
            cached=self.cached,
            cost=None if self.cost is None else round(self.cost, _DIGITS),
        )


class Summarizer:
    """Takes the rows of a run one by one, in their order, and says at any time what they come to."""

    def __init__(self, metrics: Iterable[MetricSpec], tables: Iterable[str] = ()) -> None:
        self._specs = tuple(metrics)
        self._tables = tuple(tables)
        self._models: dict[str, _ModelTally] = {}
        self._types: Counter[str] = Counter()
        self._tags: Counter[str] = Counter()
        self._hash = hashlib.sha256()
        self.finished = 0

    def add(self, result: Result) -> None:
        """Add one row."""
        self.finished += 1
        name = result.model_step
        tally = self._models.get(name)
        if tally is None:
            step = StepName(result.task_name, result.model_id, result.step_id) if result.step_id else None
            tally = self._models[name] = _ModelTally(self._specs, step, self._tables)
        tally.add(result)
        if result.error_type:
            self._types[result.error_type] += 1
        if result.scorecard.error_tags:
            self._tags.update(result.scorecard.error_tags)
        self._hash.update(_digestible(result))

    def figures(self) -> dict[str, Block]:
        """Return the figures so far, by model."""
        return {model: tally.all.block(sure=False) for model, tally in self._models.items()}

    def summary(
        self,
        *,
        run_id: str,
        task_name: str,
        status: str,
        scorer_version: str,
        expected: int,
        models: Iterable[str] = (),
    ) -> Summary:
        """Return all figures; of `models` also those that gave no answer are named."""
        for model in models:
            self._models.setdefault(model, _ModelTally(self._specs, None, self._tables))
        return Summary(
            run_id=run_id,
            task_name=task_name,
            status=status,
            scorer_version=scorer_version,
            expected=expected,
            finished=self.finished,
            results_digest=self._hash.hexdigest(),
            models={model: tally.summary() for model, tally in self._models.items()},
            error_types=dict(sorted(self._types.items())),
            error_tags=dict(sorted(self._tags.items())),
        )


def _cells(result: Result, specs: Sequence[MetricSpec]) -> list[float]:
    """Return sum and size of each metric, of passing and of the primary score, as `Clusters` takes them."""
    cells: list[float] = []
    scores, weight = result.scorecard.sub_scores, result.weight
    for spec in specs:
        value = scores.get(spec.name)
        cells += (0.0, 0.0) if value is None else (value, 1.0)
    cells += (float(result.scorecard.passed), 1.0, weight * result.scorecard.primary_score, weight)
    return cells


class Measured(NamedTuple):
    """What many numbers come to; None where there are none."""

    mean: float | None = None
    p50: float | None = None
    p95: float | None = None


def measure(values: "array[float] | array[int]", piece: int = PIECE) -> Measured:
    """Return mean and percentiles: the smallest value that at least such a share of them does not exceed.

    >>> measure(array("d", [3.0, 1.0, 2.0]))
    Measured(mean=2.0, p50=2.0, p95=3.0)
    """
    count = len(values)
    if not count:
        return Measured()
    places = [max(0, ceil(count * share) - 1) for share in (0.5, 0.95)]
    found: dict[int, float] = {}

    def noted() -> Iterator[float]:
        for place, value in enumerate(_in_order(values, piece)):
            if place in places:
                found[place] = float(value)
            yield value

    mean = sum(noted()) / count
    return Measured(mean, *(found[place] for place in places))


def _in_order(values: "array[float] | array[int]", piece: int) -> Iterator[float]:
    """Yield numbers in order; as objects, which take several times as much memory, only a piece of them is held."""
    pieces = (values[at : at + piece] for at in range(0, len(values), piece))
    return merge(*(array(values.typecode, sorted(part)) for part in pieces))


def _digestible(result: Result) -> bytes:
    kept = (
        result.sample_id,
        result.repeat,
        result.model_step,
        result.prompt_version,
        result.scorer_version,
        result.output_text,
        result.parsed,
        result.scorecard,
        result.error_type,
    )
    try:
        return _ENCODE(kept)
    except UnicodeEncodeError:
        return repr(kept).encode("utf-8", "surrogatepass")


_ENCODE = Encoder().encode
