"""/api/v1/drafts: documents in, a drafted dataset out."""

import asyncio
import contextlib
from pathlib import Path
from typing import Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import FileResponse, Response

from ragstone.drafting.make import Plan, require_sound
from ragstone.drafting.rows import ENDINGS
from ragstone.web.api.bodies import answer
from ragstone.web.api.openapi import ANY_BODY, DOCUMENTS, FILES, gives
from ragstone.web.api.receive import receive
from ragstone.web.datasets.documents import add_document, check_document_name, count, folder_of
from ragstone.web.drafts.jobs import Order
from ragstone.web.errors import PageError
from ragstone.web.state import AppState

MOST_QUESTIONS = 10_000


class DraftBody(BaseModel):
    """What to draft, and from which documents."""

    model_config = ConfigDict(extra="forbid")
    draft: str = Field("", max_length=100, description="the name under which its documents were sent; else `name`")
    name: str = Field("", max_length=100, description="what to call the dataset, without its ending; else `draft`")
    documents_of: str = Field(
        "", max_length=500, description="a dataset whose documents are used; left out, those sent to /drafts/documents"
    )
    contract: Literal["key_points", "legal_rag", "eval_json_v2", "prompt_task"] = "key_points"
    size: int = Field(100, ge=1, le=MOST_QUESTIONS)
    seed: int = Field(7, ge=0, le=2**31)
    abstain: float = Field(0.0, ge=0, le=0.9, description="share of questions without an answer; legal_rag only")


def draft_routes(router: APIRouter, state: AppState) -> None:
    """Add what is asked of drafts."""

    @router.put("/drafts/documents", tags=["drafts"], status_code=201, responses=DOCUMENTS, openapi_extra=ANY_BODY)
    async def documents(request: Request, draft: str, name: str, begin: bool = False) -> Response:
        """Receive a document for the set `draft`, before it is drafted: Markdown, text, PDF, Word, or a zip of them.

        With `begin` it is the first one: documents that lie under this name already are somebody else's, and refused.
        """
        folder = _new_folder(state, draft)
        if begin and count(folder):
            raise PageError(409, "page.documents_there", name=draft, number=count(folder))
        temporary = await receive(request, state, name, check_document_name, empty="documents.blank")
        try:
            most = state.settings.max_upload_mb << 20
            number = await asyncio.to_thread(add_document, folder, name, temporary, most)
        finally:
            temporary.unlink(missing_ok=True)
        return answer({"documents": number}, 201)

    @router.post("/drafts", tags=["drafts"], status_code=202, responses=gives("Draft", status=202))
    async def start(request: Request, body: DraftBody) -> Response:
        """Draft a dataset; every gold point carries the quotation that proves it."""
        plan = Plan(size=body.size, contract=body.contract, seed=body.seed, abstain=body.abstain)
        require_sound(plan)
        name = body.name or body.draft
        folder = await asyncio.to_thread(_documents, state, body, name)
        order = Order(name=name, documents=folder, documents_of=body.documents_of, plan=plan, lang=state.lang(request))
        return answer(state.drafting.start(order), 202)

    @router.get("/drafts/{draft_id}", tags=["drafts"], responses=gives("Draft"))
    async def stands(draft_id: str) -> Response:
        """Return how a set stands."""
        return answer(state.drafting.find(draft_id))

    @router.get("/dataset-file", tags=["datasets"], responses=FILES)
    async def file(dataset: str) -> Response:
        """Download a dataset as it is; refused where private details are hidden."""
        found = state.places.dataset(dataset)
        if state.settings.mask_private or not found.path.is_file():
            raise PageError(409, "page.not_rows", name=dataset)
        return FileResponse(found.path, media_type="application/octet-stream", filename=found.path.name)


def _new_folder(state: AppState, name: str) -> Path:
    """Return where the documents of a set go that is not drafted yet."""
    places = [_place(state, name, ending) for ending in sorted(set(ENDINGS.values()))]
    if any(place.exists() for place in places):
        raise PageError(409, "import.taken", file=name)
    return folder_of(places[0])


def _place(state: AppState, name: str, ending: str) -> Path:
    """Return where a dataset of this name goes; what is given is a name without an ending."""
    try:
        return state.places.new_place(f"{name}{ending}")
    except PageError as error:
        if error.code == "page.file_name":
            raise PageError(422, "page.draft_name", name=name) from error
        raise


def _documents(state: AppState, body: DraftBody, name: str) -> Path:
    """Find the documents to draft from; those that were sent under another name get that of the dataset."""
    own = ENDINGS[body.contract]
    place = _place(state, name, own)
    if any(_place(state, name, ending).exists() for ending in {*ENDINGS.values()} - {own}):
        # Two datasets of one name would have one folder of documents.
        raise PageError(409, "import.taken", file=name)
    if body.documents_of:
        folder = state.places.dataset(body.documents_of).documents
    else:
        folder = _renamed(state, body.draft, folder_of(place), name) if body.draft else folder_of(place)
    if folder is None or not folder.is_dir():
        raise PageError(422, "page.no_documents")
    return folder


def _renamed(state: AppState, draft: str, folder: Path, name: str) -> Path:
    """Rename uploaded documents after their dataset."""
    if draft == name or not (sent := _new_folder(state, draft)).is_dir():
        return folder
    if number := count(_new_folder(state, name)):
        raise PageError(409, "page.documents_there", name=name, number=number)
    with contextlib.suppress(OSError):
        folder.rmdir()  # an empty one may be left of an upload that was refused
    return sent.rename(folder)
