"""The matrix: how every model of every run did on every case."""

from collections.abc import Iterable, Sequence

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


def grid_of(indexes: Sequence[Index], start: int = 0, limit: int = 100, *, differing: bool = False) -> Grid:
    """Return some cases with how each model of each run did, in the order of the first; or those where they differ."""
    if len(indexes) == 1:
        total, wanted = _alone(indexes[0], start, limit, differing=differing)
    else:
        joined = _joined(indexes, differing=differing)
        total, wanted = len(joined), joined[start : start + limit]
    cells: dict[tuple[int, int], dict[str, list[Cell]]] = {}
    names: dict[tuple[int, int], str] = {}
    for run, index in enumerate(indexes):
        for k, case_id, model, cell in _cells(index, [places[run] for places in wanted]):
            names[run, k] = case_id
            cells.setdefault((run, k), {}).setdefault(model, []).append(cell)
    return Grid(rows=tuple(_line(places, names, cells) for places in wanted), total=total)


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


def _alone(index: Index, start: int, limit: int, *, differing: bool) -> tuple[int, list[tuple[int, ...]]]:
    if not differing:
        return index.cases, [(k,) for k in range(start + 1, min(start + limit, index.cases) + 1)]
    found = index.table("SELECT k FROM differing ORDER BY k")
    return len(found), found[start : start + limit]


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
