"""Commands in processes of their own, forked from one that has imported everything: Python starts once, not each time.

What a process has of its own is as ever: environment, folder, streams, signals, the modules of the user's project.
"""

import atexit
import contextlib
import gc
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import rjieba

import ragstone

HERE = hasattr(os, "fork") and sys.platform != "darwin"
LANGUAGES = ("RAGSTONE_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE")


class Warm:
    """A process that waits for commands and forks for each; started when the first comes."""

    def __init__(self, settled: Mapping[str, str]) -> None:
        self._ours: socket.socket | None = None
        self._settled = settled
        """What Python reads when it starts, as tests usually have it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._ours is not None:
            self._ours.close()
            self._process.wait(60)

    def takes(self, env: dict[str, str]) -> bool:
        """Whether a command may run here: what Python reads when it starts is as usual."""
        if not HERE or {name: value for name, value in env.items() if name.startswith("PYTHON")} != self._settled:
            return False
        if self._ours is None:
            self._start({name: value for name, value in env.items() if name not in LANGUAGES})
        return True

    def run(self, words: list[str], env: dict[str, str], out: int, err: int, seconds: float) -> int:
        """Run one command and return its exit code; it is ended after so many seconds."""
        assert self._ours is not None
        order = {"words": words, "env": env, "folder": str(Path.cwd()), "seconds": seconds}
        reading, writing = os.pipe()
        with os.fdopen(reading, "rb") as ended:
            socket.send_fds(self._ours, [json.dumps(order).encode()], [out, err, writing])
            os.close(writing)
            code = int(ended.read() or -signal.SIGKILL)
        if code == -signal.SIGALRM:
            raise subprocess.TimeoutExpired(words, seconds)
        return code

    def _start(self, env: dict[str, str]) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-m", "tests.warm", str(theirs.fileno())]
        root = Path(__file__).parents[1]
        with theirs:
            self._process = subprocess.Popen(command, cwd=root, env=env, pass_fds=[theirs.fileno()])


def hasten() -> None:
    """Leave out, in this process, what no test of it can see.

    No test here pulls the plug (those of tests/faults have processes of their own), so nothing waits for the disk. The
    package does not change while it is tested, so its code is hashed once, not once a run.
    """
    from ragstone.runs.store import seal  # noqa: PLC0415 - the language must be settled first
    from ragstone.runs.store.fingerprint import code_sha256  # noqa: PLC0415

    vars(os)["fsync"] = lambda file: None
    inner, package = code_sha256, Path(ragstone.__file__).parent
    known = cache(inner)

    def hashed(folders: Iterable[Path]) -> str:
        asked = tuple(folders)
        return known(asked) if all(folder.is_relative_to(package) for folder in asked) else inner(asked)

    vars(seal)["code_sha256"] = hashed


def _import_all() -> None:
    """Import everything below the page, and what it reads when first used."""
    for found in pkgutil.walk_packages(ragstone.__path__, "ragstone."):
        if not found.name.startswith(("ragstone.web", "ragstone.data", "ragstone.testing", "ragstone.__main__")):
            import_module(found.name)
    rjieba.tag("词典")
    _score_once()
    hasten()


def _score_once() -> None:
    """Judge an answer in both languages: what scoring reads and compiles when first used."""
    from ragstone.core.types import Answer, Case  # noqa: PLC0415 - this file is imported before the language is settled
    from ragstone.datasets.check import open_contract  # noqa: PLC0415

    for name in ("key_points", "key_points_en"):
        contract = open_contract(Path(ragstone.__file__).parent / "data" / name / "questions.jsonl")
        case = next(row for row in contract.load() if isinstance(row, Case))
        for answer in (contract.model_answer(case), Answer(text=case.question)):
            contract.score(case, contract.read(case, answer))


def _wait_for_orders(theirs: socket.socket) -> None:
    while True:
        message, streams, _, _ = socket.recv_fds(theirs, 1 << 20, 3)
        if not message:
            return
        if os.fork() == 0:
            theirs.close()
            _obey(json.loads(message), *streams)
            return
        for stream in streams:
            os.close(stream)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _obey(order: dict[str, Any], out: int, err: int, ended: int) -> None:
    if child := os.fork():
        _, status = os.waitpid(child, 0)
        os.write(ended, str(os.waitstatus_to_exitcode(status)).encode())
        os._exit(0)
    for stream, place in ((os.open(os.devnull, os.O_RDONLY), 0), (out, 1), (err, 2)):
        os.dup2(stream, place)
        os.close(stream)
    os.close(ended)
    signal.alarm(max(1, int(order["seconds"])))
    _become(order)
    try:
        runpy.run_module("ragstone", run_name="__main__", alter_sys=True)
    except SystemExit as left:
        if not isinstance(left.code, int | None):
            raise
        _leave(left.code or 0)
    _leave(0)


def _leave(code: int) -> None:
    """End as Python does, but for taking apart the thousands of modules that are shared with the other processes."""
    vars(threading)["_shutdown"]()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


def _become(order: dict[str, Any]) -> None:
    """Stand where the command was typed."""
    os.environ.clear()
    os.environ.update(order["env"])
    time.tzset()
    os.chdir(order["folder"])
    sys.path[0] = order["folder"]
    sys.argv = ["-m", *order["words"]]
    sys.orig_argv = [sys.executable, "-m", "ragstone", *order["words"]]
    if set(LANGUAGES) & set(order["env"]):  # help is written in the language of the moment it is imported
        for name in [name for name in sys.modules if name.startswith("ragstone.cli")]:
            del sys.modules[name]


if __name__ == "__main__":
    _import_all()
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as told:
        _wait_for_orders(told)
