"""Run a small gate set first, and the full set only when it passes."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ragstone.api.evaluation import evaluate
from ragstone.api.judges import require_files
from ragstone.api.judging import as_judging, complete_judging
from ragstone.api.run import Run
from ragstone.api.systems import SystemLike
from ragstone.core.errors import SettingError
from ragstone.core.language import Lang
from ragstone.core.settings import read_settings
from ragstone.datasets.check import load_cases, open_contract, require_sound, survey
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.seal import add_facts
from ragstone.trust.gate import Gate, GateFile, GateOutcome, judge_run, make_gate
from ragstone.trust.rules import check_groups, check_rules


class GateFirst(NamedTuple):
    """The gate's run and verdict, and the full run when it was made."""

    gate_run: Run
    gated: GateOutcome
    full_run: Run | None = None
    forced: bool = False


def evaluate_behind_gate(
    dataset: str | Path,
    gate_set: str | Path,
    system: SystemLike | Sequence[SystemLike],
    *,
    rules: Sequence[str] = (),
    force: bool = False,
    on_verdict: Callable[[GateOutcome, Lang], None] = lambda gated, lang: None,
    **options: Any,
) -> GateFirst:
    """Run the gate set, judge it, and run the full set if it passed or is forced; forcing is recorded.

    What the gate set was asked is not asked again: cases of the full set that put the same request take its answers.
    A judge is asked about the full set alone.
    """
    judge = as_judging(options.pop("judge", ()), options.pop("judge_options", None))
    if judge.judges:
        settings = options.get("settings") or read_settings()
        require_files(complete_judging(judge, None, settings), settings)
    gate = _gate(Path(gate_set), rules, options)
    run_id = options.pop("run_id", None)
    first = evaluate(gate_set, system, run_id=f"{run_id}-gate" if run_id else None, **options)
    folder = RunFolder(first.folder)
    gated = judge_run(folder, gate)
    on_verdict(gated, first.lang)
    passed = gated.verdict.outcome == "PASS"
    forced = force and not passed
    add_facts(folder, {"gate_for": str(dataset), "forced": forced})
    if first.stopped or not (passed or force):
        return GateFirst(gate_run=first, gated=gated)
    links = {"gate_run": folder.path.name, "gate_outcome": gated.verdict.outcome, "forced": forced}
    full = evaluate(dataset, system, run_id=run_id, links=links, reuse=folder.path, judge=judge, **options)
    add_facts(folder, {"full_run": full.folder.name})
    return GateFirst(gate_run=first, gated=gated, full_run=full, forced=forced)


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
