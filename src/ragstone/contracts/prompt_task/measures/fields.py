"""The metrics of a task, compiled once: each turns an answer's fields and a row into its figures, tags and reasons.

Beside that a measure says what it needs (fields, labels) and what a perfect answer would hold.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ragstone.contracts.prompt_task import taskfile as tf
from ragstone.contracts.prompt_task.phrases import label
from ragstone.core.types import JSON, MetricKind, MetricSpec, Reason
from ragstone.metrics.canon import canon
from ragstone.metrics.exact import alias_table, choice_match, exact_match
from ragstone.metrics.numeric import as_number, is_filled, numeric_error, off_by_scale, ratio
from ragstone.metrics.overlap import Overlap, item_keys, order_score, overlap
from ragstone.metrics.rouge import reference_rouge
from ragstone.reading.json.fields import quantity
from ragstone.text.numbers.find import find_numbers

Row = Mapping[str, JSON]
_SHOWN_ITEMS = 5
LONGEST_ANSWER = 2000
"""Characters of a sentence that are looked through for the one number it states."""


class Outcome(NamedTuple):
    """What one measure made of one answer."""

    values: dict[str, float | None]
    tags: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()


class Given(NamedTuple):
    """What an answer gave: its fields, defaults put in, and the names of those it left out."""

    fields: Mapping[str, JSON]
    missing: frozenset[str]

    def get(self, name: str) -> JSON:
        """Return a field the answer gave; what it left out is null, whatever the default."""
        return None if name in self.missing else self.fields.get(name)


class Measure(ABC):
    """One entry of a task's metrics."""

    specs: tuple[MetricSpec, ...]
    main: str | None
    """The figure that counts in the primary score; None for one that only describes."""
    primary: bool
    needs: tuple[str, ...]
    """Fields of the answer."""
    labels: tuple[str, ...]
    """Fields of the row that hold what is wanted."""
    optional: bool = False
    """Whether rows may do without the label: the figures do not apply there."""

    @abstractmethod
    def score(self, given: Given, row: Row) -> Outcome:
        """Judge an answer that could be read."""

    @abstractmethod
    def gold(self, row: Row) -> dict[str, JSON]:
        """Return the fields a perfect answer holds, as far as this measure knows."""


def spec(key: str, kind: MetricKind, name: str, part: str, *, headline: bool = False) -> MetricSpec:
    """Declare one figure."""
    better = "lower" if kind == "error" else "higher"
    return MetricSpec(name=key, label=label(name, part), kind=kind, better=better, headline=headline)  # type: ignore[arg-type]


def unlabelled(keys: Sequence[str], main: str, field: str, optional: bool) -> Outcome:
    """A row without the label: not applicable where a profile may do without, else 0 with the reason (R0.2)."""
    if optional:
        return Outcome(dict.fromkeys(keys))
    values: dict[str, float | None] = {key: None if key.endswith("_mae") else 0.0 for key in keys}
    return Outcome(values, ("no_label",), (Reason(main, "no_label", {"field": field}),))


def label_of(row: Row, fields: Sequence[str]) -> JSON:
    """Return the first label the row has."""
    for field in fields:
        value = row.get(field)
        if value is not None:
            return value
    return None


class Exact(Measure):
    """exact_match."""

    def __init__(self, rule: tf.ExactMatch, *, key: str, labels: Sequence[str] = (), choice: bool = False) -> None:
        self.rule, self.key, self.choice = rule, key, choice
        self.specs = (spec(key, "flag", key, "exact", headline=True),)
        self.main, self.primary = key, rule.primary
        self.needs, self.labels = (rule.pred_field,), tuple(labels) or (rule.label_field,)
        self._aliases = alias_table(rule.aliases)

    def score(self, given: Given, row: Row) -> Outcome:
        """1 for the wanted value, else 0."""
        wanted, got = label_of(row, self.labels), given.get(self.rule.pred_field)
        aliases = self._aliases
        if isinstance(wanted, dict) and "value" in wanted:
            wanted, aliases = wanted["value"], aliases | alias_table({str(wanted["value"]): wanted.get("aliases", [])})
        if isinstance(got, dict) and "value" in got:
            got = got["value"]
        if wanted is None:
            return unlabelled((self.key,), self.key, self.labels[0], False)
        if aliases or self.choice:
            value = choice_match(got, wanted, aliases)
        else:
            value = exact_match(got, wanted, normalize=self.rule.normalize)
        if value:
            return Outcome({self.key: value})
        params = {"field": self.rule.pred_field, "expected": shown(wanted), "got": shown(got)}
        code = "not_given" if got is None else "wrong_value"
        return Outcome(
            {self.key: value}, ("wrong_value",) if got is not None else (), (Reason(self.key, code, params),)
        )

    def gold(self, row: Row) -> dict[str, JSON]:
        """The label."""
        wanted = label_of(row, self.labels)
        return {self.rule.pred_field: wanted["value"] if isinstance(wanted, dict) and "value" in wanted else wanted}


