"""A rate with people in it: labels in strata of equal verdicts, and its interval.

A stratum is what rule and judge said of its cases. Of each, some cases drawn at random have a label. The rate is the
sum of the strata's rates, each by its share of all cases. Jeffreys' prior, half a label of each kind, keeps few labels
from being sure; the strata share it, because a prior for each would pull their sum as many times. The interval is that
of the beta distribution with the same mean and variance. `perf/judge` has its coverage.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from math import ceil, fsum, sqrt
from typing import NamedTuple

from msgspec import structs

from ragstone.core.types import Interval
from ragstone.statistics.distributions import beta_quantile, normal_cdf, normal_quantile
from ragstone.statistics.intervals import wilson

LEVEL = 0.95
PRIOR = 1.0
"""Labels that all strata together are taken to have beforehand, half of them stated (Jeffreys)."""
SHARERS = 4
"""Strata that share them at most: with less than a quarter of a label a stratum of few labels is too sure."""
FEWEST = 3
"""Labels wanted in every stratum, so that none is taken on trust."""
LEAST_SUM = 1.1
"""Sensitivity and specificity together must be provably more than this, or a judge's own errors cannot be undone."""
_DIGITS = 12


class Stratum(NamedTuple):
    """Cases that rule and judge said the same of."""

    size: float
    """How many there are."""
    labelled: float = 0.0
    """How many of them somebody labelled, drawn at random."""
    stated: float = 0.0
    """The sum of those labels, each 0..1."""
    sure: bool = False
    """Nobody has to label them: `stated` is the sum over all of them, as with answers that failed."""

    def rate(self, prior: float = PRIOR) -> float:
        """What share of it is stated, as far as labels and so many of a prior tell."""
        if self.sure:
            return self.stated / self.size
        return (self.stated + prior / 2) / (self.labelled + prior)

    @property
    def spread(self) -> float:
        """Standard deviation of one case in it."""
        return sqrt(self.rate() * (1 - self.rate()))


def estimate(strata: Sequence[Stratum], level: float = LEVEL, apart: float = 1.0) -> Interval | None:
    """Return the interval of the rate over all cases; None without cases or labels.

    `apart` is the share of the cases that ask something of their own: others tell nothing more.
    """
    known = [one for one in strata if one.size]
    total = fsum(one.size for one in known)
    labels = fsum(one.labelled for one in known)
    if not total or not labels:
        return None
    mean, prior = mean_of(known), _share(known)
    parts = [(one.size / total, one.rate(prior), max(1.0, one.labelled + prior)) for one in known if not one.sure]
    within = fsum(share**2 * rate * (1 - rate) / worth for share, rate, worth in parts)
    between = fsum(one.size / total * (one.rate(prior) - mean) ** 2 for one in known) / (total * apart)
    # So many independent labels would be as sure.
    worth = max(mean * (1 - mean) / (within + between) - 1, 1.0)
    ends = (beta_quantile(share, mean * worth, (1 - mean) * worth) for share in ((1 - level) / 2, (1 + level) / 2))
    low, high = (round(end, _DIGITS) for end in ends)
    return Interval(low=low, high=high, level=level, method="strata", clusters=round(labels))


def _share(strata: "Sequence[Stratum] | Sequence[Pairs]") -> float:
    """Return the part of the prior that each of some strata begins with; what is sure needs none."""
    return PRIOR / max(1, min(sum(not one.sure for one in strata), SHARERS))


def mean_of(strata: Sequence[Stratum]) -> float:
    """Return the rate over all cases of some strata."""
    known = [one for one in strata if one.size]
    total, prior = fsum(one.size for one in known), _share(known)
    return round(fsum(one.size / total * one.rate(prior) for one in known), _DIGITS)


def deal(sizes: Mapping[str, int], parts: Mapping[str, float], labels: int) -> dict[str, int]:
    """Deal labels to strata in proportion to their parts, at least a few each and never more than there are cases."""
    dealt = {name: min(size, FEWEST) for name, size in sizes.items()}
    rest = labels - sum(dealt.values())
    while rest > 0 and (open_ := {n: parts[n] or 1e-9 for n in sizes if dealt[n] < sizes[n]}):
        whole, given = fsum(open_.values()), 0
        for name in sorted(open_, key=lambda n: (-open_[n], n)):
            more = min(ceil(rest * open_[name] / whole), sizes[name] - dealt[name], rest - given)
            dealt[name] += more
            given += more
        rest -= given
    return dealt


def draw(cases: Sequence[str], count: int, seed: str = "") -> list[str]:
    """Draw cases by the hash of their ids: the same every time, and a larger draw holds a smaller one."""
    return sorted(cases, key=lambda case: sha256(f"{seed}\0{case}".encode("utf-8", "replace")).digest())[:count]


