"""Rates with people in them: by hand, at their ends, and covering the truth."""

from random import Random

import pytest

from ragstone.judging.estimates.estimate import (
    Checked,
    Pairs,
    Stratum,
    deal,
    draw,
    estimate,
    estimate_difference,
    mean_of,
    undo_errors,
)
from ragstone.statistics.distributions import beta_quantile


def test_a_beta_quantile_is_the_tables() -> None:
    """Half of a symmetric beta lies below one half; the uniform is its own quantile."""
    assert beta_quantile(0.5, 3.0, 3.0) == pytest.approx(0.5)
    assert beta_quantile(0.025, 1.0, 1.0) == pytest.approx(0.025)


def test_one_stratum_is_a_rate_with_a_prior() -> None:
    """Of 1,000,000 cases 100 are labelled, 80 of them stated: Jeffreys' own interval is 0.714 to 0.869."""
    found = estimate([Stratum(1e6, 100, 80)])

    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.714, 0.869), abs=3e-3)


def test_strata_make_an_interval_narrower() -> None:
    """The same hundred labels tell more when rule and judge have sorted the cases before."""
    alone = estimate([Stratum(1000, 100, 80)])
    sorted_ = estimate([Stratum(780, 60, 58), Stratum(220, 40, 8)])

    assert alone is not None
    assert sorted_ is not None
    assert sorted_.high - sorted_.low < 0.75 * (alone.high - alone.low)


@pytest.mark.parametrize("strata", [[], [Stratum(10)], [Stratum(0, 0, 0)]])
def test_nothing_labelled_is_no_estimate(strata: list[Stratum]) -> None:
    """Without a label nothing is estimated; it is not 0."""
    assert estimate(strata) is None


def test_the_interval_covers_the_truth() -> None:
    """A rate of 0.8, a judge that is right in nine of ten: 300 rounds, at least 92 % hold it."""
    dice, held = Random(7), 0
    for _ in range(300):
        cases = [(truth, (dice.random() < 0.9) == truth) for truth in (dice.random() < 0.8 for _ in range(500))]
        strata = []
        for said in (True, False):
            of = [truth for truth, judged in cases if judged is said]
            strata.append(Stratum(len(of), min(40, len(of)), sum(of[:40])))
        found = estimate(strata)
        held += found is not None and found.low <= 0.8 <= found.high

    assert held >= 276


def test_labels_are_dealt_where_they_tell_most() -> None:
    """A stratum of which nothing is known yet gets more of them than one that is nearly sure, and none is left out."""
    strata = {"sure": Stratum(900, 30, 30), "open": Stratum(100, 2, 1), "tiny": Stratum(2)}
    sizes, parts = (
        {n: round(one.size) for n, one in strata.items()},
        {n: one.size * one.spread for n, one in strata.items()},
    )

    dealt = deal(sizes, parts, 200)

    assert dealt["tiny"] == 2
    assert dealt["open"] / 100 > dealt["sure"] / 900
    assert deal({"a": 5, "b": 4}, {"a": 0.0, "b": 1.0}, 100) == {"a": 5, "b": 4}


def test_a_larger_draw_holds_a_smaller_one() -> None:
    """Drawing is by hash: no order of the cases and no number of draws changes who comes first."""
    cases = [f"Q{n}" for n in range(50)]

    assert draw(cases[::-1], 20)[:5] == draw(cases, 5)
    assert draw(cases, 5, "other") != draw(cases, 5)


def test_a_judges_errors_can_be_undone() -> None:
    """A rate of 0.7 seen through a judge of 0.9 and 0.8 shows as 0.69, and comes back as 0.7."""
    found = undo_errors(Checked(690, 1000), Checked(180, 200), Checked(160, 200))

    assert found is not None
    assert found.low < 0.7 < found.high
    assert (found.low + found.high) / 2 == pytest.approx(0.7, abs=1e-6)


def test_a_judge_that_guesses_cannot_be_undone() -> None:
    """Sensitivity and specificity that may add up to 1 say nothing: refused, not divided by."""
    assert undo_errors(Checked(60, 100), Checked(12, 20), Checked(10, 20)) is None
    assert undo_errors(Checked(60, 100), Checked(0, 0), Checked(10, 20)) is None


def test_two_runs_are_compared_in_pairs() -> None:
    """Ten of a hundred labelled pairs gained, two lost: eight points up, and the interval is above nothing."""
    found = estimate_difference([Pairs(1000, 100, 70, 78, 12)])

    assert found is not None
    assert found.second - found.first == pytest.approx(0.08, abs=2e-3)
    assert found.interval.low > 0
    assert found.p < 0.05
    assert estimate_difference([Pairs(10)]) is None


def test_cases_with_the_same_answer_cannot_differ() -> None:
    """Half of the cases have the same answer in both runs: the interval is half as wide, without a label on them."""
    half = estimate_difference([Pairs(500, 50, 35, 39, 6), Pairs(500, same=True)])
    other = estimate_difference([Pairs(500, 50, 35, 39, 6)])

    assert half is not None
    assert other is not None
    assert half.error == pytest.approx(other.error / 2, rel=0.05)
    assert half.second - half.first == pytest.approx((other.second - other.first) / 2, rel=0.02)


def test_wilsons_interval_of_a_judge_needs_cases() -> None:
    """No case of a kind, no interval."""
    assert Checked(0, 0).interval() is None
    found = Checked(45, 50).interval()
    assert found is not None
    assert found.low == pytest.approx(0.786, abs=1e-3)


def test_strata_share_one_prior() -> None:
    """Each stratum counts by its size, and begins with its share of one label: by hand, mean and variance."""
    strata = [Stratum(780, 60, 58), Stratum(220, 40, 8), Stratum(0)]
    rates = [58.25 / 60.5, 8.25 / 40.5]
    mean = 0.78 * rates[0] + 0.22 * rates[1]
    within = 0.78**2 * rates[0] * (1 - rates[0]) / 60.5 + 0.22**2 * rates[1] * (1 - rates[1]) / 40.5
    between = (0.78 * (rates[0] - mean) ** 2 + 0.22 * (rates[1] - mean) ** 2) / 1000
    found = estimate(strata)

    assert mean_of(strata) == pytest.approx(mean)
    assert found is not None
    assert found.high - found.low == pytest.approx(2 * 1.96 * (within + between) ** 0.5, rel=0.01)


def test_a_stratum_without_labels_may_be_anything() -> None:
    """Half of the cases are all stated, of the others nothing is known: the interval holds both ends of it."""
    found = estimate([Stratum(500, 100, 100), Stratum(500)])

    assert found is not None
    assert found.low < 0.5
    assert found.high > 0.99
