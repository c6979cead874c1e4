"""Wraps a system in all wrappers, in the only order in which they work together.

    Cache ─ Retry ─ Breaker ─ Limits ─ Budget ─ the system

A cached answer costs nothing and counts nowhere. Each retry waits for the breaker and the limits again, and is counted
by the budget: the calls it counts are the calls the endpoint sees.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from msgspec import Struct

from ragstone.core.errors import ConnectError
from ragstone.core.interfaces import System
from ragstone.core.types import JSON
from ragstone.systems.http.endpoint import Exchange
from ragstone.systems.options import Number, fields, take
from ragstone.systems.wrappers.breaker import Breaker, BreakerOptions
from ragstone.systems.wrappers.budget import Budget, BudgetOptions
from ragstone.systems.wrappers.cache import Cache
from ragstone.systems.wrappers.limits import LimitOptions, Limits
from ragstone.systems.wrappers.retry import Retry, RetryOptions
from ragstone.systems.wrappers.wrapper import Notice, layers


class CacheOptions(Struct, frozen=True, kw_only=True):
    """Where answers are kept."""

    cache: str = ""
    """A file; empty keeps nothing."""


class ShareOptions(Struct, frozen=True, kw_only=True):
    """How much of an endpoint is ours."""

    share: Number = 1
    """Runs that ask the same endpoint at once; limits and budgets are divided by it."""


def _divided(limits: LimitOptions, n: int) -> LimitOptions:
    return LimitOptions(
        concurrency=limits.concurrency and max(1, limits.concurrency // n),
        requests_per_minute=limits.requests_per_minute / n,
        tokens_per_minute=limits.tokens_per_minute / n,
    )


def _divided_budget(budget: BudgetOptions, n: int) -> BudgetOptions:
    return BudgetOptions(
        max_calls=budget.max_calls and max(1, budget.max_calls // n),
        max_tokens_spent=budget.max_tokens_spent and max(1, budget.max_tokens_spent // n),
        max_cost=budget.max_cost / n,
        max_seconds=budget.max_seconds,
    )


NAMES = frozenset(fields(ShareOptions, CacheOptions, RetryOptions, BreakerOptions, LimitOptions, BudgetOptions))
"""Every option `with_wrappers` understands."""


def with_wrappers(system: System, options: Mapping[str, JSON], news: Sequence[Notice] = ()) -> System:
    """Wrap a system in cache, retries, breaker, limits and budget, as the options say.

    `news` are notices to send as soon as there is an observer.
    """
    name = system.model_id
    cache = take(options, CacheOptions, name)
    retry = take(options, RetryOptions, name)
    breaker = take(options, BreakerOptions, name)
    share = take(options, ShareOptions, name).share
    budget = _divided_budget(take(options, BudgetOptions, name), share)
    _require_counts(system, budget)
    inner = Budget(system, budget)
    inner.news.extend(news)
    limits = _divided(take(options, LimitOptions, name), share)
    outer: System = Limits(inner, limits, longest_hold=retry.max_retry_delay)
    if breaker.breaker_after > 0:
        outer = Breaker(outer, breaker)
    if retry.max_retries > 0:
        outer = Retry(outer, retry)
    if cache.cache:
        outer = Cache(outer, Path(cache.cache))
    return outer


def _require_counts(system: System, budget: BudgetOptions) -> None:
    """Refuse a budget that cannot be kept: money without prices, or tokens that are not counted."""
    if budget.max_cost and not getattr(system, "has_prices", True):
        raise ConnectError("ask.no_price", system=system.model_id)
    for option in ("max_cost", "max_tokens_spent"):
        if getattr(budget, option) and not getattr(system, "counts_tokens", True):
            raise ConnectError("ask.no_usage", system=system.model_id, option=option)


@runtime_checkable
class Watchable(Protocol):
    """A system whose exchanges can be looked at."""

    def watch(self, show: Callable[[Exchange], None] | None) -> None:
        """Call a function with each exchange."""
        ...


def watch(system: System, show: Callable[[Exchange], None] | None) -> bool:
    """Pass the exchanges of the system inside to a function, secrets hidden; return whether it has any."""
    *_, inner = layers(system)
    if not isinstance(inner, Watchable):
        return False
    inner.watch(show)
    return True
