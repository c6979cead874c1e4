"""Starter files: every command their README shows runs as it is written."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ragstone.cli.commands.new import KINDS, TEMPLATES
from tests.conftest import Cli

SHOWN = re.compile(r"```bash\n(.*?)```", re.DOTALL)


def test_every_contract_has_starter_files() -> None:
    """One folder each, besides those for a contract and a system of one's own."""
    assert KINDS == ["contract", "eval_json_v2", "key_points", "legal_rag", "system", "task"]


def _run(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of a README where the commands are those of this Python."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    words = [word for word in line.partition(" # ")[0].split() if word]
    return subprocess.run(words, capture_output=True, encoding="utf-8", check=False, env=os.environ | {"PATH": path})


@pytest.mark.parametrize(
    ("kind", "codes"),
    [("key_points", [0, 0, 0, 0]), ("legal_rag", [0, 0, 0, 0, 0, 1]), ("eval_json_v2", [0, 0, 0, 0, 1])],
)
def test_a_readme_can_be_followed(cli: Cli, monkeypatch: pytest.MonkeyPatch, kind: str, codes: list[int]) -> None:
    """From `check` to the gate, in the folder that was made; a poor sample fails its tests or its gate, and says so."""
    assert cli("new", kind, "mine").returncode == 0
    monkeypatch.chdir("mine")
    block = SHOWN.search(Path("README.md").read_text(encoding="utf-8"))
    assert block

    done = [_run(line) for line in block[1].splitlines()]

    assert [one.returncode for one in done] == codes, [one.stdout + one.stderr for one in done]
    assert "0 error(s), 0 warning(s)" in done[0].stdout


def test_the_python_example_runs(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Contract 1's own lines, in a project that has only the starter files."""
    assert cli("new", "legal_rag", "mine").returncode == 0
    monkeypatch.chdir("mine")
    code = re.search(r"```python\n(.*?)```", Path("README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert code

    done = subprocess.run([sys.executable, "-c", code[1]], capture_output=True, encoding="utf-8", check=False)

    assert float(done.stdout) == 100.0, done.stderr


@pytest.mark.parametrize("kind", ["key_points", "legal_rag", "eval_json_v2", "task"])
def test_samples_are_said_to_be_fictional(kind: str) -> None:
    """Nobody shall take them for facts."""
    readme = (TEMPLATES / kind / "README.md").read_text(encoding="utf-8")

    assert "fictional" in readme
    assert re.search("虚构|虛構", readme)
