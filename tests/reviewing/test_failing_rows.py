"""What failed a gate is reviewed by the gate's rules: which cases, and by which rule."""

import json
import os
from pathlib import Path

import pytest

from ragstone import evaluate
from ragstone.core.settings import Settings
from ragstone.judging.labels import Labels
from ragstone.reviewing.review import RunReview
from ragstone.runs.reopen import plan_of
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.gate import GateFile, judge_run, make_gate

GOLD = {"q": ["八点开门", "六点关门"], "category": ["时间", "借阅"]}
SAID = {"all": "八点开门，六点关门。", "half": "八点开门。", "none": "请咨询服务台。"}


def _run(said: list[str], run_id: str) -> RunFolder:
    """Record a run of answers that state all points, half of them, or none; odd ones belong to 借阅."""
    rows = [{"q": f"第{n}馆？", "gold": GOLD["q"], "category": GOLD["category"][n % 2]} for n in range(len(said))]
    answers = [{"id": f"Q{n + 1}", "output": SAID[one] + f"（{n}）"} for n, one in enumerate(said)]
    for name, items in (("q.jsonl", rows), ("a.jsonl", answers)):
        Path(name).write_text("".join(json.dumps(one) + "\n" for one in items), encoding="utf-8")
    return RunFolder(evaluate("q.jsonl", "replay:a.jsonl", run_id=run_id, settings=Settings()).folder)


def _desk(folder: RunFolder) -> RunReview:
    return RunReview(folder, plan_of(folder), Labels())


def _failed(review: RunReview) -> dict[str, tuple[str, ...]]:
    """Return the cases of the queue with the rules they failed."""
    items = [review.sheet.item(number) for number in review.queue("failed")]
    return {item.key.case: review.sheet.rules_of(item.number) for item in items if item}


def _gate(folder: RunFolder, *rules: str, baseline: RunFolder | None = None) -> str:
    unsure = GateFile(unsure="point")
    return judge_run(folder, make_gate(unsure, rules, baseline=baseline is not None), baseline).verdict.outcome


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    """Six answers: all, half and nothing of what is expected, twice."""
    return _run(["all", "half", "none", "all", "half", "none"], "one")


def test_without_a_gate_it_is_what_did_not_pass(run: RunFolder) -> None:
    """No rule is named, for there is none; a gate that was met leaves it so."""
    before = _failed(_desk(run))
    assert _gate(run, "pass_rate >= 0.01") == "PASS"

    assert before and set(before.values()) == {()}
    assert _failed(_desk(run)) == before


def test_a_rule_names_its_own_cases(run: RunFolder) -> None:
    """Those below the limit of a metric, within the group the rule is about; each says by which rule."""
    half, grouped = "key_point_recall >= 0.5", "key_point_recall >= 0.9 for category=借阅"
    assert _gate(run, half, "key_point_recall >= 0.9", grouped) == "FAIL"
    review = _desk(run)

    assert review.sheet.gate == ("key_point_recall >= 0.9", grouped)  # the mean is 0.5: the first is met
    assert _failed(review) == {
        "Q2": ("key_point_recall >= 0.9", grouped),
        "Q3": ("key_point_recall >= 0.9",),
        "Q5": ("key_point_recall >= 0.9",),
        "Q6": ("key_point_recall >= 0.9", grouped),
    }


def test_a_drop_names_what_became_worse(run: RunFolder) -> None:
    """Not what was bad before; without the baseline's folder it is again what did not pass."""
    after = _run(["half", "half", "none", "none", "half", "none"], "two")
    assert _gate(after, "drop(key_point_recall) <= 0.02", "no_new_failures", baseline=run) == "FAIL"

    assert set(_failed(_desk(after))) == {"Q1", "Q4"}
    assert "drop(key_point_recall) <= 0.02" in _failed(_desk(after))["Q1"]
    run.path.rename(run.path.with_name("elsewhere"))
    assert set(_failed(_desk(after)).values()) == {()}


def test_a_gate_of_other_figures_or_of_strange_words_is_not_believed(run: RunFolder) -> None:
    """A rescored run has another summary since; a file that is no verdict, or leads elsewhere, fails nothing."""
    assert _gate(run, "key_point_recall >= 0.9") == "FAIL"
    path = run.path / "gate.json"
    verdict = json.loads(path.read_text(encoding="utf-8"))
    os.utime(path, ns=(0, 0))
    assert _desk(run).sheet.gate == ()
    verdict["rulings"][-1]["rule"], verdict["baseline"] = "drop(key_point_recall) <= 0.1", "../runs/one"
    for text in (json.dumps(verdict), "[1", "{}"):
        path.write_text(text, encoding="utf-8")
        assert _desk(run).sheet.gate == ()
