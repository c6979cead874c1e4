"""The metrics of reasoning (final answer, steps, claims) and metrics of the user's own, compiled like the others."""

import math
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from ragstone.contracts.prompt_task import taskfile as tf
from ragstone.contracts.prompt_task.measures.fields import Given, Measure, Outcome, Row, spec, unlabelled
from ragstone.core.errors import SettingError
from ragstone.core.registry import load_module
from ragstone.core.settings import read_settings
from ragstone.core.types import JSON, Reason
from ragstone.metrics.claims import claim_overlap, source_texts, verifiability
from ragstone.metrics.reasoning import consistency, final_text, fragments, step_order


class Consistent(Measure):
    """reasoning_consistency."""

    def __init__(self, rule: tf.ReasoningConsistency, *, name: str, aside: bool = False) -> None:
        self.rule = rule
        self.key, self.coverage = f"{name}_consistency", f"{name}_support_coverage"
        self.specs = (
            spec(self.key, "flag", name, "consistency", headline=not aside),
            spec(self.coverage, "ratio", name, "support_coverage"),
        )
        self.main, self.primary = None if aside else self.key, rule.primary
        self.needs = (rule.final_answer_field,)
        self.labels = ()

    def score(self, given: Given, row: Row) -> Outcome:
        """Whether any supporting text states the final answer, and how many do."""
        texts = [text for name in self.rule.support_fields for text in fragments(given.get(name))]
        final = given.get(self.rule.final_answer_field)
        found = consistency(final, texts, normalize=self.rule.normalize)
        values: dict[str, float | None] = {self.key: found.consistent, self.coverage: found.coverage}
        if found.consistent:
            return Outcome(values)
        params: dict[str, JSON] = {"answer": final_text(final), "fields": self.rule.support_fields}
        return Outcome(values, ("inconsistent",), (Reason(self.key, "inconsistent", params),))

    def gold(self, row: Row) -> dict[str, JSON]:
        """Nothing of its own; `model.py` writes the final answer into a supporting text."""
        return {}


class Evidence(Measure):
    """claim_evidence_overlap."""

    def __init__(
        self, rule: tf.ClaimEvidenceOverlap, *, name: str, support: bool = True, optional: bool = False
    ) -> None:
        self.rule, self.optional = rule, optional
        self.keys = tuple(f"{name}_{part}" for part in ("precision", "recall", "f1"))
        self.support = f"{name}_support_coverage" if support else None
        made = [
            spec(f"{name}_{part}", "ratio", name, part, headline=part == "f1") for part in ("precision", "recall", "f1")
        ]
        self.specs = (*made, *([spec(self.support, "ratio", name, "claim_support")] if self.support else []))
        self.all = tuple(figure.name for figure in self.specs)
        self.main, self.primary = None if optional else self.keys[2], rule.primary
        self.needs, self.labels = (rule.claims_field,), (rule.label_field,)

    def score(self, given: Given, row: Row) -> Outcome:
        """Overlap of the evidence the claims name with the labelled evidence."""
        keys, wanted, rule = self.all, row.get(self.rule.label_field), self.rule
        if wanted is None:
            return unlabelled(keys, self.keys[2], rule.label_field, self.optional)
        claims = given.get(rule.claims_field)
        if claims is None:
            params: dict[str, JSON] = {"field": rule.claims_field}
            return Outcome(dict.fromkeys(keys, 0.0), (), (Reason(self.keys[2], "not_given", params),))
        found, share = claim_overlap(claims, wanted, rule.claim_evidence_key, normalize=rule.normalize)
        values: dict[str, float | None] = dict(zip(keys, (*found[:3], share), strict=False))
        if found.f1 == 1:
            return Outcome(values)
        parts = (("missing_evidence", found.missing), ("extra_evidence", found.extra))
        said = [(tag, Reason(self.keys[2], tag, {"items": items[:5]})) for tag, items in parts if items]
        return Outcome(values, tuple(tag for tag, _ in said), tuple(reason for _, reason in said))

    def gold(self, row: Row) -> dict[str, JSON]:
        """One claim that names all labelled evidence."""
        wanted = row.get(self.rule.label_field)
        if wanted is None:
            return {}
        items = wanted if isinstance(wanted, list) else [wanted]
        return {self.rule.claims_field: [{"text": "", self.rule.claim_evidence_key: items}] if items else []}


