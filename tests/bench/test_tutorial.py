"""The tutorial: every command in it runs, in both languages, and does what the text says."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.bench.conftest import Server
from tests.loopback import Reply, completion

DOCS = Path(__file__).parents[2] / "docs"
NAMES = ("tutorial-prompt-task.md", "tutorial-prompt-task.zh.md")


def _commands(name: str) -> list[str]:
    blocks = re.findall(r"```bash\n(.*?)```", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def _reply(body: Mapping[str, Any], call: int) -> Reply:
    """The large model knows leaks and parcels; the small one calls everything a question of quality."""
    text = str(body["messages"][-1]["content"])
    kind = "配送" if "快递" in text or "送" in text.partition("\n")[0] else "质量"
    said = {"category": kind if "large" in body["model"] else "质量", "urgency": 3, "keywords": ["换货"]}
    return Reply(completion(json.dumps(said, ensure_ascii=False)))


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_every_command_of_the_tutorial_runs(name: str, tmp_path: Path, endpoint: Server) -> None:
    """From `ragstone new task` to the workflow, in one shell that stops at the first failure."""
    endpoint.script = _reply
    lines = [line for line in _commands(name) if not line.startswith("export ")]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "MODEL_URL": endpoint.server.url + "/v1", "MODEL_KEY": "sk-tutorial"}

    done = subprocess.run(
        ["bash", "-e"], input="\n".join(lines), env=env, capture_output=True, encoding="utf-8", check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    runs = tmp_path / "my_task" / "runs"
    assert {"first", "second", "steps"} <= {path.name for path in runs.iterdir()}
    summary = json.loads((runs / "first" / "summary.json").read_text(encoding="utf-8"))
    assert list(summary["models"]) == ["small", "large"]
    assert summary["models"]["large"]["all"]["primary_score"] > summary["models"]["small"]["all"]["primary_score"]
    assert json.loads((runs / "second" / "regression.json").read_text(encoding="utf-8"))["differs"] == ["prompt"]
    assert "small · end_to_end" in (runs / "steps" / "report.md").read_text(encoding="utf-8").replace("\\", "")


def test_both_languages_show_the_same_commands() -> None:
    """Neither tutorial lags behind the other."""
    first, second = map(_commands, NAMES)

    assert first == second
    assert len(first) >= 10


def test_a_dry_run_of_the_starter_files_is_perfect(tmp_path: Path) -> None:
    """The labels of the bundled rows are their own perfect answers, through both steps."""
    ready = "new task t && cd t && python -m bench.cli.from_csv rows.csv d.jsonl --id id"
    ready += " --labels category,urgency,keywords --lists keywords"
    run = "python -m bench.cli.runner --workflow workflows/sort_and_route.yaml --dataset d.jsonl --mock --run-id r"
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}

    done = subprocess.run(f"ragstone {ready} && {run}", shell=True, env=env, capture_output=True, check=False)

    assert done.returncode == 0, done.stderr
    summary = json.loads((tmp_path / "t" / "runs" / "r" / "summary.json").read_text(encoding="utf-8"))
    assert {name: figures["all"]["primary_score"] for name, figures in summary["models"].items()} == {
        "mock · sort": 1.0,
        "mock · route": 1.0,
        "mock · end_to_end": 1.0,
    }
