"""Many units at once: bounded workers, results in stable order, a clean stop; knows no file and no report."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from ragstone.core.errors import BudgetSpent
from ragstone.core.interfaces import Journal
from ragstone.core.types import Answer
from ragstone.runs.pipeline import Unit

T = TypeVar("T")

BREATH = 0.05
"""Seconds after which a worker that never had to wait lets others run."""


class Sequencer(Generic[T]):
    """Hands things on in the order of their numbers, whatever the order they arrive in.

    Only `window` finished things wait in memory. Those further ahead are dropped and made again by `remake`
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
        """Take a finished thing; `step` hands it on when its turn comes."""
        if unit.number == self.next or len(self._ready) < self._window:
            self._ready[unit.number] = thing
        else:
            self._dropped[unit.number] = unit

    def step(self) -> bool:
        """Hand on the thing whose turn it is; say whether it was there."""
        if (waiting := self._ready.pop(self.next, None)) is not None:
            self._emit(waiting)
        elif (dropped := self._dropped.pop(self.next, None)) is not None:
            self._emit(self._remake(dropped))
        else:
            return False
        self.next += 1
        return True

    def drain(self) -> None:
        """Hand on all that is left, in order, over the gaps that a stop has left."""
        for number in sorted(self._ready.keys() | self._dropped.keys()):
            waiting = self._ready.pop(number, None)
            self._emit(waiting if waiting is not None else self._remake(self._dropped.pop(number)))


class Stop:
    """A wish to stop: no new unit is begun, those in flight are finished (or dropped when somebody insists)."""

    def __init__(self) -> None:
        self.wished = self.insisted = False
        self.reason = ""
        self.spent: dict[str, BudgetSpent] = {}
        """What cannot be spent any more, by the name of the queue it ended."""
        self.heard: Callable[[], None] | None = None
        """Told when the first wish of somebody who may insist is heard."""
        self._tasks: list[asyncio.Task[None]] = []

    def wish(self, reason: str) -> None:
        """Ask for a stop: nothing new is begun."""
        self.wished, self.reason = True, self.reason or reason

    def insist(self, reason: str) -> None:
        """Ask for a stop; asking again drops what is in flight."""
        if self.wished:
            self.insisted = True
            for task in self._tasks:
                task.cancel()
        elif self.heard:
            self.heard()
        self.wish(reason)

    def watch(self, tasks: list[asyncio.Task[None]]) -> None:
        """Learn which tasks a second wish cancels."""
        self._tasks = tasks


class Queue(NamedTuple):
    """A stream of units with workers of its own, so that one slow model holds back no other."""

    units: Iterator[Unit]
    width: int
    """Units of this queue in flight."""
    name: str = ""
    """What the queue is called when something is said of it."""


Work = Callable[[Unit], Awaitable[None]]


def asking(
    ask: Callable[[Unit], Awaitable[Answer]], journal: Journal, done: Callable[[Unit, Answer], None]
) -> Callable[[Unit], Awaitable[None]]:
    """Say how a unit is worked on: what the journal knows is not asked again; it hears of an answer before `done`."""

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
        """End a queue; whoever works in it hears of it once."""
        if self.setdefault(number, signal) is signal:
            queue = self._queues[number]
            self._stop.spent.setdefault(queue.name, signal)
            self._spent(queue, signal)

    def wish(self) -> None:
        """Have the run end as one that was stopped."""
        for signal in self.values():
            self._stop.wish(str(signal))


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
    spent ends, which is told to `spent`; the others go on, and wait for nobody any more.
    """
    unfinished = 0
    over = _Over(queues, stop, spent)

    async def worker(number: int, units: Iterator[Unit]) -> None:
        nonlocal unfinished
        breath = time.monotonic() + BREATH
        for unit in units:
            unfinished += 1
            while ahead(unit) and not stop.wished and not over:  # noqa: ASYNC110 - looked at seldom, by those ahead
                await asyncio.sleep(BREATH)
            if stop.wished or number in over:
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
        if not stop.wished:
            raise
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    over.wish()
    return not unfinished and all(next(queue.units, None) is None for queue in queues)
