"""Files of labels that lack something: a column, the end of the last line, or rows that lie elsewhere."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from ragstone.core.errors import SettingError
from ragstone.judging.label_file import append_labels, encode_line, read_labels, read_with_end
from tests.conftest import Cli
from tests.judging.bench import judging, label_as_people_do
from tests.judging.lights import COUNT, Endpoint, asking, label_of

Write = Callable[..., Path]
OWN = Path("runs/one/labels.jsonl")


def _table(path: str, columns: tuple[str, ...], count: int = 4) -> Path:
    """Write labels with some columns only."""
    rows = [{name: str(getattr(label_of(n), name)) for name in columns} for n in range(1, count + 1)]
    file = Path(path)
    if file.suffix == ".jsonl":
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif file.suffix == ".xlsx":
        book = Workbook()
        for cells in ([*columns], *([*row.values()] for row in rows)):
            book.active.append(cells)
        book.save(file)
    else:
        with file.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([columns, *(row.values() for row in rows)])
    return file


@pytest.fixture
def labelled(cli: Cli, lights: Path) -> bytes:
    """The run `one` with twenty labels; return them."""
    append_labels(Path("twenty.jsonl"), map(label_of, range(1, 21)))
    assert cli("judge", "one", "--people", "--labels", "twenty.jsonl").returncode == 0
    return OWN.read_bytes()


@pytest.mark.parametrize("ending", ["jsonl", "csv", "xlsx"])
def test_a_file_without_verdicts_is_refused(cli: Cli, labelled: bytes, ending: str) -> None:
    """The missing column and the file are named, and the run's own labels stay."""
    file = _table(f"no.{ending}", ("case", "point", "answer", "reviewer"))
    meta = Path("runs/one/run_meta.json").read_bytes()
    taken = cli("judge", "one", "--people", "--labels", file)
    replaced = cli("judge", "one", "--people", "--labels", file, "--replace-labels")

    for done in (taken, replaced):
        assert done.returncode == 2
        assert f"no.{ending}" in done.stderr and "'verdict'" in done.stderr
    assert OWN.read_bytes() == labelled
    assert Path("runs/one/run_meta.json").read_bytes() == meta
    assert cli("verify", "one").returncode == 0


@pytest.mark.parametrize("ending", ["jsonl", "csv", "xlsx"])
def test_a_table_with_the_column_is_read(tmp_path: Path, ending: str) -> None:
    """Blank verdicts are labels that nobody gave yet, also where all of them are blank."""
    full = _table(f"full.{ending}", ("case", "point", "answer", "verdict"))
    assert [one.verdict for one in read_labels(full)] == ["stated", "absent", "stated", "absent"]

    if ending == "xlsx":
        book = Workbook()
        book.active.append(["case", "answer", "verdict"])
        book.active.append(["Q1", "a"])
        book.save("blank.xlsx")
        assert [one.verdict for one in read_labels(Path("blank.xlsx"))] == ["unsure"]


def test_a_file_that_says_nothing_of_a_run_replaces_nothing(cli: Cli, labelled: bytes) -> None:
    """A table nobody filled in, or that of other cases, is no reason to forget what people said."""
    blank = _table("blank.csv", ("case", "point", "answer", "comment"))
    blank.write_text(blank.read_text(encoding="utf-8").replace("comment", "verdict"), encoding="utf-8")
    other = Path("other.jsonl")
    other.write_text('{"case":"X9","point":"p","answer":"a","verdict":"stated"}\n', encoding="utf-8")
    meta = Path("runs/one/run_meta.json").read_bytes()
    empty = Path("empty.csv")
    empty.write_text("case,point,answer,verdict\n", encoding="utf-8")
    done = [cli("judge", "one", "--people", "--labels", file, "--replace-labels") for file in (blank, other, empty)]

    assert [one.returncode for one in done] == [2, 2, 2]
    assert all("20 would be forgotten" in one.stderr for one in done)
    assert (OWN.read_bytes(), Path("runs/one/run_meta.json").read_bytes()) == (labelled, meta)
    right = _table("right.csv", ("case", "point", "answer", "verdict"), 3)
    assert cli("judge", "one", "--people", "--labels", right, "--replace-labels").returncode == 0
    assert len(OWN.read_bytes().splitlines()) == 3


