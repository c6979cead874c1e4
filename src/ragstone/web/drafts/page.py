"""The page on which a test set is drafted."""

import asyncio

from fastapi import APIRouter, Request
from starlette.responses import Response

from ragstone.drafting.rows import WRITERS
from ragstone.web.pages.paint import Painter
from ragstone.web.state import AppState


def draft_pages(router: APIRouter, state: AppState, painter: Painter) -> None:
    """Add the page for drafting."""

    @router.get("/eval/drafts")
    async def drafts(request: Request) -> Response:
        """Choose documents, a contract and a number, and press the button."""
        datasets = await asyncio.to_thread(state.places.datasets)
        values = {"datasets": [one for one in datasets if one.documents], "contracts": list(WRITERS)}
        return painter.page(request, "drafts.html", values)
