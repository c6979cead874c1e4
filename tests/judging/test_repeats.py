"""Cases asked several times: equal answers are drawn, labelled and counted once, and one question is one cluster."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragstone.judging.estimates.clusters import Given
from ragstone.judging.estimates.strata import StrataTally
from tests.conftest import Cli
from tests.judging.bench import judging, label_as_people_do
from tests.judging.lights import Endpoint, asking

Write = Callable[..., Path]
CASES = 60
REPEATS = 4


def _answer(n: int, *, wrong: int) -> str:
    """Say it in other words, but in every so many cases."""
    return f"{n}号那间屋里最近换了新的地毯（{wrong}）。" if n % wrong == 0 else f"{n}号那间屋里亮度靠工作人员自己拧。"


def _run(cli: Cli, write_rows: Write, name: str, repeats: int, wrong: int = 2) -> None:
    rows = [{"q": f"{n}号展厅的灯怎么调？", "gold": [f"第{n}号展厅的灯光由馆员手动调节"]} for n in range(CASES)]
    said = [
        {"id": f"Q{n + 1}", "output": _answer(n, wrong=wrong), "repeat": k}
        for n in range(CASES)
        for k in range(repeats)
    ]
    files = write_rows("q.jsonl", *rows), write_rows(f"{name}.jsonl", *said)
    done = cli("run", files[0], "-s", f"replay:{files[1]}", "--repeats", str(repeats), "--run-id", name, "-q")
    assert done.returncode == 0, done.stderr


def _label(cli: Cli, count: int, run: str, *more: str) -> int:
    """Draw, label and take in; return how many answers were drawn."""
    table = Path(f"{run}.csv")
    drawn = cli("judge", run, "--draw", str(count), "--out", table, *more)
    assert drawn.returncode == 0, drawn.stderr
    cases = label_as_people_do(table)
    assert cli("judge", run, "--people", "--labels", table).returncode == 0
    return cases


def _estimated(run: str) -> dict[str, Any]:
    models = json.loads(Path("runs", run, "summary.json").read_text(encoding="utf-8"))["models"]
    return dict(next(iter(models.values()))["all"]["metrics"]["accuracy_estimated"])


def test_repeats_add_no_labels(cli: Cli, write_rows: Write) -> None:
    """The same answers asked once or four times make the same figure, of as many labels as people gave."""
    _run(cli, write_rows, "once", 1)
    _run(cli, write_rows, "often", REPEATS)
    labelled = {run: _label(cli, 24, run) for run in ("once", "often")}
    found = {run: _estimated(run) for run in labelled}

    assert labelled == {"once": 24, "often": 24}
    assert {run: one["n"] for run, one in found.items()} == labelled
    assert found["often"]["interval"]["clusters"] == 24
    once, often = (one["interval"]["high"] - one["interval"]["low"] for one in found.values())
    assert often == pytest.approx(once, rel=0.1)


def test_six_labels_pass_no_gate_however_often_a_case_was_asked(cli: Cli, write_rows: Write) -> None:
    """Of 20 labels that a gate wants six are there, and it says so."""
    _run(cli, write_rows, "often", REPEATS)
    _label(cli, 6, "often")
    gate = cli("gate", "often", "--rule", "accuracy_estimated >= 0.1")

    assert _estimated("often")["n"] == 6
    assert gate.returncode == 3, gate.stdout
    assert "NOT MEASURED" in gate.stdout


def test_pairs_of_equal_answers_are_one(cli: Cli, write_rows: Write) -> None:
    """A drop between two runs of four answers a case rests on as many pairs as people labelled."""
    _run(cli, write_rows, "old", REPEATS, wrong=2)
    _run(cli, write_rows, "new", REPEATS, wrong=3)
    cases = _label(cli, 30, "new", "--beside", "old")
    assert cli("judge", "old", "--people", "--labels", "new.csv").returncode == 0
    found = json.loads(cli("compare", "old", "new", "--json").stdout)["deltas"]

    (delta,) = [one for one in found if one["figure"] == "accuracy_estimated" and not one["group"]]
    assert delta["n"] == cases == 30
    assert delta["interval"]["clusters"] == 30
    assert delta["interval"]["high"] - delta["interval"]["low"] > 0.2


def test_blank_rows_of_a_case_asked_often_are_one_each(cli: Cli, write_rows: Write) -> None:
    """What was drawn and is not decided counts once, too."""
    _run(cli, write_rows, "often", REPEATS)
    cli("judge", "often", "--draw", "24")
    label_as_people_do(Path("to-label.csv"))
    lines = Path("to-label.csv").read_text(encoding="utf-8-sig").splitlines()
    Path("to-label.csv").write_text("\n".join(lines[:-4]) + "\n", encoding="utf-8-sig")
    assert cli("judge", "often", "--people", "--labels", "to-label.csv").returncode == 0

    assert (_estimated("often")["n"], _estimated("often")["open"]) == (20, 4)


def _details(value: float, stratum: str = "s") -> dict[str, Any]:
    return {"judged": {"strata": {"m": stratum}, "people": {"m": value}, "probability": 1.0}}


def _figure(*rows: tuple[str, str, str]) -> Any:
    """Estimate over rows of question, answer and stratum."""
    tally = StrataTally()
    for question, answer, stratum in rows:
        tally.add("m", _details(float(answer.endswith("+")), stratum), Given((question, answer), question))
    return tally.figure()


def test_other_answers_to_one_question_are_one_cluster() -> None:
    """Two answers each to twenty questions count as twenty labels and are no surer, in one stratum or in two."""
    alone = _figure(*((f"{n}", f"a{'+' * (n % 2)}", "s") for n in range(20)))
    both = _figure(*((f"{n}", f"{k}{'+' * (n % 2)}", "s") for n in range(20) for k in "ab"))
    apart = _figure(*((f"{n}", f"{k}{'+' * (n % 2)}", k) for n in range(20) for k in "ab"))

    assert (alone.n, both.n, apart.n) == (20, 20, 20)
    assert both.interval == alone.interval
    assert apart.interval.clusters == 20
    assert apart.interval.high - apart.interval.low == pytest.approx(alone.interval.high - alone.interval.low, rel=0.1)


def test_a_row_stands_for_itself_where_nobody_names_it() -> None:
    """Rows that tell neither case nor question are as many cases."""
    tally = StrataTally()
    for n in range(20):
        tally.add("m", _details(float(n % 2)))

    assert tally.figure().n == 20
    assert tally.figure().interval == _figure(*((f"{n}", f"a{'+' * (n % 2)}", "s") for n in range(20))).interval


def test_a_judges_verdicts_on_equal_answers_are_one(cli: Cli, lights: Path) -> None:
    """The rate behind a judge's yeses is no surer because each case was asked four times."""
    said = [json.loads(line) for line in Path("a.jsonl").read_text(encoding="utf-8").splitlines()]
    Path("often.jsonl").write_text(
        "".join(json.dumps(one | {"repeat": k}, ensure_ascii=False) + "\n" for one in said for k in range(REPEATS)),
        encoding="utf-8",
    )
    with judging(Endpoint()) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        once = cli("judge", "one", *asking(server))
        cli("run", "q.jsonl", "-s", "replay:often.jsonl", "--repeats", str(REPEATS), "--run-id", "often", "-q")
        often = cli("judge", "often", *asking(server))

    (told,) = (line for line in once.stdout.splitlines() if "undone" in line)
    assert told in often.stdout.splitlines()
