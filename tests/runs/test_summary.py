"""Rows into figures."""

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from ragstone.core.language import Text
from ragstone.core.types import MetricSpec, Result, Scorecard, Summary, Usage
from ragstone.runs.summary import MOST_VALUES, OTHERS, Summarizer, measure

SPECS = [
    MetricSpec(name="a", label=Text("a", "甲"), kind="flag"),
    MetricSpec(name="b", label=Text("b", "乙"), kind="ratio"),
]


def _row(a: float | None = 1.0, *, b: float | None = None, **more: object) -> Result:
    card = Scorecard(primary_score=a or 0.0, passed=a == 1, sub_scores={"a": a, "b": b}, error_tags=("t",))
    fields: dict[str, object] = {
        "run_id": "r",
        "sample_id": "Q1",
        "task_name": "x",
        "model_id": "m",
        "scorer_version": "1",
        "question": "?",
        "output_text": "",
        "task_metrics": {},
        "scorecard": card,
    }
    return Result(**(fields | more))  # type: ignore[arg-type]


def _sum(rows: list[Result]) -> Summary:
    figures = Summarizer(SPECS)
    for row in rows:
        figures.add(row)
    return figures.summary(run_id="r", task_name="x", status="complete", scorer_version="1", expected=len(rows))


def test_failed_cases_stay_in_the_denominator() -> None:
    """R0.2: nine timeouts and one right answer are 10 %, not 100 %."""
    rows = [_row(1.0), *[_row(0.0, error_type="timeout", error_stage="ask")] * 8, _row(0.0, error_type="unparsed")]

    block = _sum(rows).models["m"].all

    assert block.metrics["a"].mean == pytest.approx(0.1)
    assert (block.cases, block.scored, block.errored, block.unparsed) == (10, 1, 8, 1)


def test_not_applicable_is_counted_and_never_nan() -> None:
    """A metric that applied to no case has no mean."""
    figure = _sum([_row(1.0), _row(1.0)]).models["m"].all.metrics["b"]

    assert (figure.mean, figure.n, figure.not_applicable) == (None, 0, 2)


def test_weights_weigh_the_primary_score() -> None:
    """A case of weight 3 counts three times."""
    block = _sum([_row(1.0, weight=3.0), _row(0.0)]).models["m"].all

    assert block.primary_score == pytest.approx(0.75)
    assert block.metrics["a"].mean == pytest.approx(0.5)


def test_groups_are_counted_by_value() -> None:
    """A case belongs to every value of its groups."""
    rows = [_row(1.0, groups={"tags": ("x", "y")}), _row(0.0, groups={"tags": ("y",)})]

    tags = _sum(rows).models["m"].groups["tags"]

    assert (tags["x"].cases, tags["y"].cases, tags["y"].passed) == (1, 2, 1)


def test_a_group_with_endless_values_does_not_grow() -> None:
    """The rest is counted together."""
    tags = _sum([_row(groups={"tags": (str(n),)}) for n in range(MOST_VALUES + 50)]).models["m"].groups["tags"]

    assert len(tags) == MOST_VALUES + 1
    assert tags[OTHERS].cases == 50


def test_costs_are_added_up() -> None:
    """Tokens, retries, cached answers, money and latencies: a cached answer took its time in another run."""
    rows = [_row(usage=Usage(1, 2, 3), latency_ms=float(n), attempts=2, cost=0.5, cached=n > 99) for n in range(1, 101)]
    rows[99] = structs.replace(rows[99], latency_ms=1e9)

    costs = _sum(rows).models["m"].costs

    assert (costs.total_tokens, costs.retries, costs.cached, costs.cost) == (300, 100, 1, 50.0)
    assert (costs.latency_ms_mean, costs.latency_ms_p50, costs.latency_ms_p95) == (50.0, 50.0, 95.0)


def test_a_cost_shows_no_last_bits_of_its_sum() -> None:
    """Twenty times 0.14 are 2.8, and not 2.8000000000000016."""
    assert _sum([_row(cost=0.14)] * 20).models["m"].costs.cost == 2.8


