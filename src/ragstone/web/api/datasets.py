"""/api/v1: datasets and systems."""

import asyncio
import contextlib
import os
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response

from ragstone.core.types import JSON
from ragstone.web.api.bodies import answer
from ragstone.web.api.openapi import UPLOAD, gives
from ragstone.web.errors import PageError
from ragstone.web.places import Dataset, with_contract
from ragstone.web.sets.keep import PRIVATE, keep_file
from ragstone.web.state import AppState


def dataset_routes(router: APIRouter, state: AppState) -> None:
    """Add what is asked of datasets and systems."""

    @router.get("/datasets", tags=["datasets"], responses=gives("Dataset", many=True))
    async def datasets() -> Response:
        """List the datasets that can be evaluated."""
        return answer([shown_dataset(dataset) for dataset in await asyncio.to_thread(state.places.datasets)])

    @router.get("/check", tags=["datasets"], responses=gives("Checked"))
    async def check(request: Request, dataset: str, contract: str | None = None) -> Response:
        """Look a dataset over before a call is spent: faults with their lines, duplicates, missing documents."""
        checked = await state.check(with_contract(state.places.dataset(dataset), contract))
        return answer(state.hide(checked.shown(state.lang(request))))

    @router.put("/datasets/{name}", tags=["datasets"], status_code=201, responses=UPLOAD, openapi_extra=_ANY_BODY)
    async def upload(request: Request, name: str, contract: str | None = None) -> Response:
        """Take a dataset (the body is the file as it is), look it over, and keep it unless it has faults."""
        temporary = await _receive(request, state, name)
        try:
            dataset = Dataset(name=name, path=temporary, documents=_documents(state))
            checked = await state.check(with_contract(dataset, contract))
            shown = state.hide(checked.shown(state.lang(request), name))
            kept = "" if shown["errors"] else await asyncio.to_thread(keep_file, state.places, temporary, name)
        finally:
            temporary.unlink(missing_ok=True)
        return answer({"dataset": kept or None, **shown}, 201 if kept else 422)

    @router.get("/systems", tags=["systems"], responses=gives("System", many=True))
    async def systems() -> Response:
        """List the systems that can be asked."""
        shown = [
            {"name": choice.name, "label": choice.label, "kind": choice.kind, "system": choice.spec}
            for choice in state.places.systems()
        ]
        return answer(shown)


_ANY_BODY: dict[str, JSON] = {
    "requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string"}}}}
}


def shown_dataset(dataset: Dataset) -> dict[str, JSON]:
    """Tell of a dataset without telling where it lies."""
    try:
        size: int | None = dataset.path.stat().st_size
    except OSError:
        size = None
    return {
        "name": dataset.name,
        "label": dataset.label,
        "contract": dataset.contract,
        "bytes": size,
        "documents": dataset.documents is not None,
        "bundled": dataset.bundled,
    }


def _documents(state: AppState) -> Path | None:
    folder = state.places.datasets_dir / "documents"
    return folder if folder.is_dir() else None


async def _receive(request: Request, state: AppState, name: str) -> Path:
    """Write a body to a hidden file; too much of it, or something that is no JSON, is refused on the way."""
    temporary, target = state.places.new_upload(name), None
    try:
        async for block in request.stream():
            if block and target is None:
                state.places.new_file(name, block)
                target = os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb")
            if block and target is not None:
                await asyncio.to_thread(target.write, block)
        if target is None:
            raise PageError(415, "dataset.empty", file=name)
        target.close()
    except BaseException as error:
        if target is not None:
            with contextlib.suppress(OSError):
                target.close()
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise PageError(507, "page.disk", problem=error.strerror or "?") from error
        raise
    return temporary