def test_a_last_line_that_is_cut_is_named(cli: Cli, lights: Path) -> None:
    """`certify` and `judge` say which line of which file was left out; it replaces nothing."""
    cut = Path("cut.jsonl")
    cut.write_bytes(b"".join(encode_line(label_of(n)) for n in range(1, COUNT + 1))[:-40])
    with judging(Endpoint()) as server:
        certified = cli("certify", cut, *asking(server, "--probes", "1"), "--run", "one")
    taken = cli("judge", "one", "--people", "--labels", cut)
    kept = OWN.read_bytes()
    replaced = cli("judge", "one", "--people", "--labels", cut, "--replace-labels")

    imported = cli("labels", "import", cut)

    assert f"cut.jsonl:{COUNT}" in imported.stderr and "119 labels taken in" in imported.stdout
    assert f"cut.jsonl:{COUNT}: the last line is cut short" in certified.stdout
    assert taken.returncode == 0 and f"cut.jsonl:{COUNT}" in taken.stdout + taken.stderr
    assert replaced.returncode == 2 and f"cut.jsonl:{COUNT}" in replaced.stderr
    assert OWN.read_bytes() == kept


@pytest.mark.parametrize("end", ["Q2,to", 'Q2,"to', "Q2"])
def test_a_last_row_that_is_cut_is_no_blank_label(tmp_path: Path, end: str) -> None:
    """A row without its end and with cells missing, or a quote open, was cut; one of a full row was not."""
    path = tmp_path / "labels.csv"
    path.write_text(f"case,answer,verdict\nQ1,a,stated\n{end}", encoding="utf-8")
    found = read_with_end(path)

    assert ([one.case for one in found.labels], found.cut) == (["Q1"], 3)
    path.write_text("case,answer,verdict\nQ1,a,stated\nQ2,b,absent", encoding="utf-8")
    assert (len(read_with_end(path).labels), read_with_end(path).cut) == (2, 0)


def test_a_line_in_the_middle_is_no_end(tmp_path: Path) -> None:
    """What is broken before the end is refused by its line, as ever."""
    path = tmp_path / "labels.jsonl"
    path.write_bytes(encode_line(label_of(1))[:-9] + b"\n" + encode_line(label_of(2)))

    with pytest.raises(SettingError, match=r"labels\.jsonl:1"):
        read_labels(path)


def test_drawn_rows_that_are_labelled_beside_the_runs_count(cli: Cli, lights: Path) -> None:
    """A larger draw leaves out what the first one's labels decide: with these beside the runs nothing is undecided."""
    cli("judge", "one", "--draw", "24")
    label_as_people_do(Path("to-label.csv"))
    assert cli("labels", "import", "to-label.csv").returncode == 0
    drawn = cli("judge", "one", "--draw", "60", "--out", "more.csv")
    more = label_as_people_do(Path("more.csv"))
    taken = cli("judge", "one", "--people", "--labels", "more.csv")

    assert "labelled before" in drawn.stdout and more == 36
    assert taken.returncode == 0, taken.stderr
    (model,) = json.loads(Path("runs/one/summary.json").read_text(encoding="utf-8"))["models"].values()
    figure: dict[str, Any] = model["all"]["metrics"]["accuracy_estimated"]
    assert (figure["n"], figure["open"]) == (60, 0)
    assert "not handed back" not in taken.stdout


def _asked(cli: Cli, server: Any, *more: str) -> int:
    """Judge the run; return how many questions were put, without the trial."""
    calls = server.calls
    done = cli("judge", "one", *asking(server), *more)
    assert done.returncode == 0, done.stderr
    return int(server.calls - calls)


def test_what_people_decided_is_not_put_to_a_judge(cli: Cli, lights: Path) -> None:
    """No question is paid for that a person decided: with labels on all there are none, on some the rest."""
    append_labels(Path("half.jsonl"), map(label_of, range(1, 61)))
    append_labels(Path("all.jsonl"), map(label_of, range(1, COUNT + 1)))
    with judging(Endpoint()) as server:
        nothing = cli("judge", "two", "--people", "--labels", "all.jsonl")
        calls = server.calls
        every = cli("judge", "two", *asking(server))
        trial = server.calls - calls
        half = _asked(cli, server, "--labels", "half.jsonl")

    assert nothing.returncode == every.returncode == 0
    assert trial <= 1 and "120 by people" in every.stdout
    assert 60 <= half <= 61


def test_a_judge_is_asked_of_labelled_answers_that_an_estimate_sorts(cli: Cli, lights: Path) -> None:
    """Where a draw makes an estimate and the judge decides the rest, its word sorts labelled cases like others."""
    cli("judge", "one", "--draw", "24")
    label_as_people_do(Path("to-label.csv"))
    with judging(Endpoint()) as server:
        asked = _asked(cli, server, "--labels", "to-label.csv")
    (model,) = json.loads(Path("runs/one/summary.json").read_text(encoding="utf-8"))["models"].values()

    assert COUNT <= asked <= COUNT + 1
    assert model["all"]["metrics"]["accuracy_estimated"]["n"] == 24
