"""Budgets belong to a run and to one of its systems: counted over all processes, against a real loopback server."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ragstone
from ragstone.api import aevaluate, aresume
from ragstone.core.settings import Settings
from ragstone.report.console import closing_lines
from ragstone.runs.plan import Plan
from ragstone.systems.chat import connect
from tests.loopback import Loopback, Reply, completion
from tests.runs.stopped import leave
from tests.runs.test_execute import Notices

PRICES = {"input_per_1k": 28, "output_per_1k": 28}
UNCOUNTED = {name: value for name, value in completion().items() if name != "usage"}
TENTH = completion() | {"usage": {"prompt_tokens": 6, "completion_tokens": 4, "total_tokens": 10}}


@pytest.fixture
def dataset(write_rows: Callable[..., Path]) -> Path:
    """Ten made-up questions."""
    return write_rows("q.jsonl", *({"q": f"q {n}?", "gold": ["42000元"], "doc_hint": []} for n in range(10)))


def system(server: Loopback, name: str = "m", **options: Any) -> Any:
    """Make a chat system without patience."""
    return connect(name, {"base_url": server.url, "max_retries": 0, **options})


async def run(dataset: Path, *systems: Any, watch: Notices | None = None, **more: Any) -> ragstone.Run:
    """Ask one after the other."""
    settings = Settings(concurrency=1, language="en")
    return await aevaluate(dataset, list(systems), settings=settings, watchers=[watch] if watch else [], **more)


def spent(done: ragstone.Run, model: str = "m") -> dict[str, Any]:
    """Return what run_meta.json says was spent."""
    found: dict[str, Any] = json.loads((done.folder / "run_meta.json").read_bytes())["spent"][model]
    return found


@pytest.mark.parametrize("budget", [{"max_tokens_spent": 10_000}, {"max_cost": 99, "price_config": PRICES}])
@pytest.mark.parametrize("reply", [UNCOUNTED, {**UNCOUNTED, "usage": {}}, {**UNCOUNTED, "usage": {"total_tokens": -9}}])
async def test_a_budget_nobody_can_count_stops_the_run(dataset: Path, budget: Any, reply: Any) -> None:
    """The first reply without a count of its tokens is kept and is the last."""
    async with Loopback(Reply(reply)) as server:
        done = await run(dataset, system(server, **budget))

    assert (server.calls, done.summary.finished, done.summary.status) == (1, 1, "partial")
    assert "without a count of its tokens" in done.stopped and "max_calls" in done.why


async def test_failures_need_no_count(dataset: Path) -> None:
    """A call that failed is no reason to stop a run whose replies are counted."""
    async with Loopback(Reply({}, 400), Reply(TENTH)) as server:
        done = await run(dataset, system(server, max_tokens_spent=10_000))

    assert (server.calls, done.summary.status) == (10, "complete")


async def test_the_call_that_crosses_the_line_is_the_last(dataset: Path) -> None:
    """What a call costs is known only afterwards, and that is said."""
    async with Loopback(Reply(TENTH)) as server:
        done = await run(dataset, system(server, max_cost=1, price_config=PRICES))

    assert (server.calls, round(spent(done)["cost"], 6)) == (4, 1.12)
    assert "1.12 of 1 cost spent (the run's budget): what a call takes is known only" in done.why


@pytest.mark.parametrize("cut_short", [False, True])
async def test_a_budget_is_the_runs_and_not_the_processes(dataset: Path, cut_short: bool) -> None:
    """A plain resume grants nothing; with a larger budget as much is asked as it is larger."""
    settings = Settings(concurrency=1, language="en")
    async with Loopback(Reply(TENTH)) as server:
        options = {"base_url": server.url, "max_calls": 3}
        first = await aevaluate(dataset, "chat:m", system_options=options, settings=settings)
        if cut_short:
            leave(first.folder, drop=("spent",))
        again = await aresume(first.folder, settings=settings)
        asked = server.calls
        larger = await aresume(first.folder, system_options={"max_calls": 5}, settings=settings)

    assert (asked, server.calls) == (3, 5)
    assert (again.summary.finished, larger.summary.finished) == (3, 5)
    assert "3 of 3 calls spent (the run's budget)" in again.why
    assert (again.exhausted, larger.exhausted) == (("max_calls",), ("max_calls",))
    assert "-O max_calls=" in again.why and spent(larger)["calls"] == 5


async def test_each_system_has_a_budget_of_its_own(dataset: Path) -> None:
    """One that has spent it ends alone, which is said at once; the other goes on to the end."""
    watch, plans = Notices(), list[Plan]()
    watch.started = lambda plan, folder, expected: plans.append(plan)  # type: ignore[method-assign]
    async with Loopback(Reply(TENTH)) as one, Loopback(Reply(TENTH)) as two:
        done = await run(dataset, system(one, "m1", max_calls=3), system(two, "m2"), watch=watch)

    assert (one.calls, two.calls) == (3, 10)
    assert watch.said == [f"m1: {done.why}"] and "3 of 3 calls" in done.why
    lines = closing_lines(done.summary, plans[0].wording())
    assert [line.split(" - ")[0] for line in lines if "applicable" not in line] == [
        "[EVAL] m1 stopped, PARTIAL (3 of 10)",
        "[EVAL] m2 finished",
        f"[EVAL] Stopped because: {done.why}",
    ]


async def test_a_model_that_was_never_answered_is_named(dataset: Path) -> None:
    """The closing lines say of every model how much there is."""
    watch, plans = Notices(), list[Plan]()
    watch.started = lambda plan, folder, expected: plans.append(plan)  # type: ignore[method-assign]
    async with Loopback(Reply(TENTH)) as one, Loopback(Reply(manner="reset")) as two:
        down = system(two, "m2", breaker_after=1, patience_at_start=0.01, breaker_pause=0.01, max_retries=9)
        done = await run(dataset, system(one, "m1"), down, watch=watch)

    lines = closing_lines(done.summary, plans[0].wording())
    assert any(line.startswith("[EVAL] m1 finished") for line in lines)
    assert "[EVAL] m2 stopped, PARTIAL (0 of 10) - – (not measured)" in lines
    assert lines[-1] == f"[EVAL] Stopped because: {done.why}"
