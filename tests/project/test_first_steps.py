"""The commands a newcomer is told to type, typed."""

import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Cli

ROOT = Path(__file__).parent.parent.parent
TEMPLATES = ROOT / "src" / "ragstone" / "data" / "new"


def commands(page: Path, block: int = 0) -> list[list[str]]:
    """Return the ragstone commands of one bash block that holds `questions.jsonl`, without their comments."""
    blocks = re.findall(r"```bash\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    text = [one for one in blocks if "questions.jsonl" in one][block]
    lines = [shlex.split(line.split(" && ")[0], comments=True) for line in text.splitlines()]
    return [line[1:] for line in lines if line[:1] == ["ragstone"]]


@pytest.mark.parametrize("name", ["README.md", pytest.param("README.zh-CN.md", marks=pytest.mark.long)])
def test_the_readmes_first_block_runs_as_written(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    """Each command of the block ends well; the page is not opened here."""
    new, *others = commands(ROOT / name)
    (tmp_path / "clone").mkdir()
    monkeypatch.chdir(tmp_path / "clone")
    assert cli(*new).returncode == 0
    monkeypatch.chdir(tmp_path / "my-eval")

    for words in others:
        if words != ["serve"]:
            done = cli(*words)
            assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"


@pytest.mark.parametrize("kind", ["key_points", "system"])
def test_the_starters_own_block_runs_as_written(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str
) -> None:
    """What a starter's README says can be typed in its folder."""
    assert cli("new", kind, "mine").returncode == 0
    monkeypatch.chdir(tmp_path / "mine")

    for words in commands(TEMPLATES / kind / "README.md"):
        done = cli(*words)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"


@pytest.mark.parametrize("name", ["quickstart.md", "quickstart.zh.md"])
def test_the_quick_start_names_the_starters_function(name: str) -> None:
    """The function shown is the one that is run, and the starter file has it."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")

    assert "python:my_rag:query" in text
    assert "def query(" in text
    assert "def query(" in (TEMPLATES / "key_points" / "my_rag.py").read_text(encoding="utf-8")
