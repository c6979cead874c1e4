"""The review pages: what there is to review, one question on one screen, and what a lead sees."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from ragstone.web.cases.altered import altered_files, takes_long
from ragstone.web.history.lines import RunFilter, run_lines
from ragstone.web.pages.render import Renderer
from ragstone.web.review import drafts
from ragstone.web.review.bodies import QueueName
from ragstone.web.security import person_of
from ragstone.web.state import AppState

MOST_RUNS = 50


def review_pages(router: APIRouter, state: AppState, renderer: Renderer) -> None:
    """Add the pages of reviews."""

    @router.get("/eval/review")
    async def reviews_page(request: Request) -> Response:
        """Return what there is to review."""
        lang = state.lang(request)
        lines = await asyncio.to_thread(run_lines, state.places.runs_dir, lang, MOST_RUNS, RunFilter())
        runs = [line for line in lines if line.measured]
        found = await asyncio.to_thread(lambda: list(drafts.listed(state.places)))
        return renderer.page(request, "reviews.html", {"runs": runs, "drafts": found})

    @router.get("/eval/review-drafts")
    async def drafts_page(request: Request, dataset: Annotated[str, Query(max_length=500)]) -> Response:
        """Accept or reject drafted questions, one on one screen."""
        drafts.path_of(state.places, dataset)
        return renderer.page(request, "review_drafts.html", {"dataset": dataset})

    @router.get("/eval/review/{run_id}")
    async def review_page(
        request: Request,
        run_id: str,
        queue: QueueName = "sample",
        against: Annotated[str, Query(max_length=200)] = "",
    ) -> Response:
        """Decide, one question on one screen."""
        state.places.run_path(run_id)
        person = person_of(request)
        metadata = await asyncio.to_thread(state.reviews.overview, run_id, person)
        lines = await asyncio.to_thread(run_lines, state.places.runs_dir, state.lang(request), MOST_RUNS, RunFilter())
        others = [line for line in lines if line.run_id != run_id]
        values: dict[str, object] = {"about": metadata, "run_id": run_id, "queue": queue, "against": against}
        values |= {"person": person, "others": others, "leads": person.may("runner"), **await _marks(state, run_id)}
        return renderer.page(request, "review.html", values)

    @router.get("/eval/review/{run_id}/lead")
    async def lead_page(request: Request, run_id: str) -> Response:
        """Return how far people agree, what is to be settled, and what the figures become."""
        state.places.run_path(run_id)
        person = person_of(request)
        metadata = await asyncio.to_thread(state.reviews.overview, run_id, person)
        agreed = await asyncio.to_thread(state.reviews.agreement, run_id)
        values = {"about": metadata, "run_id": run_id, "agreed": agreed, "leads": person.may("runner")}
        lang, stored = state.lang(request), await state.stored(run_id)
        by = stored.summary.judged_by if stored.summary else None
        values["judges"] = bool(by and by.names)
        values["labels"] = {spec.name: spec.label.say(lang) for spec in stored.specs}
        return renderer.page(request, "lead.html", values | await _marks(state, run_id))


async def _marks(state: AppState, run_id: str) -> dict[str, object]:
    """Return what stands beside every figure of a run that asked nobody, or was changed behind its back."""
    stored = await state.stored(run_id)
    altered = await asyncio.to_thread(altered_files, stored.folder, quick=takes_long(stored.folder))
    return {"dry_run": stored.dry_run, "altered": altered}
