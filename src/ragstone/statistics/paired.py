"""Tests for two runs over the same cases: is a difference significant, and how small a one is detectable?"""

from collections.abc import Sequence
from itertools import compress
from math import fsum, sqrt
from random import Random

from ragstone.core.types import Interval
from ragstone.statistics.clusters import Spread
from ragstone.statistics.distributions import coin_cdf, normal_cdf, normal_quantile
from ragstone.statistics.intervals import LEVEL, Ends, mean_interval, seed, student, tango

EXACT_MOST = 16
"""Changed clusters up to which every arrangement of signs is looked at."""
SHUFFLES = 9999
SHUFFLE_COST = 2_000_000
"""Arrangements times clusters that are spent at most."""
POWER = 0.8
_SAME_SIZE = 1e-12
_BITS = bytes.maketrans(b"01", b"\x00\x01")


def mcnemar(gained: int, lost: int) -> float:
    """Return the exact two-sided p-value of McNemar's test."""
    return min(1.0, 2 * coin_cdf(min(gained, lost), gained + lost))


def permutation(differences: Sequence[float]) -> float:
    """Return the two-sided p-value of the paired permutation test (signs flipped by cluster).

    Exact for few changed clusters and for differences of one size, where it is McNemar's test; else by seeded draws
    with the observed arrangement counted in. Where no draw comes near, the normal law says how rare it is: the number
    of draws, which is smaller for more clusters, must not set the p-value.

    >>> permutation([-1.0] * 60 + [1.0] * 20) == mcnemar(20, 60)
    True
    """
    changed = [value for value in differences if value]
    if not changed:
        return 1.0
    if max(map(abs, changed)) - min(map(abs, changed)) < _SAME_SIZE:
        gained = sum(value > 0 for value in changed)
        return mcnemar(gained, len(changed) - gained)
    seen = abs(fsum(changed)) - 1e-9 * fsum(map(abs, changed))
    if len(changed) <= EXACT_MOST:
        sums = _all_sums(changed)
        return sum(1 for value in sums if abs(value) >= seen) / len(sums)
    rounds = max(99, min(SHUFFLES, SHUFFLE_COST // len(changed)))
    count = _extreme(changed, seen, rounds)
    rarity = 1.0 if count else 2 * normal_cdf(-seen / sqrt(fsum(value * value for value in changed)))
    return min(rarity, (1 + count) / (rounds + 1))


def _all_sums(changed: Sequence[float]) -> list[float]:
    sums = [0.0]
    for value in changed:
        sums = [s + value for s in sums] + [s - value for s in sums]
    return sums


def _extreme(changed: Sequence[float], seen: float, rounds: int) -> int:
    throw = Random(seed("permutation", len(changed), rounds)).getrandbits  # noqa: S311 - reproducible, no secret
    n, total, count = len(changed), fsum(changed), 0
    for _ in range(rounds):
        signs = format(throw(n), f"0{n}b").encode().translate(_BITS)
        count += abs(2 * fsum(compress(changed, signs)) - total) >= seen
    return count


def p_value(column: Spread) -> float:
    """Test whether the mean of paired differences is 0: by permutation, or by its error when parts were not kept."""
    if column.sums:
        return permutation(column.sums)
    return 2 * normal_cdf(-abs(column.mean) / column.error) if column.error else 1.0


def difference_interval(
    column: Spread, gained: int | None, lost: int | None, *, level: float = LEVEL, span: float | None = 1.0
) -> Interval | None:
    """Return the interval of a paired difference.

    `gained` and `lost` are counts of cases when the metric is a flag; `span` is the largest difference there can be.
    """
    n = int(column.size)
    if gained is not None and lost is not None and column.clusters == column.size and n:
        ends = tango(gained, lost, n, normal_quantile((1 + level) / 2))
        return _rounded(ends, level, "tango", n)
    if column.clusters > 1 and column.variance == 0 and span is not None:
        ends = tango(0, 0, column.clusters, normal_quantile((1 + level) / 2))
        shift = column.mean
        ends = Ends(max(-span, shift + ends.low * span), min(span, shift + ends.high * span))
        return _rounded(ends, level, "tango", column.clusters)
    low, high = (-span, span) if span is not None else (float("-inf"), None)
    found = mean_interval(column, low=low, high=high, level=level)
    return _widened(found, column, span) if found is not None and found.method == "bca" else found


def _widened(found: Interval, column: Spread, span: float | None) -> Interval:
    """Take the wider end of bootstrap and Student's t: where most cases do not change, the bootstrap alone is short."""
    plain = student(column, found.level)
    ends = Ends(min(found.low, plain.low), max(found.high, plain.high))
    if span is not None:
        ends = Ends(max(-span, ends.low), min(span, ends.high))
    return _rounded(ends, found.level, "bca+t", found.clusters)


def _rounded(ends: Ends, level: float, method: str, clusters: int) -> Interval:
    return Interval(low=round(ends.low, 12), high=round(ends.high, 12), level=level, method=method, clusters=clusters)


def holm(values: Sequence[float]) -> list[float]:
    """Adjust p-values of several tests by Holm's method, in the order they were given."""
    adjusted, highest = [0.0] * len(values), 0.0
    for rank, at in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, values[at] * (len(values) - rank)))
        adjusted[at] = highest
    return adjusted


def detectable(error: float, *, confidence: float = LEVEL, sides: int = 2) -> float | None:
    """Return the smallest true difference that a test at this standard error finds with a power of `POWER`."""
    if error <= 0:
        return None
    return (normal_quantile(1 - (1 - confidence) / sides) + normal_quantile(POWER)) * error