def test_the_digest_ignores_the_run_and_its_timings() -> None:
    """Equal answers have equal digests; another answer has another."""
    one, two = _sum([_row(latency_ms=1.0)]), _sum([_row(run_id="other", latency_ms=2.0, attempts=3)])

    assert one.results_digest == two.results_digest
    assert one.results_digest != _sum([_row(output_text="x")]).results_digest
    assert _sum([_row(output_text="\ud800")]).results_digest


@settings(deadline=None)
@given(st.lists(st.floats(0, 1e6), min_size=1), st.integers(1, 9))
def test_a_percentile_is_one_of_the_values(values: list[float], piece: int) -> None:
    """At least the share lies at or below it, and nothing depends on how many values are sorted at once."""
    found = measure(array("d", values), piece)

    assert found == measure(array("d", values))
    assert found.mean == sum(sorted(values)) / len(values)
    for share, value in ((0.5, found.p50), (0.95, found.p95)):
        assert value == min(one for one in values if sum(v <= one for v in values) >= share * len(values) - 1e-9)


def test_nothing_has_no_percentile() -> None:
    """Where nothing was measured there is no figure."""
    assert measure(array("q")) == (None, None, None)


def test_every_mean_has_an_interval() -> None:
    """A flag has Wilson's, a ratio the bootstrap's; one case alone tells nothing about a ratio."""
    rows = [_row(float(n % 3 > 0), b=n / 30, sample_id=f"Q{n}", question=f"{n}?") for n in range(30)]

    block = _sum(rows).models["m"].all

    flag, ratio = block.metrics["a"].interval, block.metrics["b"].interval
    assert flag is not None
    assert ratio is not None
    assert (flag.method, ratio.method) == ("wilson", "bca")
    assert flag.low < 2 / 3 < flag.high
    assert block.pass_interval == flag
    assert _sum(rows[:1]).models["m"].all.metrics["b"].interval is None


def test_copies_of_a_question_do_not_narrow_an_interval() -> None:
    """A thousand rows of eight questions rest on eight."""
    rows = [_row(float(n % 8 < 5), sample_id=f"Q{n}", question=f"{n % 8}?") for n in range(1000)]

    interval = _sum(rows).models["m"].all.metrics["a"].interval

    assert interval is not None
    assert interval.clusters == 8
    assert interval.high - interval.low > 0.5


def test_intervals_stay_when_memory_must_be_flat() -> None:
    """Beyond what is kept, whole and groups have Student's t of the same width."""
    rows = [
        _row(1.0, b=n % 10 / 10, sample_id=f"Q{n}", question=f"{n}?", groups={"g": (str(n % 3),)}) for n in range(5500)
    ]

    figures = _sum(rows).models["m"]

    whole, part = figures.all.metrics["b"].interval, figures.groups["g"]["1"].metrics["b"].interval
    assert whole is not None
    assert part is not None
    assert (whole.method, part.method, whole.clusters) == ("t", "t", 5500)
    assert (part.high - part.low) / (whole.high - whole.low) == pytest.approx(3**0.5, rel=0.02)


def test_repeats_tell_how_much_a_system_wavers() -> None:
    """pass@k and the system's share; single answers tell none of it."""
    rows = [_row(float(r < n % 3), sample_id=f"Q{n}", question=f"{n}?", repeat=r) for n in range(9) for r in range(2)]

    repeats = _sum(rows).models["m"].repeats

    assert repeats is not None
    assert repeats.pass_at == {"1": pytest.approx(0.5), "2": pytest.approx(2 / 3)}
    assert 0 < repeats.system_share < 1
    assert _sum(rows[::2]).models["m"].repeats is None


def test_tables_are_counted_by_cell() -> None:
    """A contract's table has a number for each of its cells."""
    figures = Summarizer(SPECS, ["t"])
    for cell in ("x", "y", "x", None):
        card = Scorecard(primary_score=1.0, passed=True, sub_scores={"a": 1.0}, details={"t": cell} if cell else {})
        figures.add(_row(scorecard=card))

    summary = figures.summary(run_id="r", task_name="x", status="complete", scorer_version="1", expected=4)

    assert summary.models["m"].tables == {"t": {"x": 2, "y": 1}}
