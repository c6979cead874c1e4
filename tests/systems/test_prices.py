"""What tokens cost."""

from typing import Any

import pytest

from ragstone.core.errors import ConnectError
from ragstone.core.types import Usage
from ragstone.systems.prices import Price, read_price


@pytest.mark.parametrize(
    ("table", "cost"),
    [
        ({"input_per_1k": 1, "output_per_1k": 2}, 3.0),
        ({"input_per_1m": 1000, "output_per_1m": 2000, "currency": "CNY"}, 3.0),
        ({"output_per_1k": 0}, 0.0),
    ],
)
def test_cost(table: dict[str, Any], cost: float) -> None:
    """Per thousand and per million come to the same."""
    price = read_price(table, "m")

    assert price is not None and price.of(Usage(1000, 1000, 2000)) == pytest.approx(cost)


def test_unknown_is_not_free() -> None:
    """Without a table there is no price, and without usage no cost."""
    assert read_price(None, "m") is None and read_price({}, "m") is None
    assert Price(1, 1).of(None) is None


@pytest.mark.parametrize("table", [{"input": 1}, {"input_per_1k": -1}, {"input_per_1k": True}, {"input_per_1k": "1"}])
def test_wrong_tables(table: dict[str, Any]) -> None:
    """A table that cannot be meant is refused with what is known."""
    with pytest.raises(ConnectError, match="input_per_1k"):
        read_price(table, "m")
