"""Tests of parse_schema."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.json.fields import FIELD_TYPES, FieldRule, Schema, quantity


def _read(value: Any, **rule: Any) -> tuple[Any, tuple[str, ...]]:
    fields, tags = Schema([FieldRule(field="x", **rule)]).read({"x": value})
    return fields["x"], tags


@pytest.mark.parametrize(
    ("value", "expected", "tags"),
    [
        (3, 3, ()),
        (9, 5, ("out_of_range:x",)),
        (-9, -5, ("out_of_range:x",)),
        (10**400, 5, ("out_of_range:x",)),
        (2.0, 2, ()),
        (2.7, 2, ("not_integer:x",)),
        ("3", 3, ()),
        ("＋３", 3, ()),
        ("三", 3, ()),
        ("很多", 1, ("wrong_type:x",)),
        (True, 1, ("wrong_type:x",)),
        ([3], 1, ("wrong_type:x",)),
        (None, 1, ("missing_field:x",)),
    ],
)
def test_r3_3_an_int_is_clamped_and_tagged(value: Any, expected: int, tags: tuple[str, ...]) -> None:
    """R3.3: out of lo..hi is clamped and tagged; what is no number falls to the default."""
    assert _read(value, type="int", lo=-5, hi=5, default=1) == (expected, tags)


@pytest.mark.parametrize(
    ("value", "expected", "tags"),
    [
        (0.5, 0.5, ()),
        ("12.5", 12.5, ()),
        (200, 100.0, ("out_of_range:x",)),
        (-0.1, 0.0, ("out_of_range:x",)),
        (math.nan, None, ("wrong_type:x",)),
        (math.inf, None, ("wrong_type:x",)),
        ("nan", None, ("wrong_type:x",)),
    ],
)
def test_r3_3_a_float_is_clamped_and_never_nan(value: Any, expected: float | None, tags: tuple[str, ...]) -> None:
    """R3.3 holds for fractions, and NaN is no number."""
    assert _read(value, type="float", lo=0, hi=100) == (expected, tags)


@pytest.mark.parametrize(
    ("value", "expected", "tags"),
    [
        ("positive", "positive", ()),
        ("POSITIVE", "positive", ()),
        (" ｐositive", "positive", ()),
        ("利好", "positive", ()),
        ("bullish", "neutral", ("not_allowed:x",)),
        ("", "neutral", ("not_allowed:x",)),
        (["positive"], "neutral", ("not_allowed:x",)),
        (None, "neutral", ("missing_field:x",)),
    ],
)
def test_r3_3_an_enum_falls_to_its_default(value: Any, expected: str, tags: tuple[str, ...]) -> None:
    """R3.3: a value outside `values` falls to the default and is tagged; another form or an alias is inside."""
    aliases = {"positive": ["利好"], "other": ["x"]}
    rule = {"type": "enum", "values": ("positive", "neutral", "negative"), "default": "neutral", "aliases": aliases}

    assert _read(value, **rule) == (expected, tags)


def test_an_enum_may_hold_numbers_and_flags() -> None:
    """Values need not be texts."""
    assert _read("2", type="enum", values=(1, 2)) == (2, ())
    assert _read(True, type="enum", values=(True, False)) == (True, ())
    assert _read(3, type="enum", values=(1, 2)) == (None, ("not_allowed:x",))


@pytest.mark.parametrize(
    ("rule", "value", "expected", "tags"),
    [
        ({"type": "str"}, "文", "文", ()),
        ({"type": "str"}, 3, "3", ()),
        ({"type": "str"}, "", "", ()),
        ({"type": "str", "default": "无"}, " ", "无", ("empty_field:x",)),
        ({"type": "str"}, ["a"], '["a"]', ("not_text:x",)),
        ({"type": "str", "max_len": 2}, "abc", "ab", ("too_long:x",)),
        ({"type": "str"}, None, "", ("missing_field:x",)),
        ({"type": "bool"}, "是", True, ()),
        ({"type": "bool"}, "False", False, ()),
        ({"type": "bool"}, 1, True, ()),
        ({"type": "bool"}, "maybe", None, ("wrong_type:x",)),
        ({"type": "list"}, ["a", 1, None, True, {"b": 2}], ["a", "1", "true", '{"b": 2}'], ()),
        ({"type": "list", "max_len": 1}, ["a", "b"], ["a"], ("too_long:x",)),
        ({"type": "list"}, "a", [], ("wrong_type:x",)),
        ({"type": "list_raw"}, [{"text": "t"}], [{"text": "t"}], ()),
        ({"type": "list_raw", "default": [1]}, {}, [1], ("wrong_type:x",)),
        ({"type": "object"}, {"a": 1}, {"a": 1}, ()),
        ({"type": "object"}, [], None, ("wrong_type:x",)),
    ],
)
def test_the_other_types(rule: dict[str, Any], value: Any, expected: Any, tags: tuple[str, ...]) -> None:
    """Texts, flags, lists and objects."""
    assert _read(value, **rule) == (expected, tags)


def test_defaults_are_not_shared() -> None:
    """Changing one answer's fields changes no other's."""
    schema = Schema([FieldRule(field="x", type="list")])
    schema.read({}).values["x"].append("spoilt")

    assert schema.read({}).values == {"x": []}


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        ("12.5%", "%", 12.5),
        (12.5, "%", 12.5),
        ("12.5 pct", "%", 12.5),
        ("百分之十二点五", "%", 12.5),
        ("25bp", "%", 0.25),
        ("12.5%", None, 0.125),
        ("42000元", "万元", 4.2),
        ("4.2万", "万元", 4.2),
        ("肆萬貳仟圓", "万元", 4.2),
        ("¥4.2万", "元", 42000),
        ("1,234.5", None, 1234.5),
        ("1e3", None, 1000),
        ("5 kg", "kg", 5),
    ],
)
def test_a_number_is_read_in_its_unit(value: Any, unit: str | None, expected: float) -> None:
    """What is written in another unit is converted; a bare number counts in the unit asked for."""
    assert quantity(value, unit)[0] == pytest.approx(expected)


@pytest.mark.parametrize(("value", "unit"), [("$42000", "万元"), ("12%", "元"), ("12元", "%")])
def test_a_unit_that_cannot_be_converted_is_tagged(value: str, unit: str) -> None:
    """Dollars are no yuan."""
    assert quantity(value, unit) == (None, "wrong_unit")
    assert _read(value, type="float", unit=unit) == (None, ("wrong_unit:x",))


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(ANYTHING, st.sampled_from(FIELD_TYPES), st.sampled_from([None, "%", "万元", "kg"]))
def test_nothing_raises(value: Any, kind: Any, unit: str | None) -> None:
    """Any value of any type is read, and what comes out is of the rule's type or the default."""
    found, tags = _read(value, type=kind, values=("a", 1), lo=-5, hi=5, max_len=3, unit=unit)

    json.dumps(found)
    assert all(tag.endswith(":x") for tag in tags)
    assert kind not in {"int", "float"} or found is None or -5 <= found <= 5
