"""One row through its steps."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from ragstone.core.errors import BudgetSpent
from ragstone.core.types import Answer, Case, Failure, Request, Usage
from ragstone.runs.pipeline import Unit
from ragstone.runs.workflow.contract import Workflow
from ragstone.runs.workflow.steps import Outcome, StepRunner, joined

Open = Callable[..., Workflow]
DIAMOND = """
name: diamond
steps:
  - {name: top, task: event_eval}
  - {name: left, task: event_eval, input_from: top}
  - {name: right, task: event_eval, input_from: top}
  - {name: end, task: event_eval, input_from: [left, right]}
"""
GOOD = json.dumps({"sentiment": "negative", "impact_score": 0, "keywords": ["召回"]})


class Desk:
    """Asks nobody: a table of answers by step, a journal in memory, and what was heard."""

    def __init__(self, flow: Workflow, answers: dict[str, Answer | Exception] | None = None) -> None:
        self.names = [*flow.parts, "end_to_end"]
        self.answers = answers or {}
        self.kept: dict[int, Answer] = {}
        self.asked: list[str] = []
        self.heard: list[str] = []
        self.flow = StepRunner(flow, self.ask, self, lambda unit, answer: self.heard.append(self.names[unit.system]), 1)
        self.first = Unit(0, next(item for item in flow.load() if isinstance(item, Case)))

    async def ask(self, unit: Unit, make: Callable[[], Request]) -> Answer:
        """Answer from the table."""
        make()
        name = self.names[unit.system]
        self.asked.append(name)
        answer = self.answers.get(name, Answer(text=GOOD, latency_ms=10.0))
        if isinstance(answer, Exception):
            raise answer
        return answer

    def find(self, unit: int) -> Answer | None:
        return self.kept.get(unit)

    def append(self, unit: int, case_id: str, answer: Answer) -> None:
        self.kept[unit] = answer

    def kinds(self) -> dict[str, str]:
        """Return what went wrong, by step."""
        found = {self.names[unit]: answer.failure for unit, answer in self.kept.items()}
        return {name: failure.kind for name, failure in found.items() if failure}


async def test_every_step_is_asked_once_and_heard_of(open_flow: Open) -> None:
    """The journal has all steps and the whole way, under numbers of their own."""
    desk = Desk(open_flow(DIAMOND))

    await desk.flow.work(desk.first)

    assert desk.asked[0] == "top"
    assert sorted(desk.asked[1:3]) == ["left", "right"]
    assert sorted(desk.heard) == sorted(desk.names)
    assert sorted(desk.kept) == [0, 1, 2, 3, 4]
    assert desk.kept[4].latency_ms == 30.0


async def test_only_followers_of_a_failed_step_are_skipped(open_flow: Open) -> None:
    """The other branch goes on; what needs both does not."""
    desk = Desk(open_flow(DIAMOND), {"left": Answer(failure=Failure("timeout", "no answer"))})

    await desk.flow.work(desk.first)

    assert sorted(desk.asked) == ["left", "right", "top"]
    assert desk.kinds() == {"left": "timeout", "end": "skipped", "end_to_end": "step_failed"}
    failure = desk.kept[4].failure
    assert failure is not None
    assert (failure.code, "timeout" in failure.message) == ("left", True)


@pytest.mark.parametrize("text", ["", "?", "[1]"])
async def test_an_unreadable_answer_is_nothing_to_go_on_with(open_flow: Open, text: str) -> None:
    """It keeps its row; those behind it are skipped."""
    desk = Desk(open_flow(), {"first": Answer(text=text)})

    await desk.flow.work(desk.first)

    assert desk.asked == ["first"]
    assert desk.kinds() == {"again": "skipped", "end_to_end": "step_failed"}


async def test_what_the_journal_knows_is_not_asked_again(open_flow: Open) -> None:
    """After a crash only steps without an answer are asked."""
    desk = Desk(open_flow(DIAMOND))
    desk.kept = {0: Answer(text=GOOD), 1: Answer(text=GOOD)}

    await desk.flow.work(desk.first)

    assert desk.asked == ["right", "end"]


async def test_a_spent_budget_passes_through(open_flow: Open) -> None:
    """It is no failure of the step: nothing is written for it, and whoever works on the row is told."""
    desk = Desk(open_flow(DIAMOND), {"left": BudgetSpent("calls", 2, 2), "right": BudgetSpent("calls", 2, 2)})

    with pytest.raises(BudgetSpent):
        await desk.flow.work(desk.first)

    assert sorted(desk.kept) == [0]


def test_joined_adds_up() -> None:
    """Tokens, cost and retries are summed; the cache counts when all came from it."""

    def outcome(ready: float, **fields: Any) -> Outcome:
        return Outcome(Answer(text="t", **fields), {}, "", ready)

    first = outcome(5.0, usage=Usage(1, 2, 3), cost=0.5, attempts=3, cached=True, latency_ms=5.0)
    second = outcome(9.0, usage=Usage(1, 1, 2), attempts=1, latency_ms=4.0)
    whole = joined({"a": first, "b": second}, ["b"])

    assert (whole.usage, whole.cost, whole.attempts, whole.cached) == (Usage(2, 3, 5), 0.5, 3, False)
    assert (whole.latency_ms, whole.data) == (9.0, {"b": "t"})
    assert joined({"a": outcome(0.0)}, ["a"]).latency_ms is None
