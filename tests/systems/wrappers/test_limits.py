"""Requests and tokens per minute, and a concurrency that yields and recovers."""

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import pytest

from ragstone.core.types import Answer, Failure, Request, Usage
from ragstone.systems.failures import Postponed
from ragstone.systems.wrappers.limits import LimitOptions, Limits, Pace
from ragstone.systems.wrappers.wrapper import Notice

ASK = Request(id="a", question="q")


async def test_too_many_requests_are_news_once() -> None:
    """A concurrency that recovers and yields again is told when it is lower than ever, and not each time."""
    heard: list[Notice] = []
    system = Limits(Busy(bears=1), LimitOptions(concurrency=4))
    system.notify = heard.append
    for _ in range(6):
        await asyncio.gather(*(system.ask(ASK) for _ in range(4)))
        for _ in range(20):
            await system.ask(ASK)

    limits = [notice.params["limit"] for notice in heard]
    assert limits[-1] == 1 and limits == sorted(set(limits), reverse=True)


class Busy:
    """A system that takes a while, bears only so many at once, and remembers how many there were."""

    model_id = "b"

    def __init__(self, bears: int = 10**9, tokens: int = 0, wish: float = 0.0) -> None:
        self.bears, self.tokens, self.wish = bears, tokens, wish
        self.now = self.most = self.calls = self.refused = 0

    def identity(self) -> Mapping[str, Any]:
        """Describe it."""
        return {}

    async def ask(self, request: Request) -> Answer:
        """Refuse when there are too many."""
        self.calls += 1
        self.now += 1
        self.most = max(self.most, self.now)
        crowded = self.now > self.bears
        await asyncio.sleep(0.002)
        self.now -= 1
        if crowded:
            self.refused += 1
            return Answer(
                failure=Postponed("rate_limited", retry_after=self.wish) if self.wish else Failure("rate_limited")
            )
        return Answer(text="x", usage=Usage(0, 0, self.tokens))

    async def close(self) -> None:
        """Nothing is held."""


async def ask_many(limits: Limits, count: int) -> None:
    """Ask all at once."""
    async with asyncio.TaskGroup() as group:
        for _ in range(count):
            group.create_task(limits.ask(ASK))


async def test_concurrency_is_bounded() -> None:
    """Never more in flight than allowed, and nobody is left waiting."""
    inner = Busy()

    await ask_many(Limits(inner, LimitOptions(concurrency=3)), 40)

    assert (inner.most, inner.calls, inner.now) == (3, 40, 0)


async def test_it_yields_and_recovers() -> None:
    """429s bring the concurrency down; good answers bring it up again, never beyond the ceiling."""
    inner = Busy(bears=4)
    limits = Limits(inner, LimitOptions(concurrency=32))
    heard = []
    limits.notify = lambda notice: heard.append(notice.params["limit"])

    await ask_many(limits, 64)
    low = limits.limit
    inner.bears = 10**9
    await ask_many(limits, 700)

    assert heard and min(heard) <= 4 and low < 32
    assert limits.limit == 32


async def test_one_wave_of_429s_counts_once() -> None:
    """Requests that were in flight together halve the concurrency once, not each."""
    limits = Limits(Busy(bears=0), LimitOptions(concurrency=16))

    await asyncio.gather(*(limits.ask(ASK) for _ in range(16)))

    assert limits.limit == 8


async def test_a_few_429s_are_bad_luck() -> None:
    """One refusal in twenty, with a wish to wait, slows down the one request only."""
    inner = Busy(wish=30.0)
    limits = Limits(inner, LimitOptions(concurrency=16))
    await ask_many(limits, 32)
    began = time.perf_counter()

    for number in range(200):
        inner.bears = 0 if number % 20 == 0 else 10**9
        await limits.ask(ASK)

    assert (limits.limit, inner.refused) == (16, 10) and time.perf_counter() - began < 20


async def test_a_wish_to_wait_holds_all_back() -> None:
    """When the server names a time, the others do not come before it either."""
    inner = Busy(bears=0, wish=0.15)
    limits = Limits(inner, LimitOptions())
    await limits.ask(ASK)
    inner.bears = 10
    began = time.perf_counter()

    await ask_many(limits, 3)

    assert time.perf_counter() - began > 0.13


async def test_requests_per_minute() -> None:
    """A second's worth goes at once, the rest in step."""
    began = time.perf_counter()

    await ask_many(Limits(Busy(), LimitOptions(requests_per_minute=60 * 50)), 65)

    assert time.perf_counter() - began > 0.25


async def test_tokens_per_minute() -> None:
    """Used tokens are waited off."""
    limits = Limits(Busy(tokens=100), LimitOptions(tokens_per_minute=60 * 1000))
    began = time.perf_counter()

    await ask_many(limits, 5)
    await ask_many(limits, 5)
    await ask_many(limits, 4)

    assert time.perf_counter() - began > 0.2


async def test_cancelled_waiters_leave_no_hole() -> None:
    """Whoever gives up waiting does not take a place with them."""
    inner = Busy()
    limits = Limits(inner, LimitOptions(concurrency=1))
    tasks = [asyncio.create_task(limits.ask(ASK)) for _ in range(6)]
    await asyncio.sleep(0)
    for task in tasks[1:5]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

    async with asyncio.timeout(1):
        await ask_many(limits, 3)

    assert inner.calls == 5


async def test_all_cancelled_then_asked_again() -> None:
    """A queue of cancelled waiters does not hold up the next one."""
    limits = Limits(Busy(), LimitOptions(concurrency=1))
    tasks = [asyncio.create_task(limits.ask(ASK)) for _ in range(4)]
    await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

    async with asyncio.timeout(1):
        answer = await limits.ask(ASK)

    assert answer.text == "x"


@pytest.mark.parametrize(("per_minute", "amounts", "last"), [(60, [1, 1, 1], 1.0), (600, [1] * 12, 0.1)])
def test_pace(per_minute: float, amounts: list[float], last: float) -> None:
    """What is booked waits for its turn."""
    pace = Pace(per_minute)

    waits = [pace.take(amount, 100.0) for amount in amounts]

    assert waits == sorted(waits)
    assert waits[-1] == pytest.approx(last)


async def test_slowing_down_is_told_when_it_happens() -> None:
    """A service that turns everybody away is told of as often as the concurrency sinks, not for every refusal."""
    limits, told = Limits(Busy(bears=0), LimitOptions(concurrency=8)), []
    limits.notify = lambda notice: told.append(notice.params["limit"])

    for _ in range(6):
        await ask_many(limits, 8)

    assert told == [4, 2, 1]
