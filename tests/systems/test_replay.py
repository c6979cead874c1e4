"""Recorded answers as a system."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.core.errors import DatasetError
from ragstone.core.types import Citation, Request
from ragstone.systems.replay import connect

Write = Callable[..., Path]


async def test_answers_are_found_by_id_in_any_order(write_rows: Write) -> None:
    """Ids may be numbers; the order of the file does not matter."""
    path = write_rows(
        "a.jsonl", {"id": "Q2", "output": "二"}, {"id": 1, "output": {"answer": "一"}, "citations": ["a.md"]}
    )
    system = connect(str(path), {})

    first, second = await system.ask(Request(id="1", question="")), await system.ask(Request(id="Q2", question=""))

    assert (first.text, first.citations, second.text) == ("一", (Citation("a.md"),), "二")
    await system.close()


async def test_rows_without_ids_are_found_by_their_question(tmp_path: Path) -> None:
    """A table of questions and answers in an order of its own; a question it does not hold has no answer."""
    (tmp_path / "a.csv").write_text("question,answer\nHow much?,5\nWhen?,at 7\n", encoding="utf-8")
    system = connect(str(tmp_path / "a.csv"), {})

    asked = [("Q1", "When?"), ("Q2", "How much?"), ("own-id", "When?"), ("Q1", "Where?")]
    answers = [await system.ask(Request(id=case, question=question)) for case, question in asked]

    assert [answer.text for answer in answers] == ["at 7", "5", "at 7", ""]
    assert answers[-1].failure is not None and answers[-1].failure.kind == "no_answer"
    await system.close()


async def test_repeats_have_their_own_answers(write_rows: Write) -> None:
    """A recording may hold several answers to one case; a repeat without its own takes the first."""
    path = write_rows("a.jsonl", {"id": "Q1", "output": "a"}, {"id": "Q1", "output": "b", "repeat": 1})
    system = connect(str(path), {})

    texts = [(await system.ask(Request(id="Q1", question="", repeat=n))).text for n in range(3)]

    assert texts == ["a", "b", "a"]
    await system.close()


async def test_a_missing_answer_and_a_recorded_error_are_failures(write_rows: Write) -> None:
    """They are counted, not dropped."""
    path = write_rows("a.jsonl", {"id": "Q1", "error": {"kind": "timeout", "message": "late"}})
    system = connect(str(path), {})

    missing, failed = [await system.ask(Request(id=i, question="")) for i in ("Q9", "Q1")]

    assert missing.failure is not None
    assert missing.failure.kind == "no_answer"
    assert failed.failure is not None
    assert failed.failure.kind == "timeout"
    assert failed.text == ""
    await system.close()


def test_all_faults_of_a_recording_are_shown_together(write_rows: Write) -> None:
    """Bad rows, rows without id or output, and duplicates are all named."""
    path = write_rows(
        "a.jsonl", "x", {"output": "a"}, {"id": "Q1"}, {"id": "Q2", "output": "a"}, {"id": "Q2", "output": "b"}
    )

    with pytest.raises(DatasetError) as caught:
        connect(str(path), {})

    assert [(f.position.line, f.code) for f in caught.value.findings] == [
        (1, "row.not_json"),
        (2, "row.missing"),
        (3, "row.missing"),
        (5, "row.duplicate_id"),
    ]


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.csv"])
async def test_packed_and_tabular_recordings_are_answers_too(tmp_path: Path, name: str) -> None:
    """What a system said stays text, though it look like JSON or be empty."""
    lines = b'{"id": 1, "output": "[1, 2]", "citations": ["a.md"]}\n{"id": "Q2", "output": ""}\n'
    cells = b'id,output,citations\n1,"[1, 2]","[""a.md""]"\nQ2,,\n'
    (tmp_path / name).write_bytes(cells if name.endswith("csv") else gzip.compress(lines))
    system = connect(str(tmp_path / name), {})

    first, second = await system.ask(Request(id="1", question="")), await system.ask(Request(id="Q2", question=""))

    assert (system.model_id, first.text, first.citations) == ("a", "[1, 2]", (Citation("a.md"),))
    assert (second.text, second.failure) == ("", None)
    await system.close()


@pytest.mark.parametrize("packed", [False, True])
async def test_half_a_surrogate_pair_is_kept(tmp_path: Path, packed: bool) -> None:
    """One lone surrogate in recorded answers is kept as it came, and refuses no file."""
    lines = b'{"id": "Q1", "output": "a \\ud800 b"}\n{"id": "Q2", "output": "fine"}\n'
    path = tmp_path / ("a.jsonl.gz" if packed else "a.jsonl")
    path.write_bytes(gzip.compress(lines) if packed else lines)
    system = connect(str(path), {})
    answers = [await system.ask(Request(id=name, question="q")) for name in ("Q1", "Q2")]
    await system.close()

    assert [answer.text for answer in answers] == ["a \ud800 b", "fine"]