class Target(NamedTuple):
    """A wanted number, how far off an answer may be, and the unit both count in."""

    number: float | None
    tolerance: float
    relative: float
    unit: str | None


class Numeric(Measure):
    """numeric_error."""

    def __init__(self, rule: tf.NumericError, *, name: str, labels: Sequence[str] = ()) -> None:
        self.rule = rule
        self.mae, self.hit = f"{name}_mae", f"{name}_within_tol"
        self.specs = (spec(self.mae, "error", name, "mae"), spec(self.hit, "flag", name, "within_tol", headline=True))
        self.main, self.primary = self.hit, rule.primary
        self.needs, self.labels = (rule.pred_field,), tuple(labels) or (rule.label_field,)

    def _wanted(self, row: Row) -> Target:
        value, rule = label_of(row, self.labels), self.rule
        if isinstance(value, (int, float)):
            return Target(as_number(value), rule.tolerance, rule.tolerance_rel, rule.unit)
        if not isinstance(value, dict):
            return Target(quantity(value, rule.unit)[0], rule.tolerance, rule.tolerance_rel, rule.unit)
        written = value.get("unit") if isinstance(value.get("unit"), str) else None
        unit, number = rule.unit or written, value.get("value")
        if written and as_number(number) is not None:
            number = f"{number}{written}"
        absolute = as_number(value.get("tolerance_abs")) or rule.tolerance
        return Target(
            quantity(number, unit)[0], absolute, as_number(value.get("tolerance_rel")) or rule.tolerance_rel, unit
        )

    def score(self, given: Given, row: Row) -> Outcome:
        """Distance, and whether it is within the tolerance."""
        wanted, absolute, relative, unit = self._wanted(row)
        if wanted is None:
            return unlabelled((self.mae, self.hit), self.hit, self.labels[0], False)
        raw = given.get(self.rule.pred_field)
        got = as_number(raw) if isinstance(raw, (int, float)) else _stated(raw, unit)
        error, hit = numeric_error(got, wanted, absolute, relative)
        values = {self.mae: error, self.hit: hit}
        if hit:
            return Outcome(values)
        params: dict[str, JSON] = {"field": self.rule.pred_field, "expected": shown(wanted), "got": shown(raw)}
        if got is None:
            return Outcome(values, (), (Reason(self.hit, "not_given", params),))
        tags = ("wrong_unit",) if off_by_scale(got, wanted) else ("out_of_tolerance",)
        params |= {"error": shown(error), "tolerance": shown(max(absolute, relative * abs(wanted)))}
        return Outcome(values, tags, (Reason(self.hit, "off_unit" if tags[0] == "wrong_unit" else "off", params),))

    def gold(self, row: Row) -> dict[str, JSON]:
        """The label, in the metric's unit."""
        wanted = self._wanted(row).number
        return {self.rule.pred_field: int(wanted) if wanted is not None and wanted.is_integer() else wanted}


def _stated(value: JSON, unit: str | None) -> float | None:
    """Read a number, or the only number a sentence states."""
    number = quantity(value, unit)[0]
    if number is not None or not isinstance(value, str):
        return number
    found = find_numbers(value[:LONGEST_ANSWER])
    return quantity(found[0].text, unit)[0] if len(found) == 1 else None


