"""A real server on 127.0.0.1 that behaves as badly as asked, and counts what it saw."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.loopback.server import Loopback, Reply, completion

__all__ = ["Loopback", "Reply", "completion", "served"]
ROOT = Path(__file__).parents[2]


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
