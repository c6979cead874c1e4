"""Tests of values in one form."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.metrics.canon import canon, choice_key, same, value_of

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Positive", "positive "),
        ("ＡＩ晶片", "ai 晶片"),
        ("臺灣", "台湾"),
        (42000, "四万二千"),
        ("4.2万", "42,000"),
        (2, 2.0),
        ("2", 2),
        (True, "true"),
        ("2020年8月30日", "2020-08-30"),
        ("民國109年8月30日", "2020/8/30"),
        ({"a": "Ｘ"}, {"a": "x"}),
    ],
)
def test_another_dress_is_the_same(one: Any, other: Any) -> None:
    """R0.1: width, script, case, separators, numerals and calendars do not count."""
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [(42000, 24000), ("4.2", 42), (True, 1), ("000001", 1), ("3 4", "34"), ("利好", "利空"), ("x²", "x2"), (None, "")],
)
def test_different_values_never_match(one: Any, other: Any) -> None:
    """R0.1: 42000 is not 24000, and the code 000001 is not the number 1."""
    assert not same(one, other)
    assert not same(other, one)


@pytest.mark.parametrize("text", ["B", "(B)", "b.", "【B】", " Ｂ。"])
def test_marks_around_an_option_do_not_count(text: str) -> None:
    """An option is the same with brackets or a full stop."""
    assert choice_key(text) == "b"


def test_a_code_is_no_number() -> None:
    """Leading zeros make a code."""
    assert value_of("000001") is None
    assert value_of("0") == 0


@settings(deadline=None)
@given(JSON_VALUES, JSON_VALUES)
def test_sameness_is_symmetric_and_holds_for_itself(one: Any, other: Any) -> None:
    """Any two JSON values can be compared, either way round."""
    assert same(one, one)
    assert same(one, other) == same(other, one)
    assert isinstance(canon(one), str)
