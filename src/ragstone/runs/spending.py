"""What a run has spent on each of its systems, over all the processes that worked on it."""

from collections.abc import Mapping

from msgspec import ValidationError, convert, structs, to_builtins

from ragstone.core.types import JSON
from ragstone.runs.plan import Plan
from ragstone.runs.store.journal import AnswerJournal
from ragstone.systems.wrappers.budget import Ledger, budget_of

SPENT = "spent"
"""Where run_meta.json keeps it."""


def go_on_spending(plan: Plan, meta: Mapping[str, JSON], journal: AnswerJournal, *, cut_short: bool) -> None:
    """Charge budgets with what the run spent before; for a process that was killed, by its recorded answers."""
    if plan.mock:
        return
    known = _known(meta.get(SPENT))
    told = _from_journal(plan, journal) if len(journal) and (cut_short or not known) else {}
    for name, system in zip(plan.model_ids, plan.systems, strict=True):
        if (budget := budget_of(system)) is not None:
            budget.before = _most(known.get(name, Ledger()), told.get(name, Ledger()))


def spent(plan: Plan) -> dict[str, JSON]:
    """Return what is spent by now, by model, where it is counted."""
    if plan.mock:
        return {}
    budgets = {name: budget_of(system) for name, system in zip(plan.model_ids, plan.systems, strict=True)}
    return {name: to_builtins(budget.spent()) for name, budget in budgets.items() if budget}


def exhausted(plan: Plan) -> tuple[str, ...]:
    """Name the options whose budget is spent: resuming the run asks nothing until they grow."""
    budgets = [budget for system in plan.systems if (budget := budget_of(system))]
    return tuple(dict.fromkeys(option for budget in budgets for option in budget.exhausted()))


def _known(value: JSON) -> dict[str, Ledger]:
    try:
        return convert(value or {}, dict[str, Ledger])
    except ValidationError:
        return {}


def _from_journal(plan: Plan, journal: AnswerJournal) -> dict[str, Ledger]:
    """Add up what the recorded answers took; those of the cache took nothing."""
    names = plan.model_ids
    found = {name: Ledger() for name in names}
    if not any((budget := budget_of(system)) and budget.limits for system in plan.systems):
        return found
    for unit in journal.units():
        answer = journal.find(unit)
        if answer is None or answer.cached:
            continue
        ledger = found[names[unit // plan.repeats % len(names)]]
        ledger.calls += answer.attempts
        ledger.tokens += answer.usage.total_tokens if answer.usage else 0
        ledger.cost += answer.cost or 0.0
    return found


def _most(one: Ledger, other: Ledger) -> Ledger:
    return Ledger(**{name: max(value, getattr(other, name)) for name, value in structs.asdict(one).items()})