class ListMatch(Measure):
    """list_overlap."""

    def __init__(self, rule: tf.ListOverlap, *, name: str, labels: Sequence[str] = (), ordered: bool = False) -> None:
        self.rule = rule
        self.keys = tuple(f"{name}_{part}" for part in ("precision", "recall", "f1"))
        self.order = f"{name}_order" if ordered or rule.ordered else None
        parts = ("precision", "recall", "f1")
        specs = [spec(k, "ratio", name, p, headline=p == "f1") for k, p in zip(self.keys, parts, strict=True)]
        self.specs = (*specs, *([spec(self.order, "ratio", name, "order")] if self.order else []))
        self.f1, self.all = self.keys[2], tuple(figure.name for figure in self.specs)
        self.main, self.primary = self.order if rule.ordered else self.f1, rule.primary
        self.needs, self.labels = (rule.pred_field,), tuple(labels) or (rule.label_field,)
        self._aliases = alias_table(rule.aliases)

    def score(self, given: Given, row: Row) -> Outcome:
        """Overlap of the two lists as sets, and their order where it matters."""
        wanted, ordered = self._wanted(row)
        keys = self.all
        if wanted is None:
            return unlabelled(keys, self.f1, self.labels[0], False)
        got = given.get(self.rule.pred_field)
        if got is None:
            values: dict[str, float | None] = dict.fromkeys(keys, 0.0)
            params = {"field": self.rule.pred_field, "expected": shown(wanted)}
            return Outcome(values, (), (Reason(self.f1, "not_given", params),))
        if got == wanted and not (self.order or ordered) and isinstance(wanted, list) and all(map(_is_text, wanted)):
            # Letter by letter as labelled: nothing to fold.
            return Outcome(dict.fromkeys(keys, 1.0))
        one = item_keys(_items(got), self._aliases, normalize=self.rule.normalize)
        other = item_keys(wanted, self._aliases, normalize=self.rule.normalize)
        found = overlap(one, other)
        values = dict(zip(self.keys, found[:3], strict=True))
        in_order = order_score(list(one), list(other)) if ordered else None
        if in_order is not None and not self.order:
            # The row asks for an order that the task has no figure for: what stands out of place was not found.
            values[self.f1] = min(found.f1, in_order)
        if self.order:
            values[self.order] = found.f1 if in_order is None and self.rule.ordered else in_order
        return _said(self.f1, self.rule.pred_field, found, values, in_order)

    def _wanted(self, row: Row) -> tuple[JSON, bool]:
        value = label_of(row, self.labels)
        if isinstance(value, dict):
            return value.get("items"), bool(value.get("ordered", self.rule.ordered))
        return value, self.rule.ordered

    def gold(self, row: Row) -> dict[str, JSON]:
        """The labelled items."""
        wanted = self._wanted(row)[0]
        return {self.rule.pred_field: wanted if wanted is None or isinstance(wanted, list) else [wanted]}


def _is_text(value: JSON) -> bool:
    # True equals 1 for Python, and for nobody else.
    return value.__class__ is str


def _items(value: JSON) -> JSON:
    return value.get("items") if isinstance(value, dict) and "items" in value else value


def _said(main: str, field: str, found: Overlap, values: dict[str, float | None], in_order: float | None) -> Outcome:
    tags, reasons = [], []
    if found.missing:
        tags.append("missing_item")
        reasons.append(Reason(main, "missing_item", {"field": field, "items": found.missing[:_SHOWN_ITEMS]}))
    if found.extra:
        tags.append("extra_item")
        reasons.append(Reason(main, "extra_item", {"field": field, "items": found.extra[:_SHOWN_ITEMS]}))
    if in_order is not None and in_order < 1 and not tags:
        tags.append("wrong_order")
        reasons.append(Reason(main, "wrong_order", {"field": field}))
    return Outcome(values, tuple(tags), tuple(reasons))


