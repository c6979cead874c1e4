"""Run a coroutine to its end from blocking code: signals stop it, a notebook's own loop is left alone."""

import asyncio
import gc
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from types import FrameType
from typing import TypeVar

from ragstone.runs.schedule import Stop

T = TypeVar("T")

COLLECTED = 5_000
"""Things that may be made in a run, less those that are gone again, before cycles are looked for."""


def run_blocking(work: Coroutine[None, None, T], stop: Stop | None = None) -> T:
    """Run to the end; Ctrl-C asks for a clean stop, a second one drops what is in flight.

    Without a `stop` the first one drops it: for work that keeps what it has as it goes.
    """
    if _loop_is_running():
        return _run_beside(work, stop or Stop())
    alone = threading.current_thread() is threading.main_thread()
    with (
        _seldom_collected() if alone else nullcontext(),
        asyncio.Runner(loop_factory=_loop_factory()) as runner,
        _stopped_by_signals(runner.get_loop(), stop) if alone and stop else nullcontext(),
    ):
        return runner.run(work)


def _loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _run_beside(work: Coroutine[None, None, T], stop: Stop) -> T:
    """Run in a thread of its own: the loop of this one belongs to the caller, as in a notebook."""
    with ThreadPoolExecutor(1, thread_name_prefix="ragstone") as pool:
        done = pool.submit(run_blocking, work, stop)
        while True:
            try:
                return done.result()
            except KeyboardInterrupt:
                stop.escalate("SIGINT")


@contextmanager
def _stopped_by_signals(loop: asyncio.AbstractEventLoop, stop: Stop) -> Iterator[None]:
    """Stop the run on SIGINT and SIGTERM, also on systems whose loops take no signal handlers."""
    numbers = (signal.SIGINT, signal.SIGTERM)

    def handle(number: int, frame: FrameType | None = None) -> None:
        loop.call_soon_threadsafe(stop.escalate, signal.Signals(number).name)

    before = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Collect garbage less often: a run makes many short-lived objects and hardly a cycle."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(COLLECTED, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        from uvloop import new_event_loop  # noqa: PLC0415 - there is none on Windows
    except ImportError:
        return None
    return new_event_loop
