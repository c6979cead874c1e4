"""Applies a gate to a stored run: reads the rules, compares with the baseline, decides, and writes gate.json."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, cast

import msgspec
from msgspec import Struct, structs

from ragstone.core.errors import RunError, SettingError
from ragstone.core.registry import contract_type
from ragstone.core.types import Comparison, GateRule, Ruling, Summary, Verdict
from ragstone.runs.judged.certificates import believed, made_elsewhere
from ragstone.runs.judged.judge_order import is_due
from ragstone.runs.reopen import is_masked, model_names, specs_of
from ragstone.runs.store.admission import OWN, Guard
from ragstone.runs.store.codec import pretty, read_plain
from ragstone.runs.store.fingerprint import value_sha256
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.owner import DECIDED
from ragstone.runs.store.seal import altered, scorer_parts
from ragstone.runs.store.status import read_summary
from ragstone.trust.compare import compare
from ragstone.trust.rules import (
    CONFIDENCE,
    ESTIMATED,
    JUDGED,
    MINIMUM_COVERAGE,
    Facts,
    decide,
    names_of,
    parse_rule,
    tops_of,
)

FILE = "gate.json"
_LARGEST = 1 << 20
"""Bytes of it that are read."""
TOLERANCE = 0.02
"""How much worse than its baseline a run may be when no rule says otherwise."""
Unsure = Literal["not_measured", "pass", "fail", "point"]
Proof = Literal["point", "interval"]


class RuleEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule with choices of its own, as a gate file holds it."""

    rule: str
    unsure: Unsure | None = None
    proof: Proof | None = None


class GateFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a gate file may say; every field but the rules has a default."""

    rules: list[str | RuleEntry] = []
    minimum_coverage: float = MINIMUM_COVERAGE
    """Share of cases that must have been answered."""
    confidence: float = CONFIDENCE
    """One-sided, for differences to the baseline."""
    cluster: str = ""
    """Group whose values belong together, such as the document; left out, equal questions do."""
    unsure: Unsure = "not_measured"
    proof: Proof = "point"
    baseline: str | None = None
    """Run to compare with, named as on the command line, which goes before it."""


class Gate(Struct, frozen=True, kw_only=True):
    """The rules of a gate and what they rest on."""

    rules: tuple[GateRule, ...]
    minimum_coverage: float = MINIMUM_COVERAGE
    confidence: float = CONFIDENCE
    cluster: str = ""
    allow_stale: bool = False
    """Let figures of another scorer pass; gate.json says so."""
    allow_cached: bool = False
    """Hold a run against a baseline although all its answers came from the cache; gate.json says so."""
    own: bool = False
    """Nobody gave a rule: these are what the run's contract demands."""


class GateOutcome(Struct, frozen=True, kw_only=True):
    """A verdict with the figures it rests on."""

    verdict: Verdict
    summary: Summary
    comparison: Comparison | None = None
    unkept: RunError | None = None
    """Why the verdict could not be written down, if it could not."""


def read_gate(path: Path) -> GateFile:
    """Read a gate file (YAML)."""
    import yaml  # noqa: PLC0415 - only a gate with a file needs it

    from ragstone.datasets.syntax.yaml_text import load_yaml, problem_of  # noqa: PLC0415

    try:
        value = load_yaml(path.read_text(encoding="utf-8"))
        found: GateFile = msgspec.convert(value if value is not None else {}, GateFile)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, msgspec.ValidationError, ValueError, RecursionError) as error:
        raise SettingError("gate.file", file=str(path), problem=problem_of(error)) from error
    if not 0 <= found.minimum_coverage <= 1 or not 0.5 < found.confidence < 1:
        raise SettingError("gate.range", file=str(path))
    return found


def make_gate(
    file: GateFile,
    more: Sequence[str] = (),
    *,
    baseline: bool = False,
    allow_stale: bool = False,
    allow_cached: bool = False,
    own: Sequence[str] = (),
) -> Gate:
    """Make a gate from a file and rules of the command line.

    Without any, a baseline asks for no drop beyond 0.02; without that, too, the run's own rules hold.
    """
    entries = [*file.rules, *more]
    alone = not entries and not baseline
    if not entries:
        entries = [f"drop(primary_score) <= {TOLERANCE}"] if baseline else list(own)
    if not entries:
        raise SettingError("gate.no_rules")
    return Gate(
        rules=tuple(_rule(entry, file) for entry in entries),
        minimum_coverage=file.minimum_coverage,
        confidence=file.confidence,
        cluster=file.cluster,
        allow_stale=allow_stale,
        allow_cached=allow_cached,
        own=alone,
    )


def own_rules(folder: RunFolder) -> list[str]:
    """Return what a run's contract demands of it, as its run_meta.json records it."""
    limits = folder.meta().get("gate_thresholds")
    pairs = limits.items() if isinstance(limits, dict) else ()
    return [f"{name} >= {limit:.12g}" for name, limit in pairs if isinstance(limit, int | float)]


def _rule(entry: str | RuleEntry, file: GateFile) -> GateRule:
    if isinstance(entry, str):
        return parse_rule(entry, unsure=file.unsure, proof=file.proof)
    return parse_rule(entry.rule, unsure=entry.unsure or file.unsure, proof=entry.proof or file.proof)


