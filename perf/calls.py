"""What asking costs beyond the network: `python perf/calls.py` against our own loopback server.

Bare aiohttp, the openai SDK when it is installed, `chat` with all that stands round it, and a whole run with journal
and scoring, turn by turn. Each figure is one line; ratios count, absolutes belong to the machine.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import msgspec

from ragstone.api import aevaluate
from ragstone.core.settings import Settings
from ragstone.core.types import Message, Request
from ragstone.systems.chat import connect

ROOT = Path(__file__).parents[1]
PROMPT = "根据以下材料回答问题。" * 40
Ask = Callable[[int], Awaitable[None]]


class Cost(NamedTuple):
    """What some calls took."""

    wall: float
    cpu: float


async def drive(ask: Ask, count: int, at_once: int) -> Cost:
    """Ask with so many workers, and measure this process."""
    numbers = iter(range(count))

    async def work() -> None:
        for number in numbers:
            await ask(number)

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(work() for _ in range(at_once)))
    return Cost(time.perf_counter() - wall, time.process_time() - cpu)


async def bare(url: str, count: int, at_once: int) -> Cost:
    """Post and decode with the standard library, nothing else."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def ask(number: int) -> None:
            body = {"model": "m", "messages": [{"role": "user", "content": f"{PROMPT}{number}"}]}
            async with session.post(f"{url}/v1/chat/completions", json=body) as response:
                assert (await response.json())["choices"][0]["message"]["content"]

        await drive(ask, at_once * 2, at_once)
        return await drive(ask, count, at_once)


async def bare_quick(url: str, count: int, at_once: int) -> Cost:
    """The quickest loop anybody would write: bytes out, bytes in, a fast decoder."""
    headers = {"Content-Type": "application/json"}
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), headers=headers) as session:

        async def ask(number: int) -> None:
            body = {"model": "m", "messages": [{"role": "user", "content": f"{PROMPT}{number}"}]}
            async with session.post(f"{url}/v1/chat/completions", data=msgspec.json.encode(body)) as response:
                assert msgspec.json.decode(await response.read())["choices"][0]["message"]["content"]

        await drive(ask, at_once * 2, at_once)
        return await drive(ask, count, at_once)


async def ours(url: str, count: int, at_once: int, **options: Any) -> Cost:
    """`chat` behind retries, breaker, limits and budget."""
    system = connect("m", {"base_url": f"{url}/v1", **options})

    async def ask(number: int) -> None:
        messages = (Message("user", f"{PROMPT}{number}"),)
        answer = await system.ask(Request(id=str(number), question="q", messages=messages))
        assert answer.text, answer.failure

    await drive(ask, at_once * 2, at_once)
    cost = await drive(ask, count, at_once)
    await system.close()
    return cost


async def whole_run(url: str, count: int, at_once: int, folder: Path) -> Cost:
    """A run of key-point questions: asked, kept in the journal, scored, reported; what any run costs is taken off."""

    async def measure(cases: int) -> Cost:
        dataset = folder / f"{cases}.jsonl"
        if not dataset.exists():
            rows = (
                {"q": f"第{n}号合同的押金是多少元？", "gold": ["42000元"], "doc_hint": ["a.md"]} for n in range(cases)
            )
            dataset.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        settings = Settings(runs_dir=str(folder / "runs"), concurrency=at_once)
        system = connect("m", {"base_url": f"{url}/v1"})
        wall, cpu = time.perf_counter(), time.process_time()
        run = await aevaluate(dataset, system, settings=settings)
        assert run.summary.status == "complete"
        return Cost(time.perf_counter() - wall, time.process_time() - cpu)

    few, many = await measure(at_once), await measure(count + at_once)
    return Cost(many.wall - few.wall, many.cpu - few.cpu)


async def sdk(url: str, count: int, at_once: int) -> Cost | None:
    """The openai SDK, when it is there."""
    try:
        from openai import AsyncOpenAI  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415
    except ImportError:
        return None
    client = AsyncOpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)

    async def ask(number: int) -> None:
        messages = [{"role": "user", "content": f"{PROMPT}{number}"}]
        reply = await client.chat.completions.create(model="m", messages=messages)
        assert reply.choices[0].message.content

    cost = await drive(ask, count, at_once)
    await client.close()
    return cost


def start_server(latency: float) -> tuple[subprocess.Popen[str], str]:
    """Start the loopback server in a process of its own."""
    command = [sys.executable, "-m", "tests.loopback", "--latency", str(latency)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def calls_seen(url: str) -> int:
    """Ask the server how many calls it saw."""
    with urllib.request.urlopen(url) as reply:
        return int(json.load(reply)["calls"])


def run(work: Awaitable[Cost | None]) -> Cost | None:
    """Run in a fresh event loop, uvloop's where there is one."""

    async def go() -> Cost | None:
        return await work

    try:
        import uvloop  # noqa: PLC0415
    except ImportError:
        return asyncio.run(go())
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(go())


def middle(costs: list[Cost]) -> Cost:
    """Return the medians."""
    half = len(costs) // 2
    return Cost(sorted(c.wall for c in costs)[half], sorted(c.cpu for c in costs)[half])


def compare(title: str, latency: float, count: int, at_once: int, rounds: int) -> None:
    """Measure all side by side, turn by turn, and print a line for each figure."""
    process, url = start_server(latency)
    names = ("bare aiohttp", "bare aiohttp, bytes and msgspec", "chat", "chat + cache", "whole run", "openai SDK")
    found: dict[str, list[Cost]] = {name: [] for name in names}
    try:
        with tempfile.TemporaryDirectory() as folder:
            for turn in range(rounds):
                cache = str(Path(folder) / f"{turn}.db")
                work: tuple[Awaitable[Cost | None], ...] = (
                    bare(url, count, at_once),
                    bare_quick(url, count, at_once),
                    ours(url, count, at_once),
                    ours(url, count, at_once, cache=cache),
                    whole_run(url, count, at_once, Path(folder)),
                    sdk(url, max(1, count // 5), at_once),
                )
                for name, task in zip(names, work, strict=True):
                    if (cost := run(task)) is not None:
                        share = 5 if name == "openai SDK" else 1
                        found[name].append(Cost(cost.wall * share, cost.cpu * share))
        report(title, found, count)
        print(f"{title}: calls the server saw: {calls_seen(url)}")
    finally:
        process.terminate()
        process.wait()


def report(title: str, found: dict[str, list[Cost]], count: int) -> None:
    """Print milliseconds a call, and the share of the bare loop's efficiency."""
    base = middle(found["bare aiohttp"])
    for name, costs in found.items():
        if not costs:
            print(f"{title}: {name}: not installed, left out")
            continue
        cost = middle(costs)
        each = f"cpu {cost.cpu / count * 1000:.3f} ms, wall {cost.wall / count * 1000:.3f} ms a call"
        print(f"{title}: {name}: {each}; of bare: cpu {base.cpu / cost.cpu:.2f}, wall {base.wall / cost.wall:.2f}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    compare("zero latency, 16 in flight", 0.0, options.calls, 16, options.rounds)
    compare("50 ms, 64 in flight", 0.05, options.calls, 64, options.rounds)


if __name__ == "__main__":
    main()
