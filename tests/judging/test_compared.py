"""Two runs by what people say of both: the same cases drawn, a difference with its interval, and a gate on it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.judging.bench import label_as_people_do

Write = Callable[..., Path]
CASES = 200


def _answer(n: int, every: int) -> str:
    """Say it in other words but in every so many cases; half of the answers are the same in both runs."""
    if n % 2:
        return f"{n}号那间屋里亮度靠工作人员自己拧。"
    return f"{n}号那间屋里最近换了新的地毯（{every}）。" if n % every == 0 else f"{n}号屋里的亮度（{every}）由人拧。"


@pytest.fixture
def runs(cli: Cli, write_rows: Write) -> None:
    """Two runs of 200 cases, all open: the first leaves out every fourth point, the second every tenth."""
    rows = [{"q": f"{n}号展厅的灯怎么调？", "gold": [f"第{n}号展厅的灯光由馆员手动调节"]} for n in range(CASES)]
    questions = write_rows("q.jsonl", *rows)
    for name, every in (("old", 4), ("new", 10)):
        answers = [{"id": f"Q{n + 1}", "output": _answer(n, every)} for n in range(CASES)]
        done = cli("score", questions, write_rows(f"{name}.jsonl", *answers), "--run-id", name, "-q")
        assert done.returncode == 0, done.stderr


def test_labels_on_both_answers_tell_the_difference(cli: Cli, runs: None) -> None:
    """Drawn together, labelled, compared: the interval holds the truth (30 of 200), and a gate goes by it."""
    drawn = cli("judge", "new", "--draw", "80", "--beside", "old")
    assert drawn.returncode == 0, drawn.stderr
    cases = label_as_people_do(Path("to-label.csv"))
    for name in ("old", "new"):
        assert cli("judge", name, "--labels", "to-label.csv").returncode == 0

    found = json.loads(cli("compare", "old", "new", "--json").stdout)

    (delta,) = [one for one in found["deltas"] if one["figure"] == "accuracy_estimated" and not one["group"]]
    assert delta["n"] == cases == 80
    assert delta["interval"]["low"] < (50 - 20) / CASES < delta["interval"]["high"]
    assert delta["interval"]["high"] - delta["interval"]["low"] < 0.17
    assert delta["second"] - delta["first"] == pytest.approx(delta["difference"])
    assert delta["test"] == "strata"
    assert "accuracy_estimated" in cli("compare", "old", "new").stdout
    better = cli("gate", "new", "-b", "old", "--rule", "drop(accuracy_estimated) <= 0.02")
    worse = cli("gate", "old", "-b", "new", "--rule", "drop(accuracy_estimated) <= 0.02")
    assert (better.returncode, worse.returncode) == (0, 1), better.stdout + worse.stdout


def test_labels_on_one_answer_compare_nothing(cli: Cli, runs: None) -> None:
    """Cases drawn of one run alone have no pair: the gate says so and how to draw pairs."""
    for name in ("old", "new"):
        cli("judge", name, "--draw", "25", "--out", f"{name}.csv")
        label_as_people_do(Path(f"{name}.csv"))
        assert cli("judge", name, "--labels", f"{name}.csv").returncode == 0

    gate = cli("gate", "new", "-b", "old", "--rule", "drop(accuracy_estimated) <= 0.02")

    assert gate.returncode == 3, gate.stdout + gate.stderr
    assert "--beside" in gate.stdout


def test_a_drop_of_judged_figures_wants_both_judges_trusted(cli: Cli, runs: None) -> None:
    """Neither run was put before a judge: nothing is measured."""
    gate = cli("gate", "new", "-b", "old", "--rule", "drop(accuracy_judged) <= 0.02")

    assert gate.returncode == 3, gate.stdout + gate.stderr
