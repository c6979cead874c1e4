"""The tutorial of docs/judging.md: from about a hundred labelled rows to a gate on an estimated figure."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.judging.bench import by_chances, judging, label_as_people_do

Write = Callable[..., Path]
CASES = 300


def _answer(n: int) -> str:
    """Say it in other words, in two of three cases."""
    return f"{n}号那间屋里亮度靠工作人员自己拧。" if n % 3 else f"{n}号那间屋里最近换了新的地毯。"


def knows(point: str, answer: str) -> bool:
    """Judge as a good model does: wrong now and then."""
    return ("亮度" in answer) != ("13" in answer)


@pytest.fixture
def run(cli: Cli, write_rows: Write) -> Path:
    """A run of 300 cases whose points rules leave open."""
    rows = [{"q": f"{n}号展厅的灯怎么调？", "gold": [f"第{n}号展厅的灯光由馆员手动调节"]} for n in range(CASES)]
    answers = [{"id": f"Q{n + 1}", "output": _answer(n)} for n in range(CASES)]
    done = cli("score", write_rows("q.jsonl", *rows), write_rows("a.jsonl", *answers), "--run-id", "one", "-q")
    assert done.returncode == 0, done.stderr
    return Path("runs/one")


def test_from_labels_to_a_gate(cli: Cli, run: Path) -> None:
    """Judge, draw, label, estimate, gate: the interval holds the truth, and the gate goes by it."""
    with judging(by_chances(knows)) as server:
        cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
    drawn = cli("judge", "one", "--draw", "100")
    assert drawn.returncode == 0, drawn.stderr
    label_as_people_do(Path("to-label.csv"))

    done = cli("judge", "one", "--labels", "to-label.csv", "-J", "max_retries=0")

    assert done.returncode == 0, done.stderr  # the judge is gone, and what it said is on record
    assert "chat:m" in done.stderr
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    figure = summary["models"]["a"]["all"]["metrics"]["accuracy_estimated"]
    assert figure["n"] == 100
    assert figure["interval"]["low"] < 200 / 300 < figure["interval"]["high"]
    assert figure["interval"]["high"] - figure["interval"]["low"] < 0.15
    assert cli("gate", "one", "--rule", "accuracy_estimated >= 0.5").returncode == 0
    assert cli("gate", "one", "--rule", "accuracy_estimated >= 0.9").returncode == 1
    assert cli("gate", "one", "--rule", "accuracy_judged >= 0.5").returncode == 3


def test_too_few_drawn_labels_measure_nothing(cli: Cli, run: Path) -> None:
    """A gate on an estimate wants twenty labels."""
    cli("judge", "one", "--draw", "10", "--out", "ten.csv")
    label_as_people_do(Path("ten.csv"))
    cli("judge", "one", "--labels", "ten.csv")

    gate = cli("gate", "one", "--rule", "accuracy_estimated >= 0.1")

    assert gate.returncode == 3
    assert "at least 20" in gate.stdout


def test_a_draw_is_the_same_every_time(cli: Cli, run: Path) -> None:
    """A larger draw holds the smaller one; nobody is led by what rule or judge said."""
    cli("judge", "one", "--draw", "10", "--out", "ten.csv")
    cli("judge", "one", "--draw", "30", "--out", "thirty.csv")

    texts = [Path(name).read_text(encoding="utf-8-sig").splitlines() for name in ("ten.csv", "thirty.csv")]
    ten, thirty = ({row["case"] for row in csv.DictReader(lines)} for lines in texts)
    assert ten < thirty
    assert "rule" not in texts[0][0]
