"""What may be spent on a run: calls, tokens, money, seconds; and the ledger of what was."""

import asyncio
import time

from msgspec import Struct

from ragstone.errors import BudgetSpent
from ragstone.interfaces import System
from ragstone.systems.options import Amount, Count, Wait
from ragstone.systems.wrapper import Wrapper
from ragstone.types import Answer, Request


class BudgetOptions(Struct, frozen=True, kw_only=True):
    """What may be spent; 0 is no limit."""

    max_calls: Count = 0
    """Requests sent, retries among them. Exact."""
    max_tokens_spent: Count = 0
    """Tokens sent and received. Known only afterwards: what is in flight counts with the mean so far."""
    max_cost: Amount = 0.0
    """Money, in the currency of the price table. As for tokens."""
    max_seconds: Wait = 0.0
    """Time since the first request; what is in flight then is cut off."""


class Ledger(Struct):
    """What was really spent on an endpoint, retries and failures among it."""

    calls: int = 0
    finished: int = 0
    tokens: int = 0
    cost: float = 0.0
    failed: int = 0


class Budget(Wrapper):
    """Counts every call right before it is made, and raises BudgetSpent instead of the one too many."""

    def __init__(self, inner: System, options: BudgetOptions) -> None:
        super().__init__(inner)
        self.ledger = Ledger()
        self._options = options
        self._limited = options != BudgetOptions()
        self._began: float | None = None

    @property
    def calls(self) -> int:
        """Calls made so far."""
        return self.ledger.calls

    async def ask(self, request: Request) -> Answer:
        """Ask if there is something left to spend."""
        ledger = self.ledger
        if self._limited:
            self._check()
        ledger.calls += 1
        try:
            answer = await (self._hurried(request) if self._options.max_seconds else self.inner.ask(request))
        finally:
            ledger.finished += 1
        if answer.failure is not None:
            ledger.failed += 1
        if answer.usage is not None:
            ledger.tokens += answer.usage.total_tokens
        if answer.cost is not None:
            ledger.cost += answer.cost
        return answer

    async def _hurried(self, request: Request) -> Answer:
        limit = self._options.max_seconds
        try:
            async with asyncio.timeout(max(0.0, limit - self._elapsed())) as clock:
                return await self.inner.ask(request)
        except TimeoutError:
            if clock.expired():
                raise BudgetSpent("seconds", limit, self._elapsed()) from None
            raise

    def _check(self) -> None:
        ledger, options = self.ledger, self._options
        flying = (ledger.calls - ledger.finished) / max(1, ledger.finished - ledger.failed)
        spending = (
            ("calls", options.max_calls, ledger.calls),
            ("tokens", options.max_tokens_spent, ledger.tokens * (1 + flying)),
            ("cost", options.max_cost, ledger.cost * (1 + flying)),
            ("seconds", options.max_seconds, self._elapsed() if options.max_seconds else 0.0),
        )
        for what, limit, spent in spending:
            if limit and spent >= limit:
                raise BudgetSpent(what, limit, spent)

    def _elapsed(self) -> float:
        if self._began is None:
            self._began = time.monotonic()
        return time.monotonic() - self._began
