"""A rubric of the user's own: rules give it no value, a judge decides it."""

import json
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.contracts.prompt_task.samples import open_task, write_task
from tests.judging.bench import by_chances, judging
from tests.loopback import Reply

RUBRIC = "语气礼貌"
FIELDS = [{"field": "reply", "type": "str"}, {"field": "score", "type": "int"}]


@pytest.fixture
def run(cli: Cli) -> Path:
    """Two answers, one of them rude, and a task with a metric that rules know and a rubric."""
    exact = {"type": "exact_match", "pred_field": "score", "label_field": "gold"}
    rubric = {"type": "judged", "name": "polite", "rubric": RUBRIC, "output_field": "reply"}
    write_task(metrics=[exact, rubric], parse_schema=FIELDS)
    open_task({"gold": 1}, {"gold": 2})
    said = [{"reply": "您好，请稍候。", "score": 1}, {"reply": "自己查去！", "score": 2}]
    answers = [{"id": f"S{at}", "output": json.dumps(one, ensure_ascii=False)} for at, one in enumerate(said, start=1)]
    Path("a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers), encoding="utf-8")
    done = cli("score", "rows.jsonl", "a.jsonl", "-o", "task=mine", "--run-id", "one", "-q")
    assert done.returncode == 0, done.stderr
    return Path("runs/one")


def test_a_judge_decides_what_rules_cannot(cli: Cli, run: Path) -> None:
    """The rubric has no value by rule and one by judge; the score of the task does not move."""
    before = json.loads((run / "summary.json").read_text(encoding="utf-8"))["models"]["a"]["all"]
    with judging(by_chances(lambda _, answer: "您好" in answer)) as server:
        done = cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
        sent = server.seen[-1].body["messages"][-1]["content"]

    assert done.returncode == 0, done.stderr
    after = json.loads((run / "summary.json").read_text(encoding="utf-8"))["models"]["a"]["all"]
    assert before["metrics"]["polite"]["mean"] is None
    assert after["metrics"]["polite_judged"]["mean"] == 0.5
    assert after["primary_score"] == before["primary_score"] == 1.0
    assert RUBRIC in sent
    assert '"score"' not in sent
    assert cli("verify", "one").returncode == 0


def test_a_task_without_a_rubric_has_nothing_to_decide(cli: Cli) -> None:
    """The message says which contracts have."""
    write_task(metrics=[{"type": "exact_match", "pred_field": "score", "label_field": "gold"}], parse_schema=FIELDS)
    open_task({"gold": 1})
    Path("a.jsonl").write_text('{"id": "S1", "output": "{\\"score\\": 1}"}\n', encoding="utf-8")
    cli("score", "rows.jsonl", "a.jsonl", "-o", "task=mine", "--run-id", "one", "-q")
    with judging(lambda body, _: Reply()) as server:
        done = cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")

    assert done.returncode == 2
    assert "type judged" in done.stderr