class Checked(NamedTuple):
    """How often a judge was right about cases of one kind."""

    right: float
    of: int

    def interval(self, level: float = LEVEL) -> Interval | None:
        """Return Wilson's interval; None when there is no such case."""
        if not self.of:
            return None
        ends = wilson(self.right / self.of, self.of, normal_quantile((1 + level) / 2))
        return Interval(low=ends.low, high=ends.high, level=level, method="wilson", clusters=self.of)


def undo_errors(yes: Checked, sensitivity: Checked, specificity: Checked, level: float = LEVEL) -> Interval | None:
    """Return the rate behind a judge's yeses when labels are of another run only (Rogan and Gladen).

    None when the judge hardly tells yes from no: its errors cannot be undone then.
    """
    if not (yes.of and sensitivity.of and specificity.of):
        return None
    q1, q0, p = (one.right / one.of for one in (sensitivity, specificity, yes))
    critical = normal_quantile((1 + level) / 2)
    spread = {one: max(_variance(one), 0.25 / (one.of + 1) ** 2) for one in (sensitivity, specificity, yes)}
    if q0 + q1 - critical * sqrt(spread[sensitivity] + spread[specificity]) <= LEAST_SUM:
        return None
    gap = q0 + q1 - 1
    mean = min(1.0, max(0.0, (p + q0 - 1) / gap))
    parts = (spread[yes], mean**2 * spread[sensitivity], (1 - mean) ** 2 * spread[specificity])
    half = critical * sqrt(fsum(parts)) / gap
    low, high = round(max(0.0, mean - half), _DIGITS), round(min(1.0, mean + half), _DIGITS)
    return Interval(low=low, high=high, level=level, method="rogan-gladen", clusters=sensitivity.of + specificity.of)


def _variance(one: Checked) -> float:
    share = one.right / one.of
    return share * (1 - share) / one.of


class Pairs(NamedTuple):
    """A stratum of cases in two runs, both answers labelled for some of them; sums are over these."""

    size: float
    labelled: float = 0.0
    first: float = 0.0
    second: float = 0.0
    moved: float = 0.0
    """Sum of how far the values lie apart."""
    same: bool = False
    """Both runs gave the same answers: nothing can differ, whatever people say of them."""
    sure: bool = False
    """Nobody has to label them: the sums are over all of them."""

    def shared(self, prior: float) -> float:
        """Over how many labels the sums are shared."""
        return self.size if self.sure else self.labelled + prior


class Difference(NamedTuple):
    """What a second run gained on a first, as far as labels tell."""

    first: float
    second: float
    error: float
    interval: Interval
    least: float = 0.0
    """What `p` is at least, because verdicts are lacking."""

    @property
    def p(self) -> float:
        """The chance of such a difference between runs that do not differ."""
        alone = 2 * normal_cdf(-abs(self.second - self.first) / self.error) if self.error else 1.0
        return max(alone, self.least)


def estimate_difference(strata: Sequence[Pairs], level: float = LEVEL, apart: float = 1.0) -> Difference | None:
    """Return both rates and the interval of their difference over paired cases; None without labels.

    `apart` is the share of the cases that ask something of their own.
    """
    known = [one for one in strata if one.size]
    total, labels = fsum(one.size for one in known), fsum(one.labelled for one in known)
    if not total or not labels:
        return None
    prior = _share(known)
    first = mean_of([Stratum(one.size, one.labelled, one.first, one.sure) for one in known])
    second = mean_of([Stratum(one.size, one.labelled, one.second, one.sure) for one in known])
    mean = second - first
    gains = [(one.second - one.first) / one.shared(prior) for one in known]
    parts = [pair for pair in zip(known, gains, strict=True) if not (pair[0].same or pair[0].sure)]
    within = fsum((one.size / total) ** 2 * _variance_of(one, gain, prior) for one, gain in parts)
    moves = fsum(one.size / total * (gain - mean) ** 2 for one, gain in zip(known, gains, strict=True))
    between = moves / (total * apart)
    error = sqrt(within + between)
    half = normal_quantile((1 + level) / 2) * error
    low, high = round(max(-1.0, mean - half), _DIGITS), round(min(1.0, mean + half), _DIGITS)
    ends = Interval(low=low, high=high, level=level, method="strata", clusters=round(labels))
    return Difference(first, second, round(error, _DIGITS), ends)


def spread(found: Sequence[Difference]) -> Difference:
    """Return the first of some differences with an interval that holds all of them."""
    low, high = min(one.interval.low for one in found), max(one.interval.high for one in found)
    sides = {(one.second > one.first) - (one.second < one.first) for one in found}
    least = max(one.p for one in found) if len(sides) == 1 else 1.0
    return found[0]._replace(interval=structs.replace(found[0].interval, low=low, high=high), least=least)


def _variance_of(one: Pairs, gain: float, prior: float) -> float:
    """Return the variance of a stratum's gain; values apart by less than 1 are taken for more, never for less."""
    moved = (one.moved + prior / 2) / (one.labelled + prior)
    return (moved - gain * gain) / max(1.0, one.labelled + prior)
