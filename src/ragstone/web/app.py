"""The server: routes, the guard before them, and what happens when something goes wrong."""

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from ragstone.core.errors import DatasetError, RunError, UserError
from ragstone.core.settings import Settings
from ragstone.runs.store.catalogue import clear_removed
from ragstone.web.api.openapi import describe
from ragstone.web.api.routes import api_routes
from ragstone.web.cases.indexer import clear_indexes
from ragstone.web.errors import PageError, say_error
from ragstone.web.pages.render import STATIC, Renderer
from ragstone.web.pages.routes import page_routes
from ragstone.web.security import Guard, add_headers, require_token
from ragstone.web.state import AppState
from ragstone.web.views import finding_words

if TYPE_CHECKING:
    from fastapi.telemetry import TelemetryConfig

SILENT: "TelemetryConfig" = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""FastAPI can report requests and faults to a collector that the environment names; here it never does.

Versions that cannot do so take no notice of it.
"""


class Assets(StaticFiles):
    """Styles and scripts; their addresses begin with a hash of them all, so that a browser may keep them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Send a file that never changes under its address."""
        response = await super().get_response(path.partition("/")[2] or path, scope)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def create_app(settings: Settings, say: Callable[[str], object] = lambda line: None) -> FastAPI:
    """Build the server; refuse to be open to the world without a token. `say` is called with the lines of its runs."""
    require_token(settings)
    state = AppState(settings, say)
    renderer = Renderer(state)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        state.places.clear_uploads()
        clear_removed(state.places.runs_dir)
        clear_indexes(state.places.runs_dir)
        state.jobs.restore()
        yield
        await state.close()

    app = FastAPI(
        title="Ragstone",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        lifespan=lifespan,
        telemetry=SILENT,
        middleware=[
            Middleware(Guard, settings=settings, lock=state.lock),
            Middleware(GZipMiddleware, minimum_size=1024, compresslevel=5),
        ],
    )
    app.state.shared = state
    # Not `include_router`, which makes every route a second time.
    app.router.routes += [*api_routes(state).routes, *page_routes(state, renderer).routes]
    app.mount("/static", Assets(directory=STATIC))
    describe(app)
    _handle_problems(app, state, renderer)
    return app


def _handle_problems(app: FastAPI, state: AppState, renderer: Renderer) -> None:
    def tell(request: Request, error: UserError, status: int) -> Response:
        lang = state.lang(request)
        if not request.url.path.startswith("/api/"):
            return renderer.page(request, "error.html", {"message": say_error(error, lang)}, status)
        findings, phrases = (error.findings, error.phrases) if isinstance(error, DatasetError) else ((), {})
        told = {"error": {"code": error.code, "message": say_error(error, lang)}}
        shown = [finding_words(one, lang, "", phrases) for one in findings[:200]]
        return JSONResponse(told | {"findings": shown}, status)

    @app.exception_handler(UserError)
    async def user_error(request: Request, error: UserError) -> Response:
        fallback = 409 if isinstance(error, RunError) else 422
        return tell(request, error, error.status if isinstance(error, PageError) else fallback)

    @app.exception_handler(RequestValidationError)
    async def wrong_request(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
        return tell(request, PageError(422, "page.query", field=field, problem=str(first["msg"])), 422)

    @app.exception_handler(HTTPException)
    async def nothing_here(request: Request, error: HTTPException) -> Response:
        return tell(request, PageError(error.status_code, "page.missing"), error.status_code)

    @app.exception_handler(Exception)
    async def bug(request: Request, error: Exception) -> Response:
        response = tell(request, PageError(500, "page.bug", problem=type(error).__name__), 500)
        # Unexpected errors are answered outside the guard, so the headers are set here.
        add_headers(response.headers, request.url.path)
        return response
