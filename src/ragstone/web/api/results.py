"""/api/v1: the cases of a run, its files, and two runs side by side."""

import asyncio
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import FileResponse, Response, StreamingResponse

from ragstone.core.language import Lang
from ragstone.core.registry import contract_names
from ragstone.core.types import JSON
from ragstone.runs.store.folder import RunFolder
from ragstone.web import views
from ragstone.web.api import downloads as artefacts
from ragstone.web.api.bodies import CasesQuery, RunId, answer
from ragstone.web.api.openapi import FILES, gives
from ragstone.web.cases.altered import altered_files
from ragstone.web.cases.compared import Compared
from ragstone.web.cases.stored import Stored
from ragstone.web.datasets.files import store_bytes
from ragstone.web.datasets.metadata import Metadata
from ragstone.web.datasets.subset import MOST, cut_cases
from ragstone.web.errors import PageError, reading
from ragstone.web.jobs import Order
from ragstone.web.state import AppState
from ragstone.web.words import say


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

    @router.get("/runs/{run_id}/cases.csv", tags=["cases"], responses=FILES, response_class=StreamingResponse)
    async def table(request: Request, run_id: RunId, wanted: Annotated[CasesQuery, Query()]) -> Response:
        """Send the cases that fit as a table, in the order that is asked for."""
        stored, index, lang = await state.stored(run_id), await state.index(run_id), state.lang(request)
        # What cannot be asked is refused before the first row.
        await asyncio.to_thread(index.page_total, wanted.query())
        saved = {"Content-Disposition": f'attachment; filename="{artefacts.CASES}"'}
        rows = artefacts.found_csv(stored, index, wanted.query(), lang)
        return StreamingResponse(rows, media_type="text/csv; charset=utf-8", headers=saved)

    @router.get("/runs/{run_id}/cases/{number}", tags=["cases"], responses=gives("Case"))
    async def one_case(request: Request, run_id: RunId, number: int) -> Response:
        """Return everything about one case."""
        return answer(await case_view(state, run_id, number, state.lang(request)))

    @router.get("/runs/{run_id}/dataset", tags=["cases"], responses=FILES, response_class=Response)
    async def small_dataset(run_id: RunId, wanted: Annotated[CasesQuery, Query()]) -> Response:
        """Send the cases that fit as a dataset of their own, the rows as they stand in the run's dataset."""
        name, content = await _cut(state, run_id, wanted)
        saved = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
        return Response(content, media_type="application/x-ndjson", headers=saved)

    @router.post("/runs/{run_id}/again", tags=["cases"], status_code=202, responses=gives("Live", status=202))
    async def again(request: Request, run_id: RunId, wanted: CasesQuery) -> Response:
        """Ask the cases that fit again: a new run, of a small dataset, of the same systems."""
        name, content = await _cut(state, run_id, wanted)
        stored = await state.stored(run_id)
        parent = await asyncio.to_thread(dataset_of, state, stored)
        metadata = Metadata(made_from=parent, run=run_id)
        kept = await asyncio.to_thread(store_bytes, state.places, name, content, metadata)
        repeats, lang = int(stored.config.get("repeats") or 1), state.lang(request)
        named = str(stored.config["contract"])
        contract = named if named in contract_names() else None
        order = Order(dataset=kept, contract=contract, like=run_id, repeats=repeats, reader=lang)
        job = await state.jobs.start(order)
        return answer(job.live, 202)


async def _cut(state: AppState, run_id: str, wanted: CasesQuery) -> tuple[str, bytes]:
    stored, index = await state.stored(run_id), await state.index(run_id)
    ids = await asyncio.to_thread(index.ids, wanted.query(), MOST)
    with reading(run_id):
        return await asyncio.to_thread(cut_cases, RunFolder(stored.folder), ids, state.guard)


def dataset_of(state: AppState, stored: Stored) -> str:
    """Name the dataset of a run as the page offers it; nothing when it does not."""
    path = Path(str(stored.config.get("dataset") or ""))
    offered = (one.name for one in state.places.datasets() if one.path.resolve() == path.resolve())
    return next(offered, "")


async def case_view(state: AppState, run_id: str, number: int, lang: Lang) -> dict[str, JSON]:
    """Gather everything about one case."""
    stored, index = await state.stored(run_id), await state.index(run_id)
    row = await asyncio.to_thread(index.case, number)
    if row is None:
        raise PageError(404, "page.case", run=run_id, number=number)
    return await asyncio.to_thread(views.case_of, row, stored, lang, state.guard)


def _exports(router: APIRouter, state: AppState) -> None:
    @router.get("/runs/{run_id}/altered", tags=["artefacts"], responses=gives("Altered"))
    async def altered(request: Request, run_id: RunId) -> Response:
        """Name the files of a run that were changed after it had written them; large ones take a while to be hashed."""
        files = await asyncio.to_thread(altered_files, state.places.run_path(run_id))
        words = say("run.altered", state.lang(request), files=", ".join(files)) if files else ""
        return answer({"files": files, "text": words})

    @router.get("/runs/{run_id}/artefacts", tags=["artefacts"], responses=gives("Names"))
    async def list_artefacts(run_id: RunId) -> Response:
        """List the files of a run that can be taken away."""
        return answer(artefacts.names(state.places.run_path(run_id)))

    @router.get("/runs/{run_id}/artefacts/{name}", tags=["artefacts"], responses=FILES, response_class=FileResponse)
    async def artefact(request: Request, run_id: RunId, name: str, view: bool = False) -> Response:
        """Send a file of a run; with `view`, report.html is shown instead of saved."""
        folder = state.places.run_path(run_id)
        if name == artefacts.CASES:
            table = artefacts.cases_csv(await state.stored(run_id), state.lang(request))
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
        found = views.listed((await compare_runs(state, first, second, whole=True)).found)
        runs = await state.stored(first), await state.stored(second)
        return answer(views.comparison_of(found, runs, state.lang(request)))


async def compare_runs(state: AppState, first: str, second: str, *, whole: bool = False) -> Compared:
    """Compare two runs."""
    before, after = (RunFolder(state.places.run_path(name)) for name in (first, second))
    with reading(second):
        return await state.comparisons.of(before, after, whole=whole)
