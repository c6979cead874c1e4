"""Connections are not taken from the handles a run needs for its own files."""

import subprocess
import sys

import pytest

CODE = """
import resource
from ragstone.runs.handles import room_for
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
print(room_for({wanted}), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.parametrize(
    ("soft", "hard", "wanted", "expected"),
    [(256, 256, 8, "8 256"), (48, 256, 64, "64 96"), (48, 64, 64, "32 64"), (40, 40, 64, "8 40"), (33, 33, 9, "1 33")],
)
def test_the_limit_is_raised_or_the_wish_is_cut(soft: int, hard: int, wanted: int, expected: str) -> None:
    """What the system allows is used; what it does not is told by a smaller number."""
    code = CODE.format(soft=soft, hard=hard, wanted=wanted)

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)

    assert done.stdout.strip() == expected, done.stderr
