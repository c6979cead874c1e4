"""The pages: what a browser is shown. Templates escape everything; only charts drawn here are let through."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import msgspec
from fastapi import APIRouter, Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from msgspec import structs
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ragstone.core.errors import UserError
from ragstone.core.language import LANGS, Lang
from ragstone.core.registry import contract_names
from ragstone.core.types import JSON, Block, Change, Comparison
from ragstone.report.charts import bar
from ragstone.report.console import show_value
from ragstone.report.notices import notices
from ragstone.text.visible import visible_block
from ragstone.web import views
from ragstone.web.api import downloads as artefacts
from ragstone.web.api.routes import case_view, compare_runs, shown_dataset
from ragstone.web.cases.grid import grid_of
from ragstone.web.cases.index import Index
from ragstone.web.cases.stored import Stored
from ragstone.web.errors import PageError, say_error
from ragstone.web.jobs import Job, is_busy
from ragstone.web.labels import TOLD, label
from ragstone.web.places import Dataset, SystemChoice
from ragstone.web.security import (
    COOKIE,
    HTTPS_COOKIE,
    SESSION_SECONDS,
    address_of,
    csrf_of,
    session_of,
    speaks_https,
)
from ragstone.web.state import LANG_COOKIE, THEME_COOKIE, AppState
from ragstone.web.words import say, script_words

HERE = Path(__file__).parent
STATIC = HERE / "static"
RECENT = 8
CHANGES_SHOWN = 50
GRID_LINES = 200
"""Cases of a matrix on one page."""
LANGUAGE_NAMES: dict[Lang, str] = {"zh-Hans": "简体中文", "zh-Hant": "繁體中文", "en": "English"}
_WRONG_TOKEN_PAUSE = 0.5


def assets_version() -> str:
    """Hash what is served beside the pages, so that a browser keeps it until it changes."""
    content = b"".join(path.read_bytes() for path in sorted(STATIC.iterdir()) if path.is_file())
    return hashlib.sha256(content).hexdigest()[:12]


class Painter:
    """Fills templates."""

    def __init__(self, state: AppState) -> None:
        self._state = state
        self._assets = assets_version()
        self._environment = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=_seen,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters["chart"] = Markup
        self._environment.filters["number"] = lambda value: f"{value:,}"
        self._environment.filters["tree"] = _tree
        self._environment.globals["told"] = TOLD
        self._environment.filters["json"] = lambda value: msgspec.json.encode(value).decode()

    def page(self, request: Request, template: str, values: Mapping[str, object], status: int = 200) -> Response:
        """Fill a template and remember the language that was chosen."""
        lang = self._state.lang(request)
        theme = request.cookies.get(THEME_COOKIE, "")
        content = self._environment.get_template(template).render(
            lang=lang,
            languages=LANGUAGE_NAMES,
            theme=theme if theme in {"light", "dark"} else "",
            t=lambda name, **places: say(name, lang, **places),
            label=lambda name, more=None: label(name, lang, more),
            asset=lambda name: f"/static/{self._assets}/{name}",
            csrf=csrf_of(request, self._state.lock),
            locked=not self._state.lock.open,
            here=request.url.path,
            script_words=script_words(lang),
            show_value=show_value,
            **values,
        )
        response = HTMLResponse(content, status)
        if request.query_params.get("lang") in LANGS:
            response.set_cookie(LANG_COOKIE, lang, max_age=365 * 86400, samesite="strict")
        return response


def _seen(value: object) -> object:
    """Take out of any text what moves a cursor or turns writing round; escaping follows."""
    return value if not isinstance(value, str) or isinstance(value, Markup) else visible_block(value)


def _tree(value: JSON) -> JSON:
    """Say what kind of node a value is, so that a template can show it."""
    if isinstance(value, dict):
        return {"kind": "table", "items": value.items()}
    if isinstance(value, list | tuple):
        return {"kind": "list", "items": value}
    return {"kind": "leaf", "items": "–" if value is None else str(value)}


def page_routes(state: AppState, painter: Painter) -> APIRouter:
    """Return the routes of the pages."""
    router = APIRouter(include_in_schema=False)
    _login(router, state, painter)
    _start(router, state, painter)
    _run(router, state, painter)
    _history(router, state, painter)
    return router


# --- logging in ---


def _login(router: APIRouter, state: AppState, painter: Painter) -> None:
    @router.get("/")
    async def root() -> Response:
        """Lead to the page."""
        return RedirectResponse("/eval", 307)

    @router.get("/eval/login")
    async def login_page(request: Request) -> Response:
        """Ask for the token."""
        if state.lock.open:
            return RedirectResponse("/eval", 303)
        return painter.page(
            request, "login.html", {"wrong": False, "following": _local(request.query_params.get("next"))}
        )

    @router.post("/eval/login")
    async def login(request: Request) -> Response:
        """Take the token, give a session."""
        fields = _form(await request.body())
        following = _local(fields.get("next", [""])[0])
        if state.lock.open or not state.lock.prove(fields.get("token", [""])[0], address_of(request.scope)):
            await asyncio.sleep(_WRONG_TOKEN_PAUSE)
            return painter.page(request, "login.html", {"wrong": True, "following": following}, 401)
        response = RedirectResponse(following, 303)
        secure = speaks_https(request)
        name = HTTPS_COOKIE if secure else COOKIE
        session = state.lock.session()
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


# --- starting ---


def _start(router: APIRouter, state: AppState, painter: Painter) -> None:
    @router.get("/eval")
    async def start(request: Request, dataset: str = "", system: str = "") -> Response:
        """Choose a dataset and a system, and press the button."""
        datasets = await asyncio.to_thread(state.places.datasets)
        lines = await asyncio.to_thread(views.run_lines, state.places.runs_dir, state.lang(request), RECENT)
        found = next((one for one in datasets if one.name == dataset), None) or _first(datasets, state.lang(request))
        systems = state.places.systems()
        values = {
            "datasets": [shown_dataset(one) for one in datasets],
            "chosen": found.name,
            "systems": systems,
            "system": system if any(one.name == system for one in systems) else _proposed(systems, found),
            "allowed": ", ".join(state.places.endpoints()),
            "contracts": contract_names(),
            "concurrency": state.settings.concurrency,
            "going": _going(state),
            "lines": lines,
        }
        return painter.page(request, "start.html", values)

    @router.get("/eval/api")
    async def api_page(request: Request) -> Response:
        """Show what programs can do."""
        return painter.page(request, "api.html", {"routes": _routes_of(request)})


def _first(datasets: Sequence[Dataset], lang: Lang) -> Dataset:
    """Choose the user's first dataset; without one, the example in the reader's language."""
    example = "demo-en" if lang == "en" else "demo-zh"
    return next((one for one in datasets if not one.bundled or one.name == example), datasets[0])


def _proposed(systems: Sequence[SystemChoice], dataset: Dataset) -> str:
    """Propose a configured system, or the built-in one where there are documents; a dry run is never proposed."""
    kinds = {"configured", "builtin"} if dataset.documents else {"configured"}
    return next((one.name for one in systems if one.kind in kinds), "")


def _going(state: AppState) -> list[dict[str, JSON]]:
    return [
        {"run_id": job.live.run_id, "dataset": job.order.dataset or job.live.run_id, "live": job.live}
        for job in state.jobs.going()
    ]


def _routes_of(request: Request) -> list[dict[str, str]]:
    schema: dict[str, JSON] = request.app.openapi()
    return [
        {"method": method.upper(), "path": path, "text": str(entry.get("description", ""))}
        for path, methods in schema["paths"].items()
        for method, entry in methods.items()
    ]


# --- a run ---


def _run(router: APIRouter, state: AppState, painter: Painter) -> None:
    @router.get("/eval/runs/{run_id}")
    async def run_page(request: Request, run_id: str, model: str = "") -> Response:
        """Watch a run, and see what it came to."""
        job = state.job(run_id)
        try:
            stored = await state.stored(run_id)
        except UserError:
            if job is None:
                raise
            return painter.page(request, "run.html", _waiting(state, job))
        lang = state.lang(request)
        values = await asyncio.to_thread(_run_values, state, stored, job, model, lang)
        return painter.page(request, "run.html", values)

    @router.get("/eval/runs/{run_id}/matrix")
    async def matrix_page(request: Request, run_id: str, differ: bool = False, start: int = 0) -> Response:
        """See how every model did on every case."""
        stored, index = await state.stored(run_id), await state.index(run_id)
        begin = max(0, start)
        grid = await asyncio.to_thread(grid_of, index, begin, GRID_LINES, differing=differ)
        values = {"stored": stored, "run_id": run_id, "title": views.title_of(stored), "grid": grid, "start": begin}
        values |= {"differ": differ, "step": GRID_LINES, "dry_run": stored.dry_run, "hide": stored.hide}
        return painter.page(request, "matrix.html", values)

    @router.get("/eval/runs/{run_id}/matrix/{case}")
    async def side_by_side(request: Request, run_id: str, case: int) -> Response:
        """See what every model answered to one case, what differs marked, the contexts beside it."""
        stored, index = await state.stored(run_id), await state.index(run_id)
        rows = await asyncio.to_thread(index.rows_of, case)
        if not rows:
            raise PageError(404, "page.case", run=run_id, number=case)
        answers = await asyncio.to_thread(views.side_by_side, rows, stored, state.lang(request), state.guard)
        values = {"run_id": run_id, "title": views.title_of(stored), "answers": answers, "dry_run": stored.dry_run}
        return painter.page(request, "sides.html", values)

    @router.get("/eval/runs/{run_id}/cases/{number}")
    async def case_page(request: Request, run_id: str, number: int) -> Response:
        """See one case."""
        stored = await state.stored(run_id)
        case = await case_view(state, run_id, number, state.lang(request))
        total = len(await state.index(run_id))
        values = {"case": case, "run_id": run_id, "title": views.title_of(stored), "total": total}
        values |= {"names": views.names_of(stored), "dry_run": stored.dry_run}
        return painter.page(request, "case.html", values)


def _waiting(state: AppState, job: Job) -> dict[str, object]:
    """What is shown of a run that has no folder yet."""
    return {
        "stored": None,
        "run_id": job.live.run_id,
        "title": job.order.dataset,
        "live": job.live,
        "state": job.live.state,
        "going": not job.over,
        "elsewhere": False,
        "findings": state.hide([views.finding_words(one, job.order.reader) for one in job.live.findings[:50]]),
        "figures": [],
        "block": None,
        "notices": [],
    }


def _run_values(state: AppState, stored: Stored, job: Job | None, model: str, lang: Lang) -> dict[str, object]:
    index = state.indexes.of(stored.folder)
    going = job is not None and not job.over
    chosen = stored.choose(model)
    figures = stored.figures(chosen)
    blocks = job.live.blocks if job is not None and going else {}
    first = next(iter(blocks.values()), None) if not chosen else None
    block = blocks.get(chosen) or first or (figures.all if figures else None)
    status = job.live.state if job is not None else str(stored.meta.get("status"))
    elsewhere = job is None and status == "running" and is_busy(stored.folder)
    return {
        "stored": stored,
        "run_id": stored.run_id,
        "title": views.title_of(stored),
        "live": job.live if job else None,
        "state": status if status != "running" or going or elsewhere else "partial",
        "going": going,
        "elsewhere": elsewhere,
        "findings": [],
        "notices": notices(stored.summary, lang) if stored.summary and not going else [],
        "dry_run": stored.dry_run,
        "mark": views.mark_of(stored, block, lang),
        "model": chosen,
        "block": block,
        "failed": sum(one.all.errored for one in stored.summary.models.values()) if stored.summary else 0,
        "figures": views.figures_of(block, stored.specs, lang) if block else _empty(stored, lang),
        "costs": figures.costs if figures and not going else None,
        "groups": views.groups_of(figures, stored, lang) if figures and not going else {},
        "chart": views.distribution_of(index, chosen, lang) if len(index) else "",
        "tags": index.tags(chosen),
        "names": views.names_of(stored),
        "asked": index.total(chosen),
        "errors": views.errors_of(index, stored, lang, chosen),
        "notes": views.notes_of(index, stored, lang, chosen) if len(index) else [],
        "facts": views.facts_of(stored),
        "files": artefacts.names(stored.folder),
        "created": views.when(stored.meta.get("created")),
        "models": _models(stored, lang),
    }


def _empty(stored: Stored, lang: Lang) -> list[views.Shown]:
    """Show the metrics a run will have before the first case is in."""
    block = Block(cases=0, scored=0, errored=0, unparsed=0, passed=0, pass_rate=None, primary_score=None, metrics={})
    shown = views.figures_of(block, (), lang)
    return shown + [
        views.Shown(
            name=spec.name, label=spec.label.say(lang), value="–", kind=spec.kind, bar=bar(None), n=0, headline=True
        )
        for spec in stored.specs
        if spec.headline
    ]


def _models(stored: Stored, lang: Lang) -> list[dict[str, object]]:
    """Show several models side by side."""
    if stored.summary is None or len(stored.summary.models) < 2:
        return []
    return [
        {"name": name, "figures": views.figures_of(one.all, stored.headlines, lang)}
        for name, one in stored.summary.models.items()
    ]


# --- history and comparing ---


def _history(router: APIRouter, state: AppState, painter: Painter) -> None:
    @router.get("/eval/history")
    async def history(request: Request) -> Response:
        """See all runs and how they moved."""
        lang = state.lang(request)
        lines = await asyncio.to_thread(views.run_lines, state.places.runs_dir, lang)
        charts = await asyncio.to_thread(views.trends, state.places.runs_dir, lang)
        return painter.page(request, "history.html", {"lines": lines, "charts": charts, "going": _going(state)})

    @router.get("/eval/compare")
    async def compare_page(
        request: Request, first: str = "", second: str = "", a: str = "", b: str = "", kind: str = "", start: int = 0
    ) -> Response:
        """See what two runs differ in; `a` and `b` are short for the two."""
        lang, first, second = state.lang(request), first or a, second or b
        lines = await asyncio.to_thread(views.run_lines, state.places.runs_dir, lang)
        values: dict[str, object] = {"lines": lines, "first": first, "second": second, "found": None, "problem": ""}
        if first and second and first != second:
            try:
                values |= await _compared(state, (first, second), Slice(kind, start), lang)
            except PageError:
                raise
            except UserError as error:
                values["problem"] = say_error(error, lang)
        elif first and second:
            values["problem"] = say("compare.same", lang)
        elif not second and lines:
            values |= _newest_pair(lines, first)
        return painter.page(request, "compare.html", values)


def _newest_pair(lines: list[views.RunLine], first: str) -> dict[str, object]:
    """Propose what is most likely wanted: the newest run against the one before it on the same dataset."""
    newest = next((line for line in lines if line.run_id == first), lines[0])
    others = [line for line in lines if line.run_id != newest.run_id]
    before = next((line for line in others if line.dataset == newest.dataset), others[0] if others else newest)
    return {"first": before.run_id, "second": newest.run_id}


class Slice(NamedTuple):
    """Which of the changed cases are shown."""

    kind: str = ""
    """broken, fixed or moved; of those that are there the first, when it is not said."""
    start: int = 0

    def of(self, found: Comparison) -> dict[str, Any]:
        """Return what a page shows of the changes, and where the others are."""
        counts = {"broken": found.broken, "fixed": found.fixed, "moved": found.moved}
        kind = self.kind if self.kind in counts else next((one for one, n in counts.items() if n), "broken")
        every = [change for change in found.changes if change.kind == kind]
        start = max(0, min(self.start, (len(every) - 1) // CHANGES_SHOWN * CHANGES_SHOWN))
        rows = every[start : start + CHANGES_SHOWN]
        following = start + CHANGES_SHOWN if start + CHANGES_SHOWN < len(every) else None
        return {
            "kinds": counts, "kind": kind, "rows": rows, "start": start, "listed": len(every), "next": following,
            "previous": max(0, start - CHANGES_SHOWN) if start else None,
        }  # fmt: skip


async def _compared(state: AppState, names: tuple[str, str], part: Slice, lang: Lang) -> dict[str, object]:
    first, second = names
    found = await compare_runs(state, first, second)
    shown = part.of(found)
    stored = await state.stored(second)
    specs = {spec.name: spec for spec in stored.specs}
    before = await state.stored(first)
    runs = ((before, await state.index(first)), (stored, await state.index(second)))
    changes = await asyncio.to_thread(_changes, shown.pop("rows"), runs, lang)
    return {
        "found": found,
        "part": shown,
        "deltas": views.delta_rows(found, specs, lang),
        "changes": changes,
        "titles": (views.title_of(before), views.title_of(stored)),
    }


def _changes(changes: Sequence[Change], runs: Sequence[tuple[Stored, Index]], lang: Lang) -> list[dict[str, object]]:
    """Set the answers of changed cases side by side."""
    shown = []
    for change in changes:
        first, _, second = change.model.partition(" → ")
        models = (first, second or first)
        numbers = [
            index.number_of(change.sample_id, model, change.repeat)
            for (_, index), model in zip(runs, models, strict=True)
        ]
        rows = [index.case(number or 0) for (_, index), number in zip(runs, numbers, strict=True)]
        sides = [views.row_of(row, stored, lang) if row else {} for (stored, _), row in zip(runs, rows, strict=True)]
        named = structs.replace(change, sample_id=runs[1][0].hide(change.sample_id))
        shown.append({"change": named, "numbers": numbers, "sides": sides if all(sides) else []})
    return shown
