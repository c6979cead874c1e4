"""The journal survives what kills the process."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragstone.core.errors import RunError
from ragstone.core.types import Answer, Citation, Context, Failure, Usage
from ragstone.runs.store.journal import AnswerJournal

FULL = Answer(
    text="四万二千元",
    data={"amount": 42000},
    contexts=(Context("a.md", 2, "…", 0.5),),
    citations=(Citation("a.md", 2, "引"),),
    usage=Usage(1, 2, 3),
    latency_ms=1.5,
    attempts=2,
    finish_reason="stop",
    cost=0.1,
    failure=Failure("timeout", "late"),
)


def _journal(tmp_path: Path) -> AnswerJournal:
    return AnswerJournal(tmp_path / "answers.jsonl")


def test_an_answer_comes_back_whole_from_a_new_process(tmp_path: Path) -> None:
    """Every field survives, also when the file was never closed."""
    _journal(tmp_path).append(3, "Q4", FULL)

    again = _journal(tmp_path)

    assert again.find(3) == FULL
    assert again.id_of(3) == "Q4"
    assert again.find(0) is None
    assert list(again.units()) == [3]


@pytest.mark.parametrize("text", ["\ud800", "\x00", "a\u2028b", "\\ud800", "💥" * 40_000])
def test_hostile_text_is_kept_as_it_is(tmp_path: Path, text: str) -> None:
    """Lone surrogates, nulls and long lines come back byte for byte."""
    _journal(tmp_path).append(0, "Q1", Answer(text=text))

    answer = _journal(tmp_path).find(0)

    assert answer is not None
    assert answer.text == text


def test_a_line_cut_at_any_byte_loses_only_itself(tmp_path: Path) -> None:
    """Whatever the moment of death, earlier answers stay and the torn one is asked again."""
    journal = _journal(tmp_path)
    for unit in range(2):
        journal.append(unit, f"Q{unit}", Answer(text="一二三"))
    whole = journal.path.read_bytes()
    first = whole.index(b"\n") + 1

    for cut in range(first, len(whole)):
        journal.path.write_bytes(whole[:cut])
        again = _journal(tmp_path)
        assert list(again.units()) == [0]
        again.append(1, "Q1", Answer(text="neu"))
        assert len(_journal(tmp_path)) == 2


def test_a_later_line_replaces_an_earlier_one(tmp_path: Path) -> None:
    """What was asked again counts."""
    journal = _journal(tmp_path)
    journal.append(0, "Q1", Answer(failure=Failure("timeout")))
    journal.forget(0)
    assert journal.find(0) is None
    journal.append(0, "Q1", Answer(text="ok"))

    assert _journal(tmp_path).find(0) == Answer(text="ok")


def test_damage_inside_the_file_is_named(tmp_path: Path) -> None:
    """A broken line that is not the last is no crash of ours, and is not passed over."""
    path = tmp_path / "answers.jsonl"
    path.write_bytes(b'{"unit":0,"id":"Q1","answer":{}}\nxx\n{"unit":1,"id":"Q2","answer":{}}\n')

    with pytest.raises(RunError, match=r"answers\.jsonl:2"):
        AnswerJournal(path)


def test_a_full_disk_leaves_a_whole_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a line written before the disk was full is taken back, and the message says what to do."""
    journal = _journal(tmp_path)
    journal.append(0, "Q1", Answer(text="ok"))
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, data[:5]))

    with pytest.raises(RunError, match="ragstone resume"):
        journal.append(1, "Q2", Answer(text="lost"))

    monkeypatch.undo()
    assert journal.path.read_bytes().endswith(b'"}\n')
    assert list(_journal(tmp_path).units()) == [0]


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 20), st.text()), max_size=30))
def test_the_journal_is_a_dictionary_on_disk(tmp_path: Path, entries: list[tuple[int, str]]) -> None:
    """Whatever is appended in whatever order, the last answer of each unit is found."""
    (tmp_path / "answers.jsonl").unlink(missing_ok=True)
    journal = _journal(tmp_path)
    for unit, text in entries:
        journal.append(unit, str(unit), Answer(text=text))

    again = _journal(tmp_path)

    assert {unit: again.find(unit) for unit in again.units()} == {u: Answer(text=t) for u, t in entries}
