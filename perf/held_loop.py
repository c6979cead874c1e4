"""How long a run holds the event loop: a task that wants to be woken every millisecond, and how late it is.

uv run python -m perf.held_loop [CASES]        64 calls in flight, sentences with three key points

Beside each run stands a bare loop of aiohttp calls on the same kind of loop, which scores nothing: the calls alone.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import ragstone.api
from perf.contestants import AT_ONCE
from perf.loads import write_cases
from perf.measure import Server, server
from perf.peers import bare
from ragstone.core.settings import Settings
from ragstone.core.types import Result, Summary
from ragstone.runs.execute import Progress
from ragstone.runs.plan import Plan
from ragstone.runs.schedule import Stop

EVERY = 0.001
LATENCIES = (0.05, 0.0)


class Held(NamedTuple):
    """Milliseconds by which the task was late."""

    who: str
    latency_ms: float
    cases: int
    middle: float
    high: float
    most: float


class Watchdog:
    """Watches a run, and notes how late it is woken between the first result and the last."""

    def __init__(self, cases: int) -> None:
        self.late: list[float] = []
        self._left = cases
        self._task: asyncio.Task[None] | None = None

    def started(self, plan: Plan, folder: Path, expected: int) -> None:
        """Nothing is asked yet."""

    def result(self, result: Result) -> None:
        """Begin with the first result, end with the last."""
        self.replied()

    def replied(self) -> None:
        """Note one reply more."""
        self._task = self._task or asyncio.create_task(self._watch())
        self._left -= 1
        if not self._left:
            self._task.cancel()

    async def _watch(self) -> None:
        while True:
            wanted = time.perf_counter() + EVERY
            await asyncio.sleep(EVERY)
            self.late.append((time.perf_counter() - wanted) * 1000)

    def tick(self, progress: Progress) -> None:
        """Time has passed."""

    def notice(self, text: str) -> None:
        """Nothing is expected to be told."""

    def finished(self, plan: Plan, folder: Path, summary: Summary) -> None:
        """The run is over."""


def held(cases: int) -> Iterator[Held]:
    """Ask so many cases at each latency, by a bare loop and by a run."""
    for latency in LATENCIES:
        for who, ask in (("bare loop", _bare), ("Ragstone", _run)):
            with tempfile.TemporaryDirectory() as folder, server("--latency", str(latency)) as at:
                write_cases(Path(folder) / "cases.jsonl", cases)
                watchdog = Watchdog(cases)
                ragstone.api.run_blocking(ask(at, Path(folder), watchdog), Stop())
            late = sorted(watchdog.late)
            middle, high, most = (late[min(len(late) - 1, int(len(late) * share))] for share in (0.5, 0.99, 1.0))
            yield Held(who, latency * 1000, cases, middle, high, most)


async def _bare(at: Server, folder: Path, watchdog: Watchdog) -> None:
    lines = (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    await bare.loop(f"{at.url}/v1", lines, AT_ONCE, bare.Codec(), again=False, replied=watchdog.replied)


async def _run(at: Server, folder: Path, watchdog: Watchdog) -> None:
    settings = Settings(runs_dir=str(folder / "runs"), concurrency=AT_ONCE)
    options = {"base_url": f"{at.url}/v1"}
    dataset = folder / "cases.jsonl"
    run = await ragstone.api.aevaluate(
        dataset, "chat:m", settings=settings, system_options=options, watchers=[watchdog]
    )
    assert run.summary.status == "complete"


def main() -> None:
    """Print one line a latency."""
    for one in held(int(sys.argv[1]) if len(sys.argv) > 1 else 2560):
        print(
            f"{one.who}, {one.latency_ms:g} ms, {one.cases} cases: late by {one.middle:.1f} ms (median),"
            f" {one.high:.1f} ms (99 %), {one.most:.1f} ms (most)"
        )


if __name__ == "__main__":
    main()
