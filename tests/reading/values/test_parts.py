"""Parts of units, in Chinese and in English."""

import pytest

from ragstone.reading.values.parts import find_parts
from ragstone.text.fold import fold


@pytest.mark.parametrize(
    ("text", "measure", "amount"),
    [
        ("半小时", "second", 1800),
        ("产后半年内", "month", 6),
        ("两升半", "litre", 2.5),
        ("half an hour", "second", 1800),
        ("a half-year plan", "month", 6),
        ("three quarters of an hour", "second", 2700),
        ("a third of a year", "month", 4),
        ("an hour and a half", "second", 5400),
        ("two years and a half", "month", 30),
        ("one and a quarter hours", "second", 4500),
        ("a three-year term", "month", 36),
        ("a twenty-four-hour desk", "second", 86400),
        ("within a week", "second", 604800),
        ("after a fortnight", "second", 1209600),
    ],
)
def test_a_part_is_measured_in_its_unit(text: str, measure: str, amount: float) -> None:
    """Halves, shares and single units come out in the smallest unit."""
    assert [(one.measure, float(one.amount)) for one in find_parts(fold(text))] == [(measure, amount)]


@pytest.mark.parametrize(
    "text",
    ["the second half of a year", "twice a week", "half of the members", "后半年", "half a million", "a year ago"],
)
def test_what_measures_nothing_is_no_part(text: str) -> None:
    """A half of something else, how often, and when are no lengths."""
    assert not find_parts(fold(text))
