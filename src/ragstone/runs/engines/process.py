"""The engine that uses all cores: worker processes of our own, over pipes; one that dies is replaced."""

import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue

import msgspec

from ragstone.core.errors import SettingError
from ragstone.core.interfaces import Shard, Work
from ragstone.runs.engines.call import checked, lost, read
from ragstone.runs.engines.worker import Order, receive, send

MOST_DEATHS = 3
"""Workers a shard may cost before it is given up."""
AHEAD = 2
"""Shards for each worker that wait, finished or not: memory stays flat."""
MOST_WORKERS = 256
BOOT = "import sys; sys.path[:] = sys.argv[1:]; from ragstone.runs.engines.worker import main; main()"
"""Modules are found where the parent finds them, wherever it learnt that from."""


class _Worker:
    """One process and the two pipes to it."""

    def __init__(self) -> None:
        words = [sys.executable, "-c", BOOT, *sys.path]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 - ourselves
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout

    @property
    def pid(self) -> int:
        """The number the machine knows it by."""
        return self._process.pid

    def do(self, message: bytes) -> bytes | None:
        """Do a shard; return None when the worker died."""
        try:
            send(self._in, message)
            return receive(self._out)
        except (OSError, ValueError):
            return None

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._in, self._out):
            with suppress(OSError):
                pipe.close()


class Processes:
    """N workers; shards are handed out as they come, and their outcomes in order."""

    def __init__(self, size: int) -> None:
        self.name = f"process:{size}"
        self._size = size
        self._idle: SimpleQueue[_Worker | None] = SimpleQueue()
        self._workers: set[_Worker] = set()
        self._closing = False
        for _ in range(size):
            # Begun at once: they are ready when there is something to judge.
            self._idle.put(self._new())
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="ragstone-worker")

    def pids(self) -> list[int]:
        """Name the processes there are."""
        return [worker.pid for worker in list(self._workers)]

    def run(self, work: Work, shards: Iterable[Shard]) -> Iterator[bytes]:
        """Do the shards at once, a few for each worker, and yield what they come to in their order."""
        checked(work)
        waiting: deque[tuple[Shard, Future[bytes]]] = deque()
        source = iter(shards)
        try:
            while True:
                while len(waiting) < self._size * AHEAD and (shard := next(source, None)) is not None:
                    waiting.append((shard, self._threads.submit(self._do, work, shard)))
                if not waiting:
                    return
                shard, future = waiting.popleft()
                yield read(future.result(), shard, self.name)
        finally:
            for _, future in waiting:
                future.cancel()

    def _do(self, work: Work, shard: Shard) -> bytes:
        """Do one shard in an idle worker, and in another one when that dies."""
        message = msgspec.msgpack.encode(Order(work.target, work.setup, shard.content))
        worker = self._idle.get()
        try:
            for _ in range(MOST_DEATHS):
                if self._closing:
                    break
                worker = worker or self._new()
                reply = worker.do(message)
                if reply is not None:
                    return reply
                self._forget(worker)
                worker = None
            raise lost(shard, self.name, MOST_DEATHS)
        finally:
            self._idle.put(worker)

    def _new(self) -> _Worker:
        worker = _Worker()
        self._workers.add(worker)
        if self._closing:
            worker.end()
        return worker

    def _forget(self, worker: _Worker) -> None:
        self._workers.discard(worker)
        worker.end()

    def close(self) -> None:
        """End the workers; what they were doing is dropped."""
        self._closing = True
        for worker in list(self._workers):
            worker.end()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for worker in list(self._workers):
            worker.end()


def connect(argument: str) -> Processes:
    """Make `process:N`, or `process:auto` for as many as there are cores to use."""
    if argument in {"", "auto"}:
        return Processes(cores())
    if not argument.isdecimal() or not 1 <= int(argument) <= MOST_WORKERS:
        problem = f"expected a number from 1 to {MOST_WORKERS}, or auto"
        raise SettingError("engine.spec", engine=f"process:{argument}", problem=problem)
    return Processes(int(argument))


def cores() -> int:
    """Count the cores this process may use."""
    try:
        return min(MOST_WORKERS, len(os.sched_getaffinity(0)))
    except AttributeError:  # pragma: no cover - not on every system
        return min(MOST_WORKERS, os.cpu_count() or 1)
