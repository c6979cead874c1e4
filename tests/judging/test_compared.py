"""Two runs by what people say of both: the same cases drawn, a difference with its interval, and a gate on it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Cli
from tests.judging.bench import by_chances, judging, label_as_people_do

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
    assert delta["second"] - delta["first"] == pytest.approx(delta["difference"], abs=0.06)
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


@pytest.fixture
def judged(cli: Cli, runs: None) -> None:
    """Both runs before the same judge."""
    with judging(by_chances(lambda _, answer: "亮度" in answer)) as server:
        for name in ("old", "new"):
            done = cli("judge", name, "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
            assert done.returncode == 0, done.stderr


def test_runs_judged_alike_are_compared_without_a_warning(cli: Cli, judged: None) -> None:
    """The same judge, certificate and rules: nothing is named, and judged figures are compared."""
    found = json.loads(cli("compare", "old", "new", "--json").stdout)

    assert found["differs"] == []
    assert "accuracy_judged" in {one["figure"] for one in found["deltas"]}
    assert "not made alike" not in cli("compare", "old", "new").stdout


@pytest.mark.parametrize(
    ("what", "change", "english", "chinese"),
    [
        ("judging_rules", {"rules": "0"}, "rules of judging", "裁判规则"),
        ("judges", {"judges": {"identity": "another"}}, "judges", "裁判"),
        ("judges", {"judges": {"version": "v2"}}, "judges", "裁判"),
        ("judges", {"judges": {"prompts": {"states": "another"}}}, "judges", "裁判"),
        ("certificates", {"judges": {"thresholds": {"states": 1.5}}}, "judges' certificates", "裁判的证书"),
        ("certificates", {"judges": {"bands": {"states": 0.1}}}, "judges' certificates", "裁判的证书"),
        ("certificates", {"standing": {"states": ""}}, "judges' certificates", "裁判的证书"),
    ],
)
def test_runs_judged_otherwise_are_compared_with_a_warning(
    cli: Cli, judged: None, what: str, change: dict[str, Any], english: str, chinese: str
) -> None:
    """What differs is named in both languages, and that judged figures may differ because of it."""
    _change_terms(Path("runs/old/judging.json"), change)

    assert json.loads(cli("compare", "old", "new", "--json").stdout)["differs"] == [what]
    said, told = cli("compare", "old", "new").stdout, cli("compare", "old", "new", "--lang", "zh-Hans").stdout
    assert f"not the same in both: {english}\n" in said and "judged figures were not made alike" in said
    assert f"不同之处：{chinese}\n" in told and "裁判方式不同" in told


def test_a_judge_in_one_run_only_is_no_difference_in_judging(cli: Cli, judged: None) -> None:
    """There is no judged figure to compare, and nothing to warn of."""
    _change_terms(Path("runs/old/judging.json"), {"judges": None})

    assert json.loads(cli("compare", "old", "new", "--json").stdout)["differs"] == []


def _change_terms(path: Path, change: dict[str, Any]) -> None:
    """Have a run say that it was judged otherwise; what is said of judges is said of each."""
    told = json.loads(path.read_text(encoding="utf-8"))
    terms = told["terms"]
    if (of := change.get("judges", {})) is None:
        terms["judges"] = []
    else:
        terms["judges"] = [{**judge, **of} for judge in terms["judges"]]
    terms |= {name: value for name, value in change.items() if name != "judges"}
    path.write_text(json.dumps(told), encoding="utf-8")
