"""Asks one row's steps: independent ones at once; a failed one skips those that need it; all are journaled."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import NamedTuple

from msgspec import structs

from ragstone.core.errors import BudgetSpent
from ragstone.core.interfaces import Journal
from ragstone.core.types import JSON, Answer, Failure, Request, Usage
from ragstone.runs.pipeline import Unit
from ragstone.runs.workflow.contract import StepPart, Workflow

SKIPPED = "skipped"
Ask = Callable[[Unit, Callable[[], Request]], Awaitable[Answer]]


class Outcome(NamedTuple):
    """What became of a step of one row."""

    answer: Answer
    fields: dict[str, JSON]
    failed: str
    """Why it gave nothing to go on with; empty when it did."""
    ready_ms: float
    """When it was done, counted from the row's beginning along the slowest way, by the latencies of the answers."""


class StepRunner:
    """Works through the rows of a workflow; a unit is a step of a row."""

    def __init__(
        self, workflow: Workflow, ask: Ask, journal: Journal, done: Callable[[Unit, Answer], None], repeats: int
    ) -> None:
        self._parts = list(workflow.parts.values())
        self._workflow = workflow
        self._ask, self._journal, self._done, self._repeats = ask, journal, done, repeats

    async def work(self, first: Unit) -> None:
        """Work through all steps of a row, beginning with the unit of its first one."""
        units = [self._unit(first, place) for place in range(len(self._parts) + 1)]
        if len(self._parts) == 1:
            outcomes = {self._parts[0].step.name: await self._step(self._parts[0], units[0], {})}
        else:
            outcomes = await self._together(units)
        end = units[-1]
        answer = self._journal.find(end.number)
        if answer is None:
            answer = joined(outcomes, [part.step.name for part in self._workflow.end.last])
            self._journal.append(end.number, end.case.id, answer)
        self._done(end, answer)

    def _unit(self, first: Unit, place: int) -> Unit:
        number, system = first.number + place * self._repeats, first.system + place
        return first._replace(number=number, system=system)

    async def _together(self, units: list[Unit]) -> dict[str, Outcome]:
        """Begin every step as soon as those it is fed by are done."""
        tasks: dict[str, asyncio.Task[Outcome]] = {}

        async def after(part: StepPart, unit: Unit) -> Outcome:
            before = {name: await tasks[name] for name in part.step.input_from}
            return await self._step(part, unit, before)

        spent: BudgetSpent | None = None
        try:
            async with asyncio.TaskGroup() as group:
                for part, unit in zip(self._parts, units, strict=False):
                    tasks[part.step.name] = group.create_task(after(part, unit))
        except* BudgetSpent as signals:
            spent = _first(signals)
        if spent is not None:
            raise spent
        return {name: task.result() for name, task in tasks.items()}

    async def _step(self, part: StepPart, unit: Unit, before: Mapping[str, Outcome]) -> Outcome:
        answer = self._journal.find(unit.number)
        if answer is None:
            answer = _skip(before) or await self._ask(unit, lambda: self._request(part, unit, before))
            self._journal.append(unit.number, unit.case.id, answer)
        self._done(unit, answer)
        began = max((outcome.ready_ms for outcome in before.values()), default=0.0)
        ready = began + (answer.latency_ms or 0.0)
        if answer.failure is not None:
            return Outcome(answer, {}, answer.failure.kind, ready)
        reading = part.read(unit.case, answer)
        return Outcome(answer, reading.fields, "unparsed" if reading.rung == "failed" else "", ready)

    def _request(self, part: StepPart, unit: Unit, before: Mapping[str, Outcome]) -> Request:
        given: dict[str, JSON] = {}
        for name, outcome in before.items():
            given |= outcome.fields | {name: outcome.fields}
        request = part.request_after(unit.case, given) if before else part.request(unit.case)
        return structs.replace(request, repeat=unit.repeat) if unit.repeat else request


def _first(signals: BaseExceptionGroup[BudgetSpent]) -> BudgetSpent:
    found = signals.exceptions[0]
    return found if isinstance(found, BudgetSpent) else _first(found)


def _skip(before: Mapping[str, Outcome]) -> Answer | None:
    """Return the answer of a step that is skipped because an earlier one failed, or None."""
    for name, outcome in before.items():
        if outcome.failed:
            text = f"step {name!r} came to nothing ({outcome.failed})"
            return Answer(failure=Failure(SKIPPED, text, code=name), attempts=0)
    return None


def joined(outcomes: Mapping[str, Outcome], last: Iterable[str]) -> Answer:
    """Join the answers of a row's steps: the texts of the last ones, and the cost and time of all."""
    answers = [outcome.answer for outcome in outcomes.values()]
    costs = [answer.cost for answer in answers if answer.cost is not None]
    failed = next(((n, o) for n, o in outcomes.items() if o.answer.failure and o.failed != SKIPPED), None)
    failed = failed or next(((n, o) for n, o in outcomes.items() if o.failed == SKIPPED), None)
    texts = {name: outcomes[name].answer.text for name in last}
    return Answer(
        text="\n".join(texts.values()),
        data=texts,
        usage=_sum([answer.usage for answer in answers if answer.usage is not None]),
        latency_ms=_slowest(outcomes) if any(answer.latency_ms is not None for answer in answers) else None,
        attempts=1 + sum(max(0, answer.attempts - 1) for answer in answers),
        cost=sum(costs) if costs else None,
        cached=bool(answers) and all(answer.cached for answer in answers),
        failure=_failure(*failed) if failed else None,
    )


def _slowest(outcomes: Mapping[str, Outcome]) -> float:
    return round(max(outcome.ready_ms for outcome in outcomes.values()), 3)


def _failure(name: str, outcome: Outcome) -> Failure:
    inner = outcome.answer.failure
    said = f"{inner.kind}: {inner.message}" if inner else outcome.failed
    return Failure("step_failed", f"step {name!r}: {said}", code=name)


def _sum(usages: list[Usage]) -> Usage | None:
    if not usages:
        return None
    return Usage(
        sum(usage.prompt_tokens for usage in usages),
        sum(usage.completion_tokens for usage in usages),
        sum(usage.total_tokens for usage in usages),
    )
