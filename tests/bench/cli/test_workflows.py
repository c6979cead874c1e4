"""Workflows: steps feed each other, fail alone, run side by side, and survive kill -9."""

import csv
import json
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from ragstone.runners.bench import main
from tests.bench.conftest import ROWS, Server, gold, number_of
from tests.conftest import Cli
from tests.loopback import Reply, completion

Find = Callable[[], Path]
FLOW = """
name: news_chain
version: v1
steps:
  - name: extract
    task: event_eval
  - name: second
    task: event_eval
    params_override: {temperature: 0.7}
  - name: decide
    task: decide
    input_from: [extract, second]
"""
TASK = """
name: decide
version: v1
prompt_template: decide
parse_schema:
  - {field: sentiment, type: enum, values: [positive, neutral, negative], default: neutral}
metrics:
  - {type: exact_match, name: final_acc, pred_field: sentiment, label_field: gt_sentiment}
"""
PROMPT = """
version: decide.v1
user: |
  DECIDE {{ ticker }} after {{ extract.sentiment }} and {{ second.sentiment }}, {{ impact_score }}
"""
WORDS = ("--workflow", "flow.yaml", "--dataset", "datasets/your_data.jsonl", "--out", "runs", "--quiet", "--no-cache")


def script(body: Mapping[str, Any], call: int) -> Reply:
    """Answer the steps: extract as labelled, decide with what it was given; row 3 is never readable."""
    text = body["messages"][-1]["content"]
    number = number_of(body)
    if "DECIDE" in text:
        return Reply(completion(json.dumps({"sentiment": text.split()[3]})), jitter=0.003)
    return Reply(completion("?" if number == 3 else json.dumps(gold(number))), jitter=0.003)


@pytest.fixture
def flow(project: Path, endpoint: Server) -> Path:
    """A project with a workflow of three steps, two of them independent."""
    (project / "flow.yaml").write_text(FLOW)
    for name, text in (("tasks", TASK), ("prompts", PROMPT)):
        folder = project / "bench" / name
        folder.mkdir(parents=True)
        (folder / "decide.yaml").write_text(text)
    endpoint.script = script
    return project


def _rows(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "results.jsonl").read_text(encoding="utf-8").splitlines()]


def _table(run: Path) -> dict[tuple[str, str], dict[str, str]]:
    with (run / "summary.csv").open(encoding="utf-8-sig", newline="") as file:
        return {(row["model_id"], row["step_id"]): row for row in csv.DictReader(file)}


def test_a_step_is_given_what_earlier_ones_came_to(flow: Path, only_run: Find, endpoint: Server) -> None:
    """Fields of the earlier steps fill the prompt; params_override reaches its step only."""
    assert main([*WORDS, "--max-samples", "1"]) == 0

    bodies = [seen.body for seen in endpoint.server.seen]
    assert bodies[-1]["messages"][-1]["content"].strip() == "DECIDE T0 after positive and positive, 0"
    assert sorted(body.get("temperature", "-") for body in bodies[:2]) == [0, 0.7]
    steps = [(row["step_id"], row["task_name"], row["scorecard"]["pass"]) for row in _rows(only_run())]
    assert steps == [
        ("extract", "event_eval", True),
        ("second", "event_eval", True),
        ("decide", "decide", True),
        ("end_to_end", "news_chain", True),
    ]


def test_the_end_to_end_row_adds_up(flow: Path, only_run: Find) -> None:
    """Tokens are the sum, the latency is that of the slowest way, the score that of the last step."""
    assert main([*WORDS, "--max-samples", "1"]) == 0

    first, second, last, end = _rows(only_run())
    assert end["usage"]["total_tokens"] == 3 * 17
    wanted = max(first["latency_ms"], second["latency_ms"]) + last["latency_ms"]
    assert end["latency_ms"] == pytest.approx(wanted, abs=0.01)
    assert end["cost"] == pytest.approx(3 * last["cost"])
    assert end["task_metrics"] == {"final_acc": 1.0, "all_steps_done": 1.0}


