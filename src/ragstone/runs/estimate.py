"""Estimates what a run will take before anything is spent: calls exactly, tokens, time and money roughly."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from math import fsum
from pathlib import Path

from msgspec import Struct, structs

from ragstone.contracts.key_points.faithful import MOST
from ragstone.core.errors import RunError
from ragstone.core.interfaces import Contract, Decidable, System
from ragstone.core.types import JSON, Message, Question, Request, Usage
from ragstone.judging.judge import TRIAL, Judge
from ragstone.judging.prompts import Tongue, messages, tongue_of
from ragstone.runs.judged.asking import MOST_CANARIES
from ragstone.runs.pipeline import Unit, request_of
from ragstone.runs.plan import Plan
from ragstone.runs.store.catalogue import Entry, runs
from ragstone.runs.store.folder import RunFolder
from ragstone.systems.wrappers.budget import budget_of
from ragstone.systems.wrappers.cache import Cache
from ragstone.systems.wrappers.limits import limits_of
from ragstone.systems.wrappers.wrapper import layers

HAN_TOKENS = 0.8
"""Tokens a CJK character costs, about; between 0.6 and 1 with common tokenizers."""
LATIN_TOKENS = 0.25
"""Tokens any other character costs, about."""
ANSWER_TOKENS = 300
"""Tokens an answer is assumed to have by default."""
TRIALS = 2
"""Times a judge is tried at most before it is asked: again where it gives no chances."""
_PARTS = ("calls", "cached", "free", "unasked", "prompt_tokens", "completion_tokens")
JUDGE_TOKENS = 60
"""Tokens of a judge's verdict with its quotation, about; one where its margin is heard."""
PLACE = ("kind", "url", "model", "target", "file")
"""What must be the same for the latency of an earlier run to tell anything of this one."""


class SystemEstimate(Struct, frozen=True, kw_only=True):
    """What one system will be asked, and what that takes."""

    model_id: str
    calls: int
    """Exact, when no call has to be tried again; `max_calls` is kept."""
    cached: int
    """Answers that cost nothing: the cache holds them already, or will by then, as the same is asked before."""
    free: int = 0
    """Answers that need no call."""
    unasked: int = 0
    """Answers that `max_calls` leaves no call for."""
    prompt_tokens: int
    completion_tokens: int
    seconds: float | None
    """None when neither a latency nor a pace is known."""
    latency_ms: float | None
    cost: float | None
    """None when no prices are known."""
    stopped_by: tuple[str, ...] = ()
    """Budgets that will be spent before the end, by this estimate."""


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


def estimate_judging(
    plan: Plan, judges: Sequence[System | Judge], *, answer_tokens: int = ANSWER_TOKENS, latency_ms: float | None = None
) -> list[SystemEstimate]:
    """Estimate what judging takes at most: every question the answers can raise, and the anchors."""
    calls, tokens = 0, 0.0
    tongue = tongue_of([case.question for case in islice(plan.cases(), 200)])
    for question in _raised(plan):
        calls += 1
        tokens += _prompt_tokens(question, tongue) + answer_tokens
    often = len(plan.model_ids) * plan.repeats
    asked, said = calls * often, tokens * often
    # A judge with a certificate is asked anchors again: questions like these.
    anchors = min(MOST_CANARIES, asked)
    asked, said = asked + anchors, said * (1 + anchors / max(1, asked))
    trial = TRIALS * sum(count_tokens(message.content) for message in messages(TRIAL, "quote", tongue))
    return [
        _of_judge(plan, judge, asked + TRIALS, said + trial, latency_ms)
        if isinstance(judge, System)
        else _of_judge(plan, judge, asked, said, latency_ms)
        for judge in judges
    ]


def summed(found: Sequence[SystemEstimate], name: str) -> SystemEstimate:
    """Add up what several judges take."""
    seconds, costs = [one.seconds for one in found], [one.cost for one in found]
    return SystemEstimate(
        model_id=name,
        **{part: sum(getattr(one, part) for one in found) for part in _PARTS},
        seconds=None if None in seconds else fsum(filter(None, seconds)),
        latency_ms=None,
        cost=None if None in costs else fsum(filter(None, costs)),
        stopped_by=tuple(dict.fromkeys(what for one in found for what in one.stopped_by)),
    )


def _of_judge(plan: Plan, judge: System | Judge, calls: int, tokens: float, latency_ms: float | None) -> SystemEstimate:
    """Return what one judge is asked, as far as its budget reaches."""
    system = judge if isinstance(judge, System) else None
    prompt, completion = (round(tokens), JUDGE_TOKENS * calls) if system else (0, 0)
    seconds = None if latency_ms is None else calls * latency_ms / 1000 / plan.concurrency
    cost = _cost(system, Usage(prompt, completion, prompt + completion)) if system else None
    taken: dict[str, float | None] = {"calls": calls, "tokens": prompt + completion, "cost": cost, "seconds": seconds}
    budget = budget_of(system) if system else None
    limits = budget.limits if budget else {}
    shares = {what: limit / amount for what, limit in limits.items() if (amount := taken[what]) and amount >= limit}
    share = min(shares.values(), default=1.0)
    asked = int(calls * share)
    return SystemEstimate(
        model_id=system.model_id if system else judge.name,  # type: ignore[union-attr]
        calls=asked,
        cached=0,
        unasked=calls - asked,
        prompt_tokens=round(prompt * share),
        completion_tokens=round(completion * share),
        seconds=None if seconds is None else seconds * share,
        latency_ms=latency_ms,
        cost=None if cost is None else cost * share,
        stopped_by=tuple(shares),
    )


