"""From a task file to measures: the metrics it names, or those of its answer_type (R3.5)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ragstone.contracts.prompt_task import taskfile as tf
from ragstone.contracts.prompt_task.measures.fields import (
    Completeness,
    Exact,
    Given,
    ListMatch,
    Measure,
    Numeric,
    Outcome,
    Ratio,
    Rouge,
    Row,
    spec,
)
from ragstone.contracts.prompt_task.measures.judged import Rubric
from ragstone.contracts.prompt_task.measures.reasoning import Consistent, Evidence, Own, Steps, Verifiable
from ragstone.core.errors import SettingError
from ragstone.core.types import JSON, Reason
from ragstone.metrics.overlap import item_keys
from ragstone.reading.json.fields import FieldRule
from ragstone.text.fold import squeeze

PASS_AT: dict[tf.AnswerType | None, float] = {
    "choice": 1.0,
    "number": 1.0,
    "list": 0.8,
    "text": 0.5,
    "reasoning": 1.0,
    None: 0.7,
}
"""The primary score from which on a row passes, by answer_type; None for a task that names its metrics and no type."""

_FIELD: dict[tf.AnswerType, tuple[str, ...]] = {
    "choice": ("value", "answer", "choice", "label"),
    "number": ("value", "answer", "number"),
    "list": ("items", "answer", "list"),
    "text": ("value", "answer", "text", "summary"),
    "reasoning": ("final_answer", "answer", "value"),
}
"""Where an answer of each type is looked for, when the task does not say."""


class Compiled(NamedTuple):
    """The measures of a task, and the field that takes the whole text when the task has no parse_schema."""

    measures: tuple[Measure, ...]
    rules: tuple[FieldRule, ...]
    plain: str | None


def compile_task(task: tf.Task, where: str) -> Compiled:
    """Make the measures of a task; two figures of the same name are refused."""
    if task.metrics:
        measures, plain = _named(task), _only_field(task)
    else:
        field = _answer_field(task)
        measures = _PROFILES[task.answer_type or "text"](task.answer, field, _label_fields(task, field))
        plain = None if task.parse_schema or task.answer_type == "reasoning" else field
    names = [figure.name for measure in measures for figure in measure.specs]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        text = f"{where}: two metrics give the figure {', '.join(twice)}. Give one of them another `name`."
        raise SettingError("plain", text=text)
    units = {m.rule.pred_field: m.rule.unit for m in measures if isinstance(m, Numeric) and m.rule.unit}
    aliases = {m.rule.pred_field: m.rule.aliases for m in measures if isinstance(m, Exact)}
    rules = (_rule(one, units.get(one.field), aliases.get(one.field, {})) for one in task.parse_schema)
    return Compiled(tuple(measures), tuple(rules), plain)


def _rule(one: tf.FieldSpec, unit: str | None, aliases: Mapping[str, Sequence[str]]) -> FieldRule:
    """A field knows the unit and the aliases its metric knows: else they would be lost before it sees them."""
    given = one.model_dump(exclude={"description", "values", "unit", "aliases"})
    return FieldRule(**given, values=tuple(one.values), unit=one.unit or unit, aliases={**aliases, **one.aliases})


def _only_field(task: tf.Task) -> str | None:
    """The one field all metrics read, in a task without parse_schema: there the text itself may be the answer."""
    names = {name for measure in _named(task) for name in measure.needs}
    return names.pop() if not task.parse_schema and len(names) == 1 else None


def _named(task: tf.Task) -> list[Measure]:
    """Compile the metrics a task names; a second `rouge1` or `field_completeness` has its metric's name before it."""
    taken: set[str] = set()
    found: list[Measure] = []
    consistent = {rule.name or "reasoning" for rule in task.metrics if isinstance(rule, tf.ReasoningConsistency)}
    for rule in task.metrics:
        measure = _measure(rule, taken, consistent)
        taken.update(figure.name for figure in measure.specs)
        found.append(measure)
    return found


def _measure(rule: tf.AnyMetric, taken: set[str], consistent: set[str]) -> Measure:
    match rule:
        case tf.ExactMatch():
            return Exact(rule, key=rule.name or f"{rule.pred_field}_exact_match")
        case tf.NumericError():
            return Numeric(rule, name=rule.name or rule.pred_field)
        case tf.ListOverlap():
            return ListMatch(rule, name=rule.name or rule.pred_field)
        case tf.ReferenceRouge():
            prefix = f"{rule.name}_" if rule.name and taken & set(rule.measures) else ""
            return Rouge(rule, prefix=prefix)
        case tf.FieldCompleteness():
            second = rule.name and "field_completeness" in taken
            return Completeness(rule, key=f"{rule.name}_field_completeness" if second else "field_completeness")
        case tf.CustomRatio():
            return Ratio(rule, key=rule.name or "ratio")
        case _:
            return _chain(rule, consistent)


