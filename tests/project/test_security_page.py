"""SECURITY.md promises nothing without a test that is really there."""

import re
from itertools import pairwise, takewhile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_promise_has_its_test() -> None:
    """Each test that SECURITY.md names is defined in the file it names; each folder is there."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    folders = re.findall(r"`(tests/\w+)`", text)

    assert len(named) > 40
    assert [(file, name) for file, name in named if not _defines(ROOT / file, name)] == []
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


def test_no_promise_of_a_table_stands_without_a_test() -> None:
    """Every row under "proved by" names at least one test, and no row has fallen out of its table."""
    lines = (ROOT / "SECURITY.md").read_text(encoding="utf-8").splitlines()
    heads = [number for number, line in enumerate(lines) if line.replace(" ", "") == "|promise|provedby|"]
    rows = [row for head in heads for row in takewhile(lambda line: line.startswith("|"), lines[head + 2 :])]
    after = [line for before, line in pairwise(lines) if line.startswith("|") and not before.startswith("|")]

    assert len(heads) == 3 and len(rows) > 40
    assert [row for row in rows if "::test_" not in row.split("|")[2]] == []
    assert [line for line in after if line.replace(" ", "") not in {"|promise|provedby|", _WHO}] == []


_WHO = "|who|whattheymaydo|whattheymaynotdo|"


def _defines(path: Path, name: str) -> bool:
    return path.is_file() and re.search(rf"(?m)^(?:async )?def {name}\(", path.read_text(encoding="utf-8")) is not None
