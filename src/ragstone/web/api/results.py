"""/api/v1: the cases of a run, its files, and two runs side by side."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import FileResponse, Response, StreamingResponse

from ragstone.core.language import Lang
from ragstone.core.types import JSON, Comparison
from ragstone.runs.store.folder import RunFolder
from ragstone.web import views
from ragstone.web.api import downloads as artefacts
from ragstone.web.api.bodies import CasesQuery, RunId, answer
from ragstone.web.api.openapi import FILES, gives
from ragstone.web.errors import PageError, reading
from ragstone.web.state import AppState


def result_routes(router: APIRouter, state: AppState) -> None:
    """Add what is asked of results."""
    _cases(router, state)
    _exports(router, state)


def _cases(router: APIRouter, state: AppState) -> None:
    @router.get("/runs/{run_id}/cases", tags=["cases"], responses=gives("Cases"))
    async def list_cases(request: Request, run_id: RunId, wanted: Annotated[CasesQuery, Query()]) -> Response:
        """Find cases: filtered, searched, sorted; `next` of one page is `after` of the following."""
        stored, index = await state.stored(run_id), await state.index(run_id)
        page = await asyncio.to_thread(index.page, wanted.query())
        lang: Lang = state.lang(request)
        rows = [views.row_of(row, stored, lang) for row in page.rows]
        return answer({"rows": rows, "total": page.total, "next": page.next})

    @router.get("/runs/{run_id}/cases/{number}", tags=["cases"], responses=gives("Case"))
    async def one_case(request: Request, run_id: RunId, number: int) -> Response:
        """Return everything about one case."""
        return answer(await case_view(state, run_id, number, state.lang(request)))


async def case_view(state: AppState, run_id: str, number: int, lang: Lang) -> dict[str, JSON]:
    """Gather everything about one case."""
    stored, index = await state.stored(run_id), await state.index(run_id)
    row = await asyncio.to_thread(index.case, number)
    if row is None:
        raise PageError(404, "page.case", run=run_id, number=number)
    return await asyncio.to_thread(views.case_of, row, stored, lang, state.guard)


def _exports(router: APIRouter, state: AppState) -> None:
    @router.get("/runs/{run_id}/artefacts", tags=["artefacts"], responses=gives("Names"))
    async def list_artefacts(run_id: RunId) -> Response:
        """List the files of a run that can be taken away."""
        return answer(artefacts.names(state.places.run_path(run_id)))

    @router.get("/runs/{run_id}/artefacts/{name}", tags=["artefacts"], responses=FILES, response_class=FileResponse)
    async def artefact(run_id: RunId, name: str, view: bool = False) -> Response:
        """Send a file of a run; with `view`, report.html is shown instead of saved."""
        folder = state.places.run_path(run_id)
        if name == artefacts.CASES:
            table = artefacts.cases_csv(await state.stored(run_id))
            saved = {"Content-Disposition": f'attachment; filename="{artefacts.CASES}"'}
            return StreamingResponse(table, media_type="text/csv; charset=utf-8", headers=saved)
        path = artefacts.find_file(folder, name)
        headers = {"Content-Security-Policy": artefacts.REPORT_POLICY}
        shown: Literal["inline", "attachment"] = "inline" if view and name == "report.html" else "attachment"
        kind = artefacts.FILES[name]
        return FileResponse(path, media_type=kind, filename=name, headers=headers, content_disposition_type=shown)

    @router.get("/compare", tags=["compare"], responses=gives("Comparison"))
    async def comparison(request: Request, first: str, second: str) -> Response:
        """Compare two runs case by case: differences with their intervals, flips and their causes."""
        found = views.listed(await compare_runs(state, first, second))
        runs = await state.stored(first), await state.stored(second)
        return answer(views.comparison_of(found, runs, state.lang(request)))


async def compare_runs(state: AppState, first: str, second: str) -> Comparison:
    """Compare two runs."""
    before, after = (RunFolder(state.places.run_path(name)) for name in (first, second))
    with reading(second):
        return await asyncio.to_thread(state.compared, before, after)
