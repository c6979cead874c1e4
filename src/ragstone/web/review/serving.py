"""Where the page of a folder of runs is served, for commands that print its addresses."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

FILE = ".serving.json"
"""Among the runs, while their page is served."""
WAIT = 0.5
"""Seconds in which a server that is there takes a connection."""


class Serving(Struct, frozen=True):
    """A server of the page."""

    port: int
    pid: int


@contextmanager
def announced(runs_dir: Path, port: int) -> Iterator[None]:
    """Record in a folder of runs where its page is served, while it is."""
    path = runs_dir / FILE
    with suppress(OSError):
        runs_dir.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.encode(Serving(port, os.getpid())))
    try:
        yield
    finally:
        known = _read(path)
        if known is not None and known.pid == os.getpid():
            with suppress(OSError):
                path.unlink()


def served_at(runs_dir: Path, host: str) -> int | None:
    """Return the port at which the page of a folder of runs is served; None if nothing answers there."""
    known = _read(runs_dir / FILE)
    if known is None:
        return None
    try:
        with socket.create_connection((_dialled(host), known.port), timeout=WAIT):
            return known.port
    except OSError:
        return None


def _read(path: Path) -> Serving | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Serving)
    except (OSError, msgspec.DecodeError):
        return None


def _dialled(host: str) -> str:
    host = host.strip("[]")
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - dialled, not listened on
