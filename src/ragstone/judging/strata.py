"""Cases by what rule and judge made of them, with what people say of some: rows into an estimated figure."""

from collections.abc import Mapping
from math import fsum

from ragstone.core.types import JSON, Figure
from ragstone.judging.decisions import DETAIL
from ragstone.judging.estimate import Stratum, estimate, mean_of


class StrataTally:
    """Takes the rows of a set of cases one by one and estimates a figure over them."""

    def __init__(self) -> None:
        self._sizes: dict[str, int] = {}
        self._labels: dict[str, list[tuple[float, float]]] = {}
        """Stratum to weight and value of each labelled case; a case is weighed by how unlikely it was to be drawn."""

    def add(self, metric: str, details: Mapping[str, JSON]) -> None:
        """Take one row's details."""
        judged = details.get(DETAIL)
        if not isinstance(judged, dict) or (stratum := judged.get("strata", {}).get(metric)) is None:
            return
        self._sizes[stratum] = self._sizes.get(stratum, 0) + 1
        if (value := judged.get("people", {}).get(metric)) is not None:
            self._labels.setdefault(stratum, []).append((1 / judged["probability"], value))

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
