"""The distributions, against tables and against SciPy where it is installed."""

from math import comb

import pytest

from ragstone.statistics.distributions import beta_share, coin_cdf, normal_cdf, normal_quantile, t_cdf, t_quantile


@pytest.mark.parametrize(
    ("p", "x"), [(0.5, 0.0), (0.975, 1.959963984540054), (0.95, 1.644853626951472), (1e-9, -5.997807015007686)]
)
def test_normal_quantiles_are_those_of_the_tables(p: float, x: float) -> None:
    """Both tails, and back again."""
    assert normal_quantile(p) == pytest.approx(x, abs=1e-12)
    assert normal_cdf(x) == pytest.approx(p, rel=1e-9)


@pytest.mark.parametrize(
    ("freedom", "x"),
    [(1, 12.706204736), (2, 4.302652730), (9, 2.262157163), (29, 2.045229642), (120, 1.979930405), (20_000, 1.96)],
)
def test_t_quantiles_are_those_of_the_tables(freedom: int, x: float) -> None:
    """97.5 %, from one degree of freedom to very many."""
    assert t_quantile(0.975, freedom) == pytest.approx(x, abs=2e-4 if freedom > 1000 else 1e-8)
    assert t_quantile(0.025, freedom) == -t_quantile(0.975, freedom)


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_a_fair_coin_is_counted_exactly(n: int) -> None:
    """The beta function gives the sum of the binomial's terms."""
    for most in range(-1, n + 1):
        exact = sum(comb(n, k) for k in range(most + 1)) / 2**n

        assert coin_cdf(most, n) == pytest.approx(exact, abs=1e-13)


def test_the_ends_of_the_quantiles_do_not_raise() -> None:
    """Shares of 0 and 1 lie infinitely far away."""
    assert normal_quantile(0) == -normal_quantile(1) == float("-inf")
    assert beta_share(0, 2, 3) == 0
    assert beta_share(1, 2, 3) == 1


@pytest.mark.parametrize("freedom", [1, 3, 8, 77, 4000])
def test_they_equal_scipy(freedom: int) -> None:
    """Student's t to twelve places."""
    special = pytest.importorskip("scipy.special")

    for x in (-40, -3.2, -0.1, 0, 1.7, 9):
        assert t_cdf(x, freedom) == pytest.approx(float(special.stdtr(freedom, x)), rel=1e-10, abs=1e-13)
    for p in (0.001, 0.2, 0.5, 0.95, 0.9995):
        assert t_quantile(p, freedom) == pytest.approx(float(special.stdtrit(freedom, p)), rel=1e-9, abs=1e-9)
