"""When an endpoint is down: pause, probe with one request, resume; instead of failing every case that is left."""

import asyncio
import time
from typing import Literal

from msgspec import Struct, structs

from ragstone.core.errors import BudgetSpent
from ragstone.core.interfaces import System
from ragstone.core.types import JSON, Answer, Failure, Request
from ragstone.systems.failures import fail, is_down, is_shut_out
from ragstone.systems.options import Count, Wait
from ragstone.systems.wrappers.wrapper import Notice, Wrapper, bare


class BreakerOptions(Struct, frozen=True, kw_only=True):
    """When to pause, and for how long."""

    breaker_after: Count = 5
    """Failures in a row that mean the endpoint is down; 0 never pauses."""
    breaker_pause: Wait = 2.0
    """Seconds before the first probe, doubled for each further one."""
    breaker_longest_pause: Wait = 30.0
    patience: Wait = 300.0
    """Seconds an endpoint that once answered may stay down."""
    patience_at_start: Wait = 10.0
    """Seconds an endpoint that never answered may stay down: more likely its address is wrong."""
    shut_out_after: Count = 5
    """Refusals of the key (401, 403) in a row, before any answer, that mean every case would be refused; 0 never."""
    when_down: Literal["stop", "fail"] = "stop"
    """After that: `stop` the run so that it can be resumed, or `fail` the cases one by one."""


class Breaker(Wrapper):
    """Holds requests back while the endpoint is down; one of them goes on trying."""

    def __init__(self, inner: System, options: BreakerOptions) -> None:
        super().__init__(inner)
        self._options = options
        self._row = 0
        self._shut_out = 0
        self._answered = False
        self._since: float | None = None
        """When the outage began; None while all is well."""
        self._last: Failure | None = None
        self._probing = False
        self._next_try = 0.0
        """When, patience being at an end, one more request may try its luck."""
        self._changed = asyncio.Event()

    def hurry(self) -> None:
        """Have no more patience than with an endpoint that never answered, unless the user said how much."""
        if self._options.patience == BreakerOptions().patience:
            self._options = structs.replace(self._options, patience=self._options.patience_at_start)

    async def ask(self, request: Request) -> Answer:
        """Ask, or wait until asking makes sense again."""
        while self._since is not None:
            if not self._probing:
                return await self._probe(request)
            await self._changed.wait()
        self._require_let_in()
        answer = await self.inner.ask(request)
        if answer.failure is not None and is_shut_out(answer.failure):
            self._shut_out, self._last = self._shut_out + 1, answer.failure
        elif answer.failure is not None and is_down(answer.failure):
            self._note(answer.failure)
        else:
            self._row = 0
            self._answered = True
        return answer

    def _require_let_in(self) -> None:
        """Stop where the key was refused time and again and nothing was ever answered: the next would be, too."""
        most = self._options.shut_out_after
        if self._answered or not 0 < most <= self._shut_out or self._options.when_down == "fail":
            return
        params: dict[str, JSON] = {"number": self._shut_out, "problem": self._last or ""}
        raise BudgetSpent("outage", most, self._shut_out, code="ask.shut_out", params=params)

    def _note(self, failure: Failure) -> None:
        self._row += 1
        self._last = failure
        if self._since is None and 0 < self._options.breaker_after <= self._row:
            self._since = time.monotonic()

    async def _probe(self, request: Request) -> Answer:
        """Go on trying with this request until it is answered or patience ends."""
        self._probing = True
        attempts = 0
        pause = self._options.breaker_pause
        try:
            while self._may_try():
                wait = max(0.0, min(pause, self._patience_left()))
                self.notify(Notice("paused", {"problem": self._last or "", "seconds": f"{wait:.3g}"}))
                await asyncio.sleep(wait)
                answer = await self.inner.ask(request)
                attempts += answer.attempts
                if answer.failure is None or not is_down(answer.failure):
                    self._resume()
                    return structs.replace(answer, attempts=attempts)
                self._last = answer.failure
                pause = min(pause * 2, self._options.breaker_longest_pause)
            return self._give_up(attempts)
        finally:
            self._probing = False
            self._stir()

    def _may_try(self) -> bool:
        if self._patience_left() > 0:
            return True
        now = time.monotonic()
        if now < self._next_try or not self._next_try:
            self._next_try = self._next_try or now + self._options.breaker_longest_pause
            return False
        self._next_try = now + self._options.breaker_longest_pause
        return True

    def _patience_left(self) -> float:
        options = self._options
        assert self._since is not None
        patience = options.patience if self._answered else options.patience_at_start
        return self._since + patience - time.monotonic()

    def _resume(self) -> None:
        assert self._since is not None
        down = time.monotonic() - self._since
        self._since, self._row, self._answered = None, 0, True
        self._next_try = 0.0
        self.notify(Notice("resumed", {"seconds": f"{down:.0f}"}))

    def _give_up(self, attempts: int) -> Answer:
        assert self._since is not None
        down = time.monotonic() - self._since
        params: dict[str, JSON] = {"seconds": f"{down:.0f}", "problem": self._last or ""}
        if self._options.when_down == "stop":
            patience = self._options.patience if self._answered else self._options.patience_at_start
            raise BudgetSpent("outage", patience, down, code="ask.circuit_open", params=params)
        failure = fail("circuit_open", seconds=params["seconds"], problem=bare(self._last, "en") if self._last else "")
        return Answer(failure=failure, attempts=attempts)

    def _stir(self) -> None:
        """Wake all who wait, so that each looks again for itself."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
