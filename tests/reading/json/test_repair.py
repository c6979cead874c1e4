"""Mending restores the structure and keeps what stands inside quotes."""

import pytest

from ragstone.reading.json.repair import MAX_MENDED, mend


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
def test_mend_by_example(text: str, expected: object) -> None:
    """Odd quotes, wide brackets, trailing commas and missing braces."""
    assert mend(text) == expected


def test_long_texts_are_left_alone() -> None:
    """The cap holds."""
    assert mend('{"a": "' + "x" * MAX_MENDED) is None


def test_deep_texts_do_not_raise() -> None:
    """A tolerant reader that recurses too deep gives nothing."""
    assert mend("[" * 10_000) is None


def test_a_reader_that_trips_over_itself_mends_nothing() -> None:
    """The tolerant reader fails an assertion of its own on this text."""
    assert mend('{"```json{```') is None
