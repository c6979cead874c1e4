"""Tests of numeric error."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.metrics.numeric import as_number, is_filled, numeric_error, off_by_scale, ratio


@pytest.mark.parametrize(
    ("prediction", "label", "tolerance", "relative", "expected"),
    [
        (3, 3, 0, 0, (0.0, 1.0)),
        (4, 3, 1, 0, (1.0, 1.0)),
        (5, 3, 1, 0, (2.0, 0.0)),
        (102, 100, 0, 0.02, (2.0, 1.0)),
        (103, 100, 1, 0.02, (3.0, 0.0)),
        (0.1 + 0.2, 0.3, 0, 0, (pytest.approx(0, abs=1e-15), 1.0)),
        (None, 3, 5, 0, (None, 0.0)),
        (True, 1, 0, 0, (None, 0.0)),
        (math.nan, 1, 0, 0, (None, 0.0)),
        (10**400, 1, 0, 0, (None, 0.0)),
    ],
)
def test_numeric_error(prediction: Any, label: Any, tolerance: float, relative: float, expected: Any) -> None:
    """The distance and the hit, by the larger of both tolerances; what is no number hits nothing."""
    assert tuple(numeric_error(prediction, label, tolerance, relative)) == expected


@pytest.mark.parametrize(("one", "other"), [(0.125, 12.5), (42000, 4.2), (4.2e8, 4.2)])
def test_a_lost_unit_is_noticed(one: float, other: float) -> None:
    """Percent, 万 and 亿 leave a trace when they are misread."""
    assert off_by_scale(one, other)
    assert off_by_scale(other, one)
    assert not off_by_scale(one, one)
    assert not off_by_scale(one, other * 1.1)


@settings(deadline=None)
@given(st.one_of(st.floats(), st.integers(), st.text(max_size=5), st.none()), st.floats())
def test_no_nan_comes_out(prediction: Any, label: float) -> None:
    """Whatever goes in, the figures are finite or None."""
    error, hit = numeric_error(prediction, label, 1.0, 0.1)

    assert hit in {0.0, 1.0}
    assert error is None or (math.isfinite(error) and error >= 0)
    assert as_number(prediction) is None or math.isfinite(float(prediction))


def test_numbers_beyond_all_measure() -> None:
    """A number no sum of squares could hold is no number, so that no figure of a run can overflow."""
    assert numeric_error(1e200, 5) == (None, 0.0) and numeric_error(5, float("nan")) == (None, 0.0)
    assert numeric_error(1e75, 0).error == 1e75


@pytest.mark.parametrize("value", [0, False, "x", [1], {"a": 1}, 0.0])
def test_these_say_something(value: Any) -> None:
    """0 and false are answers."""
    assert is_filled(value)


@pytest.mark.parametrize("value", [None, "", " \n", [], {}])
def test_these_say_nothing(value: Any) -> None:
    """Null, blanks and empty lists are none."""
    assert not is_filled(value)


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
