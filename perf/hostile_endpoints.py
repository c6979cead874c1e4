"""Memory that hostile endpoints take, eight calls in flight: python -m perf.hostile_endpoints.

A line a reply: the most memory the asking process held, seconds, and what the call came to.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from perf.measure import ROOT
from tests.loopback.hostile import ENDLESS, WHOLE, address

AT_ONCE = 8
CALLS = 16
SPECS = {"stream": "http_json:lightrag_stream", "events": "http_json:dify_stream"}
"""Whom replies of some names are sent to, by the first word; all others to a chat model."""


class Figure(NamedTuple):
    """What asking one endpoint took."""

    name: str
    megabytes: float
    seconds: float
    kinds: list[str]
    """How the calls ended."""


@contextmanager
def listening() -> Iterator[str]:
    """Have the hostile endpoint in a process of its own."""
    words = [sys.executable, "-m", "tests.loopback.hostile"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def measured(url: str, name: str) -> Figure:
    """Ask one endpoint in a process of its own."""
    words = [sys.executable, "-m", "perf.hostile_endpoints", "--url", url, "--name", name]
    env = {**os.environ, "DIFY_API_KEY": "none"}
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=True, timeout=300, cwd=ROOT, env=env)
    return Figure(**json.loads(done.stdout))


async def _asked(url: str, name: str) -> list[str]:
    # The asking process alone needs these.
    from ragstone.core.registry import connect  # noqa: PLC0415
    from ragstone.core.types import Request  # noqa: PLC0415

    options = {"base_url": address(url, name), "max_retries": 0, "breaker_after": 0, "timeout": 60}
    system = connect(SPECS.get(name.partition(" ")[0], "chat:m"), options)
    numbers, kinds = iter(range(CALLS)), list[str]()

    async def work() -> None:
        for number in numbers:
            answer = await system.ask(Request(id=str(number), question="q"))
            kinds.append(answer.failure.kind if answer.failure else "answered")

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    await system.close()
    return sorted(set(kinds))


def _peak_kilobytes() -> int:
    """Return the most memory this program has held; what getrusage tells includes the parent's, up to its exec."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0])


def main(words: Sequence[str] | None = None) -> None:
    """Print the table, or as a child one figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url")
    parser.add_argument("--name")
    given = parser.parse_args(words)
    if given.url:
        began = time.perf_counter()
        kinds = asyncio.run(_asked(given.url, given.name))
        peak = _peak_kilobytes() / 1024
        print(json.dumps(Figure(given.name, peak, time.perf_counter() - began, kinds)._asdict()))
        return
    with listening() as url:
        for name in (*ENDLESS, *WHOLE):
            one = measured(url, name)
            print(f"{one.name}: {one.megabytes:.0f} MB, {one.seconds:.1f} s, {', '.join(one.kinds)}", flush=True)


if __name__ == "__main__":
    main()