class Rouge(Measure):
    """reference_rouge."""

    def __init__(self, rule: tf.ReferenceRouge, *, prefix: str = "", labels: Sequence[str] = ()) -> None:
        self.rule, self.names, self.prefix = rule, tuple(rule.measures), prefix
        self.keys = tuple(prefix + name for name in self.names)
        self.specs = tuple(
            spec(key, "ratio", rule.output_field, key, headline=at == 0) for at, key in enumerate(self.keys)
        )
        self.key = self.keys[0]
        self.main, self.primary = self.key, rule.primary
        self.needs, self.labels = (rule.output_field,), tuple(labels) or (rule.reference_field,)

    def score(self, given: Given, row: Row) -> Outcome:
        """ROUGE of the field against the reference (R3.2)."""
        wanted = _text(label_of(row, self.labels))
        if not wanted.strip():
            return unlabelled(self.keys, self.key, self.labels[0], False)
        got = _text(given.get(self.rule.output_field))
        found = reference_rouge(got, wanted, self.names)
        values: dict[str, float | None] = {self.prefix + name: value for name, value in found.items()}
        if values[self.key] == 1.0:
            return Outcome(values)
        if not got.strip():
            return Outcome(values, (), (Reason(self.key, "not_given", {"field": self.rule.output_field}),))
        params: dict[str, JSON] = {"field": self.rule.output_field, "measure": self.key, "value": values[self.key]}
        return Outcome(values, (), (Reason(self.key, "rouge", params),))

    def gold(self, row: Row) -> dict[str, JSON]:
        """The reference."""
        return {self.rule.output_field: _text(label_of(row, self.labels)) or None}


def _text(value: JSON) -> str:
    """A text, `{"value": text}`, or a list of texts, as one text."""
    if isinstance(value, dict):
        value = value.get("value")
    if isinstance(value, list):
        return "\n".join(item if isinstance(item, str) else canon(item) for item in value)
    return value if isinstance(value, str) else "" if value is None else canon(value)


class Completeness(Measure):
    """field_completeness."""

    def __init__(self, rule: tf.FieldCompleteness, *, key: str = "field_completeness") -> None:
        self.fields, self.key = tuple(rule.fields), key
        self.specs = (spec(key, "ratio", key, "completeness"),)
        self.main, self.primary = key, rule.primary
        self.needs, self.labels = self.fields, ()

    def score(self, given: Given, row: Row) -> Outcome:
        """Share of the fields that the answer filled."""
        empty = [name for name in self.fields if not is_filled(given.get(name))]
        value = (len(self.fields) - len(empty)) / len(self.fields)
        if not empty:
            return Outcome({self.key: value})
        return Outcome({self.key: value}, ("incomplete",), (Reason(self.key, "incomplete", {"fields": empty}),))

    def gold(self, row: Row) -> dict[str, JSON]:
        """Nothing of its own: any filling will do."""
        return {}


class Ratio(Measure):
    """custom_ratio: it describes, and counts in the primary score only when the task marks it primary."""

    def __init__(self, rule: tf.CustomRatio, *, key: str) -> None:
        self.rule, self.key = rule, key
        self.specs = (spec(key, "ratio", key, "ratio"),)
        self.main, self.primary = key if rule.primary else None, rule.primary
        self.needs, self.labels = (rule.numerator_field,), ()

    def score(self, given: Given, row: Row) -> Outcome:
        """The ratio; above 1 it is shown as 1 and tagged, and over a row without a denominator it does not apply."""
        field = self.rule.denominator_sample_field or ""
        below = self.rule.denominator_fixed or row.get(field)
        value = ratio(given.get(self.rule.numerator_field), below)
        if value is None:
            params: dict[str, JSON] = {"name": self.key, "field": field, "found": shown(below)}
            return Outcome({self.key: None}, ("no_denominator",), (Reason(self.key, "no_denominator", params),))
        if value <= 1:
            return Outcome({self.key: value})
        params = {"name": self.key, "value": shown(value)}
        return Outcome({self.key: 1.0}, ("ratio_above_one",), (Reason(self.key, "ratio_above_one", params),))

    def gold(self, row: Row) -> dict[str, JSON]:
        """Nothing: no value is the right one."""
        return {}


def shown(value: Any) -> str:
    """Write a value for people."""
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, str):
        return value
    return "" if value is None else canon(value) if not isinstance(value, list) else "、".join(map(shown, value[:20]))
