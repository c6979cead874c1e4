"""What was drawn is known afterwards: rows that somebody took out of the table count as undecided, like blank ones."""

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.core.errors import SettingError
from ragstone.judging.estimates.draw_tokens import LONGEST, WholeDraw, token_of, whole_draw
from ragstone.judging.label_file import read_labels
from ragstone.judging.labels import Key, Label, hash_of
from ragstone.runs.judged.take_labels import blanks
from tests.conftest import Cli
from tests.judging.bench import by_chances, judging

Write = Callable[..., Path]
CASES = 120
Cells = list[dict[str, str]]


@pytest.fixture
def runs(cli: Cli, write_rows: Write) -> None:
    """Runs `one` and `two`: half of the answers of `one` state their point in other words, two thirds of `two` do."""
    rows = [{"q": f"{n}号展厅的灯怎么调？", "gold": [f"第{n}号展厅的灯光由馆员手动调节"]} for n in range(CASES)]
    questions = write_rows("q.jsonl", *rows)
    for name, share in (("one", 2), ("two", 3)):
        said = [{"id": f"Q{n + 1}", "output": _answer(n, stated=bool(n % share))} for n in range(CASES)]
        done = cli("score", questions, write_rows(f"{name}.jsonl", *said), "--run-id", name, "-q")
        assert done.returncode == 0, done.stderr


def _answer(n: int, *, stated: bool) -> str:
    return f"{n}号那间屋里亮度靠工作人员自己拧。" if stated else f"{n}号那间屋里最近换了新的地毯。"


def _read(path: str) -> Cells:
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def _write(path: str, rows: Cells) -> None:
    with Path(path).open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _labelled(path: str = "to-label.csv") -> Cells:
    rows = _read(path)
    return [r | {"verdict": "stated" if "亮度" in r["answer_text"] else "absent", "reviewer": "lin"} for r in rows]


def _stated(rows: Cells) -> Cells:
    return [row for row in rows if row["verdict"] == "stated"]


def _estimated(run: str = "one") -> dict[str, Any]:
    models = json.loads(Path("runs", run, "summary.json").read_text(encoding="utf-8"))["models"]
    return dict(next(iter(models.values()))["all"]["metrics"]["accuracy_estimated"])


def test_rows_taken_out_of_the_table_count_as_undecided(cli: Cli, runs: None) -> None:
    """Only the flattering half comes back: the figure says what lacks, and no gate passes; blanks are the same."""
    cli("judge", "one", "--draw", "60")
    rows = _labelled()
    _write("half.csv", _stated(rows))
    taken = cli("judge", "one", "--labels", "half.csv")
    told = cli("judge", "one", "--labels", "half.csv", "--replace-labels", "--lang", "zh-Hans")
    figure, gate = _estimated(), cli("gate", "one", "--rule", "accuracy_estimated >= 0.7")
    lacking = 60 - len(_stated(rows))
    cli("judge", "one", "--labels", "half.csv", "--replace-labels")
    _write("blank.csv", [row if row["verdict"] == "stated" else row | {"verdict": "", "reviewer": ""} for row in rows])
    cli("judge", "one", "--labels", "blank.csv", "--replace-labels")

    assert taken.returncode == 0, taken.stderr
    assert f"{lacking} rows that were drawn are missing from the labels" in taken.stdout
    assert f"{lacking} of 60 drawn cases undecided" in taken.stdout
    assert f"有 {lacking} 行未在其中" in told.stdout
    assert figure["open"] == lacking and figure["interval"]["low"] < 0.5 < figure["interval"]["high"]
    assert gate.returncode == 3 and "NOT MEASURED" in gate.stdout
    assert _estimated() == figure
    assert cli("verify", "one").returncode == 0


def test_the_rest_may_come_later(cli: Cli, runs: None) -> None:
    """Two people hand in half of the table each: when both are there nothing lacks."""
    cli("judge", "one", "--draw", "60")
    rows = _labelled()
    for number, part in enumerate((rows[:25], rows[25:])):
        _write("part.csv", part)
        done = cli("judge", "one", "--labels", "part.csv")
        assert ("missing from the labels" in done.stdout) is (number == 0)
        assert (_estimated()["n"], _estimated()["open"]) == ((25, 35), (60, 0))[number]
    cli("judge", "one", "--draw", "80", "--out", "more.csv")
    _write("more.csv", _labelled("more.csv")[:-3])
    cli("judge", "one", "--labels", "more.csv")

    assert (_estimated()["n"], _estimated()["open"]) == (77, 3)


