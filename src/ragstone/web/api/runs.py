"""/api/v1: starting, watching, stopping and continuing runs."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Body, Query, Request
from starlette.responses import Response, StreamingResponse

from ragstone.core.errors import UserError
from ragstone.web import views
from ragstone.web.api.bodies import ResumeBody, RunBody, RunId, answer
from ragstone.web.api.openapi import EVENTS, gives
from ragstone.web.errors import PageError
from ragstone.web.jobs import Live, Order, is_busy
from ragstone.web.places import Endpoint
from ragstone.web.state import AppState


def run_routes(router: APIRouter, state: AppState) -> None:
    """Add what is asked of runs."""

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
