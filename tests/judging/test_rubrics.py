"""A rubric of the user's own, in a task or beside any contract: rules give it no value, a judge decides it."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragstone.core.errors import DatasetError
from tests.conftest import Cli
from tests.contracts.eval_json_v2.samples import PERFECT, SOURCE_MAP
from tests.contracts.prompt_task.samples import open_task, write_task
from tests.judging.bench import ANSWERS, ROWS, by_chances, judging
from tests.loopback import Reply

Write = Callable[..., Path]
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


@pytest.mark.parametrize("silent", ["", "  ", None, "lacking"])
def test_an_empty_field_is_put_to_nobody(cli: Cli, silent: str | None) -> None:
    """It meets no rubric, by rule; the other answer is asked about."""
    rubric = {"type": "judged", "name": "polite", "rubric": RUBRIC, "output_field": "reply"}
    exact = {"type": "exact_match", "pred_field": "score", "label_field": "gold"}
    write_task(metrics=[exact, rubric], parse_schema=FIELDS)
    open_task({"gold": 1}, {"gold": 2})
    nothing: dict[str, Any] = {"score": 2} if silent == "lacking" else {"reply": silent, "score": 2}
    said = [{"reply": "您好，请稍候。", "score": 1}, nothing]
    answers = [{"id": f"S{at}", "output": json.dumps(one, ensure_ascii=False)} for at, one in enumerate(said, start=1)]
    Path("a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers), encoding="utf-8")
    cli("score", "rows.jsonl", "a.jsonl", "-o", "task=mine", "--run-id", "one", "-q")
    with judging(by_chances(lambda *_: True)) as server:
        done = cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
        assert server.calls == 2  # the trial, and one answer

    assert done.returncode == 0, done.stderr
    after = json.loads(Path("runs/one/summary.json").read_text(encoding="utf-8"))["models"]["a"]["all"]
    assert after["metrics"]["polite_judged"]["mean"] == 0.5


def test_a_blank_rubric_is_refused() -> None:
    """It asks nothing."""
    blank = {"type": "judged", "name": "polite", "rubric": "  ", "output_field": "reply"}
    write_task(metrics=[blank], parse_schema=FIELDS)
    with pytest.raises(DatasetError) as told:
        open_task({"gold": 1})

    assert told.value.code == "file.faults"


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


def test_any_contract_takes_a_rubric(cli: Cli, write_rows: Write) -> None:
    """Beside its own figures stands one that only the judge gives; rescoring finds it, and nothing else moves."""
    rows, said = write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS)
    cli("score", rows, said, "--run-id", "plain", "-q")
    assert cli("score", rows, said, "-o", f"rubric={RUBRIC}", "--run-id", "one", "-q").returncode == 0
    with judging(by_chances(lambda _, answer: "星期" in answer)) as server:
        done = cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
        kinds = Counter(RUBRIC in one.body["messages"][-1]["content"] for one in server.seen)

    assert done.returncode == 0, done.stderr
    plain, judged = (_all(Path("runs") / name)["metrics"] for name in ("plain", "one"))
    assert {name: judged[name] for name in plain} == plain
    assert judged["rubric"]["mean"] is None
    assert judged["rubric_judged"]["mean"] == 0.25
    assert kinds == {True: 4, False: 5}
    assert cli("verify", "one", "--workers", "2").returncode == 0


def test_a_contract_without_questions_of_its_own_takes_one_too(cli: Cli) -> None:
    """A question set of eval_json_v2 has nothing for a judge but the rubric."""
    gold = {name: value for name, value in PERFECT.items() if name != "source_map"}
    row = {"id": "Q1", "question": "圖書可以續借幾次？", "expected": {"answer_example": gold, "source_map": SOURCE_MAP}}
    Path("v2.json").write_text(json.dumps([row]), encoding="utf-8")
    Path("a.jsonl").write_text(json.dumps({"id": "Q1", "output": json.dumps(PERFECT)}) + "\n", encoding="utf-8")
    assert cli("score", "v2.json", "a.jsonl", "-o", f"rubric={RUBRIC}", "--run-id", "one", "-q").returncode == 0
    with judging(by_chances(lambda _, answer: "main_topic" in answer)) as server:
        done = cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")

    assert done.returncode == 0, done.stderr
    assert _all(Path("runs/one"))["metrics"]["rubric_judged"]["mean"] == 1.0


def test_an_empty_rubric_is_refused(cli: Cli, write_rows: Write) -> None:
    """The message shows one."""
    done = cli("score", write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS), "-o", "rubric= ")

    assert done.returncode == 2
    assert "-o rubric='" in done.stderr


def _all(run: Path) -> dict[str, Any]:
    models = json.loads((run / "summary.json").read_text(encoding="utf-8"))["models"]
    return dict(models["a"]["all"])


def _labels(run: str, kind: str = "", point: str = RUBRIC) -> Path:
    """Label the answers of a run by a rubric, as somebody writes it by hand."""
    rows = [
        {"case": one["id"], "point": point, "answer_text": one["output"], "verdict": "yes", "reviewer": "lin"}
        | ({"kind": kind} if kind else {})
        for one in ANSWERS
    ]
    path = Path(f"{run}-{kind}.jsonl")
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


def test_labels_without_a_kind_are_about_the_rubric_they_name(cli: Cli, write_rows: Write) -> None:
    """The run asks only one thing about that text; a kind that it does not ask is named."""
    rows, said = write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS)
    cli("score", rows, said, "-o", f"rubric={RUBRIC}", "--run-id", "one", "-q")
    done = cli("judge", "one", "--people", "--labels", _labels("one"), "--json")
    wrong = cli("judge", "one", "--people", "--labels", _labels("one", "declines"))
    with judging(by_chances()) as server:
        where = ("--judge", "chat:m", "-J", f"base_url={server.url}/v1")
        certified = cli("certify", _labels("one", "declines"), "--run", "one", *where)

    assert done.returncode == 0, done.stderr
    model = _all(Path("runs/one"))
    assert model["metrics"]["rubric_judged"]["mean"] == 1.0
    assert "4 labels for questions that this run does not ask" in wrong.stdout and "kind" in wrong.stdout
    assert "0 of 4" in certified.stderr or "kind" in certified.stderr
