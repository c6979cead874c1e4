"""Logging in and out."""

import asyncio
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from ragstone.web.pages.render import Renderer
from ragstone.web.people import KEEPER
from ragstone.web.security import COOKIE, HTTPS_COOKIE, SESSION_SECONDS, address_of, session_of, speaks_https
from ragstone.web.state import AppState

_WRONG_TOKEN_PAUSE = 0.5


def login_pages(router: APIRouter, state: AppState, renderer: Renderer) -> None:
    """Add the pages to log in and out."""

    def ask(request: Request, following: str, *, wrong: bool = False) -> Response:
        values = {"wrong": wrong, "following": following, "people": bool(state.settings.people)}
        return renderer.page(request, "login.html", values, 401 if wrong else 200)

    @router.get("/")
    async def root() -> Response:
        """Lead to the page."""
        return RedirectResponse("/eval", 307)

    @router.get("/eval/login")
    async def login_page(request: Request) -> Response:
        """Ask for the token."""
        if state.lock.open:
            return RedirectResponse("/eval", 303)
        return ask(request, _local(request.query_params.get("next")))

    @router.post("/eval/login")
    async def login(request: Request) -> Response:
        """Exchange the token for a session."""
        fields = _form(await request.body())
        following = _local(fields.get("next", [""])[0])
        token = fields.get("token", [""])[0]
        person = None if state.lock.open else state.lock.prove(token, address_of(request.scope))
        if person is None:
            await asyncio.sleep(_WRONG_TOKEN_PAUSE)
            return ask(request, following, wrong=True)
        response = RedirectResponse(following, 303)
        secure = speaks_https(request)
        name = HTTPS_COOKIE if secure else COOKIE
        session = state.lock.session(name="" if person is KEEPER else person.name)
        response.set_cookie(name, session, max_age=SESSION_SECONDS, httponly=True, samesite="strict", secure=secure)
        return response

    @router.post("/eval/logout")
    async def logout(request: Request) -> Response:
        """End the session, here and in the browser."""
        state.lock.end(session_of(request.headers))
        response = RedirectResponse("/eval/login", 303)
        response.delete_cookie(COOKIE, httponly=True, samesite="strict")
        response.delete_cookie(HTTPS_COOKIE, httponly=True, samesite="strict", secure=True)
        return response


def _form(body: bytes) -> dict[str, list[str]]:
    try:
        return parse_qs(body.decode("utf-8", "replace"), max_num_fields=10)
    except ValueError:
        return {}


def _local(path: str | None) -> str:
    """Accept only a path of our own as the place to go after logging in."""
    plain = path or ""
    return plain if plain.startswith("/eval") and "\\" not in plain and plain.isprintable() else "/eval"
