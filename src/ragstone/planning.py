"""What a run will take, before anything is spent: calls exactly, tokens, time and money as an estimate."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ragstone.interfaces import System
from ragstone.pipeline import Unit, request_of
from ragstone.plans import Plan
from ragstone.store.catalogue import runs
from ragstone.systems.around import cache_of
from ragstone.systems.wrapper import layers
from ragstone.types import JSON, Message, Request, Usage

HAN_TOKENS = 0.8
"""Tokens a CJK character costs, about; between 0.6 and 1 with common tokenizers."""
LATIN_TOKENS = 0.25
"""Tokens any other character costs, about."""
ANSWER_TOKENS = 300
"""Tokens an answer is taken to have when nobody says otherwise."""


class SystemEstimate(Struct, frozen=True, kw_only=True):
    """What one system will be asked, and what that takes."""

    model_id: str
    calls: int
    """Exact, when no call has to be tried again."""
    cached: int
    """Answers the cache holds already; they cost nothing."""
    prompt_tokens: int
    completion_tokens: int
    seconds: float | None
    """None when no latency is known."""
    latency_ms: float | None
    cost: float | None
    """None when no prices are known."""


def estimate(
    plan: Plan,
    *,
    answer_tokens: int = ANSWER_TOKENS,
    latency_ms: float | None = None,
    runs_dir: Path | None = None,
) -> list[SystemEstimate]:
    """Walk through the dataset once and add up what would be sent."""
    tallies = [_Tally(system) for system in plan.systems]
    for unit in plan.units():
        tallies[unit.system].add(unit, plan)
    return [tally.estimate(plan, answer_tokens, latency_ms or _past(runs_dir, tally.system)) for tally in tallies]


class _Tally:
    """Counts what one system would be sent."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.cache = cache_of(system)
        self.calls = self.cached = 0
        self.tokens = 0.0

    def add(self, unit: Unit, plan: Plan) -> None:
        request = request_of(plan.contract, unit)
        if self.cache is not None and self.cache.holds(request):
            self.cached += 1
            return
        self.calls += 1
        self.tokens += sum(count_tokens(message.content) for message in _sent(request))

    def estimate(self, plan: Plan, answer_tokens: int, latency_ms: float | None) -> SystemEstimate:
        prompt, completion = round(self.tokens), self.calls * answer_tokens
        seconds = None if latency_ms is None else self.calls * latency_ms / 1000 / plan.concurrency
        return SystemEstimate(
            model_id=self.system.model_id,
            calls=self.calls,
            cached=self.cached,
            prompt_tokens=prompt,
            completion_tokens=completion,
            seconds=seconds,
            latency_ms=latency_ms,
            cost=_cost(self.system, Usage(prompt, completion, prompt + completion)),
        )


def _sent(request: Request) -> Sequence[Message]:
    return request.messages or (Message("user", request.question),)


def count_tokens(text: str) -> float:
    """Estimate the tokens of a text."""
    wide = sum(1 for char in text if char >= "\u2e80")
    return wide * HAN_TOKENS + (len(text) - wide) * LATIN_TOKENS


def _cost(system: System, usage: Usage) -> float | None:
    *_, inner = layers(system)
    price = getattr(inner, "cost", None)
    return price(usage) if callable(price) else None


def _past(runs_dir: Path | None, system: System) -> float | None:
    """Look up the median latency this system had in the newest run that asked it."""
    for entry in runs(runs_dir) if runs_dir else ():
        models: Mapping[str, JSON] = entry.summary.get("models") or {}
        costs = (models.get(system.model_id) or {}).get("costs") or {}
        if costs.get("latency_ms_p50"):
            return float(costs["latency_ms_p50"])
    return None
