"""Cases by what rule and judge made of them, with what people say of some: rows into estimated figures.

`StrataTally` estimates a figure of one run, `PairedStrata` what a second run gained on a first. The same answer to a
case that was asked several times is labelled once and counts once; answers to one question are one cluster.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from math import fsum, prod
from typing import NamedTuple

from msgspec import Struct, ValidationError, convert, structs

from ragstone.core.types import JSON, Figure, Interval
from ragstone.judging.decisions import DETAIL, SURE
from ragstone.judging.estimates.clusters import Apart, Given, fewer, worth_of
from ragstone.judging.estimates.estimate import (
    Difference,
    Pairs,
    Stratum,
    estimate,
    estimate_difference,
    mean_of,
    spread,
)


class _Said(Struct, frozen=True):
    """What a row's details tell for estimates; rows of a run that was sent may tell anything."""

    strata: dict[str, str]
    people: dict[str, float | None] = {}
    probability: float | None = None
    pairs: dict[str, float] = {}
    """How likely it was to be drawn together with another run, by what both are."""
    sure: dict[str, float] = {}
    """Metrics of which nobody has anything to decide."""

    @property
    def drawn(self) -> bool:
        """Whether it was drawn for people to label."""
        return self.probability is not None and 0 < self.probability <= 1

    def value(self, metric: str) -> float | None:
        """Return what is known of a case that leaves nothing to decide, or what people say of one that was drawn."""
        return self.known(metric) if self.drawn or metric in self.sure else None

    def known(self, metric: str) -> float | None:
        """Return the same of any case that people decided."""
        value = self.sure.get(metric, self.people.get(metric))
        return value if value is not None and 0 <= value <= 1 else None

    @property
    def weight(self) -> float:
        """How many cases it stands for."""
        return min(1 / (self.probability or 1.0), MOST_WEIGHT)


MOST_WEIGHT = 1e6


def _said(details: Mapping[str, JSON]) -> _Said | None:
    try:
        return convert(details.get(DETAIL), _Said)
    except ValidationError:
        return None


class Weighed(NamedTuple):
    """What people say of an answer, and for how many cases it stands."""

    weight: float
    value: float
    question: Hashable


class _Sum:
    """The rows of one answer that people labelled: what they weigh, and the sum of their weighed values."""

    __slots__ = ("question", "value", "weight")

    def __init__(self, question: Hashable) -> None:
        self.question, self.weight, self.value = question, 0.0, 0.0

    def add(self, weight: float, value: float) -> None:
        self.weight += weight
        self.value += weight * value

    def weighed(self) -> Weighed:
        return Weighed(self.weight, self.value / self.weight, self.question)

    def as_(self, value: float) -> Weighed:
        """Return it as if people had said so."""
        return Weighed(self.weight, value, self.question)


_Sums = dict[str, dict[Hashable, _Sum]]
"""Stratum to the answers in it."""


def _sums(known: Mapping[str, Sequence[Weighed]] | None) -> _Sums:
    found: _Sums = {}
    for stratum, several in (known or {}).items():
        for one in several:
            _put(found, stratum, Given(object(), one.question), one.weight, one.value)
    return found


def _put(sums: _Sums, stratum: str, given: Given, weight: float, value: float) -> None:
    known = sums.setdefault(stratum, {})
    known.setdefault(given.answer, _Sum(given.question)).add(weight, value)


