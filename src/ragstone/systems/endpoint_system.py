"""What the systems behind an HTTP endpoint have in common."""

import time
from collections.abc import Callable

from ragstone.core.types import Usage
from ragstone.systems.http.endpoint import Endpoint, Exchange
from ragstone.systems.models import Price


class EndpointSystem:
    """A system with an endpoint and perhaps prices."""

    _endpoint: Endpoint
    _price: Price | None

    def watch(self, show: Callable[[Exchange], None] | None) -> None:
        """Call a function with each exchange, secrets hidden."""
        self._endpoint.watch = show

    def limit_time(self, seconds: float) -> None:
        """Limit the time of an attempt."""
        self._endpoint.limit_time(seconds)

    @property
    def has_prices(self) -> bool:
        """Whether it is known what tokens cost."""
        return self._price is not None

    def cost(self, usage: Usage | None) -> float | None:
        """Return what a usage costs by today's prices."""
        return self._price.of(usage) if self._price else None

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()


def ms_since(began: float) -> float:
    """Return the milliseconds since a moment of `time.perf_counter`."""
    return round((time.perf_counter() - began) * 1000, 3)
