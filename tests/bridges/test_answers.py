"""Foreign answers as a recording for one's own dataset."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone import api
from ragstone.bridges.answers import write_answers
from ragstone.core.errors import DatasetError
from tests.bridges.samples import SAMPLES, bring

Write = Callable[..., Path]
ROWS = [
    {"q": "云岭铁路几点发首班车？", "gold": ["6点20分"], "doc_hint": []},
    {"q": "星河圖書館的借書期限是多少天?", "gold": ["30天"], "doc_hint": []},
    {"q": "没有问过的问题？", "gold": ["无"], "doc_hint": []},
    {"q": "月湖博物館週一開放嗎？", "gold": ["不開放"], "doc_hint": []},
]


def test_answers_are_matched_by_question(write_rows: Write) -> None:
    """Another order, Traditional script, half-width marks: the question is the same, and gets the dataset's id."""
    dataset = write_rows("q.jsonl", *ROWS)

    done = write_answers(SAMPLES / "ragas/result.csv", Path("a.jsonl"), dataset)

    rows = [json.loads(line) for line in Path("a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["id"]: row["output"] for row in rows} == {
        "Q2": "借书期限是30天。",
        "Q1": "首班车是7点40分。",
        "Q4": "月湖博物館週一不開放。",
    }
    assert (done.answers, done.answered, done.cases, len(done.unknown)) == (3, 3, 4, 4)


def test_the_recording_is_scored(write_rows: Write) -> None:
    """What failed there is failed here; what was never asked has no answer."""
    dataset = write_rows("q.jsonl", *ROWS)
    write_answers(SAMPLES / "promptfoo/out.json", Path("a.jsonl"), dataset, only="openai:chat:fiction")

    run = api.evaluate(dataset, "replay:a.jsonl", run_id="mine")

    rows = {row.sample_id: row for row in run.results()}
    assert {name: row.scorecard.sub_scores["accuracy"] for name, row in rows.items()} == {
        "Q1": 0.0,
        "Q2": 1.0,
        "Q3": 0.0,
        "Q4": 0.0,
    }
    assert "500" in (rows["Q4"].error_message or "")
    assert rows["Q3"].error_type == "no_answer"


def test_repeats_stay_repeats(write_rows: Write) -> None:
    """Two epochs are two lines of one id."""
    dataset = write_rows("q.jsonl", *ROWS[:2])
    write_answers(SAMPLES / "inspect/log.eval", Path("a.jsonl"), dataset)

    rows = [json.loads(line) for line in Path("a.jsonl").read_text(encoding="utf-8").splitlines()]

    assert sorted((row["id"], row.get("repeat", 0)) for row in rows) == [("Q1", 0), ("Q1", 1), ("Q2", 0), ("Q2", 1)]


@pytest.mark.parametrize(
    ("only", "out", "code"),
    [(None, "a.jsonl", "import.models"), ("gpt", "a.jsonl", "import.model"), ("echo", "q.jsonl", "import.taken")],
)
def test_what_is_unclear_is_refused(write_rows: Write, only: str | None, out: str, code: str) -> None:
    """One model, one that is there, and no file written over."""
    dataset = write_rows("q.jsonl", *ROWS)

    with pytest.raises(DatasetError) as error:
        write_answers(SAMPLES / "promptfoo/out.json", Path(out), dataset, only=only)

    assert error.value.code == code


def test_a_question_asked_twice_has_two_answers(write_rows: Write) -> None:
    """Each takes one, in the order they stand."""
    dataset = write_rows("q.jsonl", ROWS[0], ROWS[0])
    rows = [{"user_input": ROWS[0]["q"], "response": str(n), "m": 1} for n in range(3)]
    done = write_answers(write_rows("r.jsonl", *rows), Path("a.jsonl"), dataset)

    assert (done.answers, len(done.unknown)) == (2, 1)


def test_one_model_of_several_is_imported() -> None:
    """--only makes a run of one model, which can be compared with any other."""
    from ragstone.bridges.import_run import import_run  # noqa: PLC0415 - only here

    done = import_run(SAMPLES / "promptfoo/out.json", out=Path("runs/one"), only="echo", model="parrot")

    assert list(done.summary.models) == ["parrot"]
    assert done.summary.finished == 7
    assert bring("promptfoo/out.json").summary.finished == 14