class StrataTally:
    """Takes the rows of a set of cases one by one and estimates a figure over them."""

    def __init__(
        self,
        sizes: Mapping[str, int] | None = None,
        labels: Mapping[str, Sequence[Weighed]] | None = None,
        sure: Sequence[float] = (),
        lacking: Mapping[str, Sequence[Weighed]] | None = None,
        apart: Apart | None = None,
    ) -> None:
        """Begin with nothing, or with the sizes of the strata, the weighed labels in them, and what is sure.

        `lacking` are answers that were drawn and not decided, whatever their values; `apart` knows how many of the
        cases ask something of their own.
        """
        self._sizes: dict[str, int] = dict(sizes or {})
        self._labels = _sums(labels)
        """A case is weighed by how unlikely it was to be drawn."""
        self._lacking = _sums(lacking)
        self._sure = fsum(sure)
        self._apart = apart or Apart()
        if sure:
            self._sizes[SURE] = len(sure)

    def add(self, metric: str, details: Mapping[str, JSON], given: Given | None = None) -> None:
        """Take one row's details; `given` names its answer, so that the same answer counts once."""
        said = _said(details)
        if said is None or (stratum := said.strata.get(metric)) is None:
            return
        given = given or Given(object(), object())
        self._sizes[stratum] = self._sizes.get(stratum, 0) + 1
        self._apart.add(given.question)
        value = said.value(metric)
        if stratum == SURE:
            self._sure += value or 0.0
        elif value is not None:
            _put(self._labels, stratum, given, said.weight, value)
        elif said.drawn:
            _put(self._lacking, stratum, given, said.weight, 0.0)

    def strata(self, lacking: float | None = None) -> dict[str, Stratum]:
        """Return the strata, labels of unequal weight counting for as many as they are worth.

        Drawn cases that nobody decided count as labelled with what `lacking` says, or not at all.
        """
        labels = {name: self._known(name, lacking) for name in sorted(self._sizes) if name != SURE}
        worths = {name: worth_of([(one.question, one.weight) for one in known]) for name, known in labels.items()}
        # Two answers to one question tell no more than one, in whichever strata they are.
        share = fewer({one.question for known in labels.values() for one in known}, worths.values())
        return {
            name: self._stratum(name, labels.get(name, ()), share * worths.get(name, 0.0))
            for name in sorted(self._sizes)
        }

    def _known(self, name: str, lacking: float | None) -> list[Weighed]:
        more = [] if lacking is None else [one.as_(lacking) for one in self._lacking.get(name, {}).values()]
        return [one.weighed() for one in self._labels.get(name, {}).values()] + more

    def _stratum(self, name: str, labels: Sequence[Weighed], worth: float) -> Stratum:
        size = self._sizes[name]
        if name == SURE:
            return Stratum(size, stated=self._sure, sure=True)
        if not labels:
            return Stratum(size)
        total = fsum(one.weight for one in labels)
        return Stratum(size, worth, worth * fsum(one.weight * one.value for one in labels) / total)

    def interval(self, strata: Iterable[Stratum]) -> Interval | None:
        """Return the interval of the rate that some of its strata make."""
        return estimate(list(strata), apart=self._apart.share)

    def figure(self) -> Figure:
        """Return the estimate with its interval; no figure without labels.

        Where drawn cases were not decided, the interval holds whatever their verdicts would have been.
        """
        strata, n = list(self.strata().values()), _count(self._labels)
        interval, cases = self.interval(strata) if n else None, sum(self._sizes.values())
        mean, lacking = mean_of(strata) if interval else None, _count(self._lacking)
        figure = Figure(mean=mean, n=n, not_applicable=0, total=(mean or 0.0) * cases, interval=interval, open=lacking)
        if interval is None or not lacking:
            return figure
        ends = [list(self.strata(value).values()) for value in (0.0, 1.0)]
        low, high = (self.interval(one) or interval for one in ends)
        wide = structs.replace(interval, low=min(interval.low, low.low), high=max(interval.high, high.high))
        return structs.replace(figure, interval=wide, mean_low=mean_of(ends[0]), mean_high=mean_of(ends[1]))


def _count(sums: _Sums) -> int:
    """Count the questions that were answered."""
    return len({one.question for known in sums.values() for one in known.values()})


