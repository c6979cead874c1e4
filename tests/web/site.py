"""A real server on a free port of this machine, and a client that speaks plain HTTP to it."""

import asyncio
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import uvicorn
from fastapi import APIRouter
from starlette.types import ASGIApp

from ragstone import evaluate
from ragstone.core.settings import Settings
from ragstone.web import app
from ragstone.web.api.routes import api_routes
from ragstone.web.pages.render import Renderer
from ragstone.web.pages.routes import page_routes
from ragstone.web.server import configure
from ragstone.web.state import AppState
from tests.loopback import Loopback, in_a_thread
from tests.loopback import Reply as Answer

ROWS: list[dict[str, Any]] = [
    {"q": "图书馆几点开门？", "gold": ["八点开门"], "doc_hint": ["hours.md"], "category": "时间"},
    {"q": "一次能借几册？", "gold": ["最多十册"], "doc_hint": ["loans.md"], "category": "借阅"},
    {"q": "停车怎么收费？", "gold": ["首小时免费", "之后每小时六元"], "doc_hint": ["parking.md"], "category": "停车"},
]
ANSWERS: list[dict[str, Any]] = [
    {
        "id": "Q1",
        "output": "八点开门。参考 hours.md",
        "contexts": [{"source_path": "hours.md", "text": "每天八点开门。"}],
    },
    {"id": "Q2", "output": "最多十册。参考 guide.md", "latency_ms": 12.5},
    {"id": "Q3", "output": "请咨询服务台。"},
]
SLOW = """
import asyncio, os
async def answer(question):
    with open("asked.log", "a") as log:
        log.write(question + "\\n")
    # No answer comes as long as there is this file.
    while os.path.exists("held"):
        await asyncio.sleep(0.01)
    # Two figures: seconds for the first question of the set, and for all others.
    seconds = os.environ.get("SLOW", "0.05").split()
    await asyncio.sleep(float(seconds[0 if "开门" in question else -1]))
    return "八点开门 最多十册 首小时免费 hours.md loans.md parking.md"
async def broken(question):
    if "停车" in question and not os.path.exists("fixed"):
        raise RuntimeError("down")
    return "八点开门 最多十册 首小时免费 hours.md loans.md parking.md"
"""


_ASKED: ContextVar[tuple[AppState, Renderer]] = ContextVar("asked")


class _Asked:
    """Stands for what belongs to whichever server is being asked: its state, its renderer, or a part of them."""

    def __init__(self, find: Callable[[], Any]) -> None:
        self._find = find

    def __getattr__(self, name: str) -> Any:
        if _ASKED.get(None) is None:  # while routes are made
            return _Asked(lambda: getattr(self._find(), name))
        return getattr(self._find(), name)


@cache
def _routes() -> tuple[APIRouter, APIRouter]:
    """Make the routes once, for all servers of a process: that is nearly all that making a server costs."""
    state, renderer = _Asked(lambda: _ASKED.get()[0]), _Asked(lambda: _ASKED.get()[1])
    return api_routes(cast("AppState", state)), page_routes(cast("AppState", state), cast("Renderer", renderer))


def _create(settings: Settings, say: Callable[[str], object]) -> ASGIApp:
    """Make a server of routes that know by the request whose they are."""
    made = []

    def pages(state: AppState, renderer: Renderer) -> APIRouter:
        made.append((state, renderer))
        return _routes()[1]

    with patch.multiple(app, api_routes=lambda state: _routes()[0], page_routes=pages):
        inner = app.create_app(settings, say)

    async def served(scope: Any, receive: Any, send: Any) -> None:
        _ASKED.set(made[0])
        await inner(scope, receive, send)

    return served


