"""Asks a system from tests: in an event loop of its own, a bounded number of cases ahead of the running test."""

import asyncio
import contextlib
import threading
from collections.abc import Coroutine, Iterable
from concurrent.futures import Future
from typing import Any, TypeVar

from ragstone.core.interfaces import System
from ragstone.core.settings import DEFAULT_TIMEOUT
from ragstone.core.types import Answer, Result
from ragstone.runs.pipeline import Unit, ask, judge
from ragstone.runs.plan import Plan
from ragstone.systems.wrappers.wrapper import limit_time
from ragstone.testing.suite import Place

T = TypeVar("T")
CLOSING = 10.0
"""Seconds that systems have to give back what they hold."""


class Background:
    """An event loop in a thread of its own, so that plain tests can wait for what it does."""

    def __init__(self) -> None:
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()), daemon=True, name="ragstone-tests")
        self._thread.start()
        self._ready.wait()

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        self._ready.set()
        await self._over.wait()

    def begin(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin a piece of work."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """Drop what is not finished, and end the loop."""
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(CLOSING)


class Asker:
    """One system and one dataset; each case is asked once, however many tests are about it."""

    def __init__(self, plan: Plan, background: Background) -> None:
        self.plan = plan
        self._system: System = plan.systems[0]
        if plan.timeout != DEFAULT_TIMEOUT:
            limit_time(self._system, plan.timeout)
        self._seconds = None if getattr(self._system, "keeps_time", False) else plan.timeout
        self._frame = plan.frame()
        self._background = background
        self._answers: dict[int, Future[Answer]] = {}

    def begin(self, places: Iterable[Place]) -> None:
        """Ask those of some cases that were not asked before."""
        for place in places:
            if place.number not in self._answers:
                unit = Unit(place.number, place.case)
                work = ask(self.plan.contract, self._system, unit, self._seconds)
                self._answers[place.number] = self._background.begin(work)

    def answer(self, place: Place) -> Answer:
        """Wait for the answer to a case; raises BudgetSpent when it may not be asked."""
        self.begin((place,))
        return self._answers[place.number].result()

    def judge(self, place: Place, answer: Answer) -> Result:
        """Read and score an answer."""
        return judge(self.plan.contract, Unit(place.number, place.case), answer, self._frame)

    def close(self) -> None:
        """Cancel pending requests and close the system."""
        for future in self._answers.values():
            future.cancel()
        with contextlib.suppress(Exception):
            self._background.begin(self._system.close()).result(CLOSING)
