"""Pairs of rows into differences."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.types import Delta, Result, Scorecard
from ragstone.trust.differences import MOST_VALUES, PairTally, card_of
from tests.trust.samples import Graded


def _row(number: int, value: float | None, *, question: str = "", kind: str = "fact", weight: float = 1.0) -> Result:
    score = value or 0.0
    scores = {"exact": None if value is None else float(score == 1), "overlap": value, "missing": 1 - score}
    return Result(
        run_id="r",
        sample_id=f"c{number}",
        task_name="graded",
        model_id="m",
        scorer_version="1",
        question=question or f"q{number}",
        groups={"type": (kind,)},
        weight=weight,
        output_text="",
        task_metrics={},
        scorecard=Scorecard(primary_score=score, passed=score == 1, sub_scores=scores),
    )


def _deltas(before: Sequence[float | None], after: Sequence[float | None], **more: str) -> dict[str, Delta]:
    tally = PairTally(Graded.metrics, cluster=more.pop("cluster", ""))
    for number, (a, b) in enumerate(zip(before, after, strict=True)):
        first, second = (_row(number, value, **more) for value in (a, b))  # type: ignore[arg-type]
        tally.add("m", second, card_of([first]), card_of([second]))
    return {delta.figure: delta for delta in tally.deltas() if not delta.group}


def test_a_difference_is_counted_both_ways() -> None:
    """Means, gained and lost cases, by hand; lower is better for an error."""
    found = _deltas([1.0, 1.0, 0.5, 0.0], [1.0, 0.5, 1.0, 0.5])

    assert found["overlap"].difference == pytest.approx(0.125)
    assert (found["exact"].gained, found["exact"].lost) == (1, 1)
    assert (found["missing"].gained, found["missing"].lost) == (2, 1)
    assert found["missing"].difference == pytest.approx(-0.125)
    assert found["pass_rate"].first == found["pass_rate"].second == 0.5


def test_flags_are_tested_by_mcnemar_and_ratios_by_permutation() -> None:
    """Six cases lost and none gained have p = 2/64 either way."""
    found = _deltas([1.0] * 10, [0.5] * 6 + [1.0] * 4)

    assert (found["exact"].test, found["overlap"].test) == ("mcnemar", "permutation")
    assert found["exact"].p == pytest.approx(0.03125)
    assert found["overlap"].p == pytest.approx(0.03125)
    assert found["overlap"].p_holm is not None
    assert found["overlap"].p_holm >= 0.03125


def test_the_same_question_counts_once() -> None:
    """Six copies of one lost case are one observation: no p-value below 1 comes of it, and no interval."""
    found = _deltas([1.0] * 6, [0.0] * 6, question="same")

    assert found["exact"].clusters == 1
    assert found["exact"].p == 1.0
    assert found["exact"].interval is None


def test_cases_of_one_document_can_be_put_together() -> None:
    """--cluster names the group."""
    assert _deltas([1.0] * 6, [0.0] * 6, cluster="type")["exact"].clusters == 1
    assert _deltas([1.0] * 6, [0.0] * 6, cluster="no such")["exact"].clusters == 6


def test_what_has_no_value_on_one_side_is_left_out_and_counted() -> None:
    """Not applicable is neither 0 nor a difference."""
    found = _deltas([None, 1.0, 0.5], [1.0, None, 0.75])

    assert found["overlap"].n == 1
    assert found["overlap"].difference == 0.25
    assert found["pass_rate"].n == 3


def test_figures_that_differ_alike_are_one_test() -> None:
    """Every figure of these cases is the same column: Holm counts it once."""
    found = _deltas([1.0] * 8, [0.0] * 6 + [1.0] * 2)

    assert found["exact"].p_holm == found["pass_rate"].p_holm
    assert found["exact"].p_holm == pytest.approx(0.03125)


def test_groups_are_bounded() -> None:
    """A group with as many values as cases does not fill the memory."""
    tally = PairTally(Graded.metrics)
    for number in range(MOST_VALUES + 50):
        row = _row(number, 1.0, kind=str(number))
        tally.add("m", row, card_of([row]), card_of([row]))

    assert len({delta.value for delta in tally.deltas() if delta.group}) == MOST_VALUES


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0, None]), st.sampled_from([0.0, 0.25, 1.0, None])), max_size=25)
)
def test_nothing_is_ever_nan(pairs: list[tuple[float | None, float | None]]) -> None:
    """Any pairs at all: intervals hold the difference, p-values lie in 0..1, swapping turns the sign."""
    forward = _deltas([a for a, _ in pairs], [b for _, b in pairs])
    back = _deltas([b for _, b in pairs], [a for a, _ in pairs])

    for name, delta in forward.items():
        assert delta.p is None or 0 < delta.p <= 1
        if delta.difference is not None:
            assert back[name].difference == pytest.approx(-delta.difference)
        if delta.interval and delta.difference is not None:
            assert delta.interval.low - 1e-9 <= delta.difference <= delta.interval.high + 1e-9
