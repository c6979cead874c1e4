"""/api/v1: datasets, their documents and their rows."""

import asyncio
from pathlib import Path
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query, Request
from msgspec import structs
from starlette.responses import Response

from ragstone.core.errors import UserError
from ragstone.core.language import Lang
from ragstone.core.types import JSON
from ragstone.datasets.columns import read_map
from ragstone.runs.store.fingerprint import file_sha256
from ragstone.web.api.bodies import MOST_CASES, RowBody, answer
from ragstone.web.api.openapi import ANY_BODY, DOCUMENTS, UPLOAD, gives
from ragstone.web.api.receive import receive
from ragstone.web.datasets.documents import add_document, check_document_name, count, folder_of
from ragstone.web.datasets.files import store_file, write_private
from ragstone.web.datasets.metadata import Metadata, write_metadata
from ragstone.web.datasets.rows import changed, columns_of, read_sheet
from ragstone.web.errors import PageError
from ragstone.web.places import Dataset, with_contract
from ragstone.web.state import AppState, look_over

ROWS_SHOWN = 50
"""Rows of a dataset that are shown at a time."""


def dataset_routes(router: APIRouter, state: AppState) -> None:
    """Add what is asked of datasets."""

    @router.get("/datasets", tags=["datasets"], responses=gives("Dataset", many=True))
    async def datasets() -> Response:
        """List the datasets that can be evaluated."""
        return answer([shown_dataset(dataset) for dataset in await asyncio.to_thread(state.places.datasets)])

    @router.get("/check", tags=["datasets"], responses=gives("Checked"))
    async def check(request: Request, dataset: str, contract: str | None = None) -> Response:
        """Check a dataset before a call is spent: faults with their lines, duplicates, missing documents."""
        found = with_contract(state.places.dataset(dataset), contract)
        checked = await state.check(found)
        documents = await asyncio.to_thread(count, found.documents)
        return answer(state.hide({**checked.shown(state.lang(request)), "documents": documents}))

    @router.put("/datasets/{name}", tags=["datasets"], status_code=201, responses=UPLOAD, openapi_extra=ANY_BODY)
    async def upload(
        request: Request,
        name: str,
        contract: str | None = None,
        columns: Annotated[str, Query(alias="map", max_length=4000)] = "",
    ) -> Response:
        """Receive a dataset (the body is the file as it is), check it, and keep it unless it has faults.

        `map` is an object that names the columns of a table: question, gold, documents, id.
        """
        metadata = Metadata(options={"map": _map(columns)}, contract="key_points") if columns else Metadata()
        temporary = await receive(request, state, name, state.places.new_file)
        try:
            dataset = Dataset(
                name=name,
                path=temporary,
                documents=_documents(state),
                contract=metadata.contract,
                options=metadata.options,
            )
            checked = await state.check(with_contract(dataset, contract))
            shown = state.hide(checked.shown(state.lang(request), name))
            kept = "" if shown["errors"] else await asyncio.to_thread(store_file, state.places, temporary, name)
            if kept and columns:
                write_metadata(state.places.datasets_dir, kept, metadata)
            more = {} if kept else await asyncio.to_thread(_table, temporary)
        finally:
            temporary.unlink(missing_ok=True)
        return answer({"dataset": kept or None, **shown, **more}, 201 if kept else 422)

    @router.put("/documents", tags=["datasets"], status_code=201, responses=DOCUMENTS, openapi_extra=ANY_BODY)
    async def documents(request: Request, dataset: str, name: str) -> Response:
        """Receive a document of a dataset: Markdown, text, PDF, Word, or a zip of them."""
        found = state.places.dataset(dataset)
        if not state.places.is_own(found):
            raise PageError(422, "page.own_documents", name=dataset)
        temporary = await receive(request, state, name, check_document_name, empty="documents.blank")
        try:
            folder, most = folder_of(found.path), state.settings.max_upload_mb << 20
            number = await asyncio.to_thread(add_document, folder, name, temporary, most)
        finally:
            temporary.unlink(missing_ok=True)
        return answer({"documents": number}, 201)

    @router.get("/rows", tags=["datasets"], responses=gives("Rows"))
    async def rows(dataset: str, start: Annotated[int, Query(ge=0, le=MOST_CASES)] = 0) -> Response:
        """Read the rows of a dataset, some at a time, and its hash."""
        sheet = await asyncio.to_thread(read_sheet, state.places.dataset(dataset), start, ROWS_SHOWN)
        shown = [{"number": number, "row": state.hide(row)} for number, row in sheet.rows]
        return answer({"rows": shown, "more": sheet.more, "sha256": sheet.sha256})

    @router.put("/rows", tags=["datasets"], status_code=201, responses=UPLOAD)
    async def change_row(request: Request, dataset: str, number: int, body: RowBody) -> Response:
        """Change a row: the dataset stays, a new version of it is checked and kept."""
        if state.settings.mask_private:
            # What is shown hides something: to write it down would lose it.
            raise PageError(409, "page.not_rows", name=dataset)
        found = state.places.dataset(dataset)
        name, content = await asyncio.to_thread(changed, found, number, body.row)
        metadata = Metadata(made_from=dataset)
        kept, shown = await asyncio.to_thread(_new_version, state, found, name, content, metadata, state.lang(request))
        return answer({"dataset": kept or None, **shown}, 201 if kept else 422)


def _new_version(
    state: AppState, dataset: Dataset, name: str, content: bytes, metadata: Metadata, lang: Lang
) -> tuple[str, dict[str, JSON]]:
    """Check a version and keep it unless it has faults."""
    temporary = state.places.new_upload(name)
    try:
        write_private(temporary, content)
        shown = look_over(structs.replace(dataset, path=temporary)).shown(lang, name)
        if shown["errors"]:
            return "", shown
        sha256 = file_sha256(temporary)
        kept = store_file(state.places, temporary, name)
    finally:
        temporary.unlink(missing_ok=True)
    write_metadata(state.places.datasets_dir, kept, metadata)
    return kept, {**shown, "sha256": sha256}


def _map(text: str) -> dict[str, JSON]:
    """Read what a user says of columns."""
    try:
        pairs = msgspec.json.decode(text, type=dict[str, str])
        return dict(read_map({name: column for name, column in pairs.items() if column}))
    except (msgspec.DecodeError, RecursionError, UserError) as error:
        raise PageError(422, "page.query", field="map", problem=str(error)[:200]) from error


def _table(path: Path) -> dict[str, JSON]:
    """Return the columns of a table and what they seem to hold; nothing for other files."""
    try:
        names, guessed = columns_of(path)
    except (UserError, OSError, ValueError):
        return {}
    return {"columns": names, "guessed": guessed} if names else {}


def shown_dataset(dataset: Dataset) -> dict[str, JSON]:
    """Return the facts about a dataset without its path."""
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
        "made_from": dataset.made_from,
    }


def _documents(state: AppState) -> Path | None:
    folder = state.places.datasets_dir / "documents"
    return folder if folder.is_dir() else None