class Steps(Measure):
    """reasoning_step_order."""

    def __init__(self, rule: tf.ReasoningStepOrder, *, name: str, optional: bool = False) -> None:
        self.rule, self.optional = rule, optional
        self.key, self.coverage = f"{name}_step_order", f"{name}_step_coverage"
        self.specs = (spec(self.key, "ratio", name, "step_order"), spec(self.coverage, "ratio", name, "step_coverage"))
        self.main, self.primary = None if optional else self.key, rule.primary
        self.needs, self.labels = (rule.steps_field,), (rule.label_field,)

    def score(self, given: Given, row: Row) -> Outcome:
        """Share of the labelled steps that come in order, and that come at all."""
        wanted = list(fragments(row.get(self.rule.label_field)))
        if not wanted:
            return unlabelled((self.key, self.coverage), self.key, self.rule.label_field, self.optional)
        found = step_order(list(fragments(given.get(self.rule.steps_field))), wanted)
        values: dict[str, float | None] = {self.key: found.order, self.coverage: found.coverage}
        if found.order == 1:
            return Outcome(values)
        tag = "missing_step" if found.coverage < 1 else "wrong_order"
        params: dict[str, JSON] = {"field": self.rule.steps_field, "order": found.order, "coverage": found.coverage}
        return Outcome(values, (tag,), (Reason(self.key, tag, params),))

    def gold(self, row: Row) -> dict[str, JSON]:
        """The labelled steps."""
        return {self.rule.steps_field: row.get(self.rule.label_field)}


class Verifiable(Measure):
    """claim_verifiability."""

    def __init__(self, rule: tf.ClaimVerifiability, *, name: str) -> None:
        self.rule = rule
        self.key, self.enough = f"{name}_verifiability", f"{name}_sufficiency"
        self.specs = (spec(self.key, "ratio", name, "verifiability"), spec(self.enough, "ratio", name, "sufficiency"))
        self.main, self.primary = self.key, rule.primary
        self.needs = (rule.claims_field,)
        self.labels = ()

    def score(self, given: Given, row: Row) -> Outcome:
        """Share of the claims whose evidence is there, and whose evidence says what they say."""
        sources = source_texts(row.get(self.rule.sources_field))
        claims = given.get(self.rule.claims_field)
        found = verifiability(claims, sources, self.rule.claim_evidence_key)
        values: dict[str, float | None] = {self.key: found.verifiable, self.enough: found.sufficient}
        if found.verifiable == 1:
            return Outcome(values)
        params: dict[str, JSON] = {"field": self.rule.claims_field, "share": found.verifiable}
        return Outcome(values, ("unverifiable_claim",), (Reason(self.key, "unverifiable_claim", params),))

    def gold(self, row: Row) -> dict[str, JSON]:
        """One claim that names the first source and says what it says."""
        value = row.get(self.rule.sources_field)
        for item in value if isinstance(value, list) else []:
            if isinstance(item, dict) and "id" in item:
                said = next((text for name, text in item.items() if name != "id" and isinstance(text, str)), "")
                return {self.rule.claims_field: [{"text": said, self.rule.claim_evidence_key: [item["id"]]}]}
        return {}


class Own(Measure):
    """A metric by its dotted name: `type: my_module:my_metric`.

    With pred_field and label_field it is called with the two values, else with all fields and the row; `params` follow
    as keywords. It returns a number, or None where it does not apply.
    """

    def __init__(self, rule: tf.CustomMetric) -> None:
        self.rule = rule
        self.call = _function(rule.type)
        kind = rule.kind
        self.specs = (spec(rule.name, kind, rule.name, "own", headline=kind != "error"),)
        self.main, self.primary = None if kind == "error" else rule.name, rule.primary
        self.needs = (rule.pred_field,) if rule.pred_field else ()
        self.labels = (rule.label_field,) if rule.label_field else ()

    def score(self, given: Given, row: Row) -> Outcome:
        """What the function says, kept within its range."""
        rule = self.rule
        if rule.pred_field and rule.label_field:
            value = self.call(given.get(rule.pred_field), row.get(rule.label_field), **rule.params)
        else:
            value = self.call(dict(given.fields), dict(row), **rule.params)
        if value is None:
            return Outcome({rule.name: None})
        number, top = float(value), math.inf if rule.kind == "error" else 1.0
        if not math.isfinite(number) or not 0 <= number <= top:
            params: dict[str, JSON] = {"name": rule.name, "value": str(value)}
            kept = None if rule.kind == "error" else 0.0 if not math.isfinite(number) else min(max(number, 0.0), 1.0)
            return Outcome({rule.name: kept}, ("metric_range",), (Reason(rule.name, "metric_range", params),))
        return Outcome({rule.name: number})

    def gold(self, row: Row) -> dict[str, JSON]:
        """The label, when there is one."""
        return {self.rule.pred_field: row.get(self.rule.label_field or "")} if self.rule.pred_field else {}

    def source_sha256(self) -> str:
        """Hash the file the function stands in: another code is another scorer."""
        file = getattr(load_module(self.rule.type.partition(":")[0]), "__file__", None)
        return sha256(Path(file).read_bytes()).hexdigest() if file else ""


def _function(target: str) -> Callable[..., Any]:
    """Find the function, in a module that whoever runs the task has named: a task file alone runs no code."""
    module, _, name = target.partition(":")
    if module not in read_settings().metric_modules:
        raise SettingError("task.code", target=target, module=module)
    try:
        found = getattr(load_module(module), name)
    except (ImportError, AttributeError) as error:
        text = f"the metric {target!r} cannot be loaded: {type(error).__name__}: {error}. Write it as module:function."
        raise SettingError("plain", text=text) from error
    if not callable(found):
        raise SettingError("plain", text=f"the metric {target!r} is no function")
    made: Callable[..., Any] = found
    return made
