"""Dimensions: units of one dimension convert, and unknown units stand for themselves."""

from decimal import Decimal

import pytest

from ragstone.reading.values.dimensions import dimension


@pytest.mark.parametrize(
    ("unit", "name", "factor"),
    [
        ("年", "month", 12),
        ("个月", "month", 1),
        ("天", "second", 86400),
        ("公斤", "gram", 1000),
        ("", "thing", 1),
        ("坪", "坪", 1),
    ],
)
def test_dimension_of_a_unit(unit: str, name: str, factor: int) -> None:
    """A unit names its dimension and its size."""
    assert dimension(unit) == (name, Decimal(factor))
