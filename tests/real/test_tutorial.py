"""The judge's tutorial with a real model: every command runs, and its figures say what the text says they do."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.needs import lacks
from tests.real.conftest import serving, what_is_missing

pytestmark = [pytest.mark.long, pytest.mark.real, pytest.mark.timeout(900)]
DOCS = Path(__file__).parents[2] / "docs"
NAMES = ("tutorial-judge.md", "tutorial-judge.zh.md")
_BLOCK = re.compile(r"```(?P<kind>bash|python) ?(?P<file>\S*)\n(?P<text>.*?)```", re.DOTALL)


def _blocks(name: str) -> list[tuple[str, str, str]]:
    found = _BLOCK.finditer((DOCS / name).read_text(encoding="utf-8"))
    return [(block["kind"], block["file"], block["text"]) for block in found]


def _smaller(text: str) -> str:
    """The same steps with fewer questions: a small model takes a second for each."""
    for size, smaller in (("151", "51"), ("--draw 100", "--draw 30"), ("--probes 10", "--probes 1")):
        text = text.replace(size, smaller)
    return text


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The real model, keeping what all questions begin with: hundreds of them are asked."""
    if why := what_is_missing():
        lacks("model", why)
    with serving(tmp_path_factory.mktemp("server") / "log.txt", "--keep-prefix") as address:
        yield address


def test_every_command_of_the_tutorial_runs(tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Score, judge, draw, label, estimate, gate: PASS by labels; the judge itself only advises, and says why."""
    monkeypatch.chdir(tmp_path)
    lines = []
    for kind, file, full in _blocks(NAMES[0]):
        text = _smaller(full)
        if kind == "python":
            Path(file).write_text(text, encoding="utf-8")
        else:
            lines += text.splitlines()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "JUDGE_URL": f"{address}/v1", "LANG": "C.UTF-8"}

    done = subprocess.run(
        ["bash", "-e"], input="\n".join(lines), env=env, capture_output=True, encoding="utf-8", check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads(Path("runs/museum/summary.json").read_text(encoding="utf-8"))["models"]["answers"]["all"]
    metrics = figures["metrics"]
    assert metrics["accuracy"]["mean"] == pytest.approx(0.2)
    assert metrics["accuracy_estimated"]["n"] == 30
    assert metrics["accuracy_estimated"]["interval"]["low"] < 0.8 < metrics["accuracy_estimated"]["interval"]["high"]
    assert "ADVISORY" in done.stdout
    assert "NOT MEASURED" in done.stdout


def test_both_languages_show_the_same_commands() -> None:
    """Neither tutorial lags behind the other."""
    assert _blocks(NAMES[0]) == _blocks(NAMES[1])
