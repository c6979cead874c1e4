"""Hostile endpoints, eight calls at once, in a process whose memory is looked at."""

from collections.abc import Iterator

import pytest

from perf.hostile_endpoints import listening, measured
from tests.loopback.hostile import ENDLESS, WHOLE
from tests.needs import sweep


@pytest.fixture(scope="module")
def hostile() -> Iterator[str]:
    """The endpoint of all of them."""
    with listening() as url:
        yield url


@pytest.mark.parametrize("name", sweep((*ENDLESS, *WHOLE), 6))
def test_hostile_endpoints_stay_small(hostile: str, name: str) -> None:
    """Whatever an endpoint sends, eight calls at once take less than 150 MB."""
    assert measured(hostile, name).megabytes < 150
