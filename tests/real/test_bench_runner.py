"""The document's example task on a real model and a stub, by the command its users type."""

import csv
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ragstone
from tests.loopback import served

pytestmark = [pytest.mark.long, pytest.mark.real, pytest.mark.timeout(600)]
EVENTS = Path(ragstone.__file__).parent / "data" / "prompt_task" / "datasets" / "event_eval.jsonl"


@pytest.fixture
def stub() -> Iterator[str]:
    """An endpoint that says 42000元 to everything."""
    with served("tests.loopback") as address:
        yield address


def test_event_eval_on_two_models(model_address: str, stub: str) -> None:
    """Both stand in one table; what the stub says is counted as unreadable, what the real model says is read."""
    real = {"base_url": f"{model_address}/v1", "max_tokens": 64, "temperature": 0, "timeout": 300, "concurrency": 1}
    models = {"smollm2": real | {"params": {"cache_prompt": False}}, "stub": {"base_url": f"{stub}/v1"}}
    Path("models.json").write_text(json.dumps({"active": "smollm2", "models": models}), encoding="utf-8")
    words = ["--task", "event_eval", "--dataset", str(EVENTS), "--models", "smollm2", "stub", "--max-samples", "2"]

    done = subprocess.run(
        [sys.executable, "-m", "bench.cli.runner", *words, "--model-registry", "models.json", "--run-id", "r"],
        capture_output=True,
        encoding="utf-8",
        timeout=500,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    with Path("runs/r/summary.csv").open(encoding="utf-8-sig", newline="") as file:
        table = {row["model_id"]: row for row in csv.DictReader(file)}
    assert {name: row["request_count"] for name, row in table.items()} == {"smollm2": "2", "stub": "2"}
    assert float(table["smollm2"]["avg_total_tokens"]) > 64
    assert (table["stub"]["parse_rate"], table["stub"]["primary_score_avg"]) == ("0.0", "0.0")
