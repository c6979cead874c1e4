"""What judging a run has taken, over all passes and processes, as run_meta.json keeps it: budgets go on from there."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct, field, structs, to_builtins

from ragstone.core.interfaces import System
from ragstone.core.types import JSON
from ragstone.judging.judge import ChatJudge, Judge
from ragstone.judging.judgements import FILE as JUDGEMENTS
from ragstone.judging.prompts import Way
from ragstone.runs.store.codec import is_plain
from ragstone.runs.store.folder import RunFolder
from ragstone.systems.wrappers.budget import Ledger, budget_of

NAME = "judging"
"""Where run_meta.json keeps it."""


class Account(Struct, frozen=True, kw_only=True):
    """What one judge took, and how it was heard."""

    name: str
    way: str
    spent: Ledger


class Paid(Struct, frozen=True, kw_only=True):
    """What all judges of a run took."""

    calls: int = 0
    tokens: int = 0
    cost: float | None = None
    stopped: str = ""
    lines: int = 0
    """Lines of judgements.jsonl that are counted here; what a process that was killed paid stands behind them."""
    judges: dict[str, Account] = field(default_factory=dict)

    def way_of(self, system: System) -> Way | None:
        """Return how a judge was heard before."""
        known = self.judges.get(_key(system))
        return known.way if known else None  # type: ignore[return-value]

    def charge(self, system: System) -> bool:
        """Charge a judge's budget with what it took before; say whether it is spent."""
        budget, known = budget_of(system), self.judges.get(_key(system))
        if budget is None or known is None:
            return False
        budget.before = known.spent
        return bool(budget.exhausted())

    def now(self, judges: Sequence[Judge], others: Mapping[int, Ledger], lines: int) -> "Paid":
        """Add what judges took in this process; `others` is what those took that have no budget, by their places."""
        found = dict(self.judges)
        calls, tokens, cost = self.calls, self.tokens, self.cost
        for place, judge in enumerate(judges):
            key, spent = _spent(judge, others.get(place, Ledger()), found)
            before = found[key].spent if key in found else Ledger()
            found[key] = Account(name=judge.name, way=judge.way, spent=spent)
            calls, tokens = calls + spent.calls - before.calls, tokens + spent.tokens - before.tokens
            if cost is not None or spent.cost:
                cost = (cost or 0.0) + spent.cost - before.cost
        return structs.replace(self, calls=calls, tokens=tokens, cost=cost, lines=lines, judges=found)

    def plus(self, other: "Paid") -> "Paid":
        """Add what judging another part of the same run took."""
        judges = dict(self.judges)
        for key, one in other.judges.items():
            known = judges.get(key)
            judges[key] = structs.replace(known, spent=_sum(known.spent, one.spent)) if known else one
        costs = [one.cost for one in (self, other) if one.cost is not None]
        return Paid(
            calls=self.calls + other.calls,
            tokens=self.tokens + other.tokens,
            cost=sum(costs) if costs else None,
            stopped=self.stopped or other.stopped,
            lines=self.lines + other.lines,
            judges=judges,
        )

    def facts(self) -> dict[str, JSON]:
        """Return what run_meta.json says."""
        return {NAME: to_builtins(self)}


def _key(judge: System | Judge) -> str:
    name = judge.model_id if isinstance(judge, System) else judge.name
    told = msgspec.json.encode([name, dict(judge.identity())], order="sorted")
    return sha256(told).hexdigest()[:16]


def _spent(judge: Judge, other: Ledger, known: Mapping[str, Account]) -> tuple[str, Ledger]:
    system = judge.system if isinstance(judge, ChatJudge) else None
    key = _key(system or judge)
    if system is not None and (budget := budget_of(system)) is not None:
        return key, budget.spent()
    before = known[key].spent if key in known else Ledger()
    return key, _sum(before, other)


def _sum(one: Ledger, other: Ledger) -> Ledger:
    return Ledger(**{name: value + getattr(other, name) for name, value in structs.asdict(one).items()})


class _Line(Struct, frozen=True):
    judge: str
    tokens: int = 0
    cost: float | None = None


def read_paid(folder: RunFolder, meta: Mapping[str, JSON] | None = None) -> Paid:
    """Return what judging a run has taken; the last replies to a process that was killed are taken for paid."""
    told = (folder.meta() if meta is None else meta).get(NAME) or {}
    try:
        paid = msgspec.convert(told, Paid)
    except msgspec.ValidationError:
        return Paid()
    for line in _behind(folder.path / JUDGEMENTS, paid.lines):
        paid = _with(paid, line)
    return paid


def _with(paid: Paid, line: _Line) -> Paid:
    paid = structs.replace(paid, lines=paid.lines + 1)
    key = next((key for key, one in reversed(paid.judges.items()) if one.name == line.judge), None)
    if key is None:
        return paid
    more = Ledger(calls=1, finished=1, tokens=line.tokens, cost=line.cost or 0.0)
    account = structs.replace(paid.judges[key], spent=_sum(paid.judges[key].spent, more))
    cost = paid.cost if line.cost is None else (paid.cost or 0.0) + line.cost
    judges = {**paid.judges, key: account}
    return structs.replace(paid, calls=paid.calls + 1, tokens=paid.tokens + line.tokens, cost=cost, judges=judges)


def _behind(path: Path, lines: int) -> Iterator[_Line]:
    if not is_plain(path):
        return
    with path.open("rb") as file:
        for number, line in enumerate(file):
            if number >= lines and line.endswith(b"\n"):
                try:
                    yield msgspec.json.decode(line, type=_Line)
                except msgspec.DecodeError:
                    return
