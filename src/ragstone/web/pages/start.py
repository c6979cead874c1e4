"""The page on which a run is started, and the one that shows the API."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from ragstone.core.language import Lang, excerpt
from ragstone.core.registry import contract_names
from ragstone.core.types import JSON
from ragstone.datasets.columns import find_columns
from ragstone.runs.store.codec import pretty
from ragstone.text.visible import visible_line
from ragstone.web.api.bodies import MOST_CASES
from ragstone.web.api.datasets import ROWS_SHOWN, shown_dataset
from ragstone.web.datasets.rows import read_sheet
from ragstone.web.history.lines import run_lines
from ragstone.web.pages.render import Renderer
from ragstone.web.places import Dataset, SystemChoice
from ragstone.web.state import AppState

RECENT = 8


def start_pages(router: APIRouter, state: AppState, renderer: Renderer) -> None:
    """Add the pages to start from."""

    @router.get("/eval")
    async def start(request: Request, dataset: str = "", system: str = "") -> Response:
        """Choose a dataset and a system, and press the button."""
        datasets = await asyncio.to_thread(state.places.datasets)
        lines = await asyncio.to_thread(run_lines, state.places.runs_dir, state.lang(request), RECENT)
        named = next((one for one in datasets if one.name == dataset), None)
        # A link that names a dataset which is gone chooses none: another must not be run in its place.
        found = named or (None if dataset else _first(datasets, state.lang(request)))
        systems = state.places.systems()
        values = {
            "datasets": [{**shown_dataset(one), "own": state.places.is_own(one)} for one in datasets],
            "chosen": found.name if found else "",
            "gone": "" if found else dataset,
            "systems": systems,
            "system": system if any(one.name == system for one in systems) else _proposed(systems, found),
            "allowed": ", ".join(state.places.endpoints()),
            "judges": state.places.judges(),
            "contracts": contract_names(),
            "concurrency": state.settings.concurrency,
            "going": going_runs(state),
            "lines": lines,
        }
        return renderer.page(request, "start.html", values)

    @router.get("/eval/dataset")
    async def rows_page(request: Request, name: str, start: Annotated[int, Query(ge=0, le=MOST_CASES)] = 0) -> Response:
        """Show the rows of a dataset for editing."""
        dataset = state.places.dataset(name)
        sheet = await asyncio.to_thread(read_sheet, dataset, start, ROWS_SHOWN)
        values = {
            "dataset": dataset,
            "sheet": sheet,
            "rows": [_row(number, state.hide(row)) for number, row in sheet.rows],
            "start": start,
            "step": ROWS_SHOWN,
            "editable": not state.settings.mask_private,
        }
        return renderer.page(request, "rows.html", values)

    @router.get("/eval/api")
    async def api_page(request: Request) -> Response:
        """Show what programs can do."""
        return renderer.page(request, "api.html", {"routes": _routes_of(request)})


def _row(number: int, row: JSON) -> tuple[int, str, str]:
    """Show a row: its number, what it asks, and all of it as it can be changed."""
    asks = next((value for value in row.values() if isinstance(value, str) and len(value) > 1), "")
    asks = row.get(find_columns(row).question) or asks
    return number, visible_line(excerpt(str(asks), 120)), pretty(row).decode()


def _first(datasets: Sequence[Dataset], lang: Lang) -> Dataset:
    """Choose the user's first dataset; without one, the example in the reader's language."""
    example = "demo-en" if lang == "en" else "demo-zh"
    return next((one for one in datasets if not one.bundled or one.name == example), datasets[0])


def _proposed(systems: Sequence[SystemChoice], dataset: Dataset | None) -> str:
    """Propose a configured system, or the built-in one where there are documents; a dry run is never proposed."""
    kinds = {"configured", "builtin"} if dataset and dataset.documents else {"configured"}
    return next((one.name for one in systems if one.kind in kinds), "")


def going_runs(state: AppState) -> list[dict[str, JSON]]:
    """Show the runs that go on."""
    return [
        {"run_id": job.live.run_id, "dataset": job.order.name or job.order.dataset or job.live.run_id, "live": job.live}
        for job in state.jobs.going()
    ]


def _routes_of(request: Request) -> list[dict[str, str]]:
    schema: dict[str, JSON] = request.app.openapi()
    return [
        {"method": method.upper(), "path": path, "text": str(entry.get("description", ""))}
        for path, methods in schema["paths"].items()
        for method, entry in methods.items()
    ]
