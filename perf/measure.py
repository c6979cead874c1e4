"""One program against the loopback server: what it used, when its first call came, how long its calls took."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from perf.loads import SENTENCES, Load, write_answers

ROOT = Path(__file__).parents[1]
ANSWERS = 8192
"""Answers the server knows, more than any scenario has cases."""
LIMIT = 180.0
"""Seconds after which a program is given up."""


class Used(NamedTuple):
    """What a program used, with all it started."""

    code: int
    cpu: float
    wall: float
    begun: float
    """When it was started, by the clock the server uses too."""


class Seen(NamedTuple):
    """What the server saw."""

    calls: int
    answered: int
    first: float
    last: float


class Server(NamedTuple):
    """A running loopback server."""

    url: str

    def reset(self) -> None:
        """Count anew."""
        urllib.request.urlopen(urllib.request.Request(self.url, method="DELETE")).close()

    def seen(self) -> Seen:
        """Ask what came."""
        with urllib.request.urlopen(self.url) as reply:
            return Seen(**json.load(reply))


@contextmanager
def server(*flags: str, load: Load = SENTENCES) -> Iterator[Server]:
    """Start the loopback server in a process of its own, with the answers of a load, and end it."""
    with tempfile.TemporaryDirectory() as folder:
        answers = Path(folder) / "answers.jsonl"
        write_answers(answers, ANSWERS, load)
        command = [sys.executable, "-m", "tests.loopback", *flags, "--answers", str(answers)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert process.stdout is not None
        try:
            yield Server(process.stdout.readline().strip())
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()


def use(words: Sequence[str], folder: Path, environ: Mapping[str, str] | None = None, limit: float = LIMIT) -> Used:
    """Run a program in a folder, its output in `out.txt` and `err.txt`, and tell what it used."""
    with (folder / "out.txt").open("wb") as out, (folder / "err.txt").open("wb") as err:
        begun = time.monotonic()
        process = subprocess.Popen(
            words, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environ, start_new_session=True
        )
        timer = threading.Timer(limit, _end, (process.pid,))
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            _end(process.pid)
            raise
        finally:
            timer.cancel()
        wall = time.monotonic() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    return Used(process.returncode, usage.ru_utime + usage.ru_stime, wall, begun)


def _end(pid: int) -> None:
    """End a program of ours, with all it started."""
    os.killpg(pid, signal.SIGKILL)


def median(values: Sequence[float]) -> float:
    """Return the middle value, the mean of the two middle ones of an even number."""
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
