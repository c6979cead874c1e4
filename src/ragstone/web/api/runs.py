"""/api/v1: starting, watching, stopping and continuing runs."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Body, Query, Request
from starlette.responses import Response, StreamingResponse

from ragstone.core.errors import UserError
from ragstone.runs.store.catalogue import DAYS, bring_back, remove
from ragstone.runs.store.label import make_label, read_label, write_label
from ragstone.web.api.bodies import HistoryQuery, JudgeBody, LabelBody, ResumeBody, RunBody, RunId, answer
from ragstone.web.api.openapi import EVENTS, gives
from ragstone.web.errors import PageError
from ragstone.web.history.lines import run_lines
from ragstone.web.jobs import Live, Order, is_busy
from ragstone.web.places import Endpoint
from ragstone.web.state import AppState


def run_routes(router: APIRouter, state: AppState) -> None:
    """Add what is asked of runs."""

    @router.get("/runs", tags=["runs"], responses=gives("Runs"))
    async def runs(
        request: Request, wanted: Annotated[HistoryQuery, Query()], limit: Annotated[int, Query(ge=1, le=1000)] = 100
    ) -> Response:
        """List the runs that are wanted, newest first, and those that go on."""
        folder, lang = state.places.runs_dir, state.lang(request)
        lines = await asyncio.to_thread(run_lines, folder, lang, limit, wanted.run_filter())
        return answer({"runs": lines, "going": [job.live for job in state.jobs.going()]})

    @router.post("/runs", tags=["runs"], status_code=202, responses=gives("Live", status=202))
    async def start(request: Request, body: RunBody) -> Response:
        """Begin a run; it goes on when the browser is closed."""
        endpoint = Endpoint(**body.endpoint.model_dump()) if body.endpoint else None
        order = Order(
            dataset=body.dataset,
            system=body.system,
            systems=tuple(body.systems),
            endpoint=endpoint,
            contract=body.contract or None,
            max_samples=body.max_samples,
            repeats=body.repeats,
            concurrency=body.concurrency,
            name=body.name,
            judge=body.judge,
            reader=state.lang(request),
        )
        job = await state.jobs.start(order)
        return answer(job.live, 202)

    @router.get("/runs/{run_id}", tags=["runs"], responses=gives("Run"))
    async def run(run_id: RunId) -> Response:
        """Return the status and the figures of a run."""
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

    @router.post("/runs/{run_id}/judge", tags=["runs"], status_code=202, responses=gives("Live", status=202))
    async def judge(request: Request, run_id: RunId, body: JudgeBody) -> Response:
        """Have a judge decide what the rules of a run left open; figures by rule stay as they are."""
        path = state.places.run_path(run_id)
        if await asyncio.to_thread(is_busy, path):
            raise PageError(409, "page.going", run=run_id)
        return answer(state.jobs.judge(run_id, body.judge, state.lang(request)).live, 202)


def label_routes(router: APIRouter, state: AppState) -> None:
    """Add what people do with the list of runs: name, tag, put away, delete, bring back."""

    @router.patch("/runs/{run_id}/label", tags=["runs"], responses=gives("Label"))
    async def label(run_id: RunId, body: LabelBody) -> Response:
        """Name a run, tag it, or put it away; what is sealed of it stays as it is."""
        path = state.places.run_path(run_id)
        before = read_label(path)
        given = {name: value for name, value in body.model_dump().items() if value is not None}
        after = make_label(**{"name": before.name, "tags": before.tags, "archived": before.archived, **given})
        await asyncio.to_thread(write_label, path, after)
        return answer(after)

    @router.delete("/runs/{run_id}", tags=["runs"], responses=gives("Removed"))
    async def delete(run_id: RunId) -> Response:
        """Delete a run; it can be brought back for some days."""
        job = state.job(run_id)
        if job is not None and not job.over:
            raise PageError(409, "page.going", run=run_id)
        path = state.places.run_path(run_id)
        state.indexes.drop(path)
        await asyncio.to_thread(remove, path)
        state.jobs.forget(run_id)
        return answer({"run_id": run_id, "days": DAYS})

    @router.post("/runs/{run_id}/restore", tags=["runs"], responses=gives("Live"))
    async def restore(run_id: RunId) -> Response:
        """Restore a deleted run."""
        await asyncio.to_thread(bring_back, state.places.runs_dir, run_id)
        return answer(await _live(state, run_id))


async def _live(state: AppState, run_id: str) -> Live:
    """Return the status of a run, from this server or from its files."""
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
