"""The pages of one run: its figures and its cases."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from ragstone.core.errors import UserError
from ragstone.core.language import Lang
from ragstone.core.types import Block, Summary
from ragstone.report.charts import bar
from ragstone.report.notices import needs_judge, notices
from ragstone.runs.store.label import read_label
from ragstone.web import views
from ragstone.web.admission import IMPORTED
from ragstone.web.api import downloads as artefacts
from ragstone.web.api.bodies import CasesQuery
from ragstone.web.api.results import case_view
from ragstone.web.cases.altered import altered_files, takes_long
from ragstone.web.cases.query import Query as Wanted
from ragstone.web.cases.stored import Stored
from ragstone.web.jobs import Job, is_busy
from ragstone.web.pages.render import Renderer
from ragstone.web.state import AppState

ROWS = 20
"""Cases that are on the page before its script asks for others."""


def run_pages(router: APIRouter, state: AppState, renderer: Renderer) -> None:
    """Add the pages of one run."""

    @router.get("/eval/runs/{run_id}")
    async def run_page(request: Request, run_id: str, model: str = "") -> Response:
        """Show a run while it goes on, and its results."""
        job = state.job(run_id)
        try:
            stored = await state.stored(run_id)
        except UserError:
            if job is None:
                raise
            return renderer.page(request, "run.html", _waiting(state, job))
        lang = state.lang(request)
        values = await asyncio.to_thread(_run_values, state, stored, job, model, lang)
        return renderer.page(request, "run.html", values)

    @router.get("/eval/runs/{run_id}/cases/{number}")
    async def case_page(request: Request, run_id: str, number: int, wanted: Annotated[CasesQuery, Query()]) -> Response:
        """Show one case; the filter and order in the address also apply to the previous and next case."""
        stored, index = await state.stored(run_id), await state.index(run_id)
        case = await case_view(state, run_id, number, state.lang(request))
        place = await asyncio.to_thread(index.around, wanted.query(), number)
        filtered = wanted.address() if place.place else ""
        if not place.place:
            place = await asyncio.to_thread(index.around, Wanted(), number)
        values = {"case": case, "run_id": run_id, "title": views.title_of(stored), "place": place, "query": filtered}
        values |= {"names": views.names_of(stored), "dry_run": stored.dry_run, "left_out": wanted.address() != filtered}
        values["altered"] = await asyncio.to_thread(altered_files, stored.folder, quick=takes_long(stored.folder))
        return renderer.page(request, "case.html", values)


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
    reasons = index.values("reason", chosen)
    late = takes_long(stored.folder)
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
        "altered": () if going else altered_files(stored.folder, quick=late),
        "late": late,
        "mark": views.mark_of(stored, block, lang),
        "model": chosen,
        "no_model": model if model and model not in stored.models else "",
        "imported": stored.config.get("contract") == IMPORTED,
        "gate": views.gate_of(stored, lang),
        "block": block,
        "failed": sum(one.all.errored for one in stored.summary.models.values()) if stored.summary else 0,
        "figures": views.figures_of(block, stored.specs, lang) if block else _empty(stored, lang),
        "costs": figures.costs if figures and not going else None,
        "groups": views.groups_of(figures, stored, lang) if figures and not going else {},
        "chart": views.distribution_of(index, chosen, lang) if len(index) else "",
        "tags": index.tags(chosen),
        "reasons": views.reason_names(stored, reasons, lang),
        "reason_counts": reasons,
        "authors": index.values("author", chosen),
        "open": index.values("open", chosen).get("yes", 0),
        "names": views.names_of(stored),
        "asked": index.total(chosen),
        "first_rows": [views.row_of(row, stored, lang) for row in index.page(Wanted(limit=ROWS, model=chosen)).rows],
        "errors": views.errors_of(index, stored, lang, chosen),
        "notes": views.notes_of(index, stored, lang, chosen) if len(index) else [],
        "facts": views.facts_of(stored),
        "files": artefacts.names(stored.folder),
        "created": views.when(stored.meta.get("created")),
        "at": str(stored.meta.get("created") or ""),
        "called": read_label(stored.folder),
        "dataset": views.dataset_name(stored),
        # Another judge can decide again what a judge decided.
        "judges": state.places.judges()
        if (index.values("open").get("yes") or index.values("author").get("judge")) and not stored.dry_run
        else (),
        "standing": _standing(stored.summary),
        "judged_as": _judged_as(stored.summary),
        "models": _models(stored, lang),
    }


def _standing(summary: Summary | None) -> str:
    """Return how far judges are to be believed; nothing where rules and people decided everything."""
    by = summary.judged_by if summary else None
    return by.standing if summary and by and needs_judge(summary) else ""


def _judged_as(summary: Summary | None) -> str:
    """Name whose verdicts stand in the judged figures."""
    by = summary.judged_by if summary else None
    if by is None or not by.labels:
        return "judge.judged"
    return "judge.judged.both" if by.names else "judge.judged.people"


def _empty(stored: Stored, lang: Lang) -> list[views.ShownFigure]:
    """Show the metrics a run will have before the first case is in."""
    block = Block(cases=0, scored=0, errored=0, unparsed=0, passed=0, pass_rate=None, primary_score=None, metrics={})
    shown = views.figures_of(block, (), lang)
    return shown + [
        views.ShownFigure(
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
