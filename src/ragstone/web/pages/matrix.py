"""The matrix of one run or of several, and the answers to one case side by side."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, NamedTuple
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query, Request
from pydantic import Field
from starlette.responses import Response

from ragstone.core.language import Lang, excerpt
from ragstone.core.types import JSON
from ragstone.report.console import show_share
from ragstone.text.visible import visible_line
from ragstone.web import views
from ragstone.web.cases.altered import altered_files, takes_long
from ragstone.web.cases.grid import Grid, grid_of
from ragstone.web.cases.highlights import changes
from ragstone.web.cases.index import Index
from ragstone.web.cases.query import Row
from ragstone.web.cases.stored import Stored
from ragstone.web.errors import PageError
from ragstone.web.pages.render import Renderer
from ragstone.web.state import AppState

GRID_LINES = 200
"""Cases of a matrix on one page."""
MOST_RUNS = 8
MOST_SIDES = 24
"""Answers to one case that are set side by side."""
Runs = Annotated[list[Annotated[str, Field(max_length=200)]], Query(alias="run", max_length=MOST_RUNS)]


class MatrixRun(NamedTuple):
    """A run of a matrix."""

    stored: Stored
    cases: Index


def matrix_pages(router: APIRouter, state: AppState, renderer: Renderer) -> None:
    """Add the matrix and what its cells open."""

    @router.get("/eval/runs/{run_id}/matrix")
    async def matrix_page(request: Request, run_id: str, differ: bool = False, start: int = 0) -> Response:
        """Return how every model of a run did on every case."""
        values = await _matrix(state, [run_id], differ, start)
        return renderer.page(request, "matrix.html", {**values, "base": f"/eval/runs/{quote(run_id)}/matrix?"})

    @router.get("/eval/matrix")
    async def runs_matrix(request: Request, runs: Runs, differ: bool = False, start: int = 0) -> Response:
        """Return how every run of a dataset did on every case."""
        values = await _matrix(state, list(dict.fromkeys(runs)), differ, start)
        return renderer.page(request, "matrix.html", {**values, "base": f"/eval/matrix?{_named(runs)}&"})

    @router.get("/eval/matrix/case")
    async def side_by_side(request: Request, runs: Runs, column: int = 0, place: int = 0) -> Response:
        """Return what every model of every run answered to one case, what differs marked, the contexts beside it.

        A case is named by its place in one of the runs: an id may be something that is not to be read.
        """
        shown = [await _open(state, run) for run in dict.fromkeys(runs)]
        rows = await asyncio.to_thread(shown[column].cases.rows_of, place) if 0 <= column < len(shown) else ()
        if not rows:
            raise PageError(404, "page.case", run=", ".join(runs), number=place)
        answers = await asyncio.to_thread(_sides, shown, rows[0].result.sample_id, state, state.lang(request))
        values = {"answers": answers, "runs": [one.stored for one in shown], "query": _named(runs)}
        values["altered"] = await asyncio.to_thread(_altered, [one.stored for one in shown])
        return renderer.page(request, "sides.html", values)


def _named(runs: Sequence[str]) -> str:
    return urlencode([("run", run) for run in dict.fromkeys(runs)])


async def _open(state: AppState, run_id: str) -> MatrixRun:
    return MatrixRun(await state.stored(run_id), await state.index(run_id))


async def _matrix(state: AppState, runs: Sequence[str], differ: bool, start: int) -> dict[str, object]:
    stored, begin = [await state.stored(run) for run in runs], max(0, start)
    cases = 0 if differ else _cases_of(stored)
    enough = [(begin + GRID_LINES) * _rows_each(one) if begin < cases else 0 for one in stored]
    indexes = [await state.index(one.run_id, rows) for one, rows in zip(stored, enough, strict=True)]
    shown = [MatrixRun(*pair) for pair in zip(stored, indexes, strict=True)]
    whole = cases if all(len(index) >= min(rows, cases) for index, rows in zip(indexes, enough, strict=True)) else 0
    values = await asyncio.to_thread(_lines, shown, begin, differ, whole)
    for index in indexes:
        state.complete(index)
    first = stored[0]
    sets = {str(one.meta.get("dataset_sha256")) for one in stored}
    return {
        **values,
        "runs": stored,
        "title": views.title_of(first),
        "title_of": views.title_of,
        "differ": differ,
        "step": GRID_LINES,
        "query": _named(runs),
        "dry_run": first.dry_run,
        "altered": await asyncio.to_thread(_altered, stored),
        "hide": first.hide,
        "others": len(sets) > 1,
    }


def _altered(runs: Sequence[Stored]) -> list[tuple[str, ...]]:
    """Return what was changed behind the back of each run."""
    return [altered_files(one.folder, quick=takes_long(one.folder)) for one in runs]


def _cases_of(stored: Sequence[Stored]) -> int:
    """Return how many cases finished runs of one dataset have; 0 when they must be read to know."""
    sets = {str(one.meta.get("dataset_sha256")) for one in stored}
    counts = {_count(one) if one.meta.get("status") == "complete" else 0 for one in stored}
    return counts.pop() if len(sets) == 1 and len(counts) == 1 else 0


def _count(stored: Stored) -> int:
    figures = stored.figures("")
    return figures.all.cases // max(1, int(stored.config.get("repeats") or 1)) if figures else 0


def _rows_each(stored: Stored) -> int:
    return len(stored.models) * max(1, int(stored.config.get("repeats") or 1))


def _lines(shown: Sequence[MatrixRun], start: int, differ: bool, cases: int) -> dict[str, object]:
    """Return the lines of a matrix, what each asks, and how each column did in all."""
    if not cases:
        for one in shown:
            one.cases.refresh()
    grid = grid_of([one.cases for one in shown], start, GRID_LINES, differing=differ, cases=cases)
    columns = [(place, model) for place, one in enumerate(shown) for model in one.stored.models]
    return {
        "grid": grid,
        "start": grid.start,
        "columns": columns,
        "rates": [_rate(shown[place].stored, model) for place, model in columns],
        "questions": _questions(shown, grid),
    }


def _rate(stored: Stored, model: str) -> str:
    figures = stored.summary.models.get(model) if stored.summary else None
    return show_share(figures.all.pass_rate) if figures and figures.all.cases else "–"


def _questions(shown: Sequence[MatrixRun], grid: Grid) -> list[str]:
    """Return the question of each line, from the row of its first answer."""
    first = [next(((place, cells[0].number) for (place, _), cells in line.cells.items()), None) for line in grid.rows]
    found: dict[tuple[int, int], str] = {}
    for place, one in enumerate(shown):
        rows = one.cases.rows_at([number for run, number in filter(None, first) if run == place])
        found |= {(place, row.number): visible_line(excerpt(one.stored.hide(row.result.question), 120)) for row in rows}
    return [found.get(at, "") if at else "" for at in first]


def _sides(shown: Sequence[MatrixRun], case_id: str, state: AppState, lang: Lang) -> list[dict[str, JSON]]:
    """Show all answers to one case; what an answer says that the first does not is marked."""
    found = [(one.stored, row) for one in shown for row in one.cases.rows_named(case_id)][:MOST_SIDES]
    answers = [_answer(stored, row, state, lang) for stored, row in found]
    first, asked = str(answers[0]["raw"]), answers[0]["question"]
    return [{**one, "pieces": changes(first, str(one["raw"])), "other": one["question"] != asked} for one in answers]


def _answer(stored: Stored, row: Row, state: AppState, lang: Lang) -> dict[str, JSON]:
    return {**views.case_of(row, stored, lang, state.guard), "run": stored.run_id, "run_title": views.title_of(stored)}
