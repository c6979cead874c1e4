"""Answers kept: free re-runs, never a failure, never fatal."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ragstone.core.errors import ConnectError
from ragstone.core.types import Answer, Citation, Context, Failure, Message, Request, Usage
from ragstone.systems.wrappers.cache import Cache
from ragstone.systems.wrappers.wrapper import Notice

FULL = Answer(
    text="42000元",
    data={"amount": 42000},
    contexts=(Context("a.md", 2, "文", 0.5),),
    citations=(Citation("a.md", 2, "引"),),
    usage=Usage(1, 2, 3),
    latency_ms=12.5,
    attempts=3,
    finish_reason="stop",
    cost=0.1,
)


class Counted:
    """A system that counts how often it is asked."""

    def __init__(self, answer: Answer = FULL, name: str = "x", seconds: float = 0.0) -> None:
        self.model_id = name
        self.answer = answer
        self.calls = 0
        self.seconds = seconds
        self.closed = False

    def identity(self) -> Mapping[str, Any]:
        """Describe it by its name."""
        return {"name": self.model_id}

    async def ask(self, request: Request) -> Answer:
        """Answer after a while."""
        self.calls += 1
        await asyncio.sleep(self.seconds)
        return self.answer

    async def close(self) -> None:
        """Note that it was closed."""
        self.closed = True


def request(question: str = "q", **more: Any) -> Request:
    """Make a request."""
    return Request(id=more.pop("id", "a"), question=question, **more)


async def test_kept_over_runs(tmp_path: Path) -> None:
    """A later run gets the whole answer back without a call."""
    first = Counted()
    cache = Cache(first, tmp_path / "deep" / "c.db")
    asked = await cache.ask(request())
    await cache.close()
    second = Counted()
    again = Cache(second, tmp_path / "deep" / "c.db")

    answer = await again.ask(request(id="another case"))
    held = (again.holds(request()), again.holds(request("other")))
    await again.close()

    assert asked == FULL
    assert (answer.text, answer.data, answer.contexts, answer.citations) == (
        FULL.text,
        FULL.data,
        FULL.contexts,
        FULL.citations,
    )
    assert (answer.cached, answer.attempts, answer.usage, answer.cost) == (True, 0, FULL.usage, 0.1)
    assert (first.calls, second.calls, held) == (1, 0, (True, False))
    assert first.closed and (tmp_path / "deep" / "c.db").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "other",
    [
        request("q2"),
        request(repeat=1),
        request(params={"temperature": 1}),
        request(messages=(Message("user", "q"),)),
    ],
)
async def test_what_differs_is_asked(tmp_path: Path, other: Request) -> None:
    """Question, messages, parameters and repeat are all part of what is asked."""
    inner = Counted()
    cache = Cache(inner, tmp_path / "c.db")

    await cache.ask(request())
    await cache.ask(other)
    await cache.close()

    assert inner.calls == 2


async def test_another_system_is_another_answer(tmp_path: Path) -> None:
    """The same question to another system is asked."""
    one, two = Counted(name="one"), Counted(name="two")
    for system in (one, two):
        cache = Cache(system, tmp_path / "c.db")
        await cache.ask(request())
        await cache.close()

    assert (one.calls, two.calls) == (1, 1)


async def test_order_of_parameters_does_not_matter(tmp_path: Path) -> None:
    """Equal parameters are equal, in whatever order they were written."""
    inner = Counted()
    cache = Cache(inner, tmp_path / "c.db")

    await cache.ask(request(params={"a": 1, "b": {"c": 1, "d": 2}}))
    await cache.ask(request(params={"b": {"d": 2, "c": 1}, "a": 1}))
    await cache.close()

    assert inner.calls == 1


async def test_failures_are_not_kept(tmp_path: Path) -> None:
    """A failure is asked again."""
    inner = Counted(Answer(failure=Failure("reset")))
    cache = Cache(inner, tmp_path / "c.db")

    await cache.ask(request())
    await cache.ask(request())
    await cache.close()

    assert inner.calls == 2


async def test_equal_requests_in_flight_are_asked_once(tmp_path: Path) -> None:
    """A question that stands in the dataset forty times is paid for once, also when asked all at once."""
    inner = Counted(seconds=0.01)
    cache = Cache(inner, tmp_path / "c.db")

    answers = await asyncio.gather(*(cache.ask(request(id=str(n))) for n in range(40)))
    await cache.close()

    assert inner.calls == 1
    assert sum(answer.attempts for answer in answers) == FULL.attempts


async def test_followers_of_a_failure_ask_themselves(tmp_path: Path) -> None:
    """When the one who asked fails or is cancelled, the next one asks."""
    inner = Counted(Answer(failure=Failure("reset")), seconds=0.01)
    cache = Cache(inner, tmp_path / "c.db")
    tasks = [asyncio.create_task(cache.ask(request())) for _ in range(3)]
    await asyncio.sleep(0)
    tasks[0].cancel()

    answers = await asyncio.gather(*tasks[1:])
    await cache.close()

    assert all(answer.failure for answer in answers)
    assert inner.calls == 3


async def test_a_damaged_file_is_set_aside(tmp_path: Path) -> None:
    """A file that is no database is kept under another name, and the run goes on."""
    path = tmp_path / "c.db"
    path.write_bytes(b"this is not a database, not at all" * 100)
    heard: list[Notice] = []
    cache = Cache(Counted(), path)
    cache.notify = heard.append

    await cache.ask(request())
    await cache.close()

    assert (tmp_path / "c.db.damaged-1").read_bytes().startswith(b"this is not")
    assert [notice.code for notice in heard] == ["cache_set_aside"]
    assert path.read_bytes().startswith(b"SQLite format 3")


async def test_damage_while_running(tmp_path: Path) -> None:
    """Damage within the file is noticed when it is met, and is not fatal."""
    path = tmp_path / "c.db"
    cache = Cache(Counted(Answer(text="x" * 5000)), path)
    for number in range(200):
        await cache.ask(request(str(number)))
    await cache.close()
    content = bytearray(path.read_bytes())
    content[4096 : len(content)] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    inner = Counted()
    again = Cache(inner, path)

    answers = [await again.ask(request(str(number))) for number in range(200)]
    await again.close()

    assert all(answer.text for answer in answers)
    assert inner.calls == 200
    assert (tmp_path / "c.db.damaged-1").exists()


async def test_two_at_once(tmp_path: Path) -> None:
    """Two runs share one file."""
    one, two = Counted(), Counted()
    first, second = Cache(one, tmp_path / "c.db"), Cache(two, tmp_path / "c.db")

    for number in range(200):
        await first.ask(request(str(number)))
    found = [second.holds(request(str(number))) for number in range(200)]
    await first.close()
    answers = [await second.ask(request(str(number))) for number in range(200)]
    await second.close()

    assert sum(found) >= 128
    assert all(answer.cached for answer in answers) and two.calls == 0


async def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    """A folder in place of the file is the user's to fix, before anything is asked."""
    (tmp_path / "c.db").mkdir()

    with pytest.raises(ConnectError, match=r"c\.db"):
        Cache(Counted(), tmp_path / "c.db")
