"""The matrix of one run or of several, and the answers to one case side by side."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, NamedTuple
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query, Request
from pydantic import Field
from starlette.responses import Response

from ragstone.core.language import Lang
from ragstone.core.types import JSON
from ragstone.web import views
from ragstone.web.cases.grid import grid_of
from ragstone.web.cases.highlights import changes
from ragstone.web.cases.index import Index
from ragstone.web.cases.query import Row
from ragstone.web.cases.stored import Stored
from ragstone.web.errors import PageError
from ragstone.web.pages.paint import Painter
from ragstone.web.state import AppState

GRID_LINES = 200
"""Cases of a matrix on one page."""
MOST_RUNS = 8
MOST_SIDES = 24
"""Answers to one case that are set side by side."""
Runs = Annotated[list[Annotated[str, Field(max_length=200)]], Query(alias="run", max_length=MOST_RUNS)]


class Shown(NamedTuple):
    """A run of a matrix."""

    stored: Stored
    cases: Index


def matrix_pages(router: APIRouter, state: AppState, painter: Painter) -> None:
    """Add the matrix and what its cells open."""

    @router.get("/eval/runs/{run_id}/matrix")
    async def matrix_page(request: Request, run_id: str, differ: bool = False, start: int = 0) -> Response:
        """See how every model of a run did on every case."""
        values = await _matrix(state, [run_id], differ, start)
        return painter.page(request, "matrix.html", {**values, "base": f"/eval/runs/{quote(run_id)}/matrix?"})

    @router.get("/eval/matrix")
    async def runs_matrix(request: Request, runs: Runs, differ: bool = False, start: int = 0) -> Response:
        """See how every run of a dataset did on every case."""
        values = await _matrix(state, list(dict.fromkeys(runs)), differ, start)
        return painter.page(request, "matrix.html", {**values, "base": f"/eval/matrix?{_named(runs)}&"})

    @router.get("/eval/matrix/case")
    async def side_by_side(request: Request, runs: Runs, column: int = 0, place: int = 0) -> Response:
        """See what every model of every run answered to one case, what differs marked, the contexts beside it.

        A case is named by its place in one of the runs: an id may be something that is not to be read.
        """
        shown = [await _open(state, run) for run in dict.fromkeys(runs)]
        rows = await asyncio.to_thread(shown[column].cases.rows_of, place) if 0 <= column < len(shown) else ()
        if not rows:
            raise PageError(404, "page.case", run=", ".join(runs), number=place)
        answers = await asyncio.to_thread(_sides, shown, rows[0].result.sample_id, state, state.lang(request))
        values = {"answers": answers, "runs": [one.stored for one in shown], "query": _named(runs)}
        return painter.page(request, "sides.html", {**values, "dry_run": any(one.stored.dry_run for one in shown)})


def _named(runs: Sequence[str]) -> str:
    return urlencode([("run", run) for run in dict.fromkeys(runs)])


async def _open(state: AppState, run_id: str) -> Shown:
    return Shown(await state.stored(run_id), await state.index(run_id))


async def _matrix(state: AppState, runs: Sequence[str], differ: bool, start: int) -> dict[str, object]:
    shown, begin = [await _open(state, run) for run in runs], max(0, start)
    grid = await asyncio.to_thread(grid_of, [one.cases for one in shown], begin, GRID_LINES, differing=differ)
    first = shown[0].stored
    sets = {str(one.stored.meta.get("dataset_sha256")) for one in shown}
    return {
        "runs": [one.stored for one in shown],
        "title": views.title_of(first),
        "title_of": views.title_of,
        "columns": [(place, model) for place, one in enumerate(shown) for model in one.stored.models],
        "grid": grid,
        "start": begin,
        "differ": differ,
        "step": GRID_LINES,
        "query": _named(runs),
        "dry_run": any(one.stored.dry_run for one in shown),
        "hide": first.hide,
        "others": len(sets) > 1,
    }


def _sides(shown: Sequence[Shown], case_id: str, state: AppState, lang: Lang) -> list[dict[str, JSON]]:
    """Show all answers to one case; what an answer says that the first does not is marked."""
    found = [(one.stored, row) for one in shown for row in one.cases.rows_named(case_id)][:MOST_SIDES]
    answers = [_answer(stored, row, state, lang) for stored, row in found]
    first, asked = str(answers[0]["raw"]), answers[0]["question"]
    return [{**one, "pieces": changes(first, str(one["raw"])), "other": one["question"] != asked} for one in answers]


def _answer(stored: Stored, row: Row, state: AppState, lang: Lang) -> dict[str, JSON]:
    return {**views.case_of(row, stored, lang, state.guard), "run": stored.run_id, "run_title": views.title_of(stored)}
