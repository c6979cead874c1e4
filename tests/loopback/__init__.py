"""A real server on 127.0.0.1 that behaves as badly as asked, and counts what it saw."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.loopback.server import Loopback, Reply, completion

__all__ = ["Loopback", "Reply", "completion", "in_a_thread", "served"]
ROOT = Path(__file__).parents[2]


@contextmanager
def in_a_thread(server: Loopback) -> Iterator[Loopback]:
    """Let a server listen in a thread of its own, so that commands can ask it."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.listen(), loop).result(10)
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


@contextmanager
def served(*words: str) -> Iterator[str]:
    """Run a module in another process and give the address that it prints first."""
    command = [sys.executable, "-m", *words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()
