"""Cases by what rule and judge made of them, with what people say of some: rows into estimated figures.

`StrataTally` estimates a figure of one run, `PairedStrata` what a second run gained on a first.
"""

from collections.abc import Iterator, Mapping
from math import fsum

from msgspec import Struct, ValidationError, convert

from ragstone.core.types import JSON, Figure
from ragstone.judging.decisions import DETAIL
from ragstone.judging.estimates.estimate import Difference, Pairs, Stratum, estimate, estimate_difference, mean_of


class _Said(Struct, frozen=True):
    """What a row's details tell for estimates; rows of a run that was sent may tell anything."""

    strata: dict[str, str]
    people: dict[str, float | None] = {}
    probability: float | None = None

    def value(self, metric: str) -> float | None:
        """Return what people say of a case that was drawn."""
        value, drawn = self.people.get(metric), self.probability is not None and 0 < self.probability <= 1
        return value if drawn and value is not None and 0 <= value <= 1 else None

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


class StrataTally:
    """Takes the rows of a set of cases one by one and estimates a figure over them."""

    def __init__(
        self,
        sizes: Mapping[str, int] | None = None,
        labels: Mapping[str, list[tuple[float, float]]] | None = None,
    ) -> None:
        """Begin with nothing, or with the sizes of the strata and the weighted labels in them."""
        self._sizes: dict[str, int] = dict(sizes or {})
        self._labels: dict[str, list[tuple[float, float]]] = dict(labels or {})
        """Stratum to weight and value of each labelled case; a case is weighed by how unlikely it was to be drawn."""

    def add(self, metric: str, details: Mapping[str, JSON]) -> None:
        """Take one row's details."""
        said = _said(details)
        if said is None or (stratum := said.strata.get(metric)) is None:
            return
        self._sizes[stratum] = self._sizes.get(stratum, 0) + 1
        if (value := said.value(metric)) is not None:
            self._labels.setdefault(stratum, []).append((said.weight, value))

    def strata(self) -> dict[str, Stratum]:
        """Return the strata, labels of unequal weight counting for as many as they are worth."""
        return {name: self._stratum(name, size) for name, size in sorted(self._sizes.items())}

    def _stratum(self, name: str, size: int) -> Stratum:
        labels = self._labels.get(name, [])
        if not labels:
            return Stratum(size)
        total, squares = fsum(w for w, _ in labels), fsum(w * w for w, _ in labels)
        worth = total * total / squares
        return Stratum(size, worth, worth * fsum(w * value for w, value in labels) / total)

    def figure(self) -> Figure:
        """Return the estimate with its interval; no figure without labels."""
        strata = list(self.strata().values())
        interval, cases = estimate(strata), sum(self._sizes.values())
        mean = mean_of(strata) if interval else None
        return Figure(
            mean=mean,
            n=sum(len(labels) for labels in self._labels.values()),
            not_applicable=0,
            total=(mean or 0.0) * cases,
            interval=interval,
        )


class PairedStrata:
    """Takes cases of two runs one by one and estimates how far a figure differs between them."""

    def __init__(self) -> None:
        self._sizes: dict[tuple[str, bool], int] = {}
        self._labels: dict[tuple[str, bool], list[tuple[float, float, float]]] = {}
        """Stratum to weight and both values of each case of which people decided both answers."""
        self.gained = self.lost = 0

    def add(self, metric: str, first: Mapping[str, JSON], second: Mapping[str, JSON], *, same: bool) -> None:
        """Take the details of a case's rows; `same` says that both runs gave the same answer."""
        before, after = _said(first), _said(second)
        if before is None or after is None or not (metric in before.strata and metric in after.strata):
            return
        key = ("same" if same else f"{before.strata[metric]} {after.strata[metric]}"), same
        self._sizes[key] = self._sizes.get(key, 0) + 1
        one, other = before.value(metric), after.value(metric)
        if one is not None and other is not None:
            self._labels.setdefault(key, []).append((_weight(before, after), one, other))
            self.gained += other > one
            self.lost += other < one

    @property
    def labelled(self) -> int:
        """How many cases have labels on both answers."""
        return sum(map(len, self._labels.values()))

    def difference(self, level: float) -> Difference | None:
        """Return both rates and the interval of their difference; None without labels."""
        return estimate_difference(list(self._pairs()), level)

    def _pairs(self) -> Iterator[Pairs]:
        for key, size in sorted(self._sizes.items()):
            labels = self._labels.get(key, [])
            total, squares = fsum(w for w, _, _ in labels), fsum(w * w for w, _, _ in labels)
            worth = total * total / squares if labels else 0.0
            share = worth / total if labels else 0.0
            first, second = fsum(w * a for w, a, _ in labels), fsum(w * b for w, _, b in labels)
            moved = fsum(w * abs(b - a) for w, a, b in labels)
            yield Pairs(size, worth, first * share, second * share, moved * share, key[1])


def _weight(first: _Said, second: _Said) -> float:
    """Weigh a pair by how unlikely it was to be drawn: once for both runs, or in each of them by itself."""
    return first.weight if first.probability == second.probability else first.weight * second.weight