def test_what_was_drawn_does_not_hang_on_a_judge_asked_since(cli: Cli, runs: None) -> None:
    """The strata are others then; a whole sort of cases that is gone is missed all the same."""
    cli("judge", "one", "--draw", "60")
    rows = _labelled()
    with judging(by_chances(lambda _, answer: "亮度" in answer)) as server:
        cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
    _write("half.csv", _stated(rows))
    cli("judge", "one", "--labels", "half.csv", "--people")

    assert (_estimated()["n"], _estimated()["open"]) == (len(_stated(rows)), 60 - len(_stated(rows)))


def test_tables_of_earlier_versions_count_as_before(cli: Cli, runs: None) -> None:
    """They do not tell what was drawn with them."""
    cli("judge", "one", "--draw", "60")
    old = [row | {"drawn": row["drawn"].split()[0]} for row in _stated(_labelled())]
    _write("old.csv", old)
    done = cli("judge", "one", "--labels", "old.csv")

    assert done.returncode == 0 and "missing" not in done.stdout
    assert (_estimated()["n"], _estimated()["open"]) == (len(old), 0)


def test_rows_of_two_runs_are_missed_in_both(cli: Cli, runs: None) -> None:
    """The same table goes to both; what one of them lacks, its own figure and the difference tell."""
    cli("judge", "two", "--draw", "40", "--beside", "one")
    rows = _labelled()
    _write("half.csv", _stated(rows))
    for run in ("one", "two"):
        done = cli("judge", run, "--labels", "half.csv")
        assert "missing from the labels" in done.stdout
    whole = {run: _estimated(run)["n"] + _estimated(run)["open"] for run in ("one", "two")}
    gate = cli("gate", "two", "-b", "one", "--rule", "drop(accuracy_estimated) <= 0.02")

    assert whole == {"one": 40, "two": 40}
    assert gate.returncode == 3 and "NOT MEASURED" in gate.stdout


def test_a_run_by_another_name_is_drawn_from_alike(cli: Cli, runs: None) -> None:
    """What is drawn depends on cases and answers alone."""
    shutil.copytree("runs/one", "runs/copy")
    for run in ("one", "copy"):
        cli("judge", run, "--draw", "30", "--out", f"{run}.csv")

    assert _read("one.csv") == _read("copy.csv")


@pytest.mark.parametrize("drawn", ["4f0c~", "4f0c~%%%", "~eNr", "4f0c~eNprYGBoBAABkQEJ"])
def test_a_draw_that_cannot_be_read_is_refused(tmp_path: Path, drawn: str) -> None:
    """A cell that was cut by a spreadsheet is told, with its line."""
    line = {"case": "Q1", "answer": "x", "verdict": "stated", "drawn": f"4f0c:0.5 {drawn}"}
    (tmp_path / "l.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    with pytest.raises(SettingError, match="drawn"):
        read_labels(tmp_path / "l.jsonl")


@given(st.dictionaries(st.integers(1, 1 << 40), st.sampled_from([0.25, 0.5, 1.0, 1e-6]), min_size=1))
def test_a_draw_is_read_as_it_was_written(rows: dict[int, float]) -> None:
    """Numbers and chances come back, in one word of a cell."""
    token = token_of(WholeDraw("4f0c", rows))
    assert whole_draw(token) == WholeDraw("4f0c", dict(sorted(rows.items())))
    assert ":" not in token and len(token.split()) == 1


def test_a_draw_is_short() -> None:
    """A hundred of a thousand cases take less than a line of text; what no cell holds is left out."""
    assert len(token_of(WholeDraw("f" * 16, {7 * n + n % 5 + 1: 0.14 for n in range(100)}))) < 200
    huge = {n * n + (n * 7919) % 4001: 0.5 for n in range(1, 60_000)}
    token = token_of(WholeDraw("f" * 16, huge))
    assert token == "" or len(token) <= LONGEST + 17


def test_labels_of_another_run_lack_nothing_here() -> None:
    """A draw tells of its own run alone."""
    drawn = f"aa:0.5 {token_of(WholeDraw('aa', {1: 0.5, 2: 0.5}))}"
    label = Label(case="Q1", answer=hash_of("x"), verdict="stated", drawn=drawn)
    keys = [(number, _key(f"Q{number}")) for number in (1, 2, 3)]

    assert [(one.case, one.drawn) for one in blanks([label], "aa", keys)] == [("Q2", "aa:0.5")]
    assert list(blanks([label], "bb", keys)) == []


def _key(case: str) -> Key:
    return Key("states", case, "", hash_of("x"))
