"""Numbers and money in running text."""

from decimal import Decimal

import pytest

from ragstone.text.numbers import find_numbers, read_number


@pytest.mark.parametrize(
    "text",
    ["42000", "42,000", "４２０００", "4.2万元", "4万2千", "4万2", "四万二千元", "肆萬貳仟圓整", "forty-two thousand"],
)
def test_dresses_of_one_number(text: str) -> None:
    """One value in many dresses reads as one value."""
    assert read_number(text) == Decimal(42000)


def test_range_shares_its_place_word() -> None:
    """The 万 of 3-5万 belongs to both ends."""
    (found,) = find_numbers("预算3-5万元")

    assert (found.value, found.high, found.currency) == (30000, 50000, "CNY")
