"""The server: each request takes the next reply of a script, or what a function makes of it."""

import asyncio
import gzip
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from aiohttp import web

Manner = Literal["plain", "reset", "reset_mid_body", "slow", "endless", "gzip", "silent"]


def completion(
    text: str = "42000元", *, finish: str = "stop", usage: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return a chat completion as an endpoint sends it."""
    counts = {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17} if usage is None else usage
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return {"id": "c1", "object": "chat.completion", "model": "m", "choices": [choice], "usage": counts}


@dataclass(frozen=True)
class Reply:
    """How one request is answered."""

    body: Any = field(default_factory=completion)
    """JSON to send, or bytes as they are."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    jitter: float = 0.0
    manner: Manner = "plain"
    content_type: str = "application/json"
    pause: float = 0.02
    """Seconds between the bytes of a slow body."""

    def content(self) -> bytes:
        """Return the bytes of the body."""
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body, ensure_ascii=False).encode()


Script = Callable[[Mapping[str, Any], int], Reply]


@dataclass
class Seen:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    query: dict[str, str]
    body: Any


class Loopback:
    """`async with Loopback() as server:` listens on a free port of 127.0.0.1."""

    def __init__(self, *replies: Reply, script: Script | None = None) -> None:
        self._replies = list(replies) or [Reply()]
        self._script = script
        self._chance = random.Random(1)
        self.seen: list[Seen] = []
        self.statuses: Counter[str] = Counter()
        self.most_at_once = 0
        self._at_once = 0
        self.url = ""

    @property
    def calls(self) -> int:
        """How many requests arrived."""
        return len(self.seen)

    def then(self, replies: Iterable[Reply]) -> None:
        """Answer from now on with these, the last one for ever."""
        self._replies = list(replies)

    async def __aenter__(self) -> "Loopback":
        await self.listen()
        return self

    async def listen(self, port: int = 0) -> None:
        """Begin to listen, on a free port unless one is named."""
        app = web.Application(client_max_size=1 << 26)
        app.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.05)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        body = json.loads(raw) if raw else None
        number = len(self.seen)
        self.seen.append(Seen(request.method, request.path, dict(request.headers), dict(request.query), body))
        reply = self._script(body or {}, number) if self._script else self._next()
        self.statuses[reply.manner if reply.manner != "plain" else str(reply.status)] += 1
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            if reply.delay or reply.jitter:
                await asyncio.sleep(reply.delay + self._chance.uniform(0, reply.jitter))
            return await self._send(request, reply)
        finally:
            self._at_once -= 1

    def _next(self) -> Reply:
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]

    async def _send(self, request: web.Request, reply: Reply) -> web.StreamResponse:
        content = reply.content()
        headers = {**reply.headers, "Content-Type": reply.headers.get("Content-Type", reply.content_type)}
        if reply.manner == "plain":
            return web.Response(status=reply.status, body=content, headers=headers)
        if reply.manner == "gzip":
            headers["Content-Encoding"] = "gzip"
            return web.Response(status=reply.status, body=gzip.compress(content), headers=headers)
        if reply.manner == "reset":
            _abort(request)
            return web.Response()
        if reply.manner == "silent":
            await asyncio.sleep(5)
        return await self._trickle(request, reply, content, headers)

    async def _trickle(
        self, request: web.Request, reply: Reply, content: bytes, headers: dict[str, str]
    ) -> web.StreamResponse:
        response = web.StreamResponse(status=reply.status, headers=headers)
        if reply.manner == "reset_mid_body":
            response.content_length = len(content)
        await response.prepare(request)
        if reply.manner == "reset_mid_body":
            await response.write(content[: len(content) // 2])
            await asyncio.sleep(0.01)
            _abort(request)
            return response
        for number in range(200_000 if reply.manner == "endless" else len(content)):
            piece = b"x" * 65536 if reply.manner == "endless" else content[number : number + 1]
            await response.write(piece)
            await asyncio.sleep(0 if reply.manner == "endless" else reply.pause)
        return response


def _abort(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()
