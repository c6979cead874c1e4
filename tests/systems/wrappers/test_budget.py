"""Budgets stop a run cleanly, and the ledger tells what was spent."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import pytest

from ragstone.core.errors import BudgetSpent
from ragstone.core.types import Answer, Failure, Request, Usage
from ragstone.systems.wrappers.budget import Budget, BudgetOptions

ASK = Request(id="a", question="q")


class Costly:
    """A system that takes a while and costs something."""

    model_id = "c"

    def __init__(self, answer: Answer, seconds: float = 0.0) -> None:
        self.answer, self.seconds, self.calls = answer, seconds, 0

    def identity(self) -> Mapping[str, Any]:
        """Describe it."""
        return {}

    async def ask(self, request: Request) -> Answer:
        """Answer after a while."""
        self.calls += 1
        await asyncio.sleep(self.seconds)
        return self.answer

    async def close(self) -> None:
        """Nothing is held."""


ANSWER = Answer(text="x", usage=Usage(6, 4, 10), cost=0.5)


async def ask_until_stopped(budget: Budget, workers: int) -> list[BudgetSpent]:
    """Let workers ask until each is told to stop."""

    async def work() -> BudgetSpent:
        while True:
            try:
                await budget.ask(ASK)
            except BudgetSpent as signal:
                return signal

    return await asyncio.gather(*(work() for _ in range(workers)))


async def test_calls_are_exact() -> None:
    """With many workers, not one call more is made than allowed."""
    inner = Costly(ANSWER, 0.001)

    signals = await ask_until_stopped(Budget(inner, BudgetOptions(max_calls=37)), 16)

    assert inner.calls == 37
    assert {(signal.what, signal.limit) for signal in signals} == {("calls", 37)}
    assert "37 calls" in str(signals[0])


@pytest.mark.parametrize(
    ("options", "what"),
    [(BudgetOptions(max_tokens_spent=200), "tokens"), (BudgetOptions(max_cost=10), "cost")],
)
async def test_tokens_and_money(options: BudgetOptions, what: str) -> None:
    """What is in flight counts with the mean so far, so that the limit holds after the first wave."""
    inner = Costly(ANSWER, 0.001)
    budget = Budget(inner, options)
    await budget.ask(ASK)

    signals = await ask_until_stopped(budget, 4)

    assert signals[0].what == what
    assert inner.calls == 20
    assert (budget.ledger.tokens, budget.ledger.cost) == (200, 10.0)


async def test_seconds_cut_off_what_is_in_flight() -> None:
    """When time is up, a slow call does not hold the run."""
    budget = Budget(Costly(ANSWER, 30), BudgetOptions(max_seconds=0.05))
    began = time.perf_counter()

    with pytest.raises(BudgetSpent) as caught:
        await budget.ask(ASK)
    with pytest.raises(BudgetSpent):
        await budget.ask(ASK)

    assert caught.value.what == "seconds"
    assert time.perf_counter() - began < 10
    assert (budget.ledger.calls, budget.ledger.finished) == (1, 1)


async def test_other_timeouts_pass_through() -> None:
    """A timeout of the system itself is not taken for the budget's."""

    class Late(Costly):
        async def ask(self, request: Request) -> Answer:
            raise TimeoutError("mine")

    with pytest.raises(TimeoutError, match="mine"):
        await Budget(Late(ANSWER), BudgetOptions(max_seconds=5)).ask(ASK)


async def test_ledger_without_limits() -> None:
    """Failures are counted; no limit means no end."""
    budget = Budget(Costly(Answer(failure=Failure("reset"))), BudgetOptions())

    for _ in range(3):
        await budget.ask(ASK)

    assert (budget.ledger.calls, budget.ledger.failed, budget.ledger.tokens) == (3, 3, 0)
