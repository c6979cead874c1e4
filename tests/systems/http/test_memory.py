"""Hostile endpoints, eight calls at once, in a process whose memory is looked at."""

import pytest

from perf.hostile_endpoints import listening, measured
from tests.loopback.hostile import ENDLESS, WHOLE
from tests.needs import sweep


@pytest.mark.parametrize("name", sweep((*ENDLESS, *WHOLE), 5))
def test_hostile_endpoints_stay_small(name: str) -> None:
    """Whatever an endpoint sends, eight calls at once take less than 150 MB."""
    with listening() as url:
        figure = measured(url, name)

    assert figure.megabytes < 150
