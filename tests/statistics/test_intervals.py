"""Intervals: hand-computed ones, those of SciPy and statsmodels where installed, and how they behave."""

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ragstone.statistics.clusters import spread
from ragstone.statistics.distributions import normal_quantile
from ragstone.statistics.intervals import BOOTSTRAP_MOST, bca, mean_interval, seed, student, tango, wilson

Z = normal_quantile(0.975)
TIMES = [12.0, 7.5, 3.1, 9.9, 4.2, 30.5, 1.1, 6.6, 2.4, 18.0, 5.5, 8.1]


@pytest.mark.parametrize(
    ("rate", "n", "low", "high"),
    [(0.0, 10, 0.0, 0.277533), (1.0, 10, 0.722467, 1.0), (0.5, 10, 0.236593, 0.763407), (0.9, 100, 0.825634, 0.944771)],
)
def test_wilson_is_the_tables(rate: float, n: int, low: float, high: float) -> None:
    """The score interval without continuity correction."""
    assert wilson(rate, n, Z) == pytest.approx((low, high), abs=1e-5)


def test_students_interval_by_hand() -> None:
    """Mean 2, standard deviation 1, three values, two degrees of freedom."""
    half = 4.302652730 / 3**0.5

    assert student(spread([1.0, 2.0, 3.0], [1.0] * 3), 0.95) == pytest.approx((2 - half, 2 + half))


def test_tango_is_his_own_example() -> None:
    """The example of Tango 1998: 44 pairs, one of them lost and none gained."""
    assert tango(0, 1, 44, Z) == pytest.approx((-0.118, 0.060), abs=2e-3)


def test_tango_of_no_change_is_not_certain() -> None:
    """Nothing changed in n cases still leaves room of z² / (n + z²)."""
    room = Z * Z / (50 + Z * Z)

    assert tango(0, 0, 50, Z) == pytest.approx((-room, room), abs=1e-9)


def test_bca_follows_the_skew() -> None:
    """A long right tail moves both ends to the right of Student's."""
    column = spread(TIMES, [1.0] * len(TIMES))

    found, plain = bca(column, 0.95), student(column, 0.95)

    assert found.low > plain.low
    assert found.high > plain.high - 1


def test_bca_is_the_same_everywhere() -> None:
    """The draws are fixed by a hash and exact sums: this literal holds on every machine."""
    column = spread(TIMES, [1.0] * len(TIMES))

    assert seed("bootstrap", 12, 1000) == 16338554438165612603
    assert bca(column, 0.95) == pytest.approx((5.567836394940912, 17.479006729504484), abs=1e-9)


def test_few_clusters_make_wide_intervals() -> None:
    """The same thousand rows, independent or as eight questions."""
    alone = mean_interval(spread([1.0, 0.0] * 500, [1.0] * 1000), flag=True)
    together = mean_interval(spread([125.0, 0.0] * 4, [125.0] * 8), flag=True)

    assert alone is not None
    assert together is not None
    assert together.high - together.low > 5 * (alone.high - alone.low)
    assert (alone.clusters, together.clusters) == (1000, 8)


@pytest.mark.parametrize("high", [1.0, 100.0])
def test_full_marks_are_no_proof_of_certainty(high: float) -> None:
    """All values equal: the interval still has width, inside the scale."""
    found = mean_interval(spread([high] * 20, [1.0] * 20), high=high)

    assert found is not None
    assert found.low == pytest.approx(high * 20 / (20 + Z * Z))
    assert found.high == high


@pytest.mark.parametrize(("n", "method"), [(20, "bca"), (BOOTSTRAP_MOST, "bca"), (BOOTSTRAP_MOST + 1, "t")])
def test_the_method_is_told(n: int, method: str) -> None:
    """Many clusters need no bootstrap."""
    found = mean_interval(spread([row % 7 / 7 for row in range(n)], [1.0] * n))

    assert found is not None
    assert found.method == method


def test_too_little_says_nothing() -> None:
    """One cluster has no spread; one flag still has Wilson's interval."""
    assert mean_interval(spread([], [])) is None
    assert mean_interval(spread([0.5], [1.0])) is None
    assert mean_interval(spread([3.0], [5.0]), flag=True) is None
    assert mean_interval(spread([7.0] * 9, [1.0] * 9), high=None) is None
    assert mean_interval(spread([1.0], [1.0]), flag=True) is not None


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=40), st.integers(1, 3))
@example([0.0, 4.7e-148], 1)
@example([0.0, 5e-324], 1)
def test_an_interval_holds_its_mean_and_stays_on_the_scale(values: list[float], size: int) -> None:
    """Never NaN, never outside 0..1, never without the figure it belongs to."""
    column = spread([value * size for value in values], [float(size)] * len(values))

    found = mean_interval(column)

    assert found is not None
    assert 0 <= found.low <= found.high <= 1
    assert found.low - 1e-9 <= column.mean <= found.high + 1e-9


def test_wilson_equals_statsmodels() -> None:
    """To twelve places."""
    proportion = pytest.importorskip("statsmodels.stats.proportion")

    for count, n in ((0, 7), (3, 7), (7, 7), (812, 1000)):
        theirs = proportion.proportion_confint(count, n, method="wilson")
        assert wilson(count / n, n, Z) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.long
def test_bca_equals_scipy() -> None:
    """The textbook's form, up to the noise of the draws."""
    stats = pytest.importorskip("scipy.stats")
    dice = Random(5)
    values = [dice.expovariate(1) for _ in range(60)]
    column = spread(values, [1.0] * 60)

    theirs = stats.bootstrap((values,), lambda v, axis: v.mean(axis=axis), n_resamples=20_000, rng=3)
    ours = bca(column, 0.95, resamples=20_000, expand=False)

    assert ours == pytest.approx(theirs.confidence_interval, abs=0.02)
