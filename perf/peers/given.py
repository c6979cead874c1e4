"""What every driver is given and tells: the cases, the server, how many at once; knows no peer."""

import argparse
import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

Ask = Callable[[str], Awaitable[str]]


class Row(NamedTuple):
    """A case as all of them get it."""

    question: str
    expected: str


class Given(NamedTuple):
    """The options of a driver."""

    url: str
    """Address of the OpenAI-compatible server, with /v1."""
    rows: list[Row]
    at_once: int
    client: str
    """What makes the calls of a peer that makes none itself: openai or aiohttp."""


def given() -> tuple[Given, int]:
    """Read the command line: what to do, and with how many cases to warm up."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--at-once", type=int, default=64)
    parser.add_argument("--client", default="openai")
    parser.add_argument("--few", type=int, default=0)
    options = parser.parse_args()
    lines = options.cases.read_text(encoding="utf-8").splitlines()
    rows = [Row(row["q"], row["gold"][0]) for row in map(json.loads, lines)]
    return Given(options.url, rows, options.at_once, options.client), options.few


def measure(run: Callable[[Given], int]) -> None:
    """Evaluate all cases and say how many passed; after two runs with a few, say what the others took."""
    options, few = given()
    if few:
        start = options._replace(rows=options.rows[:few])
        run(start)
        cpu, wall, _ = _spent(run, start)
        more_cpu, more_wall, passed = _spent(run, options)
        print(f"\nspent {more_cpu - cpu:.4f} {more_wall - wall:.4f}")
    else:
        passed = run(options)
    print(f"\npassed {passed}", flush=True)


def _spent(run: Callable[[Given], int], options: Given) -> tuple[float, float, int]:
    cpu, wall = time.process_time(), time.perf_counter()
    passed = run(options)
    return time.process_time() - cpu, time.perf_counter() - wall, passed


@asynccontextmanager
async def asking(options: Given) -> AsyncIterator[Ask]:
    """Give a function that asks one question, with the client that was chosen and so many calls at once."""
    gate = asyncio.Semaphore(options.at_once)
    async with openai_client(options.url) if options.client == "openai" else aiohttp_client(options.url) as ask:

        async def one(question: str) -> str:
            async with gate:
                return await ask(question)

        yield one


@asynccontextmanager
async def openai_client(url: str) -> AsyncIterator[Ask]:
    """Ask with the openai SDK, as the peers' own pages show it."""
    from openai import AsyncOpenAI  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

    async with AsyncOpenAI(base_url=url, api_key="none") as client:

        async def ask(question: str) -> str:
            messages = [{"role": "user", "content": question}]
            reply = await client.chat.completions.create(model="m", messages=messages)
            return str(reply.choices[0].message.content)

        yield ask


@asynccontextmanager
async def aiohttp_client(url: str) -> AsyncIterator[Ask]:
    """Ask with aiohttp: what is left over is the peer's own work."""
    import aiohttp  # noqa: PLC0415

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def ask(question: str) -> str:
            body = {"model": "m", "messages": [{"role": "user", "content": question}]}
            async with session.post(f"{url}/chat/completions", json=body) as response:
                return str((await response.json())["choices"][0]["message"]["content"])

        yield ask
