"""The matrix: how every model of every run did on every case."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from ragstone.web.cases.index import Index
from ragstone.web.cases.query import STATES, State

Column = tuple[int, str]
"""The place of a run among those shown, and a model of it."""


class Cell(Struct, frozen=True, kw_only=True):
    """How one model did on one case."""

    number: int
    state: State
    score: float


class GridLine(Struct, frozen=True, kw_only=True):
    """One case of a matrix: its name, its place in each run (0 where it has none), and how it came out, each repeat."""

    id: str
    places: tuple[int, ...]
    cells: dict[Column, list[Cell]]


class Grid(Struct, frozen=True, kw_only=True):
    """Some lines of a matrix, and how many there are."""

    rows: tuple[GridLine, ...]
    total: int
    start: int = 0


def grid_of(
    indexes: Sequence[Index], start: int = 0, limit: int = 100, *, differing: bool = False, cases: int = 0
) -> Grid:
    """Return some cases with how each model of each run did, in the order of the first; or those where they differ.

    With `cases`, so many there are and the runs have them in one order: the indexes need hold no more than is shown.
    A start behind the end is that of the last lines.
    """
    if cases and not differing and _in_step(indexes, start, limit):
        found: Sequence[tuple[int, ...]] = _Steps(cases, len(indexes))
    elif len(indexes) == 1:
        found = _alone(indexes[0], differing=differing)
    else:
        found = _joined(indexes, differing=differing)
    start = max(0, min(start, (len(found) - 1) // limit * limit))
    wanted = found[start : start + limit]
    cells: dict[tuple[int, int], dict[str, list[Cell]]] = {}
    names: dict[tuple[int, int], str] = {}
    for run, index in enumerate(indexes):
        for k, case_id, model, cell in _cells(index, [places[run] for places in wanted]):
            names[run, k] = case_id
            cells.setdefault((run, k), {}).setdefault(model, []).append(cell)
    return Grid(rows=tuple(_line(places, names, cells) for places in wanted), total=len(found), start=start)


class _Steps(Sequence[tuple[int, ...]]):
    """Places of cases that have the same place in every run."""

    def __init__(self, cases: int, runs: int) -> None:
        self._range, self._runs = range(1, cases + 1), runs

    def __len__(self) -> int:
        return len(self._range)

    def __getitem__(self, at: Any) -> Any:
        return [(k,) * self._runs for k in self._range[at]]


def _in_step(indexes: Sequence[Index], start: int, limit: int) -> bool:
    """Return whether the cases that would be shown have one order in all runs."""
    statement = f"SELECT k, id FROM cases WHERE k > {start} AND k <= {start + limit} GROUP BY k ORDER BY k"  # noqa: S608 - numbers only
    first, *others = (index.ask(statement) for index in indexes)
    return all(other == first for other in others)


def _line(
    places: tuple[int, ...], names: dict[tuple[int, int], str], cells: dict[tuple[int, int], dict[str, list[Cell]]]
) -> GridLine:
    found = {(run, m): one for run, k in enumerate(places) for m, one in cells.get((run, k), {}).items()}
    name = next((names[run, k] for run, k in enumerate(places) if (run, k) in names), "")
    return GridLine(id=name, places=places, cells=found)


def _cells(index: Index, places: Iterable[int]) -> list[tuple[int, str, str, Cell]]:
    wanted = ", ".join(str(k) for k in places if k)
    rows = index.ask(f"SELECT k, id, n, model, state, score FROM cases WHERE k IN ({wanted}) ORDER BY n")  # noqa: S608 - numbers only
    names = index.model_names
    return [(k, i, names[m], Cell(number=n + 1, state=STATES[s], score=score)) for k, i, n, m, s, score in rows]


def _alone(index: Index, *, differing: bool) -> Sequence[tuple[int, ...]]:
    return index.table("SELECT k FROM differing ORDER BY k") if differing else _Steps(index.cases, 1)


def _joined(indexes: Sequence[Index], *, differing: bool) -> list[tuple[int, ...]]:
    """Put the cases of several runs together by their ids, those of the first run first."""
    places: dict[str, list[int]] = {}
    least, most = dict[str, int](), dict[str, int]()
    for run, index in enumerate(indexes):
        for k, case_id, low, high in index.table("SELECT k, id, min(state = 0), max(state = 0) FROM cases GROUP BY k"):
            places.setdefault(case_id, [0] * len(indexes))[run] = k
            least[case_id] = min(low, least.get(case_id, low))
            most[case_id] = max(high, most.get(case_id, high))
    return [tuple(found) for name, found in places.items() if not differing or least[name] != most[name]]
