"""Repair restores the structure and keeps what stands inside quotes."""

import pytest

from ragstone.reading.json.repair import MAX_REPAIRED, repair_json


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1,}', {"a": 1}),
        ("{`a`: `x`}", {"a": "x"}),
        ("{‘a’: ‘他说，好’}", {"a": "他说，好"}),
        ("｛“a”：［1，2］｝", {"a": [1, 2]}),
        ('{"a": Infinity, "b": [NaN]}', {"a": None, "b": [None]}),
        ('"a": 1', {"a": 1}),
        ("{", None),
        ('"甲"', None),
    ],
)
def test_repair_by_example(text: str, expected: object) -> None:
    """Odd quotes, wide brackets, trailing commas and missing braces."""
    assert repair_json(text) == expected


def test_long_texts_are_left_alone() -> None:
    """The cap holds."""
    assert repair_json('{"a": "' + "x" * MAX_REPAIRED) is None


def test_deep_texts_do_not_raise() -> None:
    """A tolerant reader that recurses too deep gives nothing."""
    assert repair_json("[" * 10_000) is None


def test_a_reader_that_trips_over_itself_repairs_nothing() -> None:
    """The tolerant reader fails an assertion of its own on this text."""
    assert repair_json('{"```json{```') is None
