"""The matrix: how every model did on every case."""

from msgspec import Struct

from ragstone.web.cases.index import Index
from ragstone.web.cases.query import STATES, State


class Cell(Struct, frozen=True, kw_only=True):
    """How one model did on one case."""

    number: int
    state: State
    score: float


class GridLine(Struct, frozen=True, kw_only=True):
    """One case of a matrix: its place, its name, and by model how it came out, each repeat."""

    case: int
    id: str
    cells: dict[str, list[Cell]]


class Grid(Struct, frozen=True, kw_only=True):
    """Some lines of a matrix, and how many there are."""

    rows: tuple[GridLine, ...]
    total: int


def grid_of(index: Index, start: int = 0, limit: int = 100, *, differing: bool = False) -> Grid:
    """Return some cases with how each model did, in the order of the dataset; or those where models differ."""
    if differing:
        found = [k for (k,) in index.table("SELECT k FROM cases GROUP BY k HAVING min(state = 0) != max(state = 0)")]
        total, wanted = len(found), found[start : start + limit]
    else:
        total, wanted = index.cases, list(range(start + 1, min(start + limit, index.cases) + 1))
    cells = index.ask(
        f"SELECT k, id, n, model, state, score FROM cases WHERE k IN ({', '.join(map(str, wanted))}) ORDER BY n"  # noqa: S608 - numbers only
    )
    names = index.model_names
    lines: dict[int, GridLine] = {}
    for k, case_id, n, model, state, score in cells:
        line = lines.setdefault(k, GridLine(case=k, id=case_id, cells={}))
        line.cells.setdefault(names[model], []).append(Cell(number=n + 1, state=STATES[state], score=score))
    return Grid(rows=tuple(lines.values()), total=total)
