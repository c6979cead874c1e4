"""The page on which a test set is drafted."""

import asyncio

from fastapi import APIRouter, Request
from starlette.responses import Response

from ragstone.drafting.rows import WRITERS
from ragstone.web.pages.render import Renderer
from ragstone.web.state import AppState


def _free_name(state: AppState) -> str:
    """Return a name under which neither a dataset nor documents lie."""
    there = {path.name.partition(".")[0] for path in state.places.datasets_dir.glob("drafts*")}
    names = ("drafts", *(f"drafts-{number}" for number in range(2, len(there) + 3)))
    return next(name for name in names if name not in there)


def draft_pages(router: APIRouter, state: AppState, renderer: Renderer) -> None:
    """Add the page for drafting."""

    @router.get("/eval/drafts")
    async def drafts(request: Request) -> Response:
        """Choose documents, a contract and a number, and press the button."""
        datasets = await asyncio.to_thread(state.places.datasets)
        values = {
            "datasets": [one for one in datasets if one.documents],
            "contracts": list(WRITERS),
            "left": await asyncio.to_thread(state.drafting.left),
            "name": await asyncio.to_thread(_free_name, state),
        }
        return renderer.page(request, "drafts.html", values)
