"""The rows of two stored runs in pairs."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import structs

from ragstone import api
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.pairs import Pairs, is_place
from tests.trust.samples import Lab

QUESTIONS = ("甲是什么？", "乙是什么？", "丙是什么？", "乙是什么？")


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """Make runs in the test's folder."""
    return Lab(tmp_path, monkeypatch)


def _placed(folder: Path, name: str, questions: Sequence[str], repeats: int = 1) -> RunFolder:
    """Run cases that have no id of their own; each answer is its case's question with its turn."""
    turns = [f"{text} {questions[:at].count(text)}" for at, text in enumerate(questions)]
    rows = [{"q": text, "gold": ["要点"], "doc_hint": ["d.md"]} for text in questions]
    said = [{"id": f"Q{at + 1}", "output": text} for at, text in enumerate(turns)]
    for file, lines in ((f"{name}.jsonl", rows), (f"said_{name}.jsonl", said)):
        (folder / file).write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    system = f"replay:{folder}/said_{name}.jsonl"
    return RunFolder(api.evaluate(folder / f"{name}.jsonl", system, run_id=name, repeats=repeats).folder)


def _counts(pairs: Pairs) -> tuple[int, int, int]:
    return pairs.paired, pairs.only_first, pairs.only_second


@pytest.mark.parametrize("repeats", [1, 2])
def test_cases_without_ids_are_paired_by_their_questions(lab: Lab, repeats: int) -> None:
    """A row more at the top moves every place; equal questions are paired in their order."""
    first = _placed(lab.folder, "a", QUESTIONS, repeats)
    pairs = Pairs(first, _placed(lab.folder, "b", ("丁是什么？", *QUESTIONS), repeats))

    found = list(pairs)

    assert _counts(pairs) == (4 * repeats, 0, repeats)
    assert all(pair.first.output_text == pair.second.output_text for pair in found)
    assert [pair.second.sample_id for pair in found if not pair.first.repeat] == ["Q2", "Q3", "Q4", "Q5"]


def test_a_question_is_the_same_in_another_dress(lab: Lab) -> None:
    """Width, script and spaces do not make another case."""
    pairs = Pairs(
        _placed(lab.folder, "a", ("LLM 有哪些组件?", "乙？")), _placed(lab.folder, "b", ("乙?", "ＬＬＭ有哪些組件？"))
    )

    assert [(pair.first.sample_id, pair.second.sample_id) for pair in pairs] == [("Q1", "Q2"), ("Q2", "Q1")]


@pytest.mark.parametrize("turn", [False, True])
def test_the_same_id_with_another_question_is_no_pair(lab: Lab, turn: bool) -> None:
    """In step or looked up: it is counted on both sides, and told."""
    rows = lab.rows()
    first = lab.run("a", rows=rows)
    changed = [row | {"question": "别的问题？"} if row["id"] == "c2" else row for row in rows]
    pairs = Pairs(first, lab.run("b", rows=changed[::-1] if turn else changed, file="b.jsonl"))

    assert "c2" not in {pair.first.sample_id for pair in pairs}
    assert (*_counts(pairs), pairs.other_questions) == (5, 1, 1, 1)


def test_another_prompt_may_show_other_fields(lab: Lab) -> None:
    """Cases with ids of their own stay pairs when what stands for their question comes from another prompt."""
    (lab.folder / "p1").write_text("one")
    (lab.folder / "p2").write_text("two")
    rows = lab.rows()
    first = lab.run("a", rows=rows, options={"prompt": str(lab.folder / "p1")})
    other = [row | {"question": f"{row['question']}\n上下文"} for row in rows]
    pairs = Pairs(first, lab.run("b", rows=other, file="b.jsonl", options={"prompt": str(lab.folder / "p2")}))

    assert len(list(pairs)) == 6


def test_all_answers_to_a_case_are_paired_where_one_run_has_more(lab: Lab) -> None:
    """In step or looked up."""
    first = _placed(lab.folder, "a", QUESTIONS, 3)
    for name, questions in (("b", QUESTIONS), ("c", QUESTIONS[::-1])):
        pairs = Pairs(first, _placed(lab.folder, name, questions))
        assert [(len(pair.firsts), len(pair.seconds)) for pair in pairs] == [(3, 1)] * 4
        assert _counts(pairs) == (4, 0, 0)
        back = Pairs(_placed(lab.folder, f"{name}2", questions), first)
        assert [(len(pair.firsts), len(pair.seconds)) for pair in back] == [(1, 3)] * 4


def test_pairs_count_while_they_stream(lab: Lab) -> None:
    """Nothing is held: the counts grow with the pairs taken."""
    pairs = Pairs(lab.run("a"), lab.run("b"))
    stream = iter(pairs)
    next(stream)
    next(stream)

    assert pairs.paired == 2


@pytest.mark.parametrize(("case_id", "place"), [("Q1", True), ("Q120", True), ("Q001", False), ("q1", False)])
def test_only_the_name_of_a_place_is_one(lab: Lab, case_id: str, place: bool) -> None:
    """Q001 is somebody's own id: a case without one is called Q1."""
    row = next(iter(_placed(lab.folder, "a", QUESTIONS).results()))

    assert is_place(structs.replace(row, sample_id=case_id)) is place
