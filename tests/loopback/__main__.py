"""The server as a process of its own: `python -m tests.loopback --latency 0.05`, which prints its address.

GET tells how many calls came and when the first and the last did; DELETE begins to count anew. With `--answers FILE`
the call that holds #17 gets the text of that line, counted from 0.
"""

import argparse
import asyncio
import json
import re
import time
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from tests.loopback import Reply
from tests.loopback.server import completion


@dataclass
class Manners:
    """How calls are answered: seconds of latency, every n-th refused, every n-th slower by so many seconds."""

    latency: float = 0.0
    refuse_every: int = 0
    retry_after: str = ""
    slow_every: int = 0
    slow_by: float = 0.0

    def refuses(self, number: int) -> bool:
        """Tell whether a call is turned away with 429."""
        return bool(self.refuse_every) and number % self.refuse_every == self.refuse_every - 1

    def delay(self, number: int) -> float:
        """Return the seconds a call waits for its reply."""
        slow = bool(self.slow_every) and number % self.slow_every == self.slow_every // 2
        return self.latency + self.slow_by * slow


class Count:
    """What the server saw: calls, how many it answered, when the first came and the last was answered."""

    def __init__(self) -> None:
        self.calls = self.answered = 0
        self.first = self.last = 0.0


def contents(answers: str) -> list[bytes]:
    """Return the bodies of all replies; a server without answers of its own has one."""
    lines = Path(answers).read_text(encoding="utf-8").splitlines() if answers else ['"42000元"']
    return [Reply(completion(json.loads(line))).content() for line in lines]


async def serve(manners: Manners, answers: str) -> None:
    """Answer every request with its completion until the process is ended."""
    replies = contents(answers)
    headers = {"Retry-After": manners.retry_after} if manners.retry_after else {}
    count = Count()

    async def handle(request: web.Request) -> web.Response:
        nonlocal count
        if request.method == "GET":
            return web.json_response(vars(count))
        if request.method == "DELETE":
            count = Count()
            return web.Response()
        named = re.search(rb"#(\d+)", await request.read())
        content = replies[int(named[1]) % len(replies) if named else 0]
        number, counted = count.calls, count
        counted.calls += 1
        counted.first = counted.first or time.monotonic()
        if manners.refuses(number):
            return web.Response(status=429, headers=headers, text="{}", content_type="application/json")
        if delay := manners.delay(number):
            await asyncio.sleep(delay)
        counted.answered += 1
        counted.last = time.monotonic()
        return web.Response(body=content, content_type="application/json")

    # The bare server, without router and middlewares, so that the client is what limits.
    runner = web.ServerRunner(web.Server(handle))  # type: ignore[arg-type]
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)  # noqa: T201
    await asyncio.Event().wait()


def main() -> None:
    """Read the manners and serve, on the quickest event loop there is."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--refuse-every", type=int, default=0)
    parser.add_argument("--retry-after", default="")
    parser.add_argument("--slow-every", type=int, default=0)
    parser.add_argument("--slow-by", type=float, default=0.0)
    parser.add_argument("--answers", default="")
    given = vars(parser.parse_args())
    answers = given.pop("answers")
    work = serve(Manners(**given), answers)
    try:
        import uvloop  # noqa: PLC0415 - there is none on Windows
    except ImportError:
        asyncio.run(work)
    else:
        uvloop.run(work)


if __name__ == "__main__":
    main()
