"""What all routes share: the places, the runs that go on, the indexes, the login."""

import asyncio
import contextlib
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request

from ragstone.core.errors import DatasetError, UserError
from ragstone.core.language import LANGS, Lang, Text, pick_language
from ragstone.core.settings import Settings
from ragstone.core.types import JSON
from ragstone.datasets.check import Survey, open_contract, survey, with_usual
from ragstone.datasets.glossary import OPTION as GLOSSARY
from ragstone.datasets.glossary import oddities
from ragstone.reading.private import mask_private_in
from ragstone.web.admission import PageGuard
from ragstone.web.cases.compared import Comparisons, file_stamp
from ragstone.web.cases.index import Index, Indexes
from ragstone.web.cases.stored import Stored, open_run
from ragstone.web.drafts.jobs import Drafting
from ragstone.web.errors import say_error
from ragstone.web.jobs import Job, Jobs
from ragstone.web.people import People
from ragstone.web.places import Dataset, Places
from ragstone.web.review.reviews import Reviews
from ragstone.web.security import ENDED_FILE, Lock
from ragstone.web.views import finding_words

MOST_FINDINGS = 200
"""Findings shown of one dataset."""
KEPT_SURVEYS = 64
LANG_COOKIE = "ragstone_lang"
THEME_COOKIE = "ragstone_theme"


class Checked(Struct, frozen=True, kw_only=True):
    """The result of checking a dataset; `problem` when it could not be opened."""

    contract: str = ""
    survey: Survey | None = None
    problem: UserError | None = None
    phrases: Mapping[str, Text] = {}
    """The contract's own sentences for what it found."""

    def shown(self, lang: Lang, file: str = "") -> dict[str, JSON]:
        """Return it as JSON for browsers."""
        found = self.survey
        findings = found.findings if found else getattr(self.problem, "findings", ())
        errors = found.errors if found else max(1, len(findings))
        phrases = self.phrases or getattr(self.problem, "phrases", {})
        return {
            "contract": self.contract,
            "cases": found.cases if found else 0,
            "distinct": found.distinct_questions if found else 0,
            "errors": errors,
            "warnings": found.warnings if found else 0,
            "problem": say_error(self.problem, lang, file) if self.problem else "",
            "findings": [finding_words(one, lang, file, phrases) for one in findings[:MOST_FINDINGS]],
            "more": max(0, len(findings) - MOST_FINDINGS),
        }


class AppState:
    """What all routes of one server use."""

    def __init__(self, settings: Settings, say: Callable[[str], object] = lambda line: None) -> None:
        self.settings = settings
        self._say = say
        self.places = Places(settings)
        self.guard = PageGuard(self.places)
        self.indexes = Indexes()
        people = People(Path(settings.people)) if settings.people else None
        self.lock = Lock(settings.token, self.places.runs_dir / ENDED_FILE, people)
        self.reviews = Reviews(settings, self.places.runs_dir, self.guard, several=people is not None)
        self._looking = asyncio.Semaphore(2)
        self._jobs: Jobs | None = None
        self._surveys: OrderedDict[tuple[object, ...], Checked] = OrderedDict()
        self.drafting = Drafting(self.places)
        self.comparisons = Comparisons(settings, self.guard, self.indexes)
        self._later: set[asyncio.Task[None]] = set()

    @property
    def jobs(self) -> Jobs:
        """The runs that go on; they belong to the server's event loop, so they begin with it."""
        if self._jobs is None:
            self._jobs = Jobs(self.places, changed=self.indexes.forget, made=self.indexes.of, say=self._say)
        return self._jobs

    async def close(self) -> None:
        """Stop what goes on and give back what is held."""
        if self._jobs is not None:
            await self._jobs.close()
        self.indexes.close()
        self.reviews.close()

    def lang(self, request: Request) -> Lang:
        """Choose the language of a page: what was chosen, what is set, what the browser prefers."""
        chosen = request.query_params.get("lang") or request.cookies.get(LANG_COOKIE)
        if chosen in LANGS:
            return pick_language(chosen)
        return pick_language(self.settings.language, request.headers.get("accept-language"))

    async def check(self, dataset: Dataset) -> Checked:
        """Check a dataset; the result is cached until the file changes."""
        words = self.settings.reading.glossary
        key = (dataset.path, dataset.contract, dataset.documents, file_stamp(dataset.path), file_stamp(Path(words)))
        if key not in self._surveys:
            # A long dataset takes its time; the threads that serve pages are few.
            async with self._looking:
                self._surveys[key] = await asyncio.to_thread(look_over, dataset, words)
            if len(self._surveys) > KEPT_SURVEYS:
                self._surveys.popitem(last=False)
        return self._surveys[key]

    def hide(self, value: JSON) -> JSON:
        """Return the facts about a dataset without what this server's readers may not see."""
        return mask_private_in(value) if self.settings.mask_private else value

    async def stored(self, run_id: str) -> Stored:
        """Open a run."""
        return await asyncio.to_thread(open_run, self.places.run_path(run_id), mask=self.settings.mask_private)

    async def index(self, run_id: str, enough: int = 0) -> Index:
        """Return the index of a run's cases, in step with its file, or with the first rows where those are enough."""
        return await asyncio.to_thread(self.indexes.of, self.places.run_path(run_id), enough)

    def complete(self, index: Index) -> None:
        """Bring an index up to date in the background."""
        task = asyncio.create_task(asyncio.to_thread(_refresh, index))
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    def job(self, run_id: str) -> Job | None:
        """Return what this server does about a run."""
        return self.jobs.find(run_id)


def _refresh(index: Index) -> None:
    with contextlib.suppress(UserError, OSError, sqlite3.Error):  # whoever needs it gets the error
        index.refresh()


def look_over(dataset: Dataset, glossary: str = "") -> Checked:
    """Walk through a dataset, and the settings' glossary, as `ragstone check` does."""
    usual = {GLOSSARY: glossary}
    try:
        opened = open_contract(
            dataset.path, name=dataset.contract, documents=dataset.documents, options=dataset.options, usual=usual
        )
        odd = oddities(with_usual(opened, dataset.options, usual))
        found = survey(opened, dataset.path, thorough=True, beside=odd)
        return Checked(contract=opened.name, survey=found, phrases=opened.phrases)
    except UserError as error:
        return Checked(problem=error)
    except OSError as error:
        return Checked(problem=DatasetError("dataset.unreadable", file=dataset.path.name, problem=str(error.strerror)))
