"""kill -9 at the changes a run makes on disk: nothing lost, equal rows at the end."""

from pathlib import Path

import pytest

from tests.faults.boundaries import calm_run, kill_at

pytestmark = pytest.mark.long

MOMENTS = 20
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_killed_at_a_change(part: int, tmp_path: Path) -> None:
    """Moments spread over the whole run, each part taking others; a write may be torn in its middle."""
    calm = calm_run(tmp_path / "calm")
    moments = calm.moments()
    chosen = moments[part * len(moments) // MOMENTS :: len(moments) * PARTS // MOMENTS][: MOMENTS // PARTS]

    found = {moment: kill_at(moment, calm, tmp_path / str(place)) for place, moment in enumerate(chosen)}

    assert len(found) == MOMENTS // PARTS
    assert {moment: aftermath for moment, aftermath in found.items() if not aftermath.sound} == {}
