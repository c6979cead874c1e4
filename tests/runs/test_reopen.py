"""Stored runs, opened without their systems."""

from pathlib import Path

import pytest

from ragstone.core.errors import RunError
from ragstone.core.types import Request
from ragstone.runs.pipeline import Unit
from ragstone.runs.reopen import Answers, Silent, plan_of, score_again
from ragstone.runs.store.codec import encode
from tests.trust.samples import Lab


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """Make runs in the test's folder."""
    return Lab(tmp_path, monkeypatch)


def test_rows_come_out_to_the_byte(lab: Lab) -> None:
    """Scoring again gives results.jsonl."""
    folder = lab.run("a", {"c1": "错", "c2": "{"}, repeats=2)

    with Answers(folder) as answers:
        again = b"".join(encode(row.result) + b"\n" for row in score_again(plan_of(folder), answers))

    assert again == (folder.path / "results.jsonl").read_bytes()


def test_answers_follow_their_case(lab: Lab) -> None:
    """A dataset put into another order, with a row more: every answer is found by its id."""
    folder = lab.run("a", {"c1": "一"}, repeats=2)
    rows = lab.rows()
    lab.write("q.jsonl", [{**rows[0], "id": "new"}, *reversed(rows)])

    with Answers(folder) as answers:
        found = {(row.unit.case.id, row.unit.repeat): row.answer.text for row in score_again(plan_of(folder), answers)}

    assert len(found) == 12
    assert found["c1", 0] == found["c1", 1] == "一"
    assert found["c5", 1] == "答案005"


def test_a_missing_journal_is_told(lab: Lab) -> None:
    """Nothing is made in its place."""
    folder = lab.run("a")
    (folder.path / "answers.jsonl").unlink()

    with pytest.raises(RunError, match=r"answers\.jsonl"):
        Answers(folder)
    assert not (folder.path / "answers.jsonl").exists()


def test_reading_leaves_the_journal_alone(lab: Lab) -> None:
    """Half a line at the end stays where it is."""
    folder = lab.run("a")
    path = folder.path / "answers.jsonl"
    path.write_bytes(path.read_bytes() + b'{"unit": 9')
    before = path.read_bytes()

    with Answers(folder) as answers:
        assert len(list(score_again(plan_of(folder), answers))) == 6
    assert path.read_bytes() == before


async def test_a_silent_system_cannot_be_asked() -> None:
    """It has a name and an identity, and that is all."""
    system = Silent("m", {"kind": "chat"})

    assert system.identity() == {"kind": "chat"}
    await system.close()
    with pytest.raises(RunError, match="recorded"):
        await system.ask(Request(id="c1", question="?"))


def test_a_mock_run_is_opened_too(lab: Lab) -> None:
    """Its one model is called mock."""
    lab.run("a")
    folder = lab.run("b", mock=True)

    with Answers(folder) as answers:
        (first, *_) = score_again(plan_of(folder), answers)

    assert isinstance(first.unit, Unit)
    assert first.result.model_id in {"mock", "sut"}
