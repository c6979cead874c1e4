"""Scores answers in small batches while no reply comes, so that no call waits for scoring."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from ragstone.core.types import Answer
from ragstone.runs.pipeline import Unit
from ragstone.runs.schedule import Sequencer

T = TypeVar("T")

SLICE = 0.0005
"""Seconds after which no further answer is scored at a stretch."""
MOST = 2048
"""Answers that wait to be scored; beyond, nothing new is asked, so that memory stays flat."""
MOST_CHARACTERS = 8_000_000
"""Characters of the answers that wait."""
LONG = 20_000
"""Characters of an answer that is scored in a thread: it may take longer than a slice by itself."""


class ScoringQueue(Generic[T]):
    """Answers that wait to be scored, and what is made of them, handed on in order."""

    def __init__(self, score: Callable[[Unit, Answer], T], sequencer: Sequencer[T]) -> None:
        self._score, self._sequencer = score, sequencer
        self._waiting: deque[tuple[Unit, Answer]] = deque()
        self._wake, self._room = asyncio.Event(), asyncio.Event()
        self._closed = False
        self._characters = 0
        self._came = False
        """Whether answers came since scoring last looked."""

    def put(self, unit: Unit, answer: Answer) -> None:
        """Add an answer to be scored."""
        self._waiting.append((unit, answer))
        self._characters += len(answer.text)
        self._came = True
        self._wake.set()

    @property
    def is_full(self) -> bool:
        """Whether to wait for `room` before asking more."""
        return self._holds(1) and not self._closed

    def _holds(self, share: float) -> bool:
        """Whether more than a share of what may wait does."""
        return len(self._waiting) > MOST * share or self._characters > MOST_CHARACTERS * share

    async def room(self) -> None:
        """Wait until half of what waited is scored."""
        self._room.clear()
        await self._room.wait()

    def close(self) -> None:
        """Accept nothing more, and release those who wait for room."""
        self._closed = True
        self._room.set()
        self._wake.set()

    async def work(self) -> None:
        """Score what comes until it is closed and empty."""
        try:
            while await self._some():
                if not self._holds(0.5):
                    self._room.set()
                await asyncio.sleep(0)
        finally:
            self.close()

    async def _some(self) -> bool:
        """Score for a slice of time, or wait for something to score; say whether there may be more.

        Where answers came meanwhile others may come: these go first, unless half of what may wait does.
        """
        if self._came and not self._closed and not self._holds(0.5):
            self._came = False
            return True
        until = time.perf_counter() + SLICE
        while time.perf_counter() < until:
            if self._sequencer.step():
                continue
            if not self._waiting:
                break
            unit, answer = self._waiting.popleft()
            self._characters -= len(answer.text)
            if len(answer.text) > LONG:
                self._sequencer.put(unit, await asyncio.to_thread(self._score, unit, answer))
            else:
                self._sequencer.put(unit, self._score(unit, answer))
        else:
            return True
        if self._closed:
            return False
        self._wake.clear()
        self._room.set()
        await self._wake.wait()
        return True
