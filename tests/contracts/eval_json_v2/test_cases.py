"""Tests of reading question sets."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from ragstone.contracts.eval_json_v2.cases import QuestionSet
from ragstone.contracts.eval_json_v2.gold import Expected, Wanted
from ragstone.core.errors import DatasetError
from ragstone.core.types import Case, Finding

from .samples import PERFECT, SOURCE_MAP

EXAMPLE = {name: value for name, value in PERFECT.items() if name != "source_map"}
ROW: dict[str, Any] = {
    "id": "loans-1",
    "question": "圖書可以續借幾次？",
    "expected": {"answer_example": EXAMPLE, "source_map": SOURCE_MAP},
}


def _write(folder: Path, rows: object) -> QuestionSet:
    path = folder / "question_v2.json"
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return QuestionSet(path)


def _one(folder: Path, row: object) -> Case | Finding:
    [found] = _write(folder, [row]).load()
    return found


def test_row_becomes_a_case(tmp_path: Path) -> None:
    """A row gives id, question, gold, groups and the pointer to where it stands."""
    case = _one(tmp_path, ROW | {"difficulty": "easy", "tags": ["a", "b"], "grading": {"coverage_weight": 0.45}})

    assert isinstance(case, Case)
    assert isinstance(case.gold, Expected)
    assert (case.id, case.position.pointer) == ("loans-1", "/0")
    assert case.groups["main_topic"] == ("圖書館借閱",)
    assert case.groups["tags"] == ("a", "b")
    assert case.extra["grading"] == {"coverage_weight": 0.45}


@pytest.mark.parametrize(("given", "expected"), [(None, "Q1"), (7, "7"), ("x", "x"), ("", "Q1")])
def test_id_is_the_rows_own_or_its_number(tmp_path: Path, given: object, expected: str) -> None:
    """A row without an id is named by its number."""
    case = _one(tmp_path, ROW | {"id": given})

    assert isinstance(case, Case)
    assert case.id == expected


def test_source_map_may_stand_in_the_example(tmp_path: Path) -> None:
    """Sources are found beside the example or among its fields."""
    case = _one(tmp_path, ROW | {"expected": {"answer_example": PERFECT}})

    assert isinstance(case, Case)
    assert isinstance(case.gold, Expected)
    assert case.gold.references[0].file == "loans.md"


def test_older_form_is_understood(tmp_path: Path) -> None:
    """A row with must_include or keywords is a case of the older form."""
    case = _one(tmp_path, {"question": "幾次？", "expected": {"must_include": ["兩次"]}})

    assert isinstance(case, Case)
    assert case.gold == Wanted(("兩次",), ())


def test_r0_5_all_faults_are_shown_together(tmp_path: Path) -> None:
    """R0.5: every fault of every row is told, with pointer, case id, and what was expected."""
    example = EXAMPLE | {"sub_topic": 5, "detailed_description": ["甲", None]}
    refs = [{"file": "a.md", "page": "1", "anchors": "甲"}, {"anchors": []}, 3]
    bad = {"id": "bad", "expected": {"answer_example": example, "source_map": [{"refs": refs}, {}]}}

    found = list(_write(tmp_path, [ROW, bad, 5, {"question": " ", "expected": {}}, {"question": "q"}]).load())

    faults = [(item.case_id, item.code, item.position.pointer) for item in found if isinstance(item, Finding)]
    assert faults == [
        ("bad", "row.missing", "/1/question"),
        ("bad", "row.field", "/1/expected/answer_example/sub_topic"),
        ("bad", "row.field", "/1/expected/answer_example/detailed_description/1"),
        ("bad", "row.field", "/1/expected/source_map/0/refs/0/anchors"),
        ("bad", "row.field", "/1/expected/source_map/0/refs/0/page"),
        ("bad", "row.missing", "/1/expected/source_map/0/refs/1/file"),
        ("bad", "row.field", "/1/expected/source_map/0/refs/2"),
        ("bad", "row.missing", "/1/expected/source_map/1/refs"),
        (None, "row.not_object", "/2"),
        ("Q4", "row.missing", "/3/question"),
        ("Q4", "row.missing", "/3/expected/answer_example"),
        ("Q5", "row.missing", "/4/expected"),
    ]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("{}", "file.not_array", None),
        ("[1,", "file.not_json", 1),
        ("[1,\n]", "file.not_json", 2),
        ("\ufffe", "file.not_json", 1),
        ('{"question": 1},\n', "file.not_json", 1),
    ],
)
def test_file_that_is_no_array(tmp_path: Path, text: str, code: str, line: int | None) -> None:
    """A file that is not one JSON array is told as such, with the line it breaks at."""
    path = tmp_path / "set.json"
    path.write_text(text, encoding="utf-8")

    *_, last = QuestionSet(path).load()

    assert isinstance(last, Finding) and (last.code, last.position.line) == (code, line)


def test_another_encoding_is_told_once(tmp_path: Path) -> None:
    """A GBK file is one fault with its encoding, however many rows it has; one bad row is that row's."""
    path = tmp_path / "set.json"
    row = '{"question": "多少钱？", "expected": {"keywords": ["元"]}}'
    path.write_bytes(f"[{row}, {row}]".encode("gbk"))
    (fault,) = QuestionSet(path).load()
    path.write_bytes(f"[{row}, ".encode() + row.encode("gbk") + b"]")

    assert isinstance(fault, Finding) and (fault.code, fault.params) == ("file.encoding", {"encoding": "GBK"})
    assert [getattr(item, "code", "") for item in QuestionSet(path).load()] == ["", "row.not_utf8"]


