"""SECURITY.md promises nothing without a test that is really there."""

import re
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


def _defines(path: Path, name: str) -> bool:
    return path.is_file() and re.search(rf"(?m)^(?:async )?def {name}\(", path.read_text(encoding="utf-8")) is not None
