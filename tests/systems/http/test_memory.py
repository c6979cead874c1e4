"""Hostile endpoints, eight calls at once, in a process whose memory is looked at."""

import pytest

from perf.hostile_endpoints import listening, measured
from tests.needs import sweep

NAMES = (
    "header value",
    "reason phrase",
    "trailer value",
    "one-byte chunks",
    "gzip bomb",
    "list of parts",
    "wide array",
)


@pytest.mark.parametrize("name", sweep(NAMES, 4))
def test_hostile_endpoints_stay_small(name: str) -> None:
    """Whatever an endpoint sends, eight calls at once take less than 150 MB."""
    with listening() as url:
        figure = measured(url, name)

    assert figure.megabytes < 150
