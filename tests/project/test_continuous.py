"""What continuous integration runs is what the README tells users to run."""

import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_continuous_integration_runs_what_users_run() -> None:
    """The README's second test command, in 80 columns, with nothing that says it is no terminal of a user."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    *_, last = script.strip().splitlines()

    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert re.fullmatch(r"env -u CI uv run (--group \S+ )*pytest --long", last)
    assert "set -euo pipefail" in script and "COLUMNS=80" in script and "RAGSTONE_REQUIRE=browser,model" in script
    for name in ("README.md", "README.zh-CN.md"):
        assert "\nuv run pytest --long " in (ROOT / name).read_text(encoding="utf-8")


def test_the_script_can_be_read_by_its_shell() -> None:
    """Bash finds no mistake in it."""
    assert subprocess.run(["bash", "-n", ROOT / ".ci" / "run"], check=False).returncode == 0
