"""Rewords pydantic's errors in the words that all readers use; knows no file."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class FieldError(NamedTuple):
    """What is wrong with a value, and what was expected instead ("" where the problem says it all)."""

    problem: str
    expected: str = ""


_KINDS = {
    "string": "a string",
    "int": "a whole number",
    "float": "a number",
    "bool": "a boolean",
    "list": "an array",
    "tuple": "an array",
    "set": "an array",
    "dict": "an object",
    "mapping": "an object",
    "model": "an object",
    "model_attributes": "an object",
}
_LIMITS = {
    "greater_than": ("out of range", "more than {gt}"),
    "greater_than_equal": ("out of range", "at least {ge}"),
    "less_than": ("out of range", "less than {lt}"),
    "less_than_equal": ("out of range", "at most {le}"),
    "too_short": ("too few items", "at least {min_length} items"),
    "too_long": ("too many items", "at most {max_length} items"),
    "string_too_short": ("too short", "at least {min_length} characters"),
    "string_too_long": ("too long", "at most {max_length} characters"),
    "string_pattern_mismatch": ("wrong value", "text that fits {pattern}"),
    "literal_error": ("not allowed", "one of {expected}"),
    "enum": ("not allowed", "one of {expected}"),
    "finite_number": ("out of range", "a finite number"),
    "int_from_float": ("wrong type", "a whole number"),
    "missing": ("missing", "a value"),
}


def field_error(detail: Mapping[str, Any]) -> FieldError:
    """Reword one of pydantic's error details.

    >>> field_error({"type": "greater_than_equal", "ctx": {"ge": 1}, "msg": "Input should be greater than …"})
    FieldError(problem='out of range', expected='at least 1')
    """
    kind, context = str(detail["type"]), detail.get("ctx") or {}
    if kind in _LIMITS:
        problem, expected = _LIMITS[kind]
        return FieldError(problem, expected.format_map(context))
    name = kind.removesuffix("_type").removesuffix("_parsing").removesuffix("_parsing_size")
    if name != kind and name in _KINDS:
        return FieldError("wrong type", _KINDS[name])
    if kind in {"value_error", "assertion_error"}:
        return FieldError(str(detail["msg"]).partition(", ")[2])
    return FieldError("wrong value", str(detail["msg"]))
