"""Drafting on the page: one set at a time, each watched by asking how it stands."""

import asyncio
import logging
import secrets
from collections import Counter
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

from ragstone.core.errors import SettingError, UserError
from ragstone.core.language import Lang
from ragstone.core.messages import phrase
from ragstone.core.types import Finding
from ragstone.drafting.corpus import read_corpus
from ragstone.drafting.draft import MISSED, REFUSED, STOPPED
from ragstone.drafting.draw import Drawn
from ragstone.drafting.make import Plan, make
from ragstone.drafting.rows import ENDINGS, OPTIONS, write_rows
from ragstone.web.datasets.documents import ENDING, count
from ragstone.web.datasets.files import store_bytes
from ragstone.web.datasets.metadata import Metadata
from ragstone.web.errors import PageError, say_error
from ragstone.web.places import Places

MOST_WAITING = 5
"""Sets that may wait their turn."""
KEPT = 50
"""Finished jobs that are still listed; their datasets stay."""
_log = logging.getLogger("ragstone.web")


class Order(Struct, frozen=True, kw_only=True):
    """What a browser asked for."""

    name: str
    """What the dataset is to be called, without its ending."""
    documents: Path
    documents_of: str = ""
    """The dataset whose documents they are; without one they are the new dataset's own."""
    plan: Plan
    lang: Lang = "zh-Hans"


class DraftState(Struct, frozen=True, kw_only=True):
    """The state of a drafting job, as sent to browsers."""

    id: str
    state: Literal["queued", "running", "complete", "failed"] = "queued"
    dataset: str = ""
    drafted: int = 0
    wished: int = 0
    documents: int = 0
    used: int = 0
    absent: int = 0
    """Questions without an answer."""
    absent_wished: int = 0
    missed: dict[str, int] = {}
    """Why there are fewer: other questions that could not be turned into such, by what is said of the reason."""
    kinds: dict[str, int] = {}
    difficulties: dict[str, int] = {}
    refused: dict[str, int] = {}
    """How many were refused, by what is said of the reason."""
    passed_over: tuple[str, ...] = ()
    """What is said of files that could not be read, or are empty."""
    stopped: str = ""
    error: str = ""


class Drafting:
    """The sets one server drafts."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._told: dict[str, DraftState] = {}
        self._turn = asyncio.Semaphore(1)
        self._tasks: set[asyncio.Task[None]] = set()
        self._going: dict[str, Path] = {}
        """Of the sets that are not over, the documents."""

    def find(self, name: str) -> DraftState:
        """Return how a set stands."""
        if name not in self._told:
            raise PageError(404, "page.missing")
        return self._told[name]

    def left(self) -> dict[str, int]:
        """Documents that were brought for a set that was never made, by their name; how many there are of each."""
        places = self._places.datasets_dir
        folders = [path for path in sorted(places.glob(f"*{ENDING}")) if path.is_dir()]
        taken = {path.name.partition(".")[0] for path in places.glob("*") if path.is_file()}
        taken |= {path.name.partition(".")[0] for path in self._going.values()}
        free = [path for path in folders if path.name.partition(".")[0] not in taken]
        return {path.name.removesuffix(ENDING): n for path in free if (n := count(path))}

    def start(self, order: Order) -> DraftState:
        """Begin a set when its turn comes."""
        if len(self._tasks) > MOST_WAITING:
            raise PageError(429, "page.queue", number=len(self._tasks))
        told = DraftState(id=secrets.token_hex(8), wished=order.plan.size)
        for old in list(self._told)[: max(0, len(self._told) - KEPT)]:
            del self._told[old]
        self._told[told.id] = told
        self._going[told.id] = order.documents
        task = asyncio.create_task(self._work(told, order))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return told

    async def _work(self, told: DraftState, order: Order) -> None:
        async with self._turn:
            self._told[told.id] = structs.replace(told, state="running")
            try:
                done = await asyncio.to_thread(self._draft, told, order)
            except UserError as error:
                done = structs.replace(self._told[told.id], state="failed", error=say_error(error, order.lang))
            except Exception as error:  # noqa: BLE001 - the boundary: one broken set must not take the page with it
                _log.exception("draft %s", order.name)
                bug = PageError(500, "page.bug", problem=type(error).__name__)
                done = structs.replace(told, state="failed", error=say_error(bug, order.lang))
            self._told[told.id] = done
            del self._going[told.id]

    def _draft(self, told: DraftState, order: Order) -> DraftState:
        """Draft the set and keep it as a dataset."""
        contract = order.plan.contract
        notes: list[Finding] = []
        drawn = make(read_corpus(order.documents, notes.append), order.plan)
        told = structs.replace(told, passed_over=tuple(phrase({}, one.code, one.params, order.lang) for one in notes))
        self._told[told.id] = structs.replace(told, state="running")
        refused = {REFUSED[name].say(order.lang): number for name, number in drawn.refused.items()}
        if not drawn.documents:
            raise SettingError("draft.empty", folder=order.name)
        if not drawn.drafts:
            reasons = "; ".join(f"{name} {number}" for name, number in refused.items()) or STOPPED[""].say(order.lang)
            raise SettingError("draft.no_facts", folder=order.name, documents=drawn.documents, reasons=reasons)
        metadata = Metadata(contract=contract, options=OPTIONS.get(contract, {}), documents_of=order.documents_of)
        name = f"{order.name}{ENDINGS[contract]}"
        kept = store_bytes(self._places, name, write_rows(drawn.drafts, contract), metadata)
        return _over(told, drawn, kept, refused, order.lang)


def _over(told: DraftState, drawn: Drawn, dataset: str, refused: dict[str, int], lang: Lang) -> DraftState:
    return structs.replace(
        told,
        state="complete",
        dataset=dataset,
        drafted=len(drawn.drafts),
        documents=drawn.documents,
        used=drawn.used,
        absent=drawn.absent,
        absent_wished=drawn.absent_wished,
        missed={MISSED[name].say(lang): number for name, number in drawn.missed.items()},
        kinds=dict(Counter(one.kind for one in drawn.drafts)),
        difficulties=dict(Counter(one.difficulty for one in drawn.drafts)),
        refused=refused,
        stopped=STOPPED[drawn.stopped].say(lang) if len(drawn.drafts) < drawn.wished else "",
    )
