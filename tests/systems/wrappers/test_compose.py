"""Everything that stands round a system, together, against a real and troublesome server."""

import asyncio
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ragstone.core.errors import BudgetSpent
from ragstone.core.types import Answer, Request
from ragstone.systems.chat import ChatOptions, connect
from ragstone.systems.failures import KINDS
from ragstone.systems.http.endpoint import CallOptions, Exchange
from ragstone.systems.http_json.service import Service
from ragstone.systems.options import FactOptions, fields
from ragstone.systems.wrappers.budget import budget_of
from ragstone.systems.wrappers.cache import Cache
from ragstone.systems.wrappers.compose import NAMES, watch, with_wrappers
from ragstone.systems.wrappers.wrapper import Notice, layers, listen
from tests.loopback import Loopback, Reply

QUICK = {"retry_delay": 0.005, "max_retry_delay": 0.05, "breaker_pause": 0.02, "max_retries": 12}


def troubled(body: Mapping[str, Any], number: int) -> Reply:
    """Answer one request in ten with 429, one in twenty with a reset and one in twenty slowly."""
    draw = random.Random(number).random()
    if draw < 0.10:
        return Reply({"error": "slow"}, 429, {"Retry-After": "0.01"})
    if draw < 0.15:
        return Reply(manner="reset")
    return Reply(delay=0.03 if draw < 0.20 else 0.001)


async def ask_all(system: Any, count: int, workers: int = 16) -> list[Answer]:
    """Ask numbered questions with some workers."""
    numbers = iter(range(count))
    answers: list[Answer] = []

    async def work() -> None:
        for number in numbers:
            answer = await system.ask(Request(id=str(number), question=f"问题{number}"))
            answers.append(answer)

    async with asyncio.TaskGroup() as group:
        for _ in range(workers):
            group.create_task(work())
    return answers


async def test_every_call_is_accounted_for(tmp_path: Path) -> None:
    """With 429s, resets and slow replies the calls counted are those the server saw, and every case is answered."""
    async with Loopback(script=troubled) as server:
        options = {"base_url": f"{server.url}/v1", "cache": str(tmp_path / "c.db"), **QUICK}
        system = connect("m", options)

        answers = await ask_all(system, 300)
        again = await ask_all(system, 300)
        budget = budget_of(system)
        await system.close()

    assert all(answer.failure is None for answer in answers)
    assert sum(answer.attempts for answer in answers) == server.calls > 300
    assert budget is not None and budget.ledger.calls == server.calls == budget.ledger.finished
    assert {(answer.cached, answer.attempts) for answer in again} == {(True, 0)}


async def test_wrappers_are_transparent() -> None:
    """Identity and model name are those of the system inside; notices reach whoever listens."""
    heard: list[Notice] = []
    async with Loopback(Reply({}, 429), Reply()) as server:
        system = connect("m", {"base_url": f"{server.url}/v1", **QUICK})
        listen(system, heard.append)
        await system.ask(Request(id="a", question="q"))
        await system.close()

    assert system.model_id == "m"
    assert system.identity()["kind"] == "chat"
    assert [notice.code for notice in heard] == ["slowed"]
    assert "1 at a time" in heard[0].say("en") and "并发" in heard[0].say("zh-Hans")


class Plain:
    """A system of nothing but an answer."""

    model_id = "plain"

    def identity(self) -> Mapping[str, Any]:
        """Describe it."""
        return {"kind": "plain"}

    async def ask(self, request: Request) -> Answer:
        """Answer."""
        return Answer(text=request.question)

    async def close(self) -> None:
        """Nothing is held."""


async def test_any_system_can_be_surrounded(tmp_path: Path) -> None:
    """A system that is no endpoint gets cache and budget the same way."""
    heard: list[Notice] = []
    system = with_wrappers(Plain(), {"cache": str(tmp_path / "c.db"), "max_calls": 1})
    listen(system, heard.append)

    first = await system.ask(Request(id="a", question="q"))
    second = await system.ask(Request(id="b", question="q"))
    with pytest.raises(BudgetSpent):
        await system.ask(Request(id="c", question="other"))
    cache = next(layer for layer in layers(system) if isinstance(layer, Cache))
    await system.close()

    assert (first.text, second.text, second.cached) == ("q", "q", True)
    assert (cache.hits, cache.misses) == (1, 2)


async def test_an_exchange_can_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who looks for a mistake sees what went over the wire, without the key."""
    monkeypatch.setenv("MY_KEY", "sk-canary-123456")
    seen: list[Exchange] = []
    async with Loopback(Reply(), Reply({"error": "sk-canary-123456 is wrong"}, 401)) as server:
        system = connect("m", {"base_url": server.url, "api_key_env": "MY_KEY"})
        shown = (watch(system, seen.append), watch(Plain(), seen.append))
        for _ in range(2):
            await system.ask(Request(id="a", question="多少？"))
        await system.close()

    assert shown == (True, False)
    assert "多少？" in seen[0].sent and "42000元" in seen[0].received and seen[0].method == "POST"
    assert (seen[0].status, seen[1].status) == ("HTTP/1.1 200 OK", "HTTP/1.1 401 Unauthorized")
    assert "*** is wrong" in seen[1].received and seen[1].reply_headers["content-type"].startswith("application/json")
    assert seen[1].failure is not None and seen[1].headers["Authorization"] == "***"
    assert "canary" not in repr(seen)


async def test_nobody_is_held_back_longer_than_allowed() -> None:
    """A server that wishes for half a minute gets as much as max_retry_delay says, from those in line as well."""
    replies = [Reply({"error": "slow"}, 429, {"Retry-After": "30"}) for _ in range(2)]
    async with Loopback(*replies, Reply()) as server:
        system = connect("m", {"base_url": server.url, "max_retry_delay": 0.1, "retry_delay": 0.01})
        async with asyncio.timeout(10):
            answers = await ask_all(system, 6, workers=2)
        await system.close()

    assert [answer.failure for answer in answers] == [None] * 6
    assert server.calls == 8


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"api_key_env": "MY_KEY"}, "Check the variable 'MY_KEY'"),
        ({}, "no key was sent"),
    ],
)
async def test_a_refused_key_names_its_variable(
    options: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is turned away learns which variable to look at, or that none was named."""
    monkeypatch.setenv("MY_KEY", "sk-canary-123456")
    async with Loopback(Reply({"error": "who?"}, 401)) as server:
        system = connect("m", {"base_url": server.url, **options})
        answer = await system.ask(Request(id="a", question="q"))
        await system.close()

    assert answer.failure and said in answer.failure.message


def test_layers_can_be_left_out() -> None:
    """What is switched off is not in the way."""
    system = with_wrappers(Plain(), {"max_retries": 0, "breaker_after": 0})

    assert "Retry" not in repr(system) and "Breaker" not in repr(system)
    assert not any(isinstance(layer, Cache) for layer in layers(system))


def test_every_option_is_documented() -> None:
    """The page of systems names every option, every part of a description and every word for a failure."""
    page = (Path(__file__).parents[3] / "docs" / "systems.md").read_text(encoding="utf-8")

    names = {*NAMES, *fields(ChatOptions, CallOptions, FactOptions)}
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []
    assert [name for name in Service.__struct_fields__ if f"{name}:" not in page and name != "notes"] == []
    assert [kind for kind in KINDS if f"`{kind}`" not in page] == []
