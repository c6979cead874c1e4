"""No case is lost from a judged or an estimated figure: unreadable, silent and failed answers, rows nobody labelled."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Cli
from tests.contracts.eval_json_v2.samples import PERFECT, SOURCE_MAP
from tests.contracts.legal_rag.samples import evidence_set, fact, gap
from tests.contracts.prompt_task.samples import open_task, write_task
from tests.judging.bench import by_chances, judging
from tests.loopback import Loopback

Write = Callable[..., Path]
RUBRIC = "语气礼貌"
CASES = 96


def _all(run: str) -> dict[str, Any]:
    models = json.loads(Path("runs", run, "summary.json").read_text(encoding="utf-8"))["models"]
    return dict(next(iter(models.values()))["all"])


def _judge(cli: Cli, server: Loopback, run: str = "one") -> None:
    done = cli("judge", run, "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
    assert done.returncode == 0, done.stderr


def test_unreadable_answers_meet_no_rubric_of_a_task(cli: Cli) -> None:
    """Of four answers one is no JSON and one failed: both count as 0, and nobody is asked about them."""
    rubric = {"type": "judged", "name": "polite", "rubric": RUBRIC, "output_field": "reply"}
    exact = {"type": "exact_match", "pred_field": "score", "label_field": "gold"}
    fields = [{"field": "reply", "type": "str"}, {"field": "score", "type": "int"}]
    write_task(metrics=[exact, rubric], parse_schema=fields)
    open_task(*({"gold": 1} for _ in range(4)))
    polite = json.dumps({"reply": "您好", "score": 1}, ensure_ascii=False)
    answers = [{"output": polite}, {"output": polite}, {"output": "no json"}, {"error": "boom"}]
    lines = [json.dumps({"id": f"S{n}", **one}) + "\n" for n, one in enumerate(answers, start=1)]
    Path("a.jsonl").write_text("".join(lines), encoding="utf-8")
    assert cli("score", "rows.jsonl", "a.jsonl", "-o", "task=mine", "--run-id", "one", "-q").returncode in {0, 3}
    with judging(by_chances(lambda _, answer: "您好" in answer)) as server:
        _judge(cli, server)

    figure = _all("one")["metrics"]["polite_judged"]
    assert (figure["mean"], figure["n"], figure["not_applicable"]) == (0.5, 4, 0)
    assert cli("verify", "one").returncode == 0


@pytest.mark.parametrize("said", ["no json at all", "", None], ids=["unreadable", "silent", "failed"])
def test_no_answer_meets_no_rubric_beside_a_contract(cli: Cli, said: str | None) -> None:
    """It counts as 0, leaves nothing unasked, and the judge is not asked about it."""
    gold = {name: value for name, value in PERFECT.items() if name != "source_map"}
    row = {"question": "圖書可以續借幾次？", "expected": {"answer_example": gold, "source_map": SOURCE_MAP}}
    Path("v2.json").write_text(json.dumps([{"id": "Q1", **row}, {"id": "Q2", **row}]), encoding="utf-8")
    answers = [
        {"id": "Q1", "output": json.dumps(PERFECT)},
        {"id": "Q2", **({"output": said} if said is not None else {"error": "boom"})},
    ]
    Path("a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers), encoding="utf-8")
    assert cli("score", "v2.json", "a.jsonl", "-o", f"rubric={RUBRIC}", "--run-id", "one", "-q").returncode in {0, 3}
    with judging(by_chances(lambda _, answer: True)) as server:
        _judge(cli, server)
        assert server.calls == 1 + 1

    figure = _all("one")["metrics"]["rubric_judged"]
    assert (figure["mean"], figure["n"]) == (0.5, 2)
    assert cli("verify", "one").returncode == 0


def test_a_silent_answer_counts_in_the_legal_figures(cli: Cli) -> None:
    """Where nothing is asked the judged figures are the rules' own, over the same cases."""
    asked = [gap(id="A"), gap(id="B"), evidence_set(id="C"), fact(id="D")]
    Path("q.json").write_text(json.dumps({"document": "笔录.md", "questions": asked}), encoding="utf-8")
    said = {"A": "材料没有说明，无法回答。", "B": "", "C": "甲签了收条。", "D": "42000元"}
    lines = [json.dumps({"id": id_, "output": text}) + "\n" for id_, text in said.items()]
    Path("a.jsonl").write_text("".join(lines), encoding="utf-8")
    done = cli("score", "q.json", "a.jsonl", "--contract", "legal_rag", "--run-id", "one", "-q")
    assert done.returncode == 0, done.stderr
    with judging(by_chances(lambda _, answer: True)) as server:
        _judge(cli, server)

    found = _all("one")["metrics"]
    counts = {name.removesuffix("_judged"): one["n"] for name, one in found.items() if name.endswith("_judged")}
    assert counts == {name: found[name]["n"] for name in counts}
    assert counts["correct_abstention"] == 2


@pytest.fixture
def half(cli: Cli, write_rows: Write) -> None:
    """96 cases: every fourth failed, half of the others say the point in other words."""
    rows = [{"q": f"{n}号展厅的灯怎么调？", "gold": [f"第{n}号展厅的灯光由馆员手动调节"]} for n in range(CASES)]
    texts = [
        f"{n}号那间屋里亮度靠工作人员自己拧。" if n % 4 > 1 else f"{n}号那间屋里换了新的地毯。" for n in range(CASES)
    ]
    answers = [
        {"id": f"Q{n + 1}", **({"output": text} if n % 4 else {"error": "boom"})} for n, text in enumerate(texts)
    ]
    done = cli("score", write_rows("q.jsonl", *rows), write_rows("a.jsonl", *answers), "--run-id", "one", "-q")
    assert done.returncode == 3, done.stderr


