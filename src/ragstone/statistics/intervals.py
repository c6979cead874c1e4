"""Intervals: Wilson's for rates, a bootstrap (BCa) for means, Tango's for the difference of two paired rates.

Clusters, not rows, are drawn and counted. Draws come from a seed made by SHA-256 and the one generator method whose
sequence Python promises to keep, and sums are exact, so that the same values give the same interval everywhere.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from math import floor, fsum, sqrt
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple

from ragstone.core.types import Interval
from ragstone.statistics.clusters import Spread
from ragstone.statistics.distributions import normal_cdf, normal_quantile, t_quantile

RESAMPLES = 1000
BOOTSTRAP_MOST = 200
"""Clusters up to which the bootstrap is used; beyond, it and Student's t agree to a few hundredths of their width."""
LEVEL = 0.95
_DIGITS = 12
"""Places an end is rounded to, so that the last bit of a platform's mathematics does not show."""


class Ends(NamedTuple):
    """Both ends of an interval."""

    low: float
    high: float


def mean_interval(
    column: Spread, *, flag: bool = False, low: float = 0.0, high: float | None = 1.0, level: float = LEVEL
) -> Interval | None:
    """Return the interval of a mean whose values lie between low and high; None when there is too little to say."""
    independent = column.clusters == column.size
    if column.clusters < 2 and not (flag and independent and column.clusters):
        return None
    if flag:
        return _rate(column, independent, level)
    if column.variance == 0:
        return _constant(column, low, high, level)
    method = "bca" if column.sums and column.clusters <= BOOTSTRAP_MOST else "t"
    ends = bca(column, level) if method == "bca" else student(column, level)
    ends = Ends(max(low, ends.low), ends.high if high is None else min(high, ends.high))
    return _interval(ends, level, method, column)


def _rate(column: Spread, independent: bool, level: float) -> Interval:
    if independent:
        ends = wilson(column.mean, column.size, normal_quantile((1 + level) / 2))
        return _interval(ends, level, "wilson", column)
    alone = column.mean * (1 - column.mean) / column.size
    effect = max(1.0, column.variance / alone) if alone > 0 else column.size / column.clusters
    ends = wilson(column.mean, column.size / effect, t_quantile((1 + level) / 2, column.clusters - 1))
    return _interval(ends, level, "wilson", column)


def _constant(column: Spread, low: float, high: float | None, level: float) -> Interval | None:
    """Return the Wilson interval of equal values, which prove no certainty; None without a known scale."""
    if high is None or high <= low:
        return None
    share = min(1.0, max(0.0, (column.mean - low) / (high - low)))
    ends = wilson(share, column.clusters, normal_quantile((1 + level) / 2))
    ends = Ends(low + ends.low * (high - low), low + ends.high * (high - low))
    return _interval(ends, level, "wilson", column)


def _interval(ends: Ends, level: float, method: str, column: Spread) -> Interval:
    low, high = round(ends.low, _DIGITS), round(ends.high, _DIGITS)
    return Interval(low=low, high=high, level=level, method=method, clusters=column.clusters)


def wilson(rate: float, n: float, critical: float) -> Ends:
    """Return Wilson's score interval of a rate over n trials."""
    square = critical * critical
    middle = (rate + square / (2 * n)) / (1 + square / n)
    half = critical * sqrt(rate * (1 - rate) / n + square / (4 * n * n)) / (1 + square / n)
    return Ends(0.0 if rate == 0 else max(0.0, middle - half), 1.0 if rate == 1 else min(1.0, middle + half))


def student(column: Spread, level: float) -> Ends:
    """Return the t interval of a mean over clusters."""
    half = t_quantile((1 + level) / 2, column.clusters - 1) * column.error
    return Ends(column.mean - half, column.mean + half)


