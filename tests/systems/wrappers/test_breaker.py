"""When an endpoint is down: pause, probe, resume, and stop in the end."""

import asyncio
import socket
import time
from collections.abc import Mapping
from typing import Any

import pytest

from ragstone.core.errors import BudgetSpent
from ragstone.core.types import Answer, Failure, Request
from ragstone.systems.chat import connect
from ragstone.systems.wrappers.breaker import Breaker, BreakerOptions
from ragstone.systems.wrappers.wrapper import Notice, listen
from tests.loopback import Loopback, Reply

ASK = Request(id="a", question="q")
QUICK: dict[str, Any] = {"breaker_after": 3, "breaker_pause": 0.02, "breaker_longest_pause": 0.05}


class Switch:
    """A system that is up or down."""

    model_id = "s"

    def __init__(self, kind: str = "refused") -> None:
        self.up = True
        self.kind = kind
        self.calls = 0

    def identity(self) -> Mapping[str, Any]:
        """Describe it."""
        return {}

    async def ask(self, request: Request) -> Answer:
        """Answer when up."""
        self.calls += 1
        await asyncio.sleep(0)
        return Answer(text="x") if self.up else Answer(failure=Failure(self.kind, "gone"))

    async def close(self) -> None:
        """Nothing is held."""


async def bring_down(breaker: Breaker, inner: Switch) -> None:
    """Answer once, then fail until the breaker opens."""
    await breaker.ask(ASK)
    inner.up = False
    for _ in range(3):
        await breaker.ask(ASK)


@pytest.mark.parametrize(("set_by_user", "least"), [({}, 0.0), ({"patience": 0.5}, 0.5)])
async def test_who_is_in_a_hurry_waits_less(set_by_user: dict[str, Any], least: float) -> None:
    """The usual patience is cut to that of a start; patience that the user set is kept."""
    inner = Switch()
    breaker = Breaker(inner, BreakerOptions(**QUICK, patience_at_start=0.1, **set_by_user))
    breaker.hurry()
    await bring_down(breaker, inner)
    began = time.monotonic()
    with pytest.raises(BudgetSpent):
        await breaker.ask(ASK)
    assert least <= time.monotonic() - began + 0.1 < 60


async def test_pause_probe_resume() -> None:
    """While the endpoint is down one request probes and all others wait; then all are answered."""
    inner = Switch()
    breaker = Breaker(inner, BreakerOptions(**QUICK))
    heard: list[Notice] = []
    breaker.notify = heard.append
    await bring_down(breaker, inner)
    before = inner.calls

    tasks = [asyncio.create_task(breaker.ask(ASK)) for _ in range(50)]
    await asyncio.sleep(0.15)
    probes = inner.calls - before
    inner.up = True
    answers = await asyncio.gather(*tasks)

    assert 1 <= probes < 10
    assert all(answer.text == "x" for answer in answers)
    assert sum(answer.attempts for answer in answers) == inner.calls - before
    assert heard[0].code == "paused" and heard[-1].code == "resumed"
    assert "gone" in heard[0].say("en")


async def test_it_stops_in_the_end() -> None:
    """After the patience the run is stopped, not every case failed."""
    inner = Switch()
    breaker = Breaker(inner, BreakerOptions(patience=0.1, **QUICK))
    await bring_down(breaker, inner)

    signals = await asyncio.gather(*(breaker.ask(ASK) for _ in range(20)), return_exceptions=True)

    assert all(isinstance(signal, BudgetSpent) and signal.what == "outage" for signal in signals)
    assert "gone" in str(signals[0])
    assert inner.calls < 20


async def test_or_fails_one_by_one_and_recovers() -> None:
    """On demand the cases fail with a word of their own, and one now and then tries its luck."""
    inner = Switch()
    breaker = Breaker(inner, BreakerOptions(patience=0.05, when_down="fail", **QUICK))
    await bring_down(breaker, inner)

    first = await breaker.ask(ASK)
    second = await breaker.ask(ASK)
    inner.up = True
    await asyncio.sleep(0.06)
    third = await breaker.ask(ASK)

    assert first.failure and first.failure.kind == "circuit_open"
    assert second.failure and second.failure.kind == "circuit_open" and second.attempts == 0
    assert third.text == "x"


@pytest.mark.parametrize("kind", ["rate_limited", "content_filtered", "missing_path", "not_json"])
async def test_other_failures_do_not_pause(kind: str) -> None:
    """Failures of single requests never hold the others back."""
    inner = Switch(kind)
    inner.up = False
    breaker = Breaker(inner, BreakerOptions(**QUICK))

    answers = [await breaker.ask(ASK) for _ in range(10)]

    assert inner.calls == 10 and all(answer.failure for answer in answers)


async def test_a_cancelled_probe_is_taken_over() -> None:
    """When the probing request is given up, another one goes on."""
    inner = Switch()
    breaker = Breaker(inner, BreakerOptions(**QUICK))
    await bring_down(breaker, inner)
    prober = asyncio.create_task(breaker.ask(ASK))
    await asyncio.sleep(0)
    waiter = asyncio.create_task(breaker.ask(ASK))
    await asyncio.sleep(0)

    prober.cancel()
    inner.up = True
    async with asyncio.timeout(1):
        answer = await waiter

    assert answer.text == "x"


async def test_a_real_outage() -> None:
    """A server that goes away and comes back on the same port costs no case."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    heard: list[Notice] = []
    options = {"base_url": f"http://127.0.0.1:{port}", "retry_delay": 0.01, "patience_at_start": 5, **QUICK}
    system = connect("m", options)
    listen(system, heard.append)

    async def come_up() -> None:
        await asyncio.sleep(0.3)
        await server.listen(port)

    server = Loopback(Reply())
    waking = asyncio.create_task(come_up())
    answers = await asyncio.gather(*(system.ask(Request(id=str(n), question=str(n))) for n in range(20)))
    await waking
    await system.close()
    await server.__aexit__()

    assert all(answer.text == "42000元" for answer in answers)
    assert {"paused", "resumed"} <= {notice.code for notice in heard}


async def test_a_key_that_is_refused_is_not_tried_on_every_case() -> None:
    """After a few refusals and no answer the run is stopped, with the server's own words; one answer before is luck."""
    async with Loopback(Reply({"error": {"message": "bad key"}}, 401)) as server:
        system = connect("m", {"base_url": server.url, "max_retries": 0, "shut_out_after": 3})
        refused = [await system.ask(ASK) for _ in range(3)]
        with pytest.raises(BudgetSpent, match=r"refused 3 times.*bad key.*--retry-failed"):
            await system.ask(ASK)
        await system.close()

    assert server.calls == 3 and all(answer.failure for answer in refused)


@pytest.mark.parametrize("options", [{"shut_out_after": 0}, {"when_down": "fail"}])
async def test_who_wishes_has_every_case_refused(options: dict[str, Any]) -> None:
    """The cases fail one by one."""
    async with Loopback(Reply({}, 403)) as server:
        system = connect("m", {"base_url": server.url, "max_retries": 0, **options})
        refused = [await system.ask(ASK) for _ in range(8)]
        await system.close()

    assert server.calls == 8 and {answer.failure and answer.failure.code for answer in refused} == {"403"}