def test_missing_file_and_folder(tmp_path: Path) -> None:
    """A path that is no file is told as such."""
    for path, code in ((tmp_path / "none.json", "dataset.missing"), (tmp_path, "dataset.directory")):
        with pytest.raises(DatasetError) as error:
            list(QuestionSet(path).load())
        assert error.value.code == code


def test_labels_are_those_of_the_set(tmp_path: Path) -> None:
    """The labels an answer may choose from are gathered from all rows, also from next to broken ones."""
    rows = [ROW, {"expected": {"answer_example": {"main_topic": "回收"}}}, 5, {"expected": {"answer_example": 3}}]

    questions = _write(tmp_path, rows)

    assert questions.overview.topics == ("回收", "圖書館借閱")
    assert questions.overview.audiences == ("鎮民",)


def test_byte_order_mark_is_tolerated(tmp_path: Path) -> None:
    """A file saved with a byte order mark is read."""
    path = tmp_path / "set.json"
    path.write_text(json.dumps([ROW]), encoding="utf-8-sig")

    assert len(list(QuestionSet(path).load())) == 1


def test_a_file_of_rows_gives_the_same_cases(tmp_path: Path) -> None:
    """JSONL instead of an array: the same golds and ids, places by line."""
    rows = [ROW, ROW | {"id": None, "question": "第二問"}]
    array = list(_write(tmp_path, rows).load())
    path = tmp_path / "question_v2.jsonl"
    path.write_text("\n\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    lines = QuestionSet(path)
    found = [case for case in lines.load() if isinstance(case, Case)]

    assert [(c.id, c.gold, c.groups) for c in found] == [(c.id, c.gold, c.groups) for c in array if isinstance(c, Case)]
    assert [str(case.position) for case in found] == [f"{path}:1", f"{path}:3"]
    assert lines.overview == _write(tmp_path, rows).overview


def test_faults_of_a_row_are_told_with_its_line(tmp_path: Path) -> None:
    """Line and pointer lead to what is wrong."""
    path = tmp_path / "question_v2.jsonl"
    path.write_text(f"{json.dumps(ROW)}\n{json.dumps(ROW | {'expected': {}})}\nno JSON\n", encoding="utf-8")
    faults = [item for item in QuestionSet(path).load() if isinstance(item, Finding)]

    assert [(f.code, f.position.line, f.position.pointer) for f in faults] == [
        ("row.missing", 2, "/expected/answer_example"),
        ("row.not_json", 3, None),
    ]


@pytest.mark.parametrize(
    ("at", "written", "near"),
    [
        ("", "dificulty", "difficulty"),
        ("/expected", "sourcemap", "source_map"),
        ("/expected/answer_example", "sub_topics", "sub_topic"),
        ("/expected/answer_example", "predicted_question", "predicted_questions"),
        ("/expected/source_map/0", "ref", "refs"),
        ("/expected/source_map/0/refs/0", "anchor", "anchors"),
    ],
)
def test_a_misspelt_field_is_a_warning(tmp_path: Path, at: str, written: str, near: str) -> None:
    """Wherever it stands; the nearest name is offered, beside the error where a field is missing for it."""
    row = copy.deepcopy(ROW)
    holder: Any = row
    for step in at.split("/")[1:]:
        holder = holder[int(step) if step.isdigit() else step]
    holder[written] = holder.pop(near, "x")

    found = [one for one in _write(tmp_path, [row]).load() if isinstance(one, Finding) and one.level == "warning"]

    assert [(one.code, one.position.pointer, one.params["near"]) for one in found] == [
        ("row.slip", f"/0{at}/{written}", near)
    ]


def test_fields_of_the_users_own_are_no_slips(tmp_path: Path) -> None:
    """R0.5: only what is nearly a known name is spoken of."""
    assert isinstance(_one(tmp_path, ROW | {"grading": {"coverage_weight": 0.45}, "owner": "a"}), Case)
