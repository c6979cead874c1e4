"""All runs, and two of them side by side."""

import asyncio
from collections.abc import Sequence
from itertools import islice
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, Request
from msgspec import structs
from starlette.responses import Response

from ragstone.core.errors import UserError
from ragstone.core.language import Lang
from ragstone.core.types import Change
from ragstone.runs.store.catalogue import REMOVED, is_removed
from ragstone.web import views
from ragstone.web.admission import PageGuard
from ragstone.web.api.bodies import HistoryQuery
from ragstone.web.api.results import compare_runs
from ragstone.web.cases.altered import altered_files, takes_long
from ragstone.web.cases.compared import Compared
from ragstone.web.cases.index import Index
from ragstone.web.cases.stored import Stored
from ragstone.web.errors import PageError, say_error
from ragstone.web.history.lines import MOST_LINES, RunLine, choices, known_runs, run_lines
from ragstone.web.history.trends import trends
from ragstone.web.pages.render import Renderer
from ragstone.web.pages.start import going_runs
from ragstone.web.state import AppState
from ragstone.web.words import say

CHANGES_SHOWN = 50
LINES_SHOWN = 50
"""Runs of the list on one page."""


def history_pages(router: APIRouter, state: AppState, renderer: Renderer) -> None:
    """Add the list of runs, and two side by side."""

    @router.get("/eval/history")
    async def history(
        request: Request,
        wanted: Annotated[HistoryQuery, Query()],
        start: int = 0,
        removed: str = "",
        deleted: bool = False,
    ) -> Response:
        """Show the runs that match, and their trends."""
        lang, chosen = state.lang(request), wanted.run_filter()
        every = await asyncio.to_thread(lambda: list(islice(known_runs(state.places.runs_dir, lang), MOST_LINES)))
        found = [one for one in every if chosen.fits(one.line)]
        begin = max(0, min(start, (len(found) - 1) // LINES_SHOWN * LINES_SHOWN))
        values = {
            "lines": [one.line for one in found[begin : begin + LINES_SHOWN]], "total": len(found), "start": begin,
            "step": LINES_SHOWN, "chosen": chosen, "query": wanted.address(),
            "choices": choices(one.line for one in every),
            "charts": trends(found, lang), "going": going_runs(state), "every": len(every),
            "deleted": await asyncio.to_thread(run_lines, state.places.runs_dir / REMOVED, lang) if deleted else None,
            "removed": removed if is_removed(state.places.runs_dir, removed) else "",
        }  # fmt: skip
        return renderer.page(request, "history.html", values)

    @router.get("/eval/compare")
    async def compare_page(
        request: Request, first: str = "", second: str = "", a: str = "", b: str = "", kind: str = "", start: int = 0
    ) -> Response:
        """Return what two runs differ in; `a` and `b` are short for the two."""
        lang, first, second = state.lang(request), first or a, second or b
        lines = await asyncio.to_thread(run_lines, state.places.runs_dir, lang)
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
        return renderer.page(request, "compare.html", values)


def _newest_pair(lines: list[RunLine], first: str) -> dict[str, object]:
    """Propose what is most likely wanted: the newest run against the one before it on the same dataset."""
    asked = [line for line in lines if line.measured and not line.dry_run] or lines
    newest = next((line for line in lines if line.run_id == first), asked[0])
    others = [line for line in asked if line.run_id != newest.run_id] or lines
    before = next((line for line in others if line.dataset == newest.dataset), others[0] if others else newest)
    return {"first": before.run_id, "second": newest.run_id}


class Slice(NamedTuple):
    """Which of the changed cases are shown."""

    kind: str = ""
    """broken, fixed or moved; of those that are there the first, when it is not said."""
    start: int = 0

    def of(self, compared: Compared, guard: PageGuard) -> dict[str, Any]:
        """Return what a page shows of the changes, and where the others are."""
        found = compared.found
        counts = {"broken": found.broken, "fixed": found.fixed, "moved": found.moved}
        kind = self.kind if self.kind in counts else next((one for one, n in counts.items() if n), "broken")
        listed = compared.listed(kind)
        start = max(0, min(self.start, (listed - 1) // CHANGES_SHOWN * CHANGES_SHOWN))
        rows = compared.changes(kind, start, CHANGES_SHOWN, guard)
        following = start + CHANGES_SHOWN if start + CHANGES_SHOWN < listed else None
        return {
            "kinds": counts, "kind": kind, "rows": rows, "start": start, "listed": listed, "next": following,
            "previous": max(0, start - CHANGES_SHOWN) if start else None,
        }  # fmt: skip


async def _compared(state: AppState, names: tuple[str, str], part: Slice, lang: Lang) -> dict[str, object]:
    first, second = names
    compared = await compare_runs(state, first, second)
    found = compared.found
    shown = await asyncio.to_thread(part.of, compared, state.guard)
    before, stored = await state.stored(first), await state.stored(second)
    specs = {spec.name: spec for spec in stored.specs}
    late = [run.run_id for run in (before, stored) if compared.paired and takes_long(run.folder)]
    proved = [run for run in (before, stored) if run.run_id not in late]
    altered = [f"{run.run_id}/{name}" for run in proved for name in altered_files(run.folder)]
    runs = ((before, await state.index(first)), (stored, await state.index(second)))
    changes = await asyncio.to_thread(_changes, shown.pop("rows"), runs, lang)
    return {
        "found": found,
        "part": shown,
        "deltas": views.delta_rows(found, specs, lang),
        "changes": changes,
        "altered": altered if compared.paired else found.altered,
        "late": late,
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
        before, after = rows
        moved = views.moved_figures(before, after, runs[1][0], lang) if before and after else []
        shown.append({"change": named, "numbers": numbers, "sides": sides if all(sides) else [], "moved": moved})
    return shown
