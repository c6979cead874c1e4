"""Our own HTTP client and four libraries against the same faults: python -m perf.client_faults.

A line a fault, a cell a client: what two calls (or eight at once) came to, and the memory where it is much. Each client
is installed into an environment of its own, in the versions named here; the choice of design note 005 rests on this.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from perf.environments import default_folder, own_environment, python_environment
from perf.hostile_endpoints import listening
from perf.measure import ROOT
from tests.loopback.hostile import ENDLESS, EXACT, HELD, IDLE, PASSWORD, RESET, SLOW, STRAY, WHOLE, address

CLIENTS = {
    "ragstone": (),
    "aiohttp": ("aiohttp==3.14.5",),
    "httpx": ("httpx==0.28.1",),
    "pyreqwest": ("pyreqwest==0.15.1",),
    "wreq": ("wreq==0.13.0",),
}
LARGE = ("gzip bomb", "gzip members", "many headers", "16-byte chunks")
OFFLINE = "a connection that offline mode refuses"
PROXIED = "http://faults.invalid/plain"
PROXIES: dict[str, tuple[str, dict[str, str]]] = {
    "HTTP_PROXY": (PROXIED, {"http_proxy": "{url}"}),
    "HTTP_PROXY without a scheme": (PROXIED, {"http_proxy": "{place}"}),
    "ALL_PROXY": (PROXIED, {"all_proxy": "{url}"}),
    "proxy that asks for a password": (f"http://{PASSWORD.decode()}/plain", {"http_proxy": "{url}"}),
    "NO_PROXY with a port": ("{url}/plain", {"http_proxy": "http://127.0.0.1:9", "no_proxy": "{place}"}),
    "NO_PROXY with a network": ("{url}/plain", {"http_proxy": "http://127.0.0.1:9", "no_proxy": "127.0.0.0/8"}),
    "NO_PROXY with a star": ("{url}/plain", {"http_proxy": "http://127.0.0.1:9", "no_proxy": "*"}),
}
"""What the environment says of proxies, and the address that is asked for."""
ROWS = (*EXACT, STRAY, IDLE, RESET, *SLOW, HELD, OFFLINE, *PROXIES, *ENDLESS, *LARGE)
SECONDS = 4
"""Seconds a client has for one fault."""


def outcome(python: str, client: str, url: str, name: str) -> str:
    """Have one client meet one fault in a process of its own."""
    at_once = "8" if name in ENDLESS or name in WHOLE else "1"
    target, given = PROXIES.get(name, (address(url, "plain" if name == OFFLINE else name), {}))
    target += f"/{client}" if name == HELD else ""
    mode = {HELD: "cancel", OFFLINE: "offline"}.get(name, "proxy" if given else "")
    words = [python, str(ROOT / "perf" / "peers" / "http_call.py"), client, _filled(target, url), at_once, str(SECONDS)]
    env = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    env |= {name: _filled(value, url) for name, value in given.items()}
    try:
        done = subprocess.run(
            [*words, mode], capture_output=True, encoding="utf-8", check=True, timeout=SECONDS + 20, env=env
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        return f"broke ({type(error).__name__})"
    said = json.loads(done.stdout)
    return str(said["outcome"]) + (f", {said['megabytes']:.0f} MB" if said["megabytes"] > 150 else "")


def _filled(text: str, url: str) -> str:
    return text.replace("{url}", url).replace("{place}", url.partition("://")[2])


def main(words: Sequence[str] | None = None) -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envs", type=Path, default=default_folder())
    parser.add_argument("--jobs", type=int, default=2, help="clients at work at once")
    given = parser.parse_args(words)
    pythons = {}
    for client, packages in CLIENTS.items():
        folder = given.envs / f"client-{client}"
        made = python_environment(folder, client, packages) if packages else own_environment(folder)
        pythons[client] = made.python
        print(f"{client} {made.version}", file=sys.stderr, flush=True)
    print(f"| fault | {' | '.join(CLIENTS)} |\n|---|{'---|' * len(CLIENTS)}")
    with listening() as url, ThreadPoolExecutor(given.jobs) as pool:
        for name in ROWS:
            cells = pool.map(partial(_cell, url=url, name=name), pythons.items())
            print(f"| {name} | {' | '.join(cells)} |", flush=True)


def _cell(client: tuple[str, str], url: str, name: str) -> str:
    return outcome(client[1], client[0], url, name)


if __name__ == "__main__":
    main()
