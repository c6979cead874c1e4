"""A plan says before what the server counts afterwards."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragstone.api import aevaluate, plan_run
from ragstone.core.settings import Settings
from ragstone.runs.estimate import SystemEstimate, estimate
from tests.loopback import Loopback, Reply

QUICK = Settings(concurrency=2)


@pytest.fixture
def dataset(write_rows: Callable[..., Path]) -> Path:
    """Twelve rows with eight different questions."""
    return write_rows(
        "q.jsonl", *({"q": f"押金多少元？{n % 8}", "gold": ["三千元"], "doc_hint": []} for n in range(12))
    )


async def plan(dataset: Path, system: str, latency_ms: float | None = None, **options: Any) -> SystemEstimate:
    """Estimate one system and close it."""
    planned, _ = plan_run(dataset, system, system_options=options, settings=QUICK)
    (found,) = estimate(planned, latency_ms=latency_ms, runs_dir=Path("runs"))
    for one in planned.systems:
        await one.close()
    return found


@pytest.mark.parametrize(
    ("options", "calls", "cached"),
    [
        ({}, 12, 0),
        ({"answer_cache": "c.db"}, 8, 4),
        ({"max_calls": 5}, 5, 0),
        ({"answer_cache": "d.db", "max_calls": 5}, 5, 4),
    ],
)
async def test_calls_are_exact(dataset: Path, options: dict[str, Any], calls: int, cached: int) -> None:
    """The same question is asked once where answers are kept, and a budget of calls is kept."""
    async with Loopback(Reply()) as server:
        options = options | {"base_url": server.url}
        found = await plan(dataset, "chat:m", **options)
        before = server.calls
        await aevaluate(dataset, "chat:m", system_options=options, settings=Settings(concurrency=1))

    assert (before, found.calls, server.calls) == (0, calls, calls)
    assert found.cached == cached
    assert found.stopped_by == (("calls",) if "max_calls" in options else ())


@pytest.mark.parametrize(
    ("options", "seconds"),
    [
        ({}, 0.6),
        ({"concurrency": 1}, 1.2),
        ({"requests_per_minute": 10}, 65.1),
        ({"max_calls": 4}, 0.2),
    ],
)
async def test_time_follows_the_limits(dataset: Path, options: dict[str, Any], seconds: float) -> None:
    """What holds requests back is part of the time."""
    found = await plan(dataset, "chat:m", latency_ms=100, base_url="http://127.0.0.1:9", **options)

    assert found.seconds == pytest.approx(seconds)


async def test_the_latency_is_that_of_the_same_endpoint(dataset: Path) -> None:
    """Another endpoint with a model of the same name tells nothing."""
    async with Loopback(Reply(delay=0.02)) as server:
        await aevaluate(dataset, "chat:m", system_options={"base_url": server.url}, settings=QUICK)
        same = await plan(dataset, "chat:m", base_url=server.url)
    other = await plan(dataset, "chat:m", base_url="http://127.0.0.1:9")

    assert same.latency_ms and same.latency_ms >= 20 and same.seconds
    assert (other.latency_ms, other.seconds) == (None, None)


async def test_the_built_in_rag_counts_what_it_sends(dataset: Path, tmp_path: Path) -> None:
    """Alone it calls nobody; with a model the passages are counted, and what needs no model is no call."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# 押金\n\n" + "押金为三千元，退租时退还。" * 20, encoding="utf-8")
    price = {"input_per_1k": 1}
    async with Loopback(Reply()) as server:
        chat = {"base_url": server.url, "price_config": price}
        alone = await plan(dataset, "builtin:docs", latency_ms=10)
        found = await plan(dataset, "builtin:docs", chat="chat:m", chat_options=chat)
        kept = await plan(dataset, "builtin:docs", chat="chat:m", chat_options=chat, answer_cache="c.db")
        options = {"chat": "chat:m", "chat_options": chat}
        done = await aevaluate(dataset, "builtin:docs", system_options=options, settings=QUICK)
        sent = sum(len(message["content"]) for seen in server.seen for message in seen.body["messages"])

    assert (alone.calls, alone.free, alone.prompt_tokens, alone.completion_tokens, alone.cost) == (0, 12, 0, 0, 0.0)
    assert (found.calls, server.calls, done.summary.finished) == (12, 12, 12)
    assert sent * 0.5 < found.prompt_tokens < sent and found.cost and found.cost > 1
    assert (kept.calls, kept.cached) == (8, 4)


async def test_budgets_that_will_be_spent_are_named(dataset: Path) -> None:
    """By the estimate, tokens, money and time come to an end."""
    budget = {"max_tokens_spent": 100, "max_cost": 0.01, "max_seconds": 0.1, "price_config": {"output_per_1k": 1}}

    found = await plan(dataset, "chat:m", latency_ms=100, base_url="http://127.0.0.1:9", **budget)

    assert found.stopped_by == ("tokens", "cost", "seconds")
