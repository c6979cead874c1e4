"""/api/v1: everything the page does, for programs too."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from ragstone.core.registry import contract_names
from ragstone.web.api.bodies import answer
from ragstone.web.api.datasets import dataset_routes
from ragstone.web.api.openapi import REFUSALS, gives
from ragstone.web.api.results import result_routes
from ragstone.web.api.runs import label_routes, run_routes
from ragstone.web.api.systems import system_routes
from ragstone.web.drafts.routes import draft_routes
from ragstone.web.review.routes import review_routes
from ragstone.web.security import CSRF_HEADER, csrf_of
from ragstone.web.state import AppState


def api_routes(state: AppState) -> APIRouter:
    """Return the routes of /api/v1."""
    router = APIRouter(prefix="/api/v1", responses=REFUSALS)
    routes = (dataset_routes, system_routes, run_routes, label_routes, result_routes, draft_routes, review_routes)
    for add in (_session, *routes):
        add(router, state)
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
