"""What tokens cost, from a table the user gives; no price is built in."""

from collections.abc import Mapping

from msgspec import Struct

from ragstone.core.errors import ConnectError
from ragstone.core.types import JSON, Usage

UNITS = {"input_per_1k": 1e3, "output_per_1k": 1e3, "input_per_1m": 1e6, "output_per_1m": 1e6}


class Price(Struct, frozen=True):
    """The price of one token that is sent, and of one that comes back."""

    sent: float
    returned: float

    def of(self, usage: Usage | None) -> float | None:
        """Return what a call cost, or None when the endpoint did not count its tokens."""
        if usage is None:
            return None
        return usage.prompt_tokens * self.sent + usage.completion_tokens * self.returned


def read_price(table: Mapping[str, JSON] | None, owner: str) -> Price | None:
    """Read a `price_config`: input and output, each per 1k or per 1m tokens.

    >>> read_price({"input_per_1k": 0.5, "output_per_1m": 1500}, "m")
    Price(sent=0.0005, returned=0.0015)
    """
    if not table:
        return None
    unknown = sorted(set(table) - set(UNITS) - {"currency"})
    wrong = sorted(name for name in UNITS if name in table and not _is_price(table[name]))
    if unknown or wrong:
        raise ConnectError("ask.price", owner=owner, names=unknown or wrong, known=[*UNITS, "currency"])
    return Price(_side(table, "input"), _side(table, "output"))


def _side(table: Mapping[str, JSON], side: str) -> float:
    return sum(float(table.get(name, 0)) / unit for name, unit in UNITS.items() if name.startswith(side))


def _is_price(value: JSON) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9
