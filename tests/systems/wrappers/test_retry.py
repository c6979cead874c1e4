"""Asking again: when, how often, and never for what cannot pass."""

import random
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.types import Answer, Failure, Request
from ragstone.systems.chat import connect
from ragstone.systems.failures import Postponed
from ragstone.systems.wrappers.retry import Retry, RetryOptions
from tests.loopback import Loopback, Reply

ASK = Request(id="a", question="q")


class Scripted:
    """A system that gives one answer after the other."""

    model_id = "s"

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.calls = 0

    def identity(self) -> Mapping[str, Any]:
        """Describe it."""
        return {}

    async def ask(self, request: Request) -> Answer:
        """Give the next answer."""
        self.calls += 1
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    async def close(self) -> None:
        """Nothing is held."""


def failed(kind: str, code: str | None = None) -> Answer:
    """Make an answer that failed."""
    return Answer(failure=Failure(kind, code=code))


async def test_attempts_are_counted() -> None:
    """Each try is counted, whether the last one succeeds or not."""
    inner = Scripted(failed("reset"), failed("refused"), Answer(text="x"))

    answer = await Retry(inner, RetryOptions(retry_delay=0.001)).ask(ASK)

    assert (answer.text, answer.attempts, inner.calls) == ("x", 3, 3)


async def test_it_ends() -> None:
    """After the last retry the failure stands, with the number of attempts."""
    inner = Scripted(failed("http_5xx", "503"))

    answer = await Retry(inner, RetryOptions(max_retries=2, retry_delay=0.001)).ask(ASK)

    assert answer.failure is not None
    assert (answer.attempts, inner.calls) == (3, 3)


async def test_a_change_of_mind_ends_it() -> None:
    """A failure that cannot pass ends the retries of one that could."""
    inner = Scripted(failed("reset"), failed("http_4xx", "400"), Answer(text="x"))

    answer = await Retry(inner, RetryOptions(retry_delay=0.001)).ask(ASK)

    assert answer.failure and answer.failure.code == "400"
    assert answer.attempts == inner.calls == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422, 501])
async def test_not_retried(status: int) -> None:
    """What will fail again in the same way is asked once."""
    async with Loopback(Reply({}, status)) as server:
        system = connect("m", {"base_url": server.url, "retry_delay": 0.001})
        answer = await system.ask(ASK)
        await system.close()

    assert (answer.attempts, server.calls) == (1, 1)


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504])
async def test_retried(status: int) -> None:
    """What may pass is asked again."""
    async with Loopback(Reply({}, status), Reply()) as server:
        system = connect("m", {"base_url": server.url, "retry_delay": 0.001})
        answer = await system.ask(ASK)
        await system.close()

    assert (answer.failure, answer.attempts, server.calls) == (None, 2, 2)


@pytest.mark.parametrize("header", ["0.3", "date", "ms"])
async def test_retry_after(header: str) -> None:
    """The server's wish is honoured, in seconds, as a date and in milliseconds."""
    at = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
    headers = {"date": {"Retry-After": at}, "ms": {"retry-after-ms": "300"}}.get(header, {"Retry-After": header})
    async with Loopback(Reply({}, 503, headers), Reply()) as server:
        system = connect("m", {"base_url": server.url, "retry_delay": 0.001, "max_retry_delay": 0.4})
        began = time.perf_counter()
        answer = await system.ask(ASK)
        waited = time.perf_counter() - began
        await system.close()

    assert answer.attempts == 2
    assert waited > 0.29


async def test_a_mad_wish_is_capped() -> None:
    """A server that wishes for a year waits as long as the user allows."""
    async with Loopback(Reply({}, 429, {"Retry-After": "31536000"}), Reply()) as server:
        system = connect("m", {"base_url": server.url, "retry_delay": 0.001, "max_retry_delay": 0.05})
        retry = Retry(Scripted(Answer()), RetryOptions(max_retry_delay=0.05))
        wait = retry._wait(0, Postponed("rate_limited", retry_after=3e7))
        await system.close()

    assert wait <= 0.05


@pytest.mark.parametrize("value", ["soon", "-5", "1e999", "Fri, 99 Foo", "", "١", "9" * 400])
async def test_odd_wishes_are_ignored(value: str) -> None:
    """A header nobody can read does not hinder the retry."""
    async with Loopback(Reply({}, 503, {"Retry-After": value}), Reply()) as server:
        system = connect("m", {"base_url": server.url, "retry_delay": 0.001, "max_retry_delay": 0.01})
        answer = await system.ask(ASK)
        await system.close()

    assert answer.attempts == 2


@settings(deadline=None)
@given(turn=st.integers(0, 10**6), wished=st.one_of(st.none(), st.floats(0, 1e12)))
def test_waits_stay_in_bounds(turn: int, wished: float | None) -> None:
    """No wait is negative or longer than allowed."""
    failure = Failure("reset") if wished is None else Postponed("rate_limited", retry_after=wished)
    retry = Retry(Scripted(Answer()), RetryOptions(max_retry_delay=60), random.Random(turn))

    assert 0 <= retry._wait(turn, failure) <= 60


async def test_give_up_after() -> None:
    """No retry begins after the time a request may take."""
    inner = Scripted(failed("reset"))

    answer = await Retry(inner, RetryOptions(retry_delay=5, give_up_after=0.01)).ask(ASK)

    assert (answer.attempts, inner.calls) == (1, 1)
