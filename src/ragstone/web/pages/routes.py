"""The routes of all pages."""

from fastapi import APIRouter

from ragstone.web.drafts.page import draft_pages
from ragstone.web.pages.history import history_pages
from ragstone.web.pages.login import login_pages
from ragstone.web.pages.matrix import matrix_pages
from ragstone.web.pages.render import Renderer
from ragstone.web.pages.run import run_pages
from ragstone.web.pages.start import start_pages
from ragstone.web.review.pages import review_pages
from ragstone.web.state import AppState


def page_routes(state: AppState, renderer: Renderer) -> APIRouter:
    """Return the routes of the pages."""
    router = APIRouter(include_in_schema=False)
    pages = (login_pages, start_pages, run_pages, matrix_pages, history_pages, draft_pages, review_pages)
    for add in pages:
        add(router, state, renderer)
    return router
