"""/api/v1/review: questions to people, and what they say."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from ragstone.api import Judging, ajudge_run
from ragstone.web.api.bodies import RunId, answer
from ragstone.web.api.openapi import gives
from ragstone.web.api.results import compare_runs
from ragstone.web.errors import PageError
from ragstone.web.jobs import is_busy
from ragstone.web.review import drafts
from ragstone.web.review.bodies import DraftBody, DraftsBody, LabelBody, Number, QueueName, UndoBody, WithdrawBody
from ragstone.web.security import person_of
from ragstone.web.state import AppState

MOST_FLIPPED = 2000
"""Cases of each kind that came out otherwise and can be reviewed."""


def review_routes(router: APIRouter, state: AppState) -> None:
    """Add what is asked of reviews."""
    _draft_routes(router, state)
    _reading_routes(router, state)
    _deciding_routes(router, state)
    _leading_routes(router, state)


def _reading_routes(router: APIRouter, state: AppState) -> None:
    reviews = state.reviews

    @router.get("/review/{run_id}", tags=["review"], responses=gives("Review"))
    async def overview(request: Request, run_id: RunId) -> Response:
        """Return how the review of a run stands: queues, reviewers, what the estimate still needs."""
        state.places.run_path(run_id)
        return answer(await asyncio.to_thread(reviews.overview, run_id, person_of(request)))

    @router.get("/review/{run_id}/next", tags=["review"], responses=gives("NextItem"))
    async def next_item(
        request: Request,
        run_id: RunId,
        queue: QueueName = "open",
        after: Annotated[int | None, Query(ge=0, le=1 << 31)] = None,
        against: Annotated[str, Query(max_length=200)] = "",
    ) -> Response:
        """Return the next question of a queue and reserve it for the caller; `after` skips one."""
        state.places.run_path(run_id)
        if queue == "flipped" and against:
            await _compare(state, run_id, against)
        return answer(await asyncio.to_thread(reviews.next, run_id, queue, person_of(request), after))

    @router.get("/review/{run_id}/items/{number}", tags=["review"], responses=gives("NextItem"))
    async def one_item(request: Request, run_id: RunId, number: Number) -> Response:
        """Return one question; rule and judge only to who has decided it."""
        state.places.run_path(run_id)
        return answer(await asyncio.to_thread(reviews.item, run_id, number, person_of(request)))


async def _compare(state: AppState, run_id: str, against: str) -> None:
    """Find the rows whose outcome differs from another run's, once."""
    one = await asyncio.to_thread(state.reviews.open, run_id)
    if one.compared == against:
        return
    found, index = await compare_runs(state, against, run_id), await state.index(run_id)

    def rows() -> list[int]:
        flips = [one for kind in ("broken", "fixed") for one in found.changes(kind, 0, MOST_FLIPPED, state.guard)]
        # Two models that were compared are named as `first → second`; ours is the second.
        numbers = (index.number_of(one.sample_id, one.model.rpartition(" → ")[2], one.repeat) for one in flips)
        return [number for number in numbers if number]

    await asyncio.to_thread(state.reviews.flipped, run_id, against, await asyncio.to_thread(rows))


def _deciding_routes(router: APIRouter, state: AppState) -> None:
    reviews = state.reviews

    @router.post("/review/{run_id}/labels", tags=["review"], responses=gives("Saved"))
    async def save(request: Request, run_id: RunId, body: LabelBody) -> Response:
        """Keep a verdict; says what rule and judge made of it, and gives the next question."""
        state.places.run_path(run_id)
        person = person_of(request)
        saved = await asyncio.to_thread(reviews.save, run_id, person, body.said())
        following = await asyncio.to_thread(reviews.next, run_id, body.queue, person, body.item)
        return answer({**saved, **following})

    @router.post("/review/{run_id}/undo", tags=["review"], responses=gives("NextItem"))
    async def undo(request: Request, run_id: RunId, body: UndoBody) -> Response:
        """Withdraw one's last verdict; the file keeps that it was given."""
        state.places.run_path(run_id)
        return answer(await asyncio.to_thread(reviews.undo, run_id, person_of(request), body.queue))


def _leading_routes(router: APIRouter, state: AppState) -> None:
    reviews = state.reviews

    @router.post("/review/{run_id}/settle", tags=["review"], responses=gives("Saved"))
    async def settle(request: Request, run_id: RunId, body: LabelBody) -> Response:
        """Decide what others disagree about."""
        state.places.run_path(run_id)
        person = person_of(request)
        saved = await asyncio.to_thread(reviews.save, run_id, person, body.said(settles=True))
        following = await asyncio.to_thread(reviews.next, run_id, "settle", person, body.item)
        return answer({**saved, **following})

    @router.post("/review/{run_id}/withdraw", tags=["review"], responses=gives("NextItem"))
    async def withdraw(request: Request, run_id: RunId, body: WithdrawBody) -> Response:
        """Withdraw a verdict that turned out to be wrong."""
        state.places.run_path(run_id)
        person = person_of(request)
        return answer(await asyncio.to_thread(reviews.withdraw, run_id, body.item, body.reviewer, person))

    @router.get("/review/{run_id}/figures", tags=["review"], responses=gives("Figures"))
    async def figures(run_id: RunId) -> Response:
        """Return what the judged figures are by rule, with judge and people, and estimated; nothing is written."""
        state.places.run_path(run_id)
        return answer({"figures": await asyncio.to_thread(reviews.figures, run_id)})

    @router.post("/review/{run_id}/figures", tags=["review"], responses=gives("Figures"))
    async def write_figures(run_id: RunId) -> Response:
        """Apply everybody's labels to the run: its judged and estimated figures are recomputed, no judge is asked."""
        path = state.places.run_path(run_id)
        if await asyncio.to_thread(is_busy, path):
            raise PageError(409, "page.going", run=run_id)
        await ajudge_run(path, Judging(people_only=True), settings=state.settings, trust=state.guard)
        state.indexes.forget(path)
        return answer({"figures": await asyncio.to_thread(reviews.figures, run_id)})


def _draft_routes(router: APIRouter, state: AppState) -> None:
    @router.get("/review-drafts/next", tags=["review"], responses=gives("NextDraft"))
    async def next_draft(
        request: Request,
        dataset: Annotated[str, Query(max_length=500)],
        after: Annotated[str, Query(max_length=500)] = "",
    ) -> Response:
        """Return the next unreviewed draft of a dataset; `after` skips one."""
        path = drafts.path_of(state.places, dataset)
        return answer(await asyncio.to_thread(drafts.following, path, state.lang(request), after))

    @router.post("/review-drafts", tags=["review"], responses=gives("NextDraft"))
    async def decide_draft(request: Request, body: DraftBody) -> Response:
        """Accept or reject a drafted question, as `ragstone draft accept` does; gives the next one."""
        path = drafts.path_of(state.places, body.dataset)
        documents = state.places.dataset(body.dataset).documents
        lang, accepted = state.lang(request), body.accept
        found = await asyncio.to_thread(drafts.decide, path, body.id, lang, accepted=accepted, documents=documents)
        return answer(found)

    @router.post("/review-drafts/undo", tags=["review"], responses=gives("NextDraft"))
    async def undo_draft(request: Request, body: DraftsBody) -> Response:
        """Undo the last decision on a dataset of drafts; a rejected one is restored."""
        path = drafts.path_of(state.places, body.dataset)
        return answer(await asyncio.to_thread(drafts.undo, path, state.lang(request)))
