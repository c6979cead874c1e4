"""Contract 4 end to end: the built-in index retrieves, a real endpoint on loopback answers, the gate decides."""

import json
import subprocess
from pathlib import Path
from urllib.request import urlopen

from tests.conftest import Cli
from tests.e2e.eval_server import FULL
from tests.loopback import served

GATE = FULL.with_name("question_v2_gate.json")


def _run(cli: Cli, address: str) -> subprocess.CompletedProcess[str]:
    options = json.dumps({"base_url": f"{address}/v1", "adapter_id": "lora-7"})
    system = ("-s", f"builtin:{FULL.parent / 'documents'}", "-O", "chat=chat:m", "-O", f"chat_options={options}")
    return cli("run", FULL, "--gate-on", GATE, *system, "--run-id", "r")


def _calls(address: str) -> int:
    with urlopen(address) as reply:
        return int(json.loads(reply.read())["calls"])


def test_a_failed_gate_asks_nothing_of_the_full_set(cli: Cli) -> None:
    """Only the gate set is asked, the exit code is 1, and why is shown."""
    with served("tests.e2e.eval_server", "wrong") as address:
        done = _run(cli, address)

        assert done.returncode == 1, done.stderr
        assert _calls(address) == len(json.loads(GATE.read_bytes()))
    assert "FAIL" in done.stdout
    assert "eval_score_avg >= 95" in done.stdout
    assert not Path("runs/r").exists()


def test_a_passed_gate_runs_the_full_set_and_links_both(cli: Cli) -> None:
    """Perfect answers over retrieved chunks pass at 95; run_meta.json holds all that section 6 demands."""
    with served("tests.e2e.eval_server", "right") as address:
        done = _run(cli, address)

        assert done.returncode == 0, done.stdout[-2000:] + done.stderr
        assert _calls(address) == len(json.loads(FULL.read_bytes()))
    meta = json.loads(Path("runs/r/run_meta.json").read_bytes())
    assert (meta["gate_run"], meta["gate_outcome"]) == ("r-gate", "PASS")
    assert json.loads(Path("runs/r-gate/run_meta.json").read_bytes())["full_run"] == "r"
    for name in ("prompt_sha256", "prompt_version", "index_version", "model_id", "eval_set_version"):
        assert meta[name], name
    assert meta["adapter_id"] == "lora-7"
    summary = json.loads(Path("runs/r/summary.json").read_bytes())["models"]["builtin+m"]["all"]["metrics"]
    assert summary["score"]["mean"] >= 95
    assert summary["retrieval_recall"]["mean"] > 0.9