def bca(column: Spread, level: float, *, resamples: int = RESAMPLES, expand: bool = True) -> Ends:
    """Return the bias-corrected and accelerated bootstrap interval of a mean over clusters.

    `expand` widens it for few clusters as Student's t widens a normal interval; without it the textbook's is returned.
    """
    draws = sorted(_draws(column, resamples))
    below = (bisect_left(draws, column.mean) + bisect_right(draws, column.mean)) / 2  # draws that equal it count half
    bias = normal_quantile(min(max(below, 0.5), resamples - 0.5) / resamples)
    skew, n = _acceleration(column), column.clusters
    critical = normal_quantile((1 + level) / 2)
    if expand:
        critical = sqrt(n / (n - 1)) * t_quantile((1 + level) / 2, n - 1)
    return Ends(*(_at(draws, _share(bias, skew, sign * critical)) for sign in (-1, 1)))


def _draws(column: Spread, resamples: int) -> list[float]:
    sums, sizes = column.sums, column.sizes
    plan = _plan(column.clusters, resamples)
    first = sizes[0]
    if all(size == first for size in sizes):
        return [fsum(pick(sums)) / (first * column.clusters) for pick in plan]
    return [fsum(pick(sums)) / fsum(pick(sizes)) for pick in plan]


@lru_cache(maxsize=8)
def _plan(n: int, resamples: int) -> tuple["itemgetter[Any]", ...]:
    """Draw which clusters each resample holds.

    Balanced: over all resamples every cluster is drawn equally often, so that the draws lean to no side by chance.
    """
    throw = Random(seed("bootstrap", n, resamples)).random  # noqa: S311 - reproducible draws, no secret
    pool = list(range(n)) * resamples
    for last in range(len(pool) - 1, 0, -1):
        other = int(throw() * (last + 1))
        pool[last], pool[other] = pool[other], pool[last]
    return tuple(itemgetter(*pool[at : at + n]) for at in range(0, len(pool), n))


def seed(*parts: str | int) -> int:
    """Make a seed out of words and numbers."""
    return int.from_bytes(sha256("\0".join(map(str, parts)).encode()).digest()[:8])


def _acceleration(column: Spread) -> float:
    left = [(column.total - s) / (column.size - n) for s, n in zip(column.sums, column.sizes, strict=True)]
    middle = fsum(left) / len(left)
    gaps = [middle - value for value in left]
    widest = max(map(abs, gaps))
    if widest == 0:
        return 0.0
    shares = [gap / widest for gap in gaps]  # a power of a tiny gap is 0
    squares = fsum(share**2 for share in shares)
    return fsum(share**3 for share in shares) / (6 * squares * sqrt(squares))


def _share(bias: float, skew: float, critical: float) -> float:
    moved = bias + critical
    room = 1 - skew * moved
    return normal_cdf(bias + moved / room) if room > 0 else float(critical > 0)


def _at(ordered: Sequence[float], share: float) -> float:
    place = min(max(share * (len(ordered) + 1) - 1, 0.0), len(ordered) - 1.0)
    low = floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def tango(gained: int, lost: int, n: int, critical: float) -> Ends:
    """Return Tango's score interval of the difference of two paired rates: gained and lost cases of n."""
    seen = (gained - lost) / n
    return Ends(_solve(gained, lost, n, critical, -1.0, seen), _solve(gained, lost, n, -critical, seen, 1.0))


def _solve(gained: int, lost: int, n: int, aim: float, low: float, high: float) -> float:
    """Find the difference whose score is the aimed one; the score falls as the difference grows."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _score(gained, lost, n, middle) > aim else (low, middle)
    return (low + high) / 2


def _score(gained: int, lost: int, n: int, difference: float) -> float:
    a, b = 2 * n, -gained - lost + (2 * n - gained + lost) * difference
    c = -lost * difference * (1 - difference)
    lost_rate = (sqrt(max(0.0, b * b - 4 * a * c)) - b) / (2 * a)
    variance = n * (2 * lost_rate + difference * (1 - difference))
    distance = gained - lost - n * difference
    if variance <= 0:
        return 0.0 if distance == 0 else distance / abs(distance) * 1e9
    return float(distance / sqrt(variance))
