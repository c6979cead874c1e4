"""The table of drawn cases: nothing that was filled in is lost, nothing that was labelled is asked for again."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.judging.label_file import append_labels, read_labels
from ragstone.judging.labels import Label, hash_of
from ragstone.runs.judged.draw_table import free_name, is_blank
from tests.conftest import Cli
from tests.contracts.legal_rag.samples import gap
from tests.judging.bench import ANSWERS, ROWS

Write = Callable[..., Path]


@pytest.fixture
def run(cli: Cli, write_rows: Write) -> Path:
    """A run of four cases with five points."""
    cli("score", write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS), "--run-id", "one", "-q")
    return Path("runs/one")


def _rows(path: str) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def _fill(path: str, case: str) -> None:
    said = {"verdict": "absent", "reviewer": "lin"}
    rows = [row | said if row["case"] == case else row for row in _rows(path)]
    with Path(path).open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_a_filled_in_table_is_never_overwritten(cli: Cli, run: Path) -> None:
    """The next free name is taken, and its table leaves out what stands labelled in the first."""
    cli("judge", "one", "--draw", "9")
    _fill("to-label.csv", "Q2")
    before = Path("to-label.csv").read_bytes()
    done = cli("judge", "one", "--draw", "9")

    assert done.returncode == 0, done.stderr
    assert "to-label-2.csv" in done.stdout and "2" in done.stdout
    assert Path("to-label.csv").read_bytes() == before
    assert {row["case"] for row in _rows("to-label-2.csv")} == {"Q1", "Q3", "Q4"}


def test_a_blank_table_of_ours_is_drawn_anew(cli: Cli, run: Path) -> None:
    """Nothing is lost with it; a file of somebody else's is left alone."""
    cli("judge", "one", "--draw", "1")
    cli("judge", "one", "--draw", "9")
    Path("notes.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    cli("judge", "one", "--draw", "9", "--out", "notes.csv")

    assert len(_rows("to-label.csv")) == 5 and not Path("to-label-2.csv").exists()
    assert Path("notes.csv").read_text(encoding="utf-8") == "a,b\n1,2\n"
    assert len(_rows("notes-2.csv")) == 5


@pytest.mark.parametrize("place", ["runs/labels.jsonl", "runs/one/labels.jsonl"])
def test_what_people_decided_is_not_asked_for_again(cli: Cli, run: Path, place: str) -> None:
    """Labels in the run and beside it count: nobody is asked, and the row stays in the draw with its verdict."""
    answer = hash_of(ANSWERS[2]["output"])
    label = Label(case="Q3", point="押金为300元", answer=answer, verdict="stated", reviewer="lin")
    append_labels(Path("runs/labels.jsonl"), [label])
    if place != "runs/labels.jsonl":
        cli("judge", "one")
        Path("runs/labels.jsonl").unlink()
    done = cli("judge", "one", "--draw", "9")

    assert "4 rows to label: to-label.csv (1 labelled before)" in done.stdout
    *blank, known = _rows("to-label.csv")
    assert (known["case"], known["verdict"], known["reviewer"]) == ("Q3", "stated", "lin")
    assert [row["verdict"] for row in blank] == [""] * 4
    assert all(row["drawn"] for row in (*blank, known))


def test_a_sentence_is_drawn_with_its_question_and_source(cli: Cli, write_rows: Write) -> None:
    """Whether a source supports a sentence cannot be told without it; the table is read back all the same."""
    rows = write_rows("q.jsonl", {"id": "A", "q": "退货要几天？", "gold": ["七天"]})
    contexts = [{"text": "商店的退货期限见公告。", "source_path": "a.md"}]
    answers = write_rows("a.jsonl", {"id": "A", "output": "退货期限为七天，从收货之日起算。", "contexts": contexts})
    cli("score", rows, answers, "-o", "faithfulness=true", "--run-id", "one", "-q")
    done = cli("judge", "one", "--draw", "9")

    assert done.returncode == 0, done.stderr
    drawn = [row for row in _rows("to-label.csv") if row["kind"] == "supported"]
    assert drawn and all(row["question"] == "退货要几天？" and "公告" in row["source"] for row in drawn)
    for row in _rows("to-label.csv"):
        _fill("to-label.csv", row["case"])
    assert len(read_labels(Path("to-label.csv"))) == len(_rows("to-label.csv"))
    taken = cli("judge", "one", "--labels", "to-label.csv")
    assert taken.returncode == 0, taken.stderr


def test_what_is_no_table_is_not_blank(tmp_path: Path) -> None:
    """Bytes, an empty file, a folder: never overwritten."""
    for name, content in (("x.csv", b"\xff\xfe\x00"), ("y.csv", b"")):
        (tmp_path / name).write_bytes(content)
        assert not is_blank(tmp_path / name)
        assert free_name(tmp_path / name) == tmp_path / f"{name[0]}-2.csv"
    assert not is_blank(tmp_path)


def test_each_row_says_what_its_verdicts_mean(cli: Cli, write_rows: Write) -> None:
    """A point is stated or not, an answer declines or does not: nobody has to guess which word is which."""
    Path("q.json").write_text(json.dumps({"document": "笔录.md", "questions": [gap(id="A")]}), encoding="utf-8")
    cli("score", "q.json", write_rows("a.jsonl", {"id": "A", "output": "他没有说。"}), "--run-id", "law", "-q")
    for lang, words in (("en", "stated = yes, it declines"), ("zh-Hans", "stated = 是，拒绝作答")):
        done = cli("judge", "law", "--draw", "9", "--lang", lang)
        assert done.returncode == 0, done.stderr
        (row,) = _rows("to-label.csv")
        assert row["kind"] == "declines" and words in row["asked"]

    _fill("to-label.csv", "A")
    assert cli("judge", "law", "--labels", "to-label.csv").returncode == 0
    assert not is_blank(Path("to-label.csv"))
