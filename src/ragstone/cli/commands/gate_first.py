"""A small gate set first, the full set only when it passes (contract 4, R4.5); both runs name each other."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from ragstone.api import Asked, Run, evaluate
from ragstone.core.errors import SettingError
from ragstone.core.types import JSON
from ragstone.datasets.check import load_cases, open_contract, require_sound, survey
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.seal import add_facts
from ragstone.trust.gate import Gate, Gated, GateFile, judge_run, make_gate
from ragstone.trust.rules import check_groups, check_rules


class GateFirst(Struct, frozen=True, kw_only=True):
    """The gate's run and verdict, and the full run when it was made."""

    gate_run: Run
    gated: Gated
    full_run: Run | None = None
    forced: bool = False


def evaluate_behind_gate(
    dataset: str | Path,
    gate_set: str | Path,
    system: Asked | Sequence[Asked],
    *,
    rules: Sequence[str] = (),
    force: bool = False,
    on_verdict: Callable[[Gated], None] = lambda gated: None,
    **options: Any,
) -> GateFirst:
    """Run the gate set, judge it, and run the full set if it passed or is forced; forcing is recorded."""
    gate = _gate(Path(gate_set), rules, options)
    run_id = options.pop("run_id", None)
    first = evaluate(gate_set, system, run_id=f"{run_id}-gate" if run_id else None, **options)
    folder = RunFolder(first.folder)
    gated = judge_run(folder, gate)
    on_verdict(gated)
    passed = gated.verdict.outcome == "PASS"
    _note(folder, {"gate_for": str(dataset), "forced": force and not passed})
    if first.stopped or not (passed or force):
        return GateFirst(gate_run=first, gated=gated)
    links = {
        "gate_run": folder.path.name,
        "gate_outcome": gated.verdict.outcome,
        "forced": force and not passed,
    }
    full = evaluate(dataset, system, run_id=run_id, links=links, **options)
    _note(folder, {"full_run": full.folder.name})
    return GateFirst(gate_run=first, gated=gated, full_run=full, forced=force and not passed)


def _gate(gate_set: Path, rules: Sequence[str], options: Mapping[str, Any]) -> Gate:
    """Make the gate of the rules given, or of those the contract demands; what is wrong with them costs no call."""
    documents = Path(options["documents"]) if options.get("documents") else None
    chosen = dict(options.get("options") or {})
    contract = open_contract(gate_set, name=options.get("contract"), documents=documents, options=chosen)
    own = getattr(contract, "gate_rules", ())
    if not rules and not own:
        raise SettingError("gate.no_own_rules", contract=options.get("contract") or contract.name)
    gate = make_gate(GateFile(), list(rules) or list(own))
    check_rules(gate.rules, contract.metrics)
    if any(rule.group for rule in gate.rules):
        found = survey(contract, gate_set, most=options.get("max_samples"))
        require_sound(found, contract, gate_set)
        check_groups(gate.rules, load_cases(contract, options.get("max_samples")))
    return gate


def _note(folder: RunFolder, facts: dict[str, JSON]) -> None:
    add_facts(folder, facts)
