"""Tests of completeness and ratios."""

from typing import Any

import pytest

from ragstone.metrics.completeness import completeness, is_filled, ratio


@pytest.mark.parametrize("value", [0, False, "x", [1], {"a": 1}, 0.0])
def test_these_say_something(value: Any) -> None:
    """0 and false are answers."""
    assert is_filled(value)


@pytest.mark.parametrize("value", [None, "", " \n", [], {}])
def test_these_say_nothing(value: Any) -> None:
    """Null, blanks and empty lists are none."""
    assert not is_filled(value)


def test_completeness_is_a_share() -> None:
    """Two of four."""
    assert completeness(["a", "", 0, None]) == 0.5
    assert completeness([]) == 0.0


@pytest.mark.parametrize(
    ("above", "below", "expected"),
    [
        (2, [1, 2, 3, 4], 0.5),
        (-50, 100, 0.5),
        ([1], [1, 2], 0.5),
        (3, 0, None),
        (3, -2, None),
        (1, 0.5, 2.0),
        (None, 5, 0.0),
        ("x", 5, 0.0),
        (1, None, None),
    ],
)
def test_ratio(above: Any, below: Any, expected: float | None) -> None:
    """Sizes and lengths; over nothing or less there is no ratio."""
    assert ratio(above, below) == expected
