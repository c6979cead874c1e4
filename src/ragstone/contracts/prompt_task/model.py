"""A perfect answer: an object made from the labels through the metrics' own definitions."""

import json
from collections.abc import Mapping, Sequence

from ragstone.contracts.prompt_task.measures.fields import Completeness, Measure, Row
from ragstone.contracts.prompt_task.measures.reasoning import Consistent, Verifiable
from ragstone.core.types import JSON, Answer
from ragstone.metrics.reasoning import consistency, final_text, fragments
from ragstone.reading.json.fields import FieldRule

FILLING = "—"
"""Stands in a field that must be filled and has no label."""


def model_answer(
    measures: Sequence[Measure], rules: Sequence[FieldRule], plain: str | None, mock: dict[str, JSON] | None, row: Row
) -> Answer:
    """Answer with the labels; what has none is taken from mock_response, then from the defaults."""
    fields = labelled(measures, row)
    types = {rule.field: rule.type for rule in rules}
    for measure in measures:
        if isinstance(measure, Consistent):
            _support(fields, measure, types, mock or {})
    if plain is not None:
        value = fields.get(plain)
        return Answer(text=value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    filled = {name for measure in measures if isinstance(measure, Completeness) for name in measure.needs}
    for rule in rules:
        if fields.get(rule.field) is None:
            fields[rule.field] = _filling(rule, (mock or {}).get(rule.field), rule.field in filled)
    for name in filled - fields.keys():
        fields[name] = FILLING
    return Answer(text=json.dumps(fields, ensure_ascii=False))


def labelled(measures: Sequence[Measure], row: Row) -> dict[str, JSON]:
    """Gather what the measures' labels say; labelled evidence goes before evidence that is merely there."""
    fields: dict[str, JSON] = {}
    for measure in sorted(measures, key=lambda one: isinstance(one, Verifiable)):
        for name, value in measure.gold(row).items():
            if value is not None:
                fields.setdefault(name, value)
    return fields


def _support(fields: dict[str, JSON], measure: Consistent, types: Mapping[str, str], mock: dict[str, JSON]) -> None:
    """Write the final answer into a supporting text that does not hold it yet."""
    rule = measure.rule
    final = fields.setdefault(rule.final_answer_field, mock.get(rule.final_answer_field) or FILLING)
    held = [text for name in rule.support_fields for text in fragments(fields.get(name))]
    if consistency(final, held, normalize=rule.normalize).consistent:
        return
    text = final_text(final)
    name = next((name for name in rule.support_fields if name in types and name not in fields), None)
    name = name or next((name for name in rule.support_fields if not types or name in types), rule.support_fields[0])
    there = fields.get(name)
    if isinstance(there, list) and there and isinstance(there[0], dict):
        fields[name] = [{**there[0], "text": f"{there[0].get('text', '')}{text}"}, *there[1:]]
    elif isinstance(there, list) or types.get(name) in {"list", "list_raw"}:
        fields[name] = [*(there or []), text]
    else:
        fields[name] = f"{there}\n{text}" if there else text


def _filling(rule: FieldRule, mocked: JSON, must: bool) -> JSON:
    if mocked is not None:
        return mocked
    if rule.default is not None and (rule.default or not must or rule.type in {"int", "float", "bool"}):
        return rule.default
    empty: dict[str, JSON] = {
        "str": FILLING if must else "",
        "enum": rule.values[0] if rule.values else None,
        "int": int(rule.lo or 0),
        "float": float(rule.lo or 0),
        "bool": False,
        "list": [FILLING] if must else [],
        "list_raw": [FILLING] if must else [],
        "object": {FILLING: FILLING} if must else {},
    }
    return empty[rule.type]
