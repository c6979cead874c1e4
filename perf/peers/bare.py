"""The bare loop: aiohttp, so many workers, a substring test, nothing kept."""

import argparse
import asyncio
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp

TRIES = 4
JSON = {"Content-Type": "application/json"}


class Codec(NamedTuple):
    """How JSON is written and read."""

    encode: Callable[[Any], bytes] = lambda value: json.dumps(value).encode()
    decode: Callable[[bytes], Any] = json.loads


async def ask(session: aiohttp.ClientSession, url: str, question: str, codec: Codec, *, again: bool) -> str:
    """Ask once; with `again` as often as a run would, after the same waits."""
    body = codec.encode({"model": "m", "messages": [{"role": "user", "content": question}]})
    for turn in range(TRIES if again else 1):
        async with session.post(f"{url}/chat/completions", data=body, headers=JSON) as response:
            if response.status == 200:
                return str(codec.decode(await response.read())["choices"][0]["message"]["content"])
            wished = float(response.headers.get("Retry-After", 0))
        await asyncio.sleep(max(wished, 2.0**turn * random.uniform(0.5, 1.0)))
    return ""


async def loop(
    url: str, lines: list[str], at_once: int, codec: Codec, *, again: bool, replied: Callable[[], object] = int
) -> int:
    """Ask every question and count the answers that hold what was expected."""
    rows: Iterator[str] = iter(lines)
    passed = 0

    async def work(session: aiohttp.ClientSession) -> None:
        nonlocal passed
        for line in rows:
            row = codec.decode(line.encode())
            answer = await ask(session, url, row["q"], codec, again=again)
            passed += row["gold"][0] in answer
            replied()

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        await asyncio.gather(*(work(session) for _ in range(min(at_once, len(lines)))))
    return passed


def main() -> None:
    """Ask and say how many passed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--at-once", type=int, default=64)
    parser.add_argument("--uvloop", action="store_true")
    parser.add_argument("--orjson", action="store_true")
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    codec = Codec()
    if options.orjson:
        import orjson  # type: ignore[import-not-found,unused-ignore] # noqa: PLC0415

        codec = Codec(orjson.dumps, orjson.loads)
    lines = options.cases.read_text(encoding="utf-8").splitlines()
    work = loop(options.url, lines, options.at_once, codec, again=options.again)
    if options.uvloop:
        import uvloop  # noqa: PLC0415

        passed = uvloop.run(work)
    else:
        passed = asyncio.run(work)
    print(f"passed {passed}")


if __name__ == "__main__":
    main()