def test_a_failed_step_skips_its_followers_and_says_so(flow: Path, only_run: Find, endpoint: Server) -> None:
    """Row 3 cannot be read: its follower is not asked, both count as 0, the other rows go on; exit code 3."""
    assert main([*WORDS]) == 3

    rows = {row["step_id"]: row for row in _rows(only_run()) if row["sample_id"] == "S003"}
    assert [rows[step]["error_type"] for step in ("extract", "second", "decide", "end_to_end")] == [
        "unparsed",
        "unparsed",
        "skipped",
        "step_failed",
    ]
    assert "'extract'" in rows["decide"]["error_message"]
    assert rows["end_to_end"]["scorecard"]["primary_score"] == 0.0
    assert rows["end_to_end"]["task_metrics"]["all_steps_done"] == 0.0
    assert endpoint.server.calls == 3 * ROWS - 1
    table = _table(only_run())
    assert table["deepseek-v3", "extract"]["parse_rate"] == str(1 - 1 / ROWS)
    assert float(table["deepseek-v3", "end_to_end"]["primary_score_avg"]) == pytest.approx((ROWS - 1) / ROWS)


def test_each_model_has_its_steps_and_a_step_may_name_its_own(flow: Path, only_run: Find, endpoint: Server) -> None:
    """Models are compared over the same steps; the step that names a model asks that one for each of them."""
    (flow / "flow.yaml").write_text(FLOW + "    model: qwen-small\n")

    assert main([*WORDS, "--models", "deepseek-v3", "qwen-small", "--max-samples", "2"]) == 0
    assert list(_table(only_run())) == [
        ("deepseek-v3", "extract"),
        ("deepseek-v3", "second"),
        ("qwen-small@deepseek-v3", "decide"),
        ("deepseek-v3", "end_to_end"),
        ("qwen-small", "extract"),
        ("qwen-small", "second"),
        ("qwen-small", "decide"),
        ("qwen-small", "end_to_end"),
    ]
    assert endpoint.asked == {"good-1": 4, "poor-1": 8}


def test_steps_that_all_name_a_model_need_none(flow: Path, only_run: Find) -> None:
    """The models together are the name of the whole way."""
    text = FLOW.replace("name: extract", "name: extract\n    model: qwen-small").replace(
        "name: second", "name: second\n    model: deepseek-v3"
    )
    (flow / "flow.yaml").write_text(text + "    model: deepseek-v3\n")

    assert main([*WORDS, "--max-samples", "1"]) == 0
    assert list(_table(only_run()))[-1] == ("qwen-small+deepseek-v3", "end_to_end")


def test_equal_bytes_for_any_number_of_rows_at_once(flow: Path) -> None:
    """R0.3 holds for workflows: rows come in the order of cases, models and steps."""
    kept = []
    for width in ("1", "64"):
        words = [*WORDS, "--out", f"runs-{width}", "--run-id", "r", "--workflow-concurrency", width, "--repeats", "2"]
        main([*words, "--models", "deepseek-v3,qwen-small"])
        text = (flow / f"runs-{width}" / "r" / "results.jsonl").read_text(encoding="utf-8")
        kept.append(re.sub(r'"latency_ms":[0-9.]+', "", text))

    assert kept[0] == kept[1]
    assert kept[0].count("\n") == ROWS * 2 * 2 * 4


def test_samples_and_independent_steps_run_side_by_side(flow: Path, endpoint: Server) -> None:
    """Two steps of one row are asked at once; with more rows at once there is more in flight."""
    endpoint.script = lambda body, call: Reply(completion("{}"), delay=0.03)

    main([*WORDS, "--models", "qwen-small", "--workflow-concurrency", "1", "--max-samples", "3"])
    assert endpoint.server.most_at_once == 2

    main([*WORDS, "--models", "qwen-small", "--workflow-concurrency", "4"])
    assert endpoint.server.most_at_once == 8


