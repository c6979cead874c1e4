"""Hostile endpoints, eight calls at once, in a process whose memory is looked at."""

import pytest

from perf.hostile_endpoints import listening, measured

NAMES = (
    "header value",
    "reason phrase",
    "trailer value",
    "one-byte chunks",
    "gzip bomb",
    "list of parts",
    "wide array",
)


@pytest.mark.parametrize("name", NAMES)
def test_hostile_endpoints_stay_small(name: str) -> None:
    """Whatever an endpoint sends, eight calls at once take less than 150 MB."""
    with listening() as url:
        figure = measured(url, name)

    assert figure.megabytes < 150