def _fill(decide: Callable[[str], str], reviewer: str = "lin") -> int:
    path = Path("to-label.csv")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row |= {"verdict": decide(row["answer_text"]), "reviewer": reviewer}
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return len(rows)


def _right(text: str) -> str:
    return "stated" if "亮度" in text else "absent"


def test_failed_cases_are_part_of_an_estimate(cli: Cli, half: None) -> None:
    """With all answers labelled, estimate and judged figure are over the same 96 cases, and nearly the same."""
    cli("judge", "one", "--draw", "299")
    assert _fill(_right) == 72
    done = cli("judge", "one", "--labels", "to-label.csv")

    assert done.returncode == 0, done.stderr
    found = _all("one")["metrics"]
    judged, estimated = found["accuracy_judged"], found["accuracy_estimated"]
    assert (judged["mean"], judged["n"]) == (0.5, CASES)
    assert estimated["mean"] == pytest.approx(0.5, abs=0.01)
    assert estimated["total"] == pytest.approx(48, abs=0.5)
    assert estimated["n"] == 72
    assert cli("verify", "one").returncode == 0


@pytest.mark.parametrize(("blank", "reviewer"), [("unsure", "lin"), ("", "")], ids=["unsure", "blank"])
def test_drawn_rows_nobody_decided_are_told_and_widen_the_interval(
    cli: Cli, half: None, blank: str, reviewer: str
) -> None:
    """The hard rows left out: figure, reports and gate say what they could be; nothing is passed on the point."""
    cli("judge", "one", "--draw", "299")
    _fill(lambda text: _right(text) if "亮度" in text else blank, reviewer)
    done = cli("judge", "one", "--labels", "to-label.csv")

    figure = _all("one")["metrics"]["accuracy_estimated"]
    assert (figure["n"], figure["open"]) == (48, 24)
    assert figure["mean_low"] == pytest.approx(0.5, abs=0.02)
    assert figure["mean_high"] == pytest.approx(0.75, abs=0.02)
    assert figure["interval"]["low"] < 0.5 and figure["interval"]["high"] > 0.75
    assert "24 of 72 drawn cases undecided" in done.stdout
    assert "抽取的 72 个用例中有 24 个未定" in cli("report", "one", "--lang", "zh-Hans").stdout
    Path("gate.yaml").write_text("minimum_coverage: 0.5", encoding="utf-8")
    gate = cli("gate", "one", "--file", "gate.yaml", "--rule", "accuracy_estimated >= 0.6")
    assert gate.returncode == 3, gate.stdout + gate.stderr
    assert "24 of 72" in gate.stdout
    low = cli("gate", "one", "--file", "gate.yaml", "--rule", "accuracy_estimated >= 0.4")
    assert low.returncode == 0, low.stdout


def test_a_withdrawn_label_leaves_its_row_drawn(cli: Cli, half: None) -> None:
    """Who takes a verdict back decides nothing: the row is one of the drawn ones still."""
    cli("judge", "one", "--draw", "299")
    _fill(_right)
    cli("judge", "one", "--labels", "to-label.csv")
    _fill(lambda text: "withdrawn" if "地毯" in text else _right(text))
    cli("judge", "one", "--labels", "to-label.csv")

    figure = _all("one")["metrics"]["accuracy_estimated"]
    assert (figure["n"], figure["open"]) == (48, 24)


def test_a_difference_holds_whatever_lacks(cli: Cli, half: None, write_rows: Write) -> None:
    """A drop that undecided rows could make too large is not measured, and failed cases are drawn and count."""
    texts = [f"{n}号那间屋里亮度靠工作人员自己拧（新）。" if n % 2 else f"{n}号换了地毯（新）。" for n in range(CASES)]
    answers = [{"id": f"Q{n + 1}", "output": text} for n, text in enumerate(texts)]
    done = cli("score", "q.jsonl", write_rows("b.jsonl", *answers), "--run-id", "two", "-q")
    assert done.returncode == 0, done.stderr
    drawn = cli("judge", "two", "--draw", "299", "--beside", "one")
    assert drawn.returncode == 0, drawn.stderr
    assert _fill(lambda text: "unsure" if "地毯" in text else _right(text)) == CASES + 72
    for run in ("one", "two"):
        assert cli("judge", run, "--labels", "to-label.csv").returncode == 0

    found = json.loads(cli("compare", "one", "two", "--json").stdout)
    (delta,) = [one for one in found["deltas"] if one["figure"] == "accuracy_estimated" and not one["group"]]
    assert delta["open"] == 72
    assert delta["interval"]["low"] < 0 < delta["interval"]["high"]
    assert delta["p"] == 1.0
    Path("gate.yaml").write_text("minimum_coverage: 0.5", encoding="utf-8")
    gate = cli("gate", "two", "-b", "one", "--file", "gate.yaml", "--rule", "drop(accuracy_estimated) <= 0.02")
    assert gate.returncode == 3, gate.stdout
    assert "72 more cases" in gate.stdout