def judge_run(folder: RunFolder, gate: Gate, baseline: RunFolder | None = None, *, guard: Guard = OWN) -> GateOutcome:
    """Decide whether a run passes, and write gate.json into its folder where that can be written."""
    comparison = None
    if baseline is not None:
        comparison = compare(baseline, folder, cluster=gate.cluster, level=2 * gate.confidence - 1, guard=guard)
    facts = structs.replace(
        _facts(folder, gate, guard),
        comparison=comparison,
        # Whether both runs have one scorer is the comparison's to say.
        baseline=_facts(baseline, gate, guard) if baseline else None,
        stale=not gate.allow_stale and is_stale(folder, guard),
        own=str(folder.meta().get("contract")) if gate.own else "",
    )
    drafts = folder.meta().get("unreviewed_drafts")
    verdict = structs.replace(decide(gate.rules, facts), unreviewed_drafts=drafts if isinstance(drafts, int) else 0)
    if is_masked(folder) or (baseline is not None and is_masked(baseline)):
        verdict = structs.replace(verdict, rulings=tuple(map(_covered, verdict.rulings)))
    unkept = keep(folder, FILE, {**msgspec.to_builtins(verdict), "gate": msgspec.to_builtins(gate)})
    return GateOutcome(verdict=verdict, summary=facts.summary, comparison=comparison, unkept=unkept)


def _facts(folder: RunFolder, gate: Gate, guard: Guard) -> Facts:
    """Gather how a run stands by itself."""
    specs, summary = specs_of(folder), believed(folder, stored_summary(folder))
    endings = {end for rule in gate.rules for end in (JUDGED, ESTIMATED) if rule.figure.endswith(end)}
    return Facts(
        agreed=bool(endings) and _agrees(folder, summary, guard),
        lent=made_elsewhere(folder) if JUDGED in endings else (),
        summary=summary,
        model_steps=len(model_names(folder)),
        mock=bool(folder.read("config.json").get("mock")),
        altered=tuple(altered(folder)),
        shard=shard_of(folder),
        max_samples=first_samples(folder),
        imported="imported_from" in folder.meta(),
        judging_cut=is_due(folder),
        tops=tops_of(specs),
        names=names_of(specs),
        minimum_coverage=gate.minimum_coverage,
        confidence=gate.confidence,
        allow_cached=gate.allow_cached,
    )


def _agrees(folder: RunFolder, summary: Summary, guard: Guard) -> bool:
    """Return whether the verdicts of a run may count, wherever they were given."""
    named = summary.judged_by.elsewhere if summary.judged_by else ()
    try:
        guard.verdicts(folder, [name for name in named if name not in DECIDED])
    except RunError:
        return False
    return True


def last_verdict(folder: Path) -> Verdict | None:
    """Return what a gate last said of a run; None where none did, or where the figures are others since."""
    path, figures = folder / FILE, folder / "summary.json"
    try:
        if path.lstat().st_mtime_ns < figures.lstat().st_mtime_ns:
            return None
        with read_plain(path) as file:
            found: Verdict = msgspec.json.decode(file.read(_LARGEST), type=Verdict)
    except (OSError, ValueError, RecursionError):
        return None
    return found


def _covered(ruling: Ruling) -> Ruling:
    """Hide what is private in the names of the cases a ruling speaks of."""
    from ragstone.reading.private import mask_private_in  # noqa: PLC0415 - a reader of names is slow to load

    named = {name: mask_private_in(value) for name, value in ruling.params.items() if name == "cases"}
    return structs.replace(ruling, params=ruling.params | named)


def keep(folder: RunFolder, name: str, value: object) -> RunError | None:
    """Write a file of a verdict; a folder that cannot be written to, such as an archive's, takes no verdict away."""
    try:
        folder.write_bytes(name, value if isinstance(value, bytes) else pretty(value))
    except RunError as error:
        return RunError("gate.unkept", folder=str(folder.path), file=name, problem=error.params["problem"])
    return None


def first_samples(folder: RunFolder) -> int | None:
    """Return how many cases a run was cut to, when its dataset may have more."""
    most = folder.read("config.json").get("max_samples")
    cases = int(folder.read("dataset_fingerprint.json").get("cases") or 0)
    return most if isinstance(most, int) and (cases >= most or shard_of(folder)) else None


def shard_of(folder: RunFolder) -> str:
    """Return which part of a larger run this one is, if it is one."""
    return str(folder.read("config.json").get("shard") or "")


def stored_summary(folder: RunFolder) -> Summary:
    """Read a run's figures; a run that did not get so far has none, and is partial."""
    meta = folder.meta()
    status = str(meta.get("status"))
    if status == "running":
        return Summary(
            run_id=str(meta["run_id"]),
            task_name=str(meta.get("contract")),
            status=status,
            scorer_version=str(meta.get("scorer_version")),
            expected=int(meta.get("expected") or 0),
            finished=folder.answered(),
            results_digest="",
            models={},
        )
    summary = read_summary(folder)
    return summary if summary.status == status else structs.replace(summary, status=status)


def is_stale(folder: RunFolder, guard: Guard = OWN) -> bool:
    """Return whether the scorer that is installed is another than the one that made a run's figures."""
    kind = cast("type", contract_type(guard.code(folder, folder.read("config.json")["contract"])))
    return value_sha256(scorer_parts(kind)) != folder.meta().get("scorer_sha256")
