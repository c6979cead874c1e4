"""Our own HTTP client and four libraries against the same faults: python -m perf.client_faults.

A line a fault, a cell a client: what two calls (or eight at once) came to, and the memory where it is much. Each client
is installed into an environment of its own, in the versions named here; the choice of design note 005 rests on this.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from perf.environments import default_folder, own_environment, python_environment
from perf.hostile_endpoints import listening
from perf.measure import ROOT
from tests.loopback.hostile import ENDLESS, EXACT, STRAY, WHOLE, address

CLIENTS = {
    "ragstone": (),
    "aiohttp": ("aiohttp==3.14.5",),
    "httpx": ("httpx==0.28.1",),
    "pyreqwest": ("pyreqwest==0.15.1",),
    "wreq": ("wreq==0.13.0",),
}
LARGE = ("gzip bomb", "many headers", "16-byte chunks")
SECONDS = 6
"""Seconds a client has for one fault."""


def outcome(python: str, client: str, url: str, name: str) -> str:
    """Have one client meet one fault in a process of its own."""
    at_once = "8" if name in ENDLESS or name in WHOLE else "1"
    words = [python, str(ROOT / "perf" / "peers" / "http_call.py"), client, address(url, name), at_once, str(SECONDS)]
    try:
        done = subprocess.run(words, capture_output=True, encoding="utf-8", check=True, timeout=SECONDS + 20)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        return f"broke ({type(error).__name__})"
    said = json.loads(done.stdout)
    return str(said["outcome"]) + (f", {said['megabytes']:.0f} MB" if said["megabytes"] > 150 else "")


def main(words: Sequence[str] | None = None) -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envs", type=Path, default=default_folder())
    given = parser.parse_args(words)
    pythons = {}
    for client, packages in CLIENTS.items():
        folder = given.envs / f"client-{client}"
        made = python_environment(folder, client, packages) if packages else own_environment(folder)
        pythons[client] = made.python
        print(f"{client} {made.version}", file=sys.stderr, flush=True)
    print(f"| fault | {' | '.join(CLIENTS)} |\n|---|{'---|' * len(CLIENTS)}")
    with listening() as url:
        for name in (*EXACT, STRAY, *ENDLESS, *LARGE):
            cells = [outcome(python, client, url, name) for client, python in pythons.items()]
            print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
