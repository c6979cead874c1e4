"""Who is measured: how each is installed, started and asked how many cases passed; each makes one call a case."""

import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from perf.environments import Environment, node_environment, own_environment, python_environment
from perf.measure import ROOT

AT_ONCE = 64
SDK = "openai==3.49.0"
AIOHTTP = "aiohttp==3.14.5"


class Call(NamedTuple):
    """What a contestant is given for one measurement."""

    url: str
    cases: Path
    folder: Path
    few: int = 0
    """Cases to warm up with, for those who can."""
    again: bool = False
    """Whether calls are to be made again that the server turned away."""


class Contestant(NamedTuple):
    """One row of the table."""

    name: str
    install: Callable[[Path], Environment]
    words: Callable[[Environment, Call], list[str]]
    passed: Callable[[Path], int]
    cases: int = 512
    """How many cases it is measured with when there is no latency."""
    warms: bool = True
    """Whether a short and a long run fit well into one process; else each has its own."""
    peer: bool = True
    waits: bool = True
    """Whether it takes part where calls have latency; with another client it is our own loop that would be measured."""
    note: str = ""


def _said(folder: Path) -> int:
    """Read what a driver said last."""
    found = re.findall(
        r"^passed (\d+)$", (folder / "out.txt").read_text(encoding="utf-8", errors="replace"), re.MULTILINE
    )
    return int(found[-1]) if found else -1


def spent(folder: Path) -> tuple[float, float]:
    """Read what a driver says its cases took: CPU and wall."""
    text = (folder / "out.txt").read_text(encoding="utf-8", errors="replace")
    cpu, wall = re.findall(r"^spent (\S+) (\S+)$", text, re.MULTILINE)[-1]
    return float(cpu), float(wall)


def _rows_passed(folder: Path) -> int:
    """Count the rows of a Ragstone run that passed."""
    rows = next((folder / "runs").glob("*/results.jsonl")).read_bytes().splitlines()
    return sum(b'"pass":true' in row for row in rows)


def _foo_passed(folder: Path) -> int:
    """Count the successes in promptfoo's own file."""
    found = re.search(rb'"testPassCount":\s*(\d+)', (folder / "found.json").read_bytes())
    return int(found[1]) if found else -1


def _driver(module: str, *flags: str) -> Callable[[Environment, Call], list[str]]:
    """Start a driver with the environment's own interpreter."""

    def words(env: Environment, call: Call) -> list[str]:
        given = ["--url", f"{call.url}/v1", "--cases", str(call.cases), "--at-once", str(AT_ONCE)]
        more = [*(["--few", str(call.few)] if call.few else []), *(["--again"] if call.again else [])]
        return [env.python, "-m", f"perf.peers.{module}", *given, *flags, *more]

    return words


def _bare(*flags: str) -> Callable[[Environment, Call], list[str]]:
    """Start the bare loop as a script, without a package round it."""
    driver = _driver("bare", *flags)
    script = str(ROOT / "perf" / "peers" / "bare.py")
    return lambda env, call: [env.python, "-P", script, *driver(env, call)[3:]]


def _ragstone(env: Environment, call: Call) -> list[str]:
    """Run Ragstone as a user types it: journal, scores, summary and reports are all written."""
    system = ["-s", "chat:m", "-O", f"base_url={call.url}/v1", "-c", str(AT_ONCE)]
    program = str(env.folder / "bin" / "ragstone")
    return [program, "run", str(call.cases), *system, "--runs-dir", "runs", "-q"]


def _promptfoo(env: Environment, call: Call) -> list[str]:
    words = _driver("promptfoo")(env, call)
    script = str(env.folder / "node_modules" / "promptfoo" / "dist" / "src" / "main.js")
    return [sys.executable, *words[1:3], script, *words[3:]]


def _of_packages(name: str, *packages: str) -> Callable[[Path], Environment]:
    return lambda folder: python_environment(folder / name, name, packages)


def _with_two_clients(name: str, module: str, packages: Sequence[str], note: str = "") -> list[Contestant]:
    """A peer that makes no calls itself, with the client its pages show and with the quickest one."""
    install = _of_packages(name, *packages)
    with_sdk = f"calls by the openai SDK, as its pages show{note}"
    return [
        Contestant(name, install, _driver(module), _said, note=with_sdk),
        Contestant(
            f"{name} + aiohttp",
            install,
            _driver(module, "--client", "aiohttp"),
            _said,
            cases=1024,
            waits=False,
            note="calls by aiohttp instead, to show its own work alone",
        ),
    ]


def _loops(folder: Path) -> Environment:
    """Make the environment of the bare loops."""
    return python_environment(folder / "bare", "aiohttp", (AIOHTTP, "uvloop==0.23.0", "orjson==3.13.0"))


BARE = "bare aiohttp"
BARE_UVLOOP = "bare aiohttp, uvloop"
BARE_ORJSON = "bare aiohttp, uvloop, orjson"
RAGSTONE = "Ragstone"
ALL: tuple[Contestant, ...] = (
    Contestant(
        BARE,
        _loops,
        _bare(),
        _said,
        4096,
        warms=False,
        peer=False,
        note="a loop of aiohttp calls; keeps and scores nothing",
    ),
    Contestant(BARE_UVLOOP, _loops, _bare("--uvloop"), _said, 4096, warms=False, peer=False, note="the same on uvloop"),
    Contestant(
        BARE_ORJSON,
        _loops,
        _bare("--uvloop", "--orjson"),
        _said,
        4096,
        warms=False,
        peer=False,
        note="the same with orjson, bytes in and out",
    ),
    Contestant(
        RAGSTONE,
        lambda folder: own_environment(folder / "ragstone"),
        _ragstone,
        _rows_passed,
        4096,
        warms=False,
        peer=False,
        note="`ragstone run`: journal, key-point scoring, summary, reports",
    ),
    *_with_two_clients("pydantic-evals", "pydantic_evals", ("pydantic-evals==2.62.0", SDK, AIOHTTP)),
    *_with_two_clients("deepeval", "deepeval", ("deepeval==4.3.1", SDK, AIOHTTP)),
    *_with_two_clients(
        "ragas",
        "ragas",
        ("ragas==0.4.3", "langchain-community==0.3.31", "openai==3.3.0", AIOHTTP),
        "; langchain-community held at 0.3.31, since a fresh install does not import",
    ),
    Contestant(
        "lm-eval",
        _of_packages("lm-eval", "lm-eval[api]==0.4.13"),
        _driver("lm_eval"),
        _said,
        1024,
        note="its own aiohttp client",
    ),
    Contestant(
        "promptfoo",
        lambda folder: node_environment(folder / "promptfoo", "promptfoo", "0.121.20"),
        _promptfoo,
        _foo_passed,
        warms=False,
        note="Node; its own client",
    ),
    Contestant(
        "inspect-ai",
        _of_packages("inspect-ai", "inspect-ai==0.3.285", SDK),
        _driver("inspect_ai"),
        _said,
        256,
        note="its own OpenAI provider; fewer cases, scaled",
    ),
)


def environ(folder: Path) -> dict[str, str]:
    """The surroundings of a contestant: our drivers in reach, no colours, no home of anybody's."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TZ", "SYSTEMROOT") if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), "HOME": str(folder), "NO_COLOR": "1", "OPENAI_API_KEY": "none"}