def most_claims(contract: Contract) -> int:
    """Return how many sentences of an answer are put to a judge at most; how many it has is not known before."""
    return MOST if "supported" in getattr(contract, "question_kinds", ()) else 0


def _raised(plan: Plan) -> Iterator[Question]:
    """Yield the questions that answers can raise: those of perfect ones, and as many claims as are looked at."""
    contract = plan.contract
    if not isinstance(contract, Decidable):
        return
    claim = Question(kind="supported", answer="")
    most = most_claims(contract)
    for case in plan.cases():
        reading = contract.read(case, contract.model_answer(case))
        questions = [question for question, _ in contract.asked(case, reading, contract.score(case, reading))]
        yield from questions
        yield from [claim] * max(0, most - sum(question.kind == "supported" for question in questions))


def _prompt_tokens(question: Question, tongue: Tongue) -> float:
    """Count what a judge is sent besides the answer."""
    empty = structs.replace(question, answer="")
    return sum(count_tokens(message.content) for message in messages(empty, "quote", tongue))


class _Tally:
    """Counts what one system would be sent."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._layers = list(layers(system))
        self._calls = bool(getattr(system, "makes_calls", True))
        budget, limits = budget_of(system), limits_of(system)
        self._budget = dict(budget.limits) if budget else {}
        self._limits = limits.options if limits else None
        self._keys: set[bytes] = set()
        """What the cache will hold by then."""
        self.calls = self.cached = self.free = self.unasked = 0
        self.tokens = 0.0

    def add(self, unit: Unit, plan: Plan) -> None:
        """Count a request as cached, free or sent to the model."""
        request: Request | None = request_of(plan.contract, unit)
        for layer in self._layers:
            assert request is not None
            if isinstance(layer, Cache):
                if self._is_kept(layer, request):
                    self.cached += 1
                    return
            elif callable(sent_as := getattr(layer, "sent_as", None)):
                request = sent_as(request)
                if request is None:
                    break
        if request is None or not self._calls:
            self.free += 1
        elif self._budget.get("calls", self.calls + 1) <= self.calls:
            self.unasked += 1
        else:
            self.calls += 1
            self.tokens += sum(
                count_tokens(message.content) for message in (request.messages or (Message("user", request.question),))
            )

    def _is_kept(self, cache: Cache, request: Request) -> bool:
        key = cache.key(request)
        if key in self._keys or cache.holds(request):
            return True
        self._keys.add(key)
        return False

    def estimate(self, plan: Plan, answer_tokens: int, latency_ms: float | None) -> SystemEstimate:
        """Return the estimate."""
        prompt, completion = round(self.tokens), self.calls * answer_tokens
        usage = Usage(prompt, completion, prompt + completion)
        cost = _cost(self.system, usage) if self.calls else 0.0
        seconds = self._seconds(plan.concurrency, usage.total_tokens, latency_ms)
        taken = {"calls": self.unasked and self.calls, "tokens": usage.total_tokens, "cost": cost, "seconds": seconds}
        return SystemEstimate(
            model_id=self.system.model_id,
            calls=self.calls,
            cached=self.cached,
            free=self.free,
            unasked=self.unasked,
            prompt_tokens=prompt,
            completion_tokens=completion,
            seconds=seconds,
            latency_ms=latency_ms,
            cost=cost,
            stopped_by=tuple(what for what, limit in self._budget.items() if (taken[what] or 0) >= limit),
        )

    def _seconds(self, width: int, tokens: int, latency_ms: float | None) -> float | None:
        """Return how long it takes: by the time of a call, or by the pace that is allowed if that is slower."""
        count = self.calls if self._calls else self.free
        limits = self._limits
        wide = min(width, limits.concurrency or width) if limits else width
        times = [] if latency_ms is None else [count * latency_ms / 1000 / wide]
        paces = ((count - 1, limits.requests_per_minute), (tokens, limits.tokens_per_minute)) if limits else ()
        # A second's worth goes at once.
        times += [max(0.0, amount / pace * 60 - 1) + (latency_ms or 0) / 1000 for amount, pace in paces if pace]
        return max(times) if times and count else 0.0 if not count else None


def count_tokens(text: str) -> float:
    """Estimate the tokens of a text."""
    wide = sum(1 for char in text if char >= "\u2e80")
    return wide * HAN_TOKENS + (len(text) - wide) * LATIN_TOKENS


def _cost(system: System, usage: Usage) -> float | None:
    *_, inner = layers(system)
    price = getattr(inner, "cost", None)
    return price(usage) if callable(price) else None


def _past(runs_dir: Path | None, system: System) -> float | None:
    """Return the median latency of the same system in the newest run that asked it."""
    place = _place(system.identity())
    for entry in runs(runs_dir) if runs_dir else ():
        models: Mapping[str, JSON] = entry.summary.get("models") or {}
        costs = (models.get(system.model_id) or {}).get("costs") or {}
        if costs.get("latency_ms_p50") and _place(_identity(entry, system.model_id)) == place:
            return float(costs["latency_ms_p50"])
    return None


def _identity(entry: Entry, model_id: str) -> Mapping[str, JSON]:
    """Return what a system of an earlier run said of itself."""
    with suppress(RunError):
        known: JSON = RunFolder(entry.path).read("model_snapshot.json")
        found = known.get("models", {}).get(model_id) if isinstance(known, dict) else None
        if isinstance(found, dict):
            return found
    return {}


def _place(identity: Mapping[str, JSON]) -> list[JSON]:
    inner = identity.get("chat")
    return [*(identity.get(name) for name in PLACE), _place(inner) if isinstance(inner, Mapping) else None]
