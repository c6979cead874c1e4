"""Runs many units at once: bounded workers, results in stable order, a clean stop; knows no file and no report."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from ragstone.core.errors import BudgetSpent
from ragstone.core.interfaces import Journal
from ragstone.core.types import Answer
from ragstone.runs.pipeline import Unit

T = TypeVar("T")

GLANCE = 0.2
"""Seconds after which it is looked whether a stop was requested, where nothing else would tell."""
BREATH = 0.05
"""Seconds after which a worker that never had to wait lets others run."""


class Sequencer(Generic[T]):
    """Emits results in the order of their unit numbers, whatever order they arrive in.

    At most `window` finished results wait in memory. Those further ahead are dropped and made again by `remake`
    (from the journal) when their turn comes, so that one slow case cannot fill the memory.
    """

    def __init__(
        self, emit: Callable[[T], None], remake: Callable[[Unit], T], window: int = 4096, first: int = 0
    ) -> None:
        self._emit = emit
        self._remake = remake
        self._window = window
        self.next = first
        """The number whose turn it is."""
        self._ready: dict[int, T] = {}
        self._dropped: dict[int, Unit] = {}

    def put(self, unit: Unit, thing: T) -> None:
        """Add a finished result; `step` emits it when its turn comes."""
        if unit.number == self.next or len(self._ready) < self._window:
            self._ready[unit.number] = thing
        else:
            self._dropped[unit.number] = unit

    def step(self) -> bool:
        """Emit the next result if it has arrived; return whether it had."""
        if (waiting := self._ready.pop(self.next, None)) is not None:
            self._emit(waiting)
        elif (dropped := self._dropped.pop(self.next, None)) is not None:
            self._emit(self._remake(dropped))
        else:
            return False
        self.next += 1
        return True

    def drain(self) -> None:
        """Emit all that is left, in order, skipping the gaps a stop has left."""
        for number in sorted(self._ready.keys() | self._dropped.keys()):
            waiting = self._ready.pop(number, None)
            self._emit(waiting if waiting is not None else self._remake(self._dropped.pop(number)))


class Stop:
    """A request to stop: no new unit is begun; those in flight are finished, or cancelled by a second request."""

    def __init__(self) -> None:
        self.requested = self.escalated = False
        self.reason = ""
        self.spent: dict[str, BudgetSpent] = {}
        """Spent budgets by the name of the queue they ended."""
        self.on_request: Callable[[], None] | None = None
        """Called by the first `escalate`, so that the user learns that a second one cancels."""
        self._tasks: list[asyncio.Task[None]] = []

    def request(self, reason: str) -> None:
        """Ask for a stop: nothing new is begun."""
        self.requested, self.reason = True, self.reason or reason

    def escalate(self, reason: str) -> None:
        """Ask for a stop, or cancel what is in flight when one was requested already."""
        if self.requested:
            self.escalated = True
            for task in self._tasks:
                task.cancel()
        elif self.on_request:
            self.on_request()
        self.request(reason)

    def watch(self, tasks: list[asyncio.Task[None]]) -> None:
        """Register the tasks that `escalate` cancels."""
        self._tasks = tasks


async def unless_stopped(work: Coroutine[None, None, T], stop: Stop) -> T:
    """Return what comes of something that precedes all units; the first request to stop ends it, as nothing is lost."""
    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait([task], timeout=GLANCE))[0]:
            if stop.requested:
                raise KeyboardInterrupt
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    return task.result()


class Queue(NamedTuple):
    """A stream of units with workers of its own, so that one slow model holds back no other."""

    units: Iterator[Unit]
    width: int
    """Units of this queue in flight."""
    name: str = ""
    """Name of the queue in messages."""


Work = Callable[[Unit], Awaitable[None]]


def asking(
    ask: Callable[[Unit], Awaitable[Answer]], journal: Journal, done: Callable[[Unit, Answer], None]
) -> Callable[[Unit], Awaitable[None]]:
    """Return the work on one unit: ask unless the journal has the answer, and journal it before calling `done`."""

    async def work(unit: Unit) -> None:
        answer = journal.find(unit.number)
        if answer is None:
            answer = await ask(unit)
            journal.append(unit.number, unit.case.id, answer)
        done(unit, answer)

    return work


class _Over(dict[int, BudgetSpent]):
    """The queues that cannot go on, and why."""

    def __init__(self, queues: Sequence[Queue], stop: Stop, spent: Callable[[Queue, BudgetSpent], None]) -> None:
        super().__init__()
        self._queues, self._stop, self._spent = queues, stop, spent

    def end(self, number: int, signal: BudgetSpent) -> None:
        """End a queue, and report it once however many workers it has."""
        if self.setdefault(number, signal) is signal:
            queue = self._queues[number]
            self._stop.spent.setdefault(queue.name, signal)
            self._spent(queue, signal)

    def request_stop(self) -> None:
        """Mark the run as stopped if any queue ended early."""
        for signal in self.values():
            self._stop.request(str(signal))


async def run_queues(
    queues: Sequence[Queue],
    work: Work,
    *,
    stop: Stop,
    ahead: Callable[[Unit], bool] = lambda unit: False,
    spent: Callable[[Queue, BudgetSpent], None] = lambda queue, signal: None,
) -> bool:
    """Work through several streams at once; return whether all was done.

    A unit that is too far `ahead` of those that are finished waits, so that memory stays flat. A queue whose budget is
    spent ends and is passed to `spent`; the others go on, and no longer wait for slower ones.
    """
    unfinished = 0
    over = _Over(queues, stop, spent)

    async def worker(number: int, units: Iterator[Unit]) -> None:
        nonlocal unfinished
        breath = time.monotonic() + BREATH
        for unit in units:
            unfinished += 1
            while ahead(unit) and not stop.requested and not over:  # noqa: ASYNC110 - looked at seldom, by those ahead
                await asyncio.sleep(BREATH)
            if stop.requested or number in over:
                return
            try:
                await work(unit)
            except BudgetSpent as signal:
                over.end(number, signal)
                return
            unfinished -= 1
            if (now := time.monotonic()) > breath:
                breath = now + BREATH
                await asyncio.sleep(0)

    tasks = [asyncio.create_task(worker(n, queue.units)) for n, queue in enumerate(queues) for _ in range(queue.width)]
    stop.watch(tasks)
    try:
        await asyncio.gather(*tasks)
    except asyncio.CancelledError:
        if not stop.requested:
            raise
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    over.request_stop()
    return not unfinished and all(next(queue.units, None) is None for queue in queues)
