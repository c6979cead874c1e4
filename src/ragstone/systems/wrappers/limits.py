"""How much at once: requests and tokens per minute, and a concurrency that yields to 429s and recovers."""

import asyncio
import contextlib
from collections import deque

from msgspec import Struct

from ragstone.core.interfaces import System
from ragstone.core.types import Answer, Failure, Request
from ragstone.systems.failures import Postponed
from ragstone.systems.options import Amount, Count
from ragstone.systems.wrappers.wrapper import Notice, Wrapper, layers

LONGEST_HOLD = 60.0
"""Seconds a server's Retry-After may hold all requests back, unless the options say otherwise."""
CROWDED = 0.35
"""Share of 429s among the latest answers that means too much is asked; fewer are bad luck of single requests."""
LATEST = 16
"""Answers over which that share is taken, the newer ones counting more."""
GROWTH = 1.25
"""By how much the concurrency grows after as many good answers as are allowed at once."""


class LimitOptions(Struct, frozen=True, kw_only=True):
    """How much an endpoint may be asked."""

    concurrency: Count = 0
    """Most requests in flight at this endpoint; 0 leaves it to the run's own concurrency."""
    requests_per_minute: Amount = 0.0
    """0 is no limit."""
    tokens_per_minute: Amount = 0.0
    """0 is no limit; counted from the usage of the replies, with their mean for those in flight."""


class Pace:
    """Spreads a quantity over time: a second's worth may go at once, the rest must wait its turn."""

    def __init__(self, per_minute: float) -> None:
        self._per_second = per_minute / 60.0
        self._free_at = 0.0

    def take(self, amount: float, now: float) -> float:
        """Book an amount and return the seconds until it may go; a negative one is given back."""
        wait = max(0.0, self._free_at - 1.0 - now)
        self._free_at = max(self._free_at, now) + amount / self._per_second
        return wait


class Limits(Wrapper):
    """Lets requests through as the options allow and as the endpoint proves to bear."""

    def __init__(self, inner: System, options: LimitOptions, *, longest_hold: float = LONGEST_HOLD) -> None:
        super().__init__(inner)
        self.options = options
        self._longest_hold = longest_hold
        self._ceiling = float(options.concurrency or "inf")
        self.limit = self._ceiling
        """Requests in flight that are allowed now."""
        self._active = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._requests = Pace(options.requests_per_minute) if options.requests_per_minute > 0 else None
        self._tokens = Pace(options.tokens_per_minute) if options.tokens_per_minute > 0 else None
        self._paced = self._requests is not None or self._tokens is not None
        self._mean_tokens = 0.0
        self._held_until = 0.0
        self._good = 0
        self._epoch = 0
        self._told = self.limit
        """The lowest concurrency that was reported."""
        # Before anything is known, the first 429 is taken seriously.
        self._refused = 0.5
        """The share of 429s lately."""

    async def ask(self, request: Request) -> Answer:
        """Wait for a place, ask, and learn from the answer."""
        if self._active >= self.limit or self._queue:
            await self._place()
        self._active += 1
        try:
            guess = 0.0
            if self._paced or self._held_until:
                guess = await self._pace(request)
            epoch = self._epoch
            answer = await self.inner.ask(request)
        finally:
            self._active -= 1
            self._wake()
        if self._tokens is not None:
            self._count(answer, guess)
        if answer.failure is None:
            self._refused -= self._refused / LATEST
            self._recover()
        elif self._is_crowded(answer.failure):
            self._yield_to(answer.failure, epoch)
        return answer

    def _is_crowded(self, failure: Failure) -> bool:
        """Return whether a failure means that too much is asked at once."""
        if failure.kind == "rate_limited":
            self._refused += (1 - self._refused) / LATEST
            return self._refused >= CROWDED
        return failure.kind == "handles"

    async def _place(self) -> None:
        while True:
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._queue.append(place)
            try:
                await place
            except asyncio.CancelledError:
                if place.cancelled():
                    with contextlib.suppress(ValueError):
                        self._queue.remove(place)
                else:
                    self._wake()
                raise
            if self._active < self.limit:
                return

    def _wake(self) -> None:
        free = self.limit - self._active
        while self._queue and free > 0:
            place = self._queue.popleft()
            if not place.done():
                place.set_result(None)
                free -= 1

    async def _pace(self, request: Request) -> float:
        """Wait for this request's turn and return how many tokens were booked for it."""
        clock = asyncio.get_running_loop().time
        guess, wait = 0.0, 0.0
        if self._requests is not None:
            wait = self._requests.take(1, clock())
        if self._tokens is not None:
            guess = self._mean_tokens or _rough_tokens(request)
            wait = max(wait, self._tokens.take(guess, clock()))
        if wait > 0:
            await asyncio.sleep(wait)
        while (held := self._held_until - clock()) > 0:  # noqa: ASYNC110 - the end may move while waiting for it
            await asyncio.sleep(held)
        self._held_until = 0.0
        return guess

    def _count(self, answer: Answer, guess: float) -> None:
        used = float(answer.usage.total_tokens) if answer.usage else 0.0
        assert self._tokens is not None
        self._tokens.take(used - guess, asyncio.get_running_loop().time())
        self._mean_tokens = used if not self._mean_tokens else 0.9 * self._mean_tokens + 0.1 * used

    def _recover(self) -> None:
        """Allow some more after as many good answers as are allowed at once."""
        if self.limit >= self._ceiling:
            return
        self._good += 1
        if self._good >= self.limit:
            self._good = 0
            self.limit = min(self._ceiling, float(int(max(self.limit + 1, self.limit * GROWTH))))
            self._wake()

    def _yield_to(self, failure: Failure, epoch: int) -> None:
        """Halve the concurrency, once for all requests that were in flight together."""
        if isinstance(failure, Postponed):
            until = asyncio.get_running_loop().time() + min(failure.retry_after, self._longest_hold)
            self._held_until = max(self._held_until, until)
        if epoch != self._epoch:
            return
        self._epoch += 1
        self._good = 0
        before, self.limit = self.limit, float(max(1, int(min(self.limit, self._active + 1) / 2)))
        if self.limit < before and self.limit < self._told:
            # It goes up and down as long as the endpoint is busy: that is news once.
            self._told = self.limit
            self.notify(Notice("slowed", {"limit": int(self.limit)}))


def _rough_tokens(request: Request) -> float:
    """Guess at the tokens of the first requests, before any reply has been counted."""
    return 1.0 + (len(request.question) + sum(len(m.content) for m in request.messages)) / 2


def limits_of(system: System) -> Limits | None:
    """Return the limits round a system, when there are any."""
    return next((layer for layer in layers(system) if isinstance(layer, Limits)), None)
