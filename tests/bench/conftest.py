"""A real OpenAI-compatible endpoint on loopback with models that know the labels, or not quite."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.loopback import Loopback, Reply, completion

SECRET = "sk-canary-7f3a"
ROWS = 12
Project = Callable[..., Path]


def row(number: int) -> dict[str, Any]:
    """Return a fictional row of the document's example."""
    sentiment = ("positive", "neutral", "negative")[number % 3]
    return {
        "sample_id": f"S{number:03}",
        "ticker": f"T{number}",
        "news_items": [{"title": f"公司{number}发布公告"}, {"title": f"第{number}号订单"}],
        "gt_sentiment": sentiment,
        "gt_impact_score": number % 5,
        "gt_keywords": ["公告", f"订单{number}"],
    }


def gold(number: int) -> dict[str, Any]:
    """Return the perfect answer to a row."""
    wanted = row(number)
    return {
        "sentiment": wanted["gt_sentiment"],
        "impact_score": wanted["gt_impact_score"],
        "keywords": wanted["gt_keywords"],
    }


def number_of(body: Mapping[str, Any]) -> int:
    """Find out which row a request is about."""
    text = body["messages"][-1]["content"]
    return int(text.partition("T")[2].split()[0])


def script(body: Mapping[str, Any], call: int) -> Reply:
    """Answer as the model asked for would: `good` is right, `poor` errs and rambles."""
    number = number_of(body)
    if body["model"] == "poor-1":
        text = "我认为很好。" if number % 4 == 0 else json.dumps(gold(number) | {"sentiment": "neutral"})
        return Reply(completion(text, usage={"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}))
    return Reply(completion(json.dumps(gold(number), ensure_ascii=False)), jitter=0.002)


class Server:
    """A loopback server in a thread of its own, for commands that block."""

    def __init__(self) -> None:
        self.server = Loopback(script=self._reply)
        self.script: Callable[[Mapping[str, Any], int], Reply] = script
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self.server.listen(), self._loop).result(10)

    def _reply(self, body: Mapping[str, Any], call: int) -> Reply:
        return self.script(body, call)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self.server.__aexit__(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    @property
    def asked(self) -> dict[str, int]:
        """Return how often each model was asked."""
        names = [seen.body["model"] for seen in self.server.seen]
        return {name: names.count(name) for name in sorted(set(names))}


@pytest.fixture
def endpoint() -> Iterator[Server]:
    """A running endpoint."""
    server = Server()
    yield server
    server.close()


@pytest.fixture
def project(tmp_path: Path, endpoint: Server, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder: a dataset, a model registry and the key in the environment."""
    lines = (json.dumps(row(number), ensure_ascii=False) + "\n" for number in range(ROWS))
    (tmp_path / "datasets").mkdir()
    (tmp_path / "datasets" / "your_data.jsonl").write_text("".join(lines), encoding="utf-8")
    (tmp_path / "configs").mkdir()
    common = {"provider": "openai", "api_key": "${BENCH_TEST_KEY}", "base_url": endpoint.server.url + "/v1"}
    price = {"input_per_1k": 0.001, "output_per_1k": 0.002}
    registry = {
        "active": "deepseek-v3",
        "models": {
            "deepseek-v3": {**common, "model": "good-1", "temperature": 0, "price_config": price, "concurrency": 3},
            "qwen-small": {**common, "model": "poor-1", "max_retries": 2, "retry_delay": 0.01},
        },
    }
    (tmp_path / "configs" / "llm_providers.json").write_text(json.dumps(registry))
    monkeypatch.setenv("BENCH_TEST_KEY", SECRET)
    return tmp_path


@pytest.fixture
def only_run(tmp_path: Path) -> Callable[[], Path]:
    """Find the one run there is."""

    def find() -> Path:
        (found,) = [path.parent for path in tmp_path.glob("runs/*/run_meta.json")]
        return found

    return find
