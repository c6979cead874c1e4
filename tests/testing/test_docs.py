"""The pages about pytest do what they show."""

import re
from pathlib import Path

import pytest

from tests.testing.project import Project

pytest_plugins = ["pytester"]
DOCS = Path(__file__).parents[2] / "docs"
FILE = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", ["pytest.md", "pytest.zh.md"])
def test_the_example_runs_as_shown(pytester: pytest.Pytester, page: str) -> None:
    """Every file of the page is written, every line of its output is printed."""
    project, text = Project(pytester), (DOCS / page).read_text(encoding="utf-8")
    for name, content in FILE.findall(text):
        (project.path / name).write_text(content, encoding="utf-8")

    done = project.run()

    done.assert_outcomes(passed=7, failed=1)
    shown = [line for line in CONSOLE.findall(text)[0].splitlines() if not line.startswith(("$", "…", "-", "1 "))]
    done.stdout.fnmatch_lines([_pattern(line) for line in shown])
    assert "PASS" in done.stdout.str()


def _pattern(line: str) -> str:
    """Make a line of a page match what is printed: … stands for anything."""
    return line.replace("[", "[[]").replace("…", "*") + "*"
