"""What may be spent on a run: calls, tokens, money, seconds; and the ledger of what was."""

import asyncio
import time

from msgspec import Struct

from ragstone.core.errors import BudgetSpent
from ragstone.core.interfaces import System
from ragstone.core.types import Answer, Failure, Request
from ragstone.systems.options import Amount, Count, Wait
from ragstone.systems.wrappers.wrapper import Wrapper, layers


class BudgetOptions(Struct, frozen=True, kw_only=True):
    """What may be spent on one system in a whole run, however often it is resumed; 0 is no limit."""

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
    seconds: float = 0.0
    """Time since the first request; kept when a run ends."""


_COUNTED = ("calls", "finished", "tokens", "cost", "failed")


class Budget(Wrapper):
    """Counts every call right before it is made, and raises BudgetSpent instead of the one too many."""

    def __init__(self, inner: System, options: BudgetOptions) -> None:
        super().__init__(inner)
        self.ledger = Ledger()
        self.before = Ledger()
        """What earlier processes spent on the same run."""
        self._options = options
        named: dict[str, float] = {
            "calls": options.max_calls,
            "tokens": options.max_tokens_spent,
            "cost": options.max_cost,
            "seconds": options.max_seconds,
        }
        self.limits = {what: limit for what, limit in named.items() if limit}
        """What is limited, and how much of it there is."""
        self._metered = not self.limits.keys().isdisjoint({"tokens", "cost"})
        self.answered = 0
        """Calls of this process that were answered."""
        self.failure: Failure | None = None
        """What went wrong with the last call, where something did."""
        self._uncounted = False
        """Whether an answer came without a count of its tokens, which a budget of tokens or money cannot do without."""
        self._began: float | None = None

    @property
    def calls(self) -> int:
        """Calls this process made so far."""
        return self.ledger.calls

    async def ask(self, request: Request) -> Answer:
        """Ask if there is something left to spend."""
        ledger = self.ledger
        if self.limits:
            self._check()
        ledger.calls += 1
        try:
            answer = await (self._hurried(request) if self._options.max_seconds else self.inner.ask(request))
        finally:
            ledger.finished += 1
        usage, self.failure = answer.usage, answer.failure
        self.answered += answer.failure is None
        if answer.failure is not None:
            ledger.failed += 1
        elif self._metered and (usage is None or not usage.total_tokens):
            self._uncounted = True
        if usage is not None:
            ledger.tokens += usage.total_tokens
        if answer.cost is not None:
            ledger.cost += answer.cost
        return answer

    def rest(self) -> None:
        """Count no time until the next request."""
        self._began = None

    def spent(self) -> Ledger:
        """Return what this process and those before it spent."""
        ledger = Ledger(**{what: getattr(self.before, what) + getattr(self.ledger, what) for what in _COUNTED})
        ledger.seconds = self._spent("seconds")
        return ledger

    async def _hurried(self, request: Request) -> Answer:
        limit = self._options.max_seconds
        try:
            async with asyncio.timeout(max(0.0, limit - self._spent("seconds"))) as clock:
                return await self.inner.ask(request)
        except TimeoutError:
            if clock.expired():
                raise self._signal("seconds") from None
            raise

    def _check(self) -> None:
        if self._began is None:
            self._began = time.monotonic()
        ledger = self.ledger
        flying = (ledger.calls - ledger.finished) / max(1, ledger.finished - ledger.failed)
        ahead = {"tokens": ledger.tokens * flying, "cost": ledger.cost * flying}
        for what, limit in self.limits.items():
            if self._spent(what) + ahead.get(what, 0.0) >= limit:
                raise self._signal(what)
        if self._uncounted:
            raise self._signal("tokens" if "tokens" in self.limits else "cost", code="ask.uncounted")

    def exhausted(self) -> list[str]:
        """Name the options whose limit is reached."""
        return [_option(what) for what, limit in self.limits.items() if self._spent(what) >= limit]

    def _spent(self, what: str) -> float:
        if what != "seconds":
            return float(getattr(self.before, what) + getattr(self.ledger, what))
        return self.before.seconds + (time.monotonic() - self._began if self._began is not None else 0.0)

    def _signal(self, what: str, code: str = "ask.budget") -> BudgetSpent:
        spent = self._spent(what)
        return BudgetSpent(
            what, self.limits[what], spent, code=code, params={"option": _option(what)}, meter=self._spent
        )


def _option(what: str) -> str:
    return "max_tokens_spent" if what == "tokens" else f"max_{what}"


def budget_of(system: System) -> Budget | None:
    """Return the budget round a system, when there is one."""
    return next((layer for layer in layers(system) if isinstance(layer, Budget)), None)
