"""What schema.json says about a value, as faults with JSON pointers; knows no question.

The file users read is the one the loader obeys.
Only the keywords used below its `$defs` are known here; a general validator comes to the same verdict.
"""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from importlib import resources
from typing import NamedTuple

import msgspec

from ragstone.core.types import JSON
from ragstone.datasets.fields.slips import Slip, meant
from ragstone.datasets.rows import type_name
from ragstone.text.nearest import nearest

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
}


class Fault(NamedTuple):
    """One thing that is wrong: where, what, what was expected, what was found."""

    pointer: str
    field: str
    problem: str
    expected: str
    found: str


@cache
def schema() -> Mapping[str, JSON]:
    """Return the contract's JSON Schema."""
    text = resources.files(__package__).joinpath("schema.json").read_bytes()
    decoded: Mapping[str, JSON] = msgspec.json.decode(text)
    return decoded


def faults(value: JSON, name: str | None = None, pointer: str = "") -> Iterator[Fault]:
    """Find everything wrong with a value: a file's root, or a definition of the schema by name."""
    rule = schema() if name is None else schema()["$defs"][name]
    return _walk(value, rule, pointer, "")


WHOLE = ("expected", "scoring")
"""Objects of which every field is known: an unknown key there is a typo though it resembles nothing."""


def slips(value: JSON, name: str | None = None, pointer: str = "") -> Iterator[Slip]:
    """Find fields that are nearly those of the schema, and words that are none of its examples."""
    return _slips(value, schema() if name is None else schema()["$defs"][name], pointer, "")


def _slips(value: JSON, rule: Mapping[str, JSON], pointer: str, field: str) -> Iterator[Slip]:
    rule = _resolve(rule)
    if isinstance(value, dict):
        known = rule.get("properties", {})
        for key in value:
            near = meant(key, tuple(one for one in known if one not in value))
            if key in known:
                yield from _slips(value[key], known[key], f"{pointer}/{key}", key)
            elif known and (near or field in WHOLE):
                yield Slip(f"{pointer}/{key}", key, near or ", ".join(known))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _slips(item, rule.get("items", {}), f"{pointer}/{index}", field)
    elif isinstance(value, str) and field == "hallucination_penalty" and value not in rule["examples"]:
        near = nearest(value, tuple(rule["examples"]), 0.6)
        yield Slip(pointer, value, near or ", ".join(rule["examples"]))


@cache
def known_fields(name: str) -> frozenset[str]:
    """Name the fields a definition of the schema speaks of."""
    return frozenset(schema()["$defs"][name]["properties"])


def _walk(value: JSON, rule: Mapping[str, JSON], pointer: str, field: str) -> Iterator[Fault]:
    rule = _resolve(rule)
    wrong = _wrong(value, rule)
    if wrong:
        near = nearest(value, tuple(rule["enum"])) if "enum" in rule and isinstance(value, str) else ""
        expected = _expected(rule) + (f" (did you mean {near}?)" if near else "")
        yield Fault(pointer, field, wrong, expected, _found(value))
        return
    if isinstance(value, dict):
        yield from _missing(value, rule, pointer, field)
        for key, inner in rule.get("properties", {}).items():
            if key in value:
                yield from _walk(value[key], inner, f"{pointer}/{key}", f"{field}.{key}" if field else key)
    if isinstance(value, list) and "items" in rule:
        for index, item in enumerate(value):
            yield from _walk(item, rule["items"], f"{pointer}/{index}", f"{field}[{index}]")


def _resolve(rule: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Follow a reference; what stands beside it only describes."""
    while "$ref" in rule:
        rule = schema()["$defs"][rule["$ref"].rpartition("/")[2]]
    return rule


def _wrong(value: JSON, rule: Mapping[str, JSON]) -> str | None:
    """Return what is wrong with the value itself, not with what it holds."""
    types = _types(rule)
    if types and not any(_is(value, kind) for kind in types):
        return "wrong type"
    if "enum" in rule and value not in rule["enum"]:
        return "not allowed"
    if isinstance(value, str):
        return _wrong_text(value, rule)
    if isinstance(value, list) and len(value) < rule.get("minItems", 0):
        return "too few items"
    if isinstance(value, int | float) and not rule.get("minimum", value) <= value <= rule.get("maximum", value):
        return "out of range"
    return None


def _wrong_text(value: str, rule: Mapping[str, JSON]) -> str | None:
    if "pattern" in rule and not re.search(rule["pattern"], value):
        return "empty"
    if len(value) < rule.get("minLength", 0):
        return "empty"
    return "not a date" if rule.get("format") == "date" and not _is_date(value) else None


def _is_date(value: str) -> bool:
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _is(value: JSON, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if isinstance(value, float):
        return (kind == "number" and math.isfinite(value)) or (kind == "integer" and value.is_integer())
    return isinstance(value, _TYPES[kind])


def _missing(value: dict[str, JSON], rule: Mapping[str, JSON], pointer: str, field: str) -> Iterator[Fault]:
    for key in rule.get("required", ()):
        if key not in value:
            expected = _expected(_resolve(rule["properties"][key]))
            yield Fault(f"{pointer}/{key}", f"{field}.{key}" if field else key, "missing", expected, "nothing")
    choices = [key for choice in rule.get("anyOf", ()) for key in choice["required"]]
    if choices and not any(key in value for key in choices):
        found = ", ".join(value) or "nothing"
        yield Fault(pointer, field, "nothing to compare", f"at least one of {', '.join(choices)}", found)


def _types(rule: Mapping[str, JSON]) -> list[str]:
    kinds = rule.get("type", [])
    return [kinds] if isinstance(kinds, str) else list(kinds)


def _expected(rule: Mapping[str, JSON]) -> str:
    if "enum" in rule:
        return " | ".join(rule["enum"])
    if rule.get("format") == "date":
        return "a date YYYY-MM-DD"
    if "pattern" in rule:
        return "a non-empty string"
    limits = f" from {rule['minimum']} to {rule.get('maximum', '…')}" if "minimum" in rule else ""
    if least := rule.get("minItems"):
        return f"an array of at least {least} {'item' if least == 1 else 'items'}"
    return " or ".join(_types(rule)) + limits


def _found(value: JSON) -> str:
    if value == []:
        return "an empty array"
    return repr(value) if isinstance(value, str | bool | int | float) else type_name(value)