class PairedStrata:
    """Takes cases of two runs one by one and estimates how far a figure differs between them."""

    def __init__(self) -> None:
        self._sizes: dict[tuple[str, bool], int] = {}
        self._labels: dict[tuple[str, bool], dict[Hashable, _Labelled]] = {}
        self._own = (StrataTally(), StrataTally())
        self._apart = Apart()

    def add(
        self,
        metric: str,
        first: Mapping[str, JSON],
        second: Mapping[str, JSON],
        *,
        same: bool,
        given: tuple[Given, Given] | None = None,
    ) -> None:
        """Take the details of a case's rows; `same` says that both runs gave the same answer, `given` names them."""
        before, after = _said(first), _said(second)
        if before is None or after is None or not (metric in before.strata and metric in after.strata):
            return
        given = given or (Given(object(), object()),) * 2
        for tally, details, one in zip(self._own, (first, second), given, strict=True):
            tally.add(metric, details, one)
        strata = before.strata[metric], after.strata[metric]
        same = same and SURE not in strata
        key = ("same" if same else " ".join(strata)), same
        self._sizes[key] = self._sizes.get(key, 0) + 1
        question = given[1].question
        self._apart.add(question)
        weight = _weight([one for one in (before, after) if metric not in one.sure])
        if weight is None:
            return
        known, answers = self._labels.setdefault(key, {}), (given[0].answer, given[1].answer)
        if answers in known:
            weight += known[answers].weight
        known[answers] = _Labelled(weight, before.known(metric), after.known(metric), question)

    def _every(self) -> Iterator["_Labelled"]:
        return (one for known in self._labels.values() for one in known.values())

    @property
    def gained(self) -> int:
        """How many labelled cases are better in the second run."""
        return sum(one.decided and one.gain > 0 for one in self._every())

    @property
    def lost(self) -> int:
        """How many are worse."""
        return sum(one.decided and one.gain < 0 for one in self._every())

    @property
    def lacking(self) -> int:
        """How many were drawn and not decided."""
        return sum(not one.decided for one in self._every())

    @property
    def labelled(self) -> int:
        """On how many questions both answers have labels."""
        drawn = (known for key, known in self._labels.items() if key[0] != _SURE)
        return len({one.question for known in drawn for one in known.values() if one.decided})

    def rates(self, found: Difference) -> tuple[float, float]:
        """Return both rates as each run by itself estimates them; where one cannot, as the pairs do.

        A difference is known better than both rates: cases of equal answers tell nothing of it, and get few labels.
        """
        first, second = (tally.figure().mean for tally in self._own)
        return (found.first, found.second) if first is None or second is None else (first, second)

    def difference(self, level: float) -> Difference | None:
        """Return both rates and the interval of their difference; None without labels.

        Where drawn answers were not decided, the interval holds whatever their verdicts would have been.
        """
        found = self._estimate(None, level) if self.labelled else None
        if found is None or not self.lacking:
            return found
        ends = [self._estimate(gains, level) for gains in (False, True)]
        return spread([found, *(one for one in ends if one)])

    def _estimate(self, gains: bool | None, level: float) -> Difference | None:
        return estimate_difference(list(self._pairs(gains)), level, self._apart.share)

    def _pairs(self, gains: bool | None) -> Iterator[Pairs]:
        """Yield the strata; verdicts that are lacking speak for the second run, against it, or do not count."""
        labels = {
            key: [one for one in (known.filled(gains) for known in self._labels.get(key, {}).values()) if one]
            for key in sorted(self._sizes)
        }
        drawn = {key: known for key, known in labels.items() if key[0] != _SURE}
        worths = {key: worth_of([(one.question, one.weight) for one in known]) for key, known in drawn.items()}
        share = fewer({one.question for known in drawn.values() for one in known}, worths.values())
        for key, known in labels.items():
            sure, whole = key[0] == _SURE, fsum(one.weight for one in known)
            # What nobody has to label is known of every row, not of every answer once.
            yield _pairs_of(self._sizes[key], known, whole if sure else worths[key] * share, same=key[1], sure=sure)


_SURE = f"{SURE} {SURE}"


class _Both(NamedTuple):
    """A case of two runs with what both answers are worth."""

    weight: float
    first: float
    second: float
    question: Hashable


def _pairs_of(size: int, known: Sequence[_Both], worth: float, *, same: bool, sure: bool) -> Pairs:
    share = worth / fsum(one.weight for one in known) if known else 0.0
    first, second = fsum(one.weight * one.first for one in known), fsum(one.weight * one.second for one in known)
    moved = fsum(one.weight * abs(one.second - one.first) for one in known)
    return Pairs(size, worth, first * share, second * share, moved * share, same, sure)


class _Labelled(NamedTuple):
    """A case of two runs: how much it weighs, and what people say of both answers, where they say something."""

    weight: float
    first: float | None
    second: float | None
    question: Hashable = None

    @property
    def decided(self) -> bool:
        return self.first is not None and self.second is not None

    @property
    def gain(self) -> float:
        return (self.second or 0.0) - (self.first or 0.0)

    def filled(self, gains: bool | None) -> _Both | None:
        """Return it with what is lacking filled in, so that the second run gains by it or loses; None without."""
        if gains is None and not self.decided:
            return None
        first = float(not gains) if self.first is None else self.first
        return _Both(self.weight, first, float(bool(gains)) if self.second is None else self.second, self.question)


def _weight(asked: Sequence[_Said]) -> float | None:
    """Weigh a pair by how unlikely it was to be drawn: once for both runs, or in each of them by itself."""
    for name, chance in sorted(asked[0].pairs.items()) if asked else ():
        if 0 < chance <= 1 and all(name in one.pairs for one in asked):
            return min(1 / chance, MOST_WEIGHT)
    return prod(one.weight for one in asked) if all(one.drawn for one in asked) else None