@dataclass
class Reply:
    """What came back."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.content)

    @property
    def text(self) -> str:
        """The body as text."""
        return self.content.decode()


@dataclass
class Site:
    """A server that can be asked."""

    port: int
    token: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None) -> Reply:
        """Send one request as it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        given = {**self.headers, **(headers or {})}
        if body is not None and not isinstance(body, bytes):
            given.setdefault("Content-Type", "application/json")
        try:
            connection.request(method, path, sent, given)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, found, response.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Reply:
        """Read something."""
        return self.ask("GET", path, headers=headers)

    def change(self, method: str, path: str, body: object = None) -> Reply:
        """Change something, as the page does it."""
        token = self.get("/api/v1/session").json["token"]
        return self.ask(method, path, body, {"X-Ragstone-Token": token, "Origin": self.url})

    def start(self, system: str = "recorded", dataset: str = "library.jsonl", **more: object) -> str:
        """Begin a run."""
        reply = self.change("POST", "/api/v1/runs", {"dataset": dataset, "system": system, **more})
        assert reply.status == 202, reply.text
        return str(reply.json["run_id"])

    def wait(self, run_id: str, *states: str, seconds: float = 60) -> dict[str, Any]:
        """Wait until a run has come to one of the states."""
        wanted, end = states or ("complete", "partial", "failed"), time.monotonic() + seconds
        while True:
            live: dict[str, Any] = self.get(f"/api/v1/runs/{run_id}").json["live"]
            if live["state"] in wanted or time.monotonic() > end:
                assert live["state"] in wanted, live
                return live
            time.sleep(0.02)

    def run(self, system: str = "recorded", **more: object) -> str:
        """Begin a run and wait for its end."""
        run_id = self.start(system, **more)  # type: ignore[arg-type]
        self.wait(run_id)
        return run_id


def furnish(folder: Path, rows: list[dict[str, Any]] = ROWS, answers: list[dict[str, Any]] = ANSWERS) -> None:
    """Put a dataset, recorded answers, a slow system and settings into a folder."""
    (folder / "datasets").mkdir(exist_ok=True)
    for path, items in ((folder / "datasets" / "library.jsonl", rows), (folder / "answers.jsonl", answers)):
        path.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items), encoding="utf-8")
    (folder / "slow_rag.py").write_text(SLOW)


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Let the slow system of a folder give no answer as long as this goes on, however slow the machine is."""
    (folder / "held").touch()
    try:
        yield
    finally:
        (folder / "held").unlink()


def until_asked(folder: Path) -> None:
    """Wait until the slow system was asked something."""
    while not (folder / "asked.log").exists():
        time.sleep(0.02)


def refused(run_id: str) -> Path:
    """Make a run whose endpoint refused every connection, in the folder at hand."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    down = {"patience_at_start": 0.01, "breaker_pause": 0.01, "breaker_after": 1, "max_retries": 1}
    system = f"http_json:http://127.0.0.1:{port}/ask"
    made = evaluate("datasets/library.jsonl", system, run_id=run_id, system_options=down, settings=Settings())
    return made.folder


def answering(reply: object) -> AbstractContextManager[Loopback]:
    """A service on this machine that answers everything alike, in a thread of this process."""
    return in_a_thread(Loopback(Answer(reply)))


SYSTEMS: dict[str, dict[str, Any]] = {
    "recorded": {"system": "replay:answers.jsonl", "label": "馆务助手"},
    "slow": {"system": "python:slow_rag:answer"},
    "broken": {"system": "python:slow_rag:broken"},
}


class Server(uvicorn.Server):
    """A server that ends at once: it looks more often whether it shall, and waits for nobody where nobody is there."""

    async def main_loop(self) -> None:
        await self.on_tick(0)
        while not self.should_exit:  # noqa: ASYNC110 - set by another thread
            await asyncio.sleep(0.01)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.server_state.connections or self.server_state.tasks:
            await super().shutdown(sockets)
            return
        for server in self.servers:
            server.close()
        await self.lifespan.shutdown()


@contextmanager
def serving(settings: Settings, say: Callable[[str], object] = lambda line: None) -> Iterator[Site]:
    """Run a server in a thread of this process."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = Server(configure(_create(settings, say), grace=1, log_level="critical"))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield Site(listening.getsockname()[1], settings.token)
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()
