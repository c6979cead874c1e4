"""A label makes an estimate of what it was drawn from: that run's own cases and answers, and nothing else."""

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragstone.core.errors import SettingError
from ragstone.judging.label_file import read_labels
from tests.conftest import Cli
from tests.judging.bench import by_chances, judging, label_as_people_do

Write = Callable[..., Path]
CASES = 160
_RULE = ("--rule", "accuracy_estimated >= 0.6")
_DROP = "drop(accuracy_estimated) <= 0.02"


def _answer(n: int, *, old: bool) -> str:
    """Say the point in other words; the new system says something else in every second case."""
    return f"{n}号那间屋里亮度靠工作人员自己拧。" if old or n % 2 else f"{n}号那间屋里最近换了新的地毯。"


@pytest.fixture
def runs(cli: Cli, write_rows: Write, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Run `old`, all right, `new`, of which half is wrong, and `same`, which answers like the old one; made once."""
    made = tmp_path_factory.getbasetemp() / "frames"
    if not made.exists():
        rows = [{"q": f"{n}号展厅的灯怎么调？", "gold": [f"第{n}号展厅的灯光由馆员手动调节"]} for n in range(CASES)]
        questions = write_rows("q.jsonl", *rows)
        for name in ("old", "new", "same"):
            said = [{"id": f"Q{n + 1}", "output": _answer(n, old=name != "new")} for n in range(CASES)]
            done = cli("score", questions, write_rows(f"{name}.jsonl", *said), "--run-id", name, "-q")
            assert done.returncode == 0, done.stderr
        shutil.copytree(tmp_path, made)
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)


def _drawn(cli: Cli, run: str, *more: str) -> None:
    """Draw from a run, label, and put the labels beside all runs."""
    done = cli("judge", run, "--draw", "60", *more)
    assert done.returncode == 0, done.stderr
    label_as_people_do(Path("to-label.csv"))
    assert cli("labels", "import", "to-label.csv").returncode == 0


def _estimated(run: str) -> dict[str, Any]:
    models = json.loads(Path("runs", run, "summary.json").read_text(encoding="utf-8"))["models"]
    return dict(next(iter(models.values()))["all"]["metrics"]["accuracy_estimated"])


def _rows(path: str) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_labels_of_another_run_make_no_estimate(cli: Cli, runs: None) -> None:
    """They decide their questions, are counted with what to do, and gates say NOT MEASURED; equal answers are equal."""
    _drawn(cli, "old")
    judged = {name: cli("judge", name) for name in ("old", "new", "same")}
    gates = {name: cli("gate", name, *_RULE) for name in judged}
    told = cli("gate", "new", *_RULE, "--lang", "zh-Hans")

    assert _estimated("new")["n"] == 0 and _estimated("new")["mean"] is None
    assert "were drawn in another run or from other answers" in judged["new"].stdout
    assert "ragstone judge RUN --draw" in judged["new"].stdout
    assert json.loads(Path("runs/new/summary.json").read_text("utf-8"))["models"]["new"]["authors"]["person"] > 20
    assert {name: gate.returncode for name, gate in gates.items()} == {"old": 0, "new": 3, "same": 0}
    assert "say nothing about its rate" in gates["new"].stdout and "不能说明其比率" in told.stdout
    assert "drawn in another run" not in judged["old"].stdout + judged["same"].stdout


def test_drawing_from_the_run_itself_is_the_way_out(cli: Cli, runs: None) -> None:
    """What was labelled before stands in the table with its verdict: the draw is whole, and the interval holds 50 %."""
    _drawn(cli, "old")
    done = cli("judge", "new", "--draw", "60", "--out", "new.csv")
    rows = _rows("new.csv")
    known = [row for row in rows if row["verdict"]]
    label_as_people_do(Path("new.csv"))
    taken = cli("judge", "new", "--labels", "new.csv")
    again = cli("judge", "new", "--draw", "60", "--out", "more.csv")

    assert len(rows) == 60 and 5 < len(known) < 25
    assert f"{60 - len(known)} rows to label: new.csv ({len(known)} labelled before)" in done.stdout
    assert taken.returncode == 0, taken.stderr
    figure = _estimated("new")
    assert figure["n"] == 60 and figure["interval"]["low"] < 0.5 < figure["interval"]["high"] < 0.75
    assert cli("gate", "new", *_RULE).returncode == 1
    assert "0 rows to label" in again.stdout


@pytest.mark.long
@pytest.mark.parametrize("more", [(), ("--workers", "2")], ids=["here", "workers"])
def test_a_rescored_run_keeps_its_estimate_while_cases_and_answers_are_the_same(
    cli: Cli, runs: None, write_rows: Write, more: tuple[str, ...]
) -> None:
    """With other points in the dataset the labels were drawn from something else."""
    _drawn(cli, "old")
    cli("judge", "old")
    cli("rescore", "old", "--out", "runs/again", *more)
    rows = [json.loads(line) for line in Path("q.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows[::2]:
        row["gold"] = ["地毯是新的"]
    changed = cli("rescore", "old", "--out", "runs/other", "--dataset", write_rows("other.jsonl", *rows), *more)

    assert changed.returncode == 0, changed.stderr
    assert _estimated("again") == _estimated("old")
    assert _estimated("other")["n"] == 0
    assert cli("gate", "other", *_RULE).returncode == 3
    assert cli("verify", "again").returncode == cli("verify", "other").returncode == 0


@pytest.mark.long
def test_a_run_that_goes_on_is_drawn_from_anew(cli: Cli, runs: None) -> None:
    """Answers that came after the draw had no chance."""
    said = Path("old.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    Path("some.jsonl").write_text("".join(said[:100]), encoding="utf-8")
    cli("run", "q.jsonl", "-s", "replay:some.jsonl", "--run-id", "part", "-q")
    _drawn(cli, "part")
    cli("judge", "part")
    before = _estimated("part")["n"]
    Path("some.jsonl").write_text("".join(said), encoding="utf-8")
    done = cli("resume", "part", "--retry-failed", "-q")

    assert before > 20
    assert done.returncode == 0, done.stderr
    assert _estimated("part")["n"] == 0
    assert cli("gate", "part", *_RULE).returncode == 3
    assert cli("judge", "part").returncode == 0 and _estimated("part")["n"] == 0
    assert "0 of 160 rows come out otherwise" in cli("verify", "part").stdout


@pytest.mark.long
def test_pairs_tell_of_a_run_only_where_all_its_cases_could_be_drawn(cli: Cli, runs: None, write_rows: Write) -> None:
    """Drawn beside a run of fewer cases: the difference is estimated, neither rate is."""
    rows = [json.loads(line) for line in Path("q.jsonl").read_text(encoding="utf-8").splitlines()]
    few = write_rows("few.jsonl", *rows[:120])
    cli("score", few, "new.jsonl", "--run-id", "few", "-q")
    _drawn(cli, "few", "--beside", "old")
    for name in ("few", "old", "new"):
        assert cli("judge", name).returncode == 0
    delta = _delta(cli, "old", "few")

    assert delta["n"] == 60 and delta["interval"]["low"] < -0.5 < delta["interval"]["high"]
    assert {_estimated(name)["n"] for name in ("few", "old")} == {0}
    assert _delta(cli, "old", "new")["n"] == 0


def _delta(cli: Cli, first: str, second: str) -> dict[str, Any]:
    found = json.loads(cli("compare", first, second, "--json").stdout)["deltas"]
    return next(one for one in found if one["figure"] == "accuracy_estimated" and not one["group"])


def test_compare_and_gate_show_the_rates_that_the_runs_show(cli: Cli, runs: None, write_rows: Write) -> None:
    """Of one draw: both levels are the runs' own estimates, and where they lie further apart that is said."""
    said = [{"id": f"Q{n + 1}", "output": _answer(n, old=n % 8 != 0) if n % 5 else "不清楚。"} for n in range(CASES)]
    cli("score", "q.jsonl", write_rows("c.jsonl", *said), "--run-id", "third", "-q")
    with judging(by_chances(lambda _, answer: "亮度" in answer)) as server:
        for name in ("new", "third"):
            cli("judge", name, "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
    _drawn(cli, "third", "--beside", "new")
    for name in ("new", "third"):
        assert cli("judge", name, "--people").returncode == 0
    delta = _delta(cli, "new", "third")
    told, gate = cli("compare", "new", "third"), cli("gate", "third", "-b", "new", "--rule", _DROP, "--lang", "zh-Hans")

    assert delta["first"] == pytest.approx(_estimated("new")["mean"])
    assert delta["second"] == pytest.approx(_estimated("third")["mean"])
    assert abs(delta["second"] - delta["first"] - delta["difference"]) > 0.0005
    assert "both rates are each run's own estimate" in told.stdout
    assert "两个比率是各运行自身的估计" in gate.stdout


@pytest.mark.parametrize("drawn", ["a", "a:x", "a:0", "a:1.5", "a:nan", "a:0.5 b"])
def test_a_draw_that_cannot_be_is_refused(tmp_path: Path, drawn: str) -> None:
    """A label says of what it was drawn and how likely; anything else is refused by its line."""
    path = tmp_path / "labels.csv"
    path.write_text(f"case,answer,verdict,drawn\nQ1,a,stated,{drawn}\n", encoding="utf-8")

    with pytest.raises(SettingError, match="drawn"):
        read_labels(path)
