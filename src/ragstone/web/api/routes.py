"""/api/v1: everything the page does, for programs too."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Body, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import FileResponse, Response, StreamingResponse

from ragstone.core.errors import UserError
from ragstone.core.language import Lang
from ragstone.core.registry import contract_names
from ragstone.core.types import JSON, Comparison
from ragstone.runs.store.codec import encode
from ragstone.runs.store.fingerprint import file_sha256
from ragstone.runs.store.folder import RunFolder
from ragstone.web import views
from ragstone.web.api import downloads as artefacts
from ragstone.web.api.openapi import EVENTS, FILES, REFUSALS, UPLOAD, gives
from ragstone.web.cases.query import MOST_ROWS
from ragstone.web.cases.query import Query as Wanted
from ragstone.web.errors import PageError, reading
from ragstone.web.jobs import Live, Order, is_busy
from ragstone.web.places import Dataset, Endpoint, with_contract
from ragstone.web.security import CSRF_HEADER, csrf_of
from ragstone.web.state import AppState

RunId = Annotated[str, Field(max_length=200)]
MOST_CASES = 10_000_000
PRIVATE = 0o600
"""Who may read a dropped file: its owner."""


class EndpointBody(BaseModel):
    """An address to ask; only those on the allow-list are asked."""

    model_config = ConfigDict(extra="forbid")
    url: str = Field(max_length=500)
    kind: Literal["http_json", "chat"] = "http_json"
    model: str = Field("", max_length=200)


class RunBody(BaseModel):
    """What to evaluate."""

    model_config = ConfigDict(extra="forbid")
    dataset: str = Field(max_length=500, description="a name from /datasets")
    system: str = Field(max_length=200, description="a name from /systems")
    endpoint: EndpointBody | None = Field(None, description="with system = endpoint")
    contract: str | None = Field(None, max_length=200)
    max_samples: int | None = Field(None, ge=1, le=MOST_CASES)
    repeats: int = Field(1, ge=1, le=100)
    concurrency: int | None = Field(None, ge=1, le=256)


class CasesQuery(BaseModel):
    """Which cases to find."""

    state: str = Field("", max_length=20, description="passed, failed, errored, unparsed, or missed for all but passed")
    tag: str = Field("", max_length=200)
    group: str = Field("", max_length=500, description="name=value")
    model: str = Field("", max_length=500)
    metric: str = Field("", max_length=200, description="only cases short of full marks in this metric")
    q: str = Field("", max_length=500, description="text in question, answer or id")
    sort: str = Field("number", max_length=200, description="number, score, latency or a metric; -score downwards")
    after: str = Field("", max_length=200)
    limit: int = Field(50, ge=1, le=MOST_ROWS)


class ResumeBody(BaseModel):
    """How to go on."""

    model_config = ConfigDict(extra="forbid")
    retry_failed: bool = False


def answer(value: object, status: int = 200) -> Response:
    """Send a value as JSON."""
    return Response(encode(value), status, media_type="application/json")


def api_routes(state: AppState) -> APIRouter:
    """Return the routes of /api/v1."""
    router = APIRouter(prefix="/api/v1", responses=REFUSALS)
    _session(router, state)
    _datasets(router, state)
    _runs(router, state)
    _cases(router, state)
    _exports(router, state)
    return router


def _session(router: APIRouter, state: AppState) -> None:
    @router.get("/session", tags=["session"], responses=gives("Session"))
    async def session(request: Request) -> Response:
        """Return the value that requests which change something must carry in X-Ragstone-Token."""
        return answer({"header": CSRF_HEADER, "token": csrf_of(request, state.lock)})

    @router.get("/contracts", tags=["datasets"], responses=gives("Names"))
    async def contracts() -> Response:
        """List the contracts there are."""
        return answer(contract_names())


def _datasets(router: APIRouter, state: AppState) -> None:
    @router.get("/datasets", tags=["datasets"], responses=gives("Dataset", many=True))
    async def datasets() -> Response:
        """List the datasets that can be evaluated."""
        return answer([shown_dataset(dataset) for dataset in await asyncio.to_thread(state.places.datasets)])

    @router.get("/check", tags=["datasets"], responses=gives("Checked"))
    async def check(request: Request, dataset: str, contract: str | None = None) -> Response:
        """Look a dataset over before a call is spent: faults with their lines, duplicates, missing documents."""
        checked = await state.check(with_contract(state.places.dataset(dataset), contract))
        return answer(state.hide(checked.shown(state.lang(request))))

    @router.put("/datasets/{name}", tags=["datasets"], status_code=201, responses=UPLOAD, openapi_extra=_ANY_BODY)
    async def upload(request: Request, name: str, contract: str | None = None) -> Response:
        """Take a dataset (the body is the file as it is), look it over, and keep it unless it has faults."""
        temporary = await _receive(request, state, name)
        try:
            dataset = Dataset(name=name, path=temporary, documents=_documents(state))
            checked = await state.check(with_contract(dataset, contract))
            shown = state.hide(checked.shown(state.lang(request), name))
            kept = "" if shown["errors"] else await asyncio.to_thread(_keep, state, temporary, name)
        finally:
            temporary.unlink(missing_ok=True)
        return answer({"dataset": kept or None, **shown}, 201 if kept else 422)

    @router.get("/systems", tags=["systems"], responses=gives("System", many=True))
    async def systems() -> Response:
        """List the systems that can be asked."""
        shown = [
            {"name": choice.name, "label": choice.label, "kind": choice.kind, "system": choice.spec}
            for choice in state.places.systems()
        ]
        return answer(shown)


_ANY_BODY: dict[str, JSON] = {
    "requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string"}}}}
}


def shown_dataset(dataset: Dataset) -> dict[str, JSON]:
    """Tell of a dataset without telling where it lies."""
    try:
        size: int | None = dataset.path.stat().st_size
    except OSError:
        size = None
    return {
        "name": dataset.name,
        "label": dataset.label,
        "contract": dataset.contract,
        "bytes": size,
        "documents": dataset.documents is not None,
        "bundled": dataset.bundled,
    }


def _documents(state: AppState) -> Path | None:
    folder = state.places.datasets_dir / "documents"
    return folder if folder.is_dir() else None


async def _receive(request: Request, state: AppState, name: str) -> Path:
    """Write a body to a hidden file; too much of it, or something that is no JSON, is refused on the way."""
    temporary, target = state.places.new_upload(name), None
    try:
        async for block in request.stream():
            if block and target is None:
                state.places.new_file(name, block)
                target = os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb")
            if block and target is not None:
                await asyncio.to_thread(target.write, block)
        if target is None:
            raise PageError(415, "dataset.empty", file=name)
        target.close()
    except BaseException as error:
        if target is not None:
            with contextlib.suppress(OSError):
                target.close()
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise PageError(507, "page.disk", problem=error.strerror or "?") from error
        raise
    return temporary


def _keep(state: AppState, temporary: Path, name: str) -> str:
    """Give a file its name: its own, or one with a number when another file has it already."""
    target, number = state.places.new_file(name, b"{"), 1
    while True:
        try:
            # A link is refused where there is a file; so two that come at once cannot take each other's place.
            target.hardlink_to(temporary)
        except FileExistsError:
            if _same(temporary, target):
                return target.name
        else:
            return target.name
        number += 1
        target = target.with_name(f"{Path(name).stem}-{number}{target.suffix}")


def _same(one: Path, other: Path) -> bool:
    if not other.is_file() or one.stat().st_size != other.stat().st_size:
        return False
    return file_sha256(one) == file_sha256(other)


def _runs(router: APIRouter, state: AppState) -> None:
    @router.get("/runs", tags=["runs"], responses=gives("Runs"))
    async def runs(request: Request, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> Response:
        """List the runs, newest first, and those that go on."""
        lines = await asyncio.to_thread(views.run_lines, state.places.runs_dir, state.lang(request), limit)
        return answer({"runs": lines, "going": [job.live for job in state.jobs.going()]})

    @router.post("/runs", tags=["runs"], status_code=202, responses=gives("Live", status=202))
    async def start(request: Request, body: RunBody) -> Response:
        """Begin a run; it goes on when the browser is closed."""
        endpoint = Endpoint(**body.endpoint.model_dump()) if body.endpoint else None
        order = Order(
            dataset=body.dataset,
            system=body.system,
            endpoint=endpoint,
            contract=body.contract or None,
            max_samples=body.max_samples,
            repeats=body.repeats,
            concurrency=body.concurrency,
            reader=state.lang(request),
        )
        job = await state.jobs.start(order)
        return answer(job.live, 202)

    @router.get("/runs/{run_id}", tags=["runs"], responses=gives("Run"))
    async def run(run_id: RunId) -> Response:
        """Say how a run stands and what it came to."""
        live = await _live(state, run_id)
        try:
            stored = await state.stored(run_id)
        except UserError:
            # A run that waits, or has just begun, has no files to be read yet.
            return answer({"live": live})
        return answer({"live": live, "meta": stored.meta, "summary": stored.summary, "metrics": stored.specs})

    @router.get("/runs/{run_id}/events", tags=["runs"], responses=EVENTS, response_class=StreamingResponse)
    async def events(run_id: RunId) -> Response:
        """Watch a run (server-sent events): `progress` whenever something changed, `end` when it is over."""
        live = await _live(state, run_id)
        headers = {"X-Accel-Buffering": "no"}
        return StreamingResponse(_events(state, run_id, live), media_type="text/event-stream", headers=headers)

    @router.post("/runs/{run_id}/cancel", tags=["runs"], status_code=202, responses=gives("Live", status=202))
    async def cancel(run_id: RunId) -> Response:
        """Stop a run; what is in flight is finished, and dropped when asked again."""
        return answer(state.jobs.cancel(run_id).live, 202)

    @router.post("/runs/{run_id}/resume", tags=["runs"], status_code=202, responses=gives("Live", status=202))
    async def resume(run_id: RunId, body: Annotated[ResumeBody | None, Body()] = None) -> Response:
        """Go on with a run; with retry_failed, ask again what failed."""
        path = state.places.run_path(run_id)
        if await asyncio.to_thread(is_busy, path):
            raise PageError(409, "page.going", run=run_id)
        return answer(state.jobs.resume(run_id, retry_failed=bool(body and body.retry_failed)).live, 202)


async def _live(state: AppState, run_id: str) -> Live:
    """Say how a run stands, from this server or from its files."""
    job = state.job(run_id)
    if job is not None:
        return job.live
    stored = await state.stored(run_id)
    meta, summary = stored.meta, stored.summary
    end: Literal["complete", "partial"] = "complete" if meta.get("status") == "complete" else "partial"
    blocks = {model: figures.all for model, figures in summary.models.items()} if summary else {}
    finished = summary.finished if summary else 0
    return Live(run_id=run_id, state=end, finished=finished, expected=int(meta.get("expected") or 0), blocks=blocks)


async def _events(state: AppState, run_id: str, first: Live) -> AsyncIterator[bytes]:
    job = state.job(run_id)
    if job is None:
        yield _event("end", first)
        return
    async for live in job.watch():
        yield b": still here\n\n" if live is None else _event("end" if job.over else "progress", live)


def _event(name: str, live: Live) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + msgspec.json.encode(live) + b"\n\n"


def _cases(router: APIRouter, state: AppState) -> None:
    @router.get("/runs/{run_id}/cases", tags=["cases"], responses=gives("Cases"))
    async def list_cases(request: Request, run_id: RunId, wanted: Annotated[CasesQuery, Query()]) -> Response:
        """Find cases: filtered, searched, sorted; `next` of one page is `after` of the following."""
        fields = wanted.model_dump()
        query = Wanted(text=fields.pop("q"), **fields)
        stored, index = await state.stored(run_id), await state.index(run_id)
        page = await asyncio.to_thread(index.page, query)
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
