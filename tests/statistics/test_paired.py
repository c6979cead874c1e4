"""Paired tests: by hand, against SciPy where installed, and as properties."""

from itertools import product
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.statistics.clusters import Clusters, spread
from ragstone.statistics.paired import detectable, difference_interval, holm, mcnemar, p_value, permutation


@pytest.mark.parametrize(
    ("gained", "lost", "p"), [(0, 0, 1.0), (1, 0, 1.0), (0, 6, 0.03125), (8, 2, 0.109375), (5, 5, 1.0)]
)
def test_mcnemar_is_the_binomials(gained: int, lost: int, p: float) -> None:
    """Twice the smaller tail of a fair coin, never above 1."""
    assert mcnemar(gained, lost) == pytest.approx(p)
    assert mcnemar(lost, gained) == mcnemar(gained, lost)


@settings(deadline=None)
@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), max_size=8))
def test_few_changes_are_tested_exactly(values: list[float]) -> None:
    """Every arrangement of signs, counted by hand."""
    seen = abs(sum(values))
    arranged = [
        sum(s * v for s, v in zip(signs, values, strict=True)) for signs in product((1, -1), repeat=len(values))
    ]
    expected = sum(abs(total) >= seen - 1e-9 for total in arranged) / len(arranged)

    assert permutation(values) == pytest.approx(expected)


def test_many_changes_are_drawn_with_a_seed() -> None:
    """Twice the same, near the exact figure, never 0."""
    values = [1.0] * 14 + [-1.0] * 6

    assert permutation(values) == permutation(values)
    assert permutation(values) == pytest.approx(mcnemar(14, 6), abs=0.02)
    assert 0 < permutation([1.0] * 60) < 0.001


def test_the_number_of_draws_does_not_set_the_p_value() -> None:
    """The same difference in many cases is as sure as a flag and as a score that moves with it."""
    flag, score = [-1.0] * 1500 + [1.0] * 800, [-0.9] * 750 + [-1.1] * 750 + [1.0] * 800

    assert permutation(flag) == mcnemar(800, 1500)
    assert permutation(score) < 1e-6


def test_unchanged_cases_add_nothing() -> None:
    """Zeros do not move the p-value."""
    assert permutation([0.0] * 500 + [0.5, 0.5, -0.25]) == permutation([0.5, 0.5, -0.25])
    assert permutation([]) == 1.0


def test_holm_by_hand() -> None:
    """Multiplied by the number of tests left, never below one before it, in the given order."""
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_the_detectable_effect_by_hand() -> None:
    """(1.96 + 0.8416) standard errors on two sides, (1.645 + 0.8416) on one."""
    assert detectable(0.01) == pytest.approx(0.02801585)
    assert detectable(0.01, sides=1) == pytest.approx(0.02486475)
    assert detectable(0.0) is None


def test_folded_differences_are_tested_by_their_error() -> None:
    """Beyond what is kept, the normal approximation says nearly the same."""
    dice = Random(1)
    kept, folded = Clusters(1), Clusters(1, most=100)
    for row in range(3000):
        cells = [dice.choice((-1.0, 0.0, 0.0, 0.0, 1.0, 1.0)) * 0.1, 1.0]
        kept.add(str(row), cells)
        folded.add(str(row), cells)

    assert p_value(folded.spread(0)) == pytest.approx(p_value(kept.spread(0)), abs=0.02)
    assert p_value(spread([0.0], [1.0])) == 1.0


@pytest.mark.parametrize(("gained", "lost", "method"), [(3, 1, "tango"), (None, None, "bca+t")])
def test_the_interval_of_a_difference_holds_it(gained: int | None, lost: int | None, method: str) -> None:
    """Flags by Tango's score, other metrics by the wider of bootstrap and Student's t."""
    found = difference_interval(spread([1.0] * 3 + [-1.0] + [0.0] * 36, [1.0] * 40), gained, lost)

    assert found is not None
    assert found.method == method
    assert found.low < 0.05 < found.high


def test_an_unchanged_ratio_is_not_certain() -> None:
    """All differences 0: room is left as for flags; an unbounded metric says nothing."""
    still = spread([0.0] * 30, [1.0] * 30)
    found = difference_interval(still, None, None)

    assert found is not None
    assert found.low == -found.high < 0
    assert difference_interval(still, None, None, span=None) is None


@pytest.mark.parametrize(("gained", "lost"), [(3, 9), (40, 61), (900, 1003)])
def test_mcnemar_counts_the_terms(gained: int, lost: int) -> None:
    """Also where there are many."""
    terms = sum(comb(gained + lost, k) for k in range(gained + 1))

    assert mcnemar(gained, lost) == pytest.approx(2 * terms / 2 ** (gained + lost), rel=1e-9)


@pytest.mark.long  # importing it takes longer than all tests of this folder
def test_p_values_equal_scipy() -> None:
    """McNemar's and the permutation test, on the same data."""
    stats = pytest.importorskip("scipy.stats")
    dice = Random(2)
    values = [dice.choice((-0.5, 0.1, 0.3, 0.7)) for _ in range(12)]

    theirs = stats.permutation_test((values,), lambda v, axis: v.mean(axis=axis), permutation_type="samples")
    assert permutation(values) == pytest.approx(float(theirs.pvalue))
    for gained, lost in ((3, 9), (40, 61), (900, 1003)):
        assert mcnemar(gained, lost) == pytest.approx(float(stats.binomtest(gained, gained + lost).pvalue), rel=1e-9)


def test_holm_equals_statsmodels() -> None:
    """Over many p-values."""
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    values = [Random(3).random() / 10 for _ in range(20)]

    assert holm(values) == pytest.approx(list(multitest.multipletests(values, method="holm")[1]))
