"""Groups rows into clusters: cases that are not independent (the same question or document) count together.

Every figure here is a ratio: the sum of what was scored over the sum of what could be. Up to `MOST` clusters their
sums are kept; beyond, only moments, so that a million rows need no more memory than a few thousand.
"""

from array import array
from collections.abc import Sequence
from math import fsum, sqrt
from operator import itemgetter, mul
from typing import NamedTuple

MOST = 5000
"""Clusters whose sums are kept."""
FEW = 256
"""Clusters kept before they are folded, once memory must stay flat."""


class Spread(NamedTuple):
    """One column over its clusters."""

    total: float
    size: float
    """What the total is divided by: rows, or weights."""
    clusters: int
    variance: float
    """Of the mean, by linearisation over clusters; 0 when there is one cluster only."""
    sums: Sequence[float] = ()
    """The sum of each cluster, while they are few enough to be kept."""
    sizes: Sequence[float] = ()

    @property
    def mean(self) -> float:
        """The ratio of sum and size; 0 when nothing was added."""
        return self.total / self.size if self.size else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return sqrt(self.variance)


class Clusters:
    """Adds up several columns by cluster; a row is a flat list: sum and size of the first column, of the second, …

    Only places of a row that were ever anything but 0 are kept: most metrics apply to a few cases, or to none.
    """

    def __init__(self, columns: int, most: int = MOST) -> None:
        self._most = most
        self._numbers: dict[str, int] = {}
        self._live = [0, 1]
        """The places that are kept, in order."""
        self._pick = itemgetter(*self._live)
        self._cells = array("d")
        self._moments = [[0.0] * 6 for _ in range(columns)]
        self.folded = False

    def add(self, key: str, cells: Sequence[float]) -> None:
        """Add a row to its cluster; rows of one case must follow each other."""
        row = self._pick(cells)
        if len(row) - row.count(0.0) != len(cells) - cells.count(0.0):
            row = self._widen(cells)
        number = self._numbers.get(key)
        if number is not None:
            kept = self._cells
            for place, value in enumerate(row, number * len(row)):
                kept[place] += value
            return
        if len(self._numbers) >= self._most:
            self._fold()
        self._numbers[key] = len(self._numbers)
        self._cells.extend(row)

    def _widen(self, cells: Sequence[float]) -> tuple[float, ...]:
        """Keep the places of a row that have a value now, too; return what is kept of it."""
        before, kept = self._live, self._cells
        self._live = sorted({*before, *(place for place, value in enumerate(cells) if value)})
        self._pick = itemgetter(*self._live)
        self._cells = array("d", bytes(kept.itemsize * len(self._live) * len(self._numbers)))
        for at, place in enumerate(before):
            self._cells[self._live.index(place) :: len(self._live)] = kept[at :: len(before)]
        row: tuple[float, ...] = self._pick(cells)
        return row

    def add_equal(self, cells: Sequence[float], times: int) -> None:
        """Add many equal rows, each a cluster of its own; their sums are not kept."""
        self.folded = True
        for column, moments in enumerate(self._moments):
            total, size = cells[2 * column : 2 * column + 2]
            added = (total, size, total * total, total * size, size * size, 1 if size else 0)
            for place, value in enumerate(added):
                moments[place] += times * value

    def shrink(self) -> None:
        """Keep only a few clusters from now on: the whole has grown too large to keep its parts."""
        self._most = FEW
        if len(self._numbers) > FEW:
            self._fold()

    def _fold(self) -> None:
        """Add what is kept to the moments and forget it."""
        self.folded = True
        for column in sorted({place // 2 for place in self._live}):
            moments, (sums, sizes) = self._moments[column], self._column(column)
            added = (
                fsum(sums),
                fsum(sizes),
                fsum(map(mul, sums, sums)),
                fsum(map(mul, sums, sizes)),
                fsum(map(mul, sizes, sizes)),
                sum(1 for size in sizes if size),
            )
            for place, value in enumerate(added):
                moments[place] += value
        self._numbers.clear()
        del self._cells[:]

    def _column(self, column: int) -> tuple["array[float]", "array[float]"]:
        return self._kept(2 * column), self._kept(2 * column + 1)

    def _kept(self, place: int) -> "array[float]":
        """Return one place of all rows."""
        if place not in self._live:
            return array("d", bytes(self._cells.itemsize * len(self._numbers)))
        return self._cells[self._live.index(place) :: len(self._live)]

    def spread(self, column: int) -> Spread:
        """Return the spread of a column."""
        if self.folded:
            self._fold()
            return _from_moments(self._moments[column])
        sums, sizes = self._column(column)
        kept = [(s, n) for s, n in zip(sums, sizes, strict=True) if n]
        return spread([s for s, _ in kept], [n for _, n in kept])


def spread(sums: Sequence[float], sizes: Sequence[float]) -> Spread:
    """Return the spread over clusters of known sums and sizes."""
    total, size, count = fsum(sums), fsum(sizes), len(sums)
    mean = total / size if size else 0.0
    squares = fsum((s - mean * n) ** 2 for s, n in zip(sums, sizes, strict=True))
    return Spread(total, size, count, _variance(squares, size, count), sums, sizes)


def _from_moments(moments: Sequence[float]) -> Spread:
    total, size, ss, sn, nn, count = moments
    mean = total / size if size else 0.0
    return Spread(total, size, int(count), _variance(ss - 2 * mean * sn + mean * mean * nn, size, int(count)))


def _variance(squares: float, size: float, count: int) -> float:
    return max(0.0, squares) / (size * size) * count / (count - 1) if count > 1 and size else 0.0