def _chain(rule: tf.AnyMetric, consistent: set[str]) -> Measure:
    match rule:
        case tf.ReasoningConsistency():
            return Consistent(rule, name=rule.name or "reasoning")
        case tf.ClaimEvidenceOverlap():
            name = rule.name or "evidence"
            return Evidence(rule, name=name, support=name not in consistent)
        case tf.ReasoningStepOrder():
            return Steps(rule, name=rule.name or "reasoning")
        case tf.JudgedMetric():
            return Rubric(rule)
        case tf.ClaimVerifiability():
            return Verifiable(rule, name=rule.name or "claim")
        case tf.CustomMetric():
            return Own(rule)
        case _:
            raise AssertionError(rule)


# by answer_type


def _answer_field(task: tf.Task) -> str:
    names = [rule.field for rule in task.parse_schema]
    wishes = _FIELD[task.answer_type or "text"]
    if task.answer.field:
        return task.answer.field
    return next((name for name in wishes if name in names), names[0] if names else wishes[0])


def _label_fields(task: tf.Task, field: str) -> tuple[str, ...]:
    """Where the label is looked for: where the task says, else gt_<field>, the wider design's names, gt_answer."""
    if task.answer.label_field:
        return (task.answer.label_field,)
    kinds = {"list": "items", "reasoning": "final_answer"}
    kind = kinds.get(task.answer_type or "", "value")
    return tuple(dict.fromkeys((f"gt_{field}", f"gt_{kind}", "gt_answer", "gt", f"reference_{field}", kind)))


def _choice(answer: tf.AnswerSpec, field: str, labels: Sequence[str]) -> list[Measure]:
    rule = tf.ExactMatch(type="exact_match", pred_field=field, label_field=labels[0], aliases=answer.aliases)
    return [Exact(rule, key="choice_acc", labels=labels, choice=True)]


def _number(answer: tf.AnswerSpec, field: str, labels: Sequence[str]) -> list[Measure]:
    rule = tf.NumericError(
        type="numeric_error",
        pred_field=field,
        label_field=labels[0],
        tolerance=answer.tolerance_abs,
        tolerance_rel=answer.tolerance_rel,
        unit=answer.unit,
    )
    return [Numeric(rule, name="value", labels=labels)]


def _list(answer: tf.AnswerSpec, field: str, labels: Sequence[str]) -> list[Measure]:
    rule = tf.ListOverlap(
        type="list_overlap", pred_field=field, label_field=labels[0], aliases=answer.aliases, ordered=answer.ordered
    )
    return [ListMatch(rule, name="list", labels=labels, ordered=True)]


def _text(answer: tf.AnswerSpec, field: str, labels: Sequence[str]) -> list[Measure]:
    rule = tf.ReferenceRouge(type="reference_rouge", output_field=field, reference_field=labels[0])
    return [Rouge(rule, labels=labels), Keywords(field)]


def _reasoning(answer: tf.AnswerSpec, field: str, labels: Sequence[str]) -> list[Measure]:
    """The final answer makes the score; what leads up to it is shown beside it."""
    final = tf.ExactMatch(
        type="exact_match", pred_field=field, label_field=labels[0], aliases=answer.aliases, primary=True
    )
    support = tf.ReasoningConsistency(type="reasoning_consistency", final_answer_field=field)
    return [
        Exact(final, key="final_answer_acc", labels=labels, choice=True),
        Consistent(support, name="reasoning", aside=True),
        Evidence(tf.ClaimEvidenceOverlap(type="claim_evidence_overlap"), name="evidence", optional=True),
        Steps(tf.ReasoningStepOrder(type="reasoning_step_order"), name="reasoning", optional=True),
    ]


_PROFILES: dict[str, Callable[[tf.AnswerSpec, str, Sequence[str]], list[Measure]]] = {
    "choice": _choice,
    "number": _number,
    "list": _list,
    "text": _text,
    "reasoning": _reasoning,
}


class Keywords(Measure):
    """Share of the row's gt_keywords that a text mentions; not applicable where a row has none."""

    def __init__(self, field: str, label_field: str = "gt_keywords") -> None:
        self.field = field
        self.key = "keyword_coverage"
        self.specs = (spec(self.key, "ratio", self.key, "coverage"),)
        self.main, self.primary, self.optional = self.key, False, True
        self.needs, self.labels = (field,), (label_field,)

    def score(self, given: Given, row: Row) -> Outcome:
        """Look for each keyword in the folded text."""
        wanted = item_keys(row.get(self.labels[0]))
        if not wanted:
            return Outcome({self.key: None})
        value: Any = given.get(self.field)
        text = squeeze(value) if isinstance(value, str) else ""
        missing = [word for word in wanted.values() if squeeze(word) not in text]
        share = (len(wanted) - len(missing)) / len(wanted)
        if not missing:
            return Outcome({self.key: share})
        params: dict[str, JSON] = {"field": self.field, "items": missing[:5]}
        return Outcome({self.key: share}, ("missing_keyword",), (Reason(self.key, "missing_keyword", params),))

    def gold(self, row: Row) -> dict[str, JSON]:
        """Nothing of its own; the reference should hold them."""
        return {}