def test_mock_renders_every_step(flow: Path, only_run: Find, endpoint: Server) -> None:
    """A dry run asks nothing, and finds a prompt that cannot be filled from the steps before."""
    assert main([*WORDS, "--mock", "--max-samples", "2"]) == 0
    assert not endpoint.server.calls

    prompt = flow / "bench" / "prompts" / "decide.yaml"
    prompt.write_text(PROMPT.replace("second.sentiment", "second.mood"))
    assert main([*WORDS, "--mock", "--max-samples", "2", "--run-id", "broken"]) == 3
    assert "mood" in _rows(flow / "runs" / "broken")[2]["error_message"]


def _kill_after_some(words: list[str], journal: Path) -> None:
    """Start a command and kill it when the journal has grown by a few answers."""
    before = journal.read_bytes().count(b"\n") if journal.exists() else 0
    process = subprocess.Popen(words)
    deadline = time.monotonic() + 30
    while not (journal.exists() and journal.read_bytes().count(b"\n") >= before + 5):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.mark.long
def test_kill_9_loses_no_step(flow: Path, endpoint: Server) -> None:
    """Killed and resumed, no step that was answered is asked again, and the rows are those of a calm run."""
    endpoint.script = lambda body, call: Reply(script(body, call).body, delay=0.02)
    first = [sys.executable, "-m", "bench.cli.runner", *WORDS, "--run-id", "wild", "--workflow-concurrency", "2"]
    again = [*first[:3], "--resume-run-dir", "runs/wild", "--quiet", "--concurrency", "2"]
    for words in (first, again, again):
        _kill_after_some(words, flow / "runs" / "wild" / "answers.jsonl")
    assert subprocess.run(again, check=False, timeout=60).returncode == 3
    asked = Counter(json.dumps([s.body["messages"], s.body["temperature"]]) for s in endpoint.server.seen)
    assert main([*WORDS, "--run-id", "calm"]) == 3

    kept = [
        re.sub(r'"latency_ms":[0-9.]+|"run_id":"\w+"', "", (flow / "runs" / name / "results.jsonl").read_text("utf-8"))
        for name in ("wild", "calm")
    ]
    assert kept[0] == kept[1]
    assert sum(asked.values()) - len(asked) <= 3 * 4, "asked twice is at most what was in flight at a kill"


def test_a_workflow_run_can_be_verified_rescored_and_gated(flow: Path, cli: Cli) -> None:
    """The same doors open for workflows: rows come out again to the byte."""
    assert main([*WORDS, "--run-id", "one", "--max-samples", "2"]) == 0

    assert cli("verify", "one").returncode == 0
    assert cli("rescore", "one").returncode == 0
    gated = cli("gate", "one", "-r", "final_acc >= 1", "-r", "primary_score >= 0.9")
    assert "@deepseek-v3 · end_to_end" in gated.stdout


def test_a_broken_workflow_is_said(flow: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2 with every fault of the file."""
    (flow / "flow.yaml").write_text("name: w\nsteps:\n  - {name: a, task: event_eval, input_from: b}\n")

    assert main(list(WORDS)) == 2
    assert "no other step is called 'b'" in capsys.readouterr().err


def test_what_failed_can_be_asked_again(flow: Path, endpoint: Server, cli: Cli) -> None:
    """--retry-failed asks failed steps and those that were skipped for them, and no other."""
    endpoint.script = lambda body, call: (
        Reply({"error": "no"}, status=400) if number_of(body) == 1 and "DECIDE" not in str(body) else script(body, call)
    )
    assert main([*WORDS, "--run-id", "r", "--max-samples", "2"]) == 3
    endpoint.script, before = script, endpoint.server.calls

    done = cli("resume", "r", "--retry-failed", "-q")

    assert done.returncode == 0, done.stderr
    assert endpoint.server.calls - before == 3
    assert all(row["scorecard"]["pass"] for row in _rows(flow / "runs" / "r"))
