"""Our own HTTP client and four libraries against the same faults: python -m perf.client_faults.

A line a fault, a cell a client: what two calls (or eight at once) came to, and the memory where it is much. Each client
is installed into an environment of its own, in the versions named here; the choice of design note 005 rests on this.
The last line counts the rows a client met as it should: `RIGHT` says what that is where it is not a refusal.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from perf.environments import default_folder, own_environment, python_environment
from perf.hostile_endpoints import listening
from perf.measure import ROOT
from tests.loopback.hostile import ENDLESS, EXACT, HELD, IDLE, PASSWORD, RESET, SLOW, STRAY, WHOLE, address
from tests.loopback.secure import ROWS as SECURE

CLIENTS = {
    "ragstone": (),
    "aiohttp": ("aiohttp==3.14.5",),
    "httpx": ("httpx[socks]==0.28.1",),
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
ROWS = (*EXACT, STRAY, IDLE, RESET, *SLOW, HELD, OFFLINE, *PROXIES, *SECURE, *ENDLESS, *LARGE)
_EITHER = "hello, refused"
_UNREAD = "refused, nothing"
"""An empty body: a library leaves it to its user to look at the status."""
RIGHT: dict[str, str] = {
    **dict.fromkeys(("plain", "interim reply before", "version 1.0", "no reason phrase", IDLE), "hello"),
    **dict.fromkeys(("no length, then the end", "chunk extension, harmless", "gzip in gzip", "deflate"), "hello"),
    **dict.fromkeys(("version 9.9", "line feeds only", "space before a colon", "gzip that is none"), _EITHER),
    **dict.fromkeys(("unknown compression", STRAY, "two replies in one breath"), _EITHER),
    **dict.fromkeys(("redirect elsewhere", "redirect to itself", "gzip members", "many headers"), _UNREAD),
    **dict.fromkeys(SLOW, "timeout"),
    **dict.fromkeys(("HTTP_PROXY", "ALL_PROXY"), "proxied"),
    **dict.fromkeys(("HTTP_PROXY without a scheme", "proxy that asks for a password"), "proxied, refused"),
    **dict.fromkeys((name for name in PROXIES if name.startswith("NO_PROXY")), "hello"),
    **{name: row.right for name, row in SECURE.items()},
    "ninety-nine interim replies": "hello",
    "long chunked reply, trailer": "1048576 bytes",
    "two gzip members": "hellohello",
    HELD: "0 of 20 left open",
    "16-byte chunks": "8388608 bytes, refused, timeout",
}
"""What is right where it is not a refusal; behind a comma, something else that is."""
BROKE = " (crashed at its end)"
MUCH = 150
"""Megabytes above which memory is told, and wrong."""
SECONDS = 4
"""Seconds a client has for one fault."""


def is_right(name: str, cell: str) -> bool:
    """Say whether both calls came to what is right, in little memory."""
    right = RIGHT.get(name, "refused").split(", ")
    return all(part in right for part in cell.removesuffix(BROKE).split(", then "))


def outcome(python: str, client: str, places: Mapping[str, str], name: str) -> str:
    """Have one client meet one fault in a process of its own."""
    at_once = "8" if name in ENDLESS or name in WHOLE else "1"
    plain = address(places["url"], "plain" if name == OFFLINE else name)
    target, given = SECURE[name][:2] if name in SECURE else PROXIES.get(name, (plain, {}))
    target += f"/{client}" if name == HELD else ""
    mode = {HELD: "cancel", OFFLINE: "offline"}.get(name, "proxy" if given else "")
    words = [python, str(ROOT / "perf" / "peers" / "http_call.py"), client, _filled(target, places)]
    env = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    env |= {name: _filled(value, places) for name, value in given.items()}
    try:
        done = subprocess.run(
            [*words, at_once, str(SECONDS), mode],
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=SECONDS + 80,
            env=env,
        )
        said = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as error:
        return f"broke ({type(error).__name__})"
    memory = f", {said['megabytes']:.0f} MB" if said["megabytes"] > MUCH else ""
    return str(said["outcome"]) + memory + (BROKE if done.returncode else "")


def _filled(text: str, places: Mapping[str, str]) -> str:
    return text.format_map(places) if "{" in text else text


@contextmanager
def secured() -> Iterator[dict[str, str]]:
    """Have the TLS servers and proxies in a process of their own; gives the folder of their certificates, and ports."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "tests.loopback.secure", folder]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
            assert process.stdout is not None
            try:
                yield {"folder": folder, **json.loads(process.stdout.readline())}
            finally:
                process.kill()


def _shown(names: Sequence[str], pythons: Mapping[str, str], places: Mapping[str, str], jobs: int) -> Counter[str]:
    """Print the rows, and count for each client how many it met as it should."""
    right = Counter[str]()
    with ThreadPoolExecutor(jobs) as pool:
        for name in names:
            cells = list(pool.map(partial(_cell, places=places, name=name), pythons.items()))
            right.update(client for client, cell in zip(pythons, cells, strict=True) if is_right(name, cell))
            print(f"| {name} | {' | '.join(cells)} |", flush=True)
    return right


def main(words: Sequence[str] | None = None) -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envs", type=Path, default=default_folder())
    parser.add_argument("--only", default="", help="rows whose name this pattern finds")
    parser.add_argument("--jobs", type=int, default=2, help="clients at work at once")
    given = parser.parse_args(words)
    pythons = {}
    for client, packages in CLIENTS.items():
        folder = given.envs / f"client-{client}"
        made = python_environment(folder, client, packages) if packages else own_environment(folder)
        pythons[client] = made.python
        print(f"{client} {made.version}", file=sys.stderr, flush=True)
    names = [name for name in ROWS if re.search(given.only, name)]
    print(f"| fault | {' | '.join(CLIENTS)} |\n|---|{'---|' * len(CLIENTS)}")
    with listening() as url, secured() as ports:
        places = {"url": url, "place": url.partition("://")[2], **ports}
        right = _shown(names, pythons, places, given.jobs)
    print(f"| as it should, of {len(names)} | {' | '.join(str(right[client]) for client in CLIENTS)} |")


def _cell(client: tuple[str, str], places: Mapping[str, str], name: str) -> str:
    """Meet a fault; what took too long where it should not is met once more, for the machine may have been busy."""
    cell = outcome(client[1], client[0], places, name)
    late = not is_right(name, cell) and ("timeout" in cell or "broke" in cell)
    return outcome(client[1], client[0], places, name) if late else cell


if __name__ == "__main__":
    main()
