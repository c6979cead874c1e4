"""Tables of other tools and spreadsheets, known by the names of their columns."""

from pathlib import Path

import pytest
from openpyxl import Workbook

from ragstone.contracts.key_points.cases import Gold, load
from ragstone.core.errors import SettingError
from ragstone.core.types import JSON, Case, Finding
from ragstone.datasets.columns import Columns, find_columns, points_of, read_map, texts_of
from tests.conftest import Cli


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ({"q": "", "gold": [], "doc_hint": []}, Columns("q", "gold", "doc_hint")),
        ({"question": "", "answer": ""}, Columns("question", "answer")),
        (
            {"user_input": "", "reference": "", "response": "", "retrieved_contexts": []},
            Columns("user_input", "reference", "", "", "response", "retrieved_contexts"),
        ),
        (
            {"question": "", "answer": "", "contexts": [], "ground_truth": ""},
            Columns("question", "ground_truth", "", "", "answer", "contexts"),
        ),
        (
            {"input": "", "expected_output": "", "actual_output": ""},
            Columns("input", "expected_output", "", "", "actual_output"),
        ),
        ({"vars": {"question": ""}, "assert": []}, Columns("vars.question", "assert")),
        ({"inputs": {"question": ""}, "outputs": {"answer": ""}}, Columns("inputs.question", "outputs.answer")),
        ({"input": "", "expectedOutput": "", "id": "x"}, Columns("input", "expectedOutput", "", "id")),
        (
            {"input": {"question": ""}, "expectedOutput": {"answer": ""}},
            Columns("input.question", "expectedOutput.answer"),
        ),
        (
            {"Question": "", "Ground Truth": "", "Source Document": ""},
            Columns("Question", "Ground Truth", "Source Document"),
        ),
        ({"input_question": "", "output_answer": ""}, Columns("input_question", "output_answer")),
        ({"用户问题": "", "预期答案": "", "模型输出": ""}, Columns("用户问题", "预期答案", "", "", "模型输出")),
        ({"编号": 1, "问题": "", "答案": "", "文档": "", "回答": ""}, Columns("问题", "答案", "文档", "编号", "回答")),
        ({"問題": "", "關鍵點": ""}, Columns("問題", "關鍵點")),
        (
            {"question": "", "answers": {"text": []}, "context": ""},
            Columns("question", "answers.text", contexts="context"),
        ),
        ({"colour": 1, "size": 2}, Columns()),
    ],
)
def test_columns_are_known_by_their_names(row: dict[str, JSON], found: Columns) -> None:
    """Ragas, DeepEval, promptfoo, LangSmith, Langfuse and Chinese spreadsheets need no mapping."""
    assert find_columns(row) == found


@pytest.mark.parametrize(
    ("column", "value", "texts"),
    [
        ("__expected", "contains: 7 am", ["7 am"]),
        ("__expected", "icontains-all: five, euros", ["five", "euros"]),
        ("__expected", "7 am", ["7 am"]),
        ("__expected", "note: bring a towel", ["note: bring a towel"]),
        ("__expected", "llm-rubric: is polite", []),
        ("__expected", "not-contains: closed", []),
        ("expected", "contains: 7 am", ["contains: 7 am"]),
        ("关键点", "五欧元；成人", ["五欧元", "成人"]),
        ("Key Points", "five euros; adults", ["five euros", "adults"]),
        ("key_points", "one; two\nthree", ["one; two", "three"]),
        ("文档", "a.md;b.md", ["a.md", "b.md"]),
        ("answer", "five euros; adults", ["five euros; adults"]),
    ],
)
def test_a_cell_is_read_as_its_columns_name_says(column: str, value: str, texts: list[str]) -> None:
    """promptfoo's assertions in a CSV cell, and lists in one line where the column holds a list."""
    assert points_of(column, value) == texts


def test_a_table_of_unknown_columns_is_told_how_to_map_them(cli: Cli, tmp_path: Path) -> None:
    """The message names the columns and the option that says what they hold."""
    (tmp_path / "odd.csv").write_text("prompt text,wanted\nWhen?,7 am\n", encoding="utf-8")

    done = cli("check", "odd.csv")

    assert done.returncode == 2
    assert "prompt text, wanted" in done.stderr and "--map question=COLUMN --map gold=COLUMN" in done.stderr


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("question,notes", "the questions are in 'question', but no column is known to hold what is expected"),
        ("wording,ground_truth", "what is expected is in 'ground_truth', but no column is known to hold the questions"),
    ],
)
def test_the_one_column_that_is_missing_is_named(cli: Cli, tmp_path: Path, header: str, said: str) -> None:
    """What was recognised need not be mapped again."""
    (tmp_path / "half.csv").write_text(f"{header}\nWhen?,7 am\n", encoding="utf-8")

    assert said in cli("check", "half.csv").stderr


def test_several_assertions_of_a_promptfoo_row_are_read(cli: Cli, tmp_path: Path) -> None:
    """`__expected1`, `__expected2`; one that states no text is named with its line."""
    (tmp_path / "t.csv").write_text(
        "question,__expected1,__expected2,__expected3\nWhen?,contains: 7 am,llm-rubric: nice,daily\n", encoding="utf-8"
    )

    cases = [case for case in load(tmp_path / "t.csv") if isinstance(case, Case)]
    done = cli("check", "t.csv")

    assert [case.gold for case in cases] == [Gold(("7 am", "daily"), ())]
    assert "t.csv:2: warning: promptfoo's 'llm-rubric'" in done.stdout


def test_warnings_of_the_same_words_are_counted(cli: Cli, tmp_path: Path) -> None:
    """A table without documents says so three times, not once a row."""
    rows = "".join(f"What is {n}?,it is {n}\n" for n in range(40))
    (tmp_path / "many.csv").write_text(f"question,answer\n{rows}", encoding="utf-8")

    shown = cli("check", "many.csv").stdout

    assert shown.count("warning: doc_hint is empty") == 3
    assert "the same for 37 more" in shown and "40 warnings" in shown


def test_what_the_user_says_counts_first() -> None:
    """--map names the column of a field, under either name of the field."""
    assert find_columns({"a": "", "b": "", "answer": ""}, read_map({"q": "a", "gold": "b"})) == Columns(
        "a", "b", answer="answer"
    )
    with pytest.raises(SettingError, match="colour"):
        read_map({"colour": "a"})


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ("一句话", ["一句话"]),
        ("- 甲\n- 乙\n", ["甲", "乙"]),
        ("1. a\n2) b", ["a", "b"]),
        (42, ["42"]),
        ([{"type": "icontains", "value": "x"}, {"type": "llm-rubric", "value": "nice"}], ["x"]),
        (None, []),
    ],
)
def test_a_cell_becomes_a_list(value: JSON, texts: list[JSON]) -> None:
    """Plain text is one point, lines are several, and a model's rubric is no text to look for."""
    assert texts_of(value) == texts


def test_a_plain_table_becomes_cases(tmp_path: Path) -> None:
    """Gold as plain text, own ids, no documents."""
    (tmp_path / "t.csv").write_text(
        "编号,问题,答案\na7,几点开门？,上午九点\n,几点关门？,晚上八点\n", encoding="utf-8-sig"
    )

    cases = [case for case in load(tmp_path / "t.csv") if isinstance(case, Case)]

    assert [(case.id, case.gold) for case in cases] == [
        ("a7", Gold(("上午九点",), ())),
        ("Q2", Gold(("晚上八点",), ())),
    ]


def test_a_row_without_gold_is_named(tmp_path: Path) -> None:
    """The fault names the user's own column."""
    (tmp_path / "t.csv").write_text("question,expected\na,b\nc,\n", encoding="utf-8")

    faults = [fault for fault in load(tmp_path / "t.csv", {"gold": "expected"}) if isinstance(fault, Finding)]

    assert [(fault.position.line, fault.params["field"]) for fault in faults] == [(3, "expected")]


def test_a_workbook_is_scored_as_it_is(cli: Cli, tmp_path: Path) -> None:
    """Questions, gold and answers of one Excel sheet: one command, no other file."""
    book = Workbook()
    for row in (
        ("问题", "标准答案", "回答"),
        ("几点开门？", "上午九点", "上午9点开门。"),
        ("几点关门？", "20:00", "不清楚。"),
    ):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")

    done = cli("score", "t.xlsx", "--lang", "en")

    assert done.returncode == 0, done.stderr
    assert "accuracy: 50.0%" in done.stdout


def test_a_broken_workbook_is_told(cli: Cli, tmp_path: Path) -> None:
    """What is no workbook is a message, not a traceback."""
    (tmp_path / "t.xlsx").write_bytes(b"PK\x03\x04 no workbook")

    done = cli("check", "t.xlsx")

    assert done.returncode == 2 and "t.xlsx" in done.stderr and "Traceback" not in done.stderr


def test_new_converts_a_table(cli: Cli, tmp_path: Path) -> None:
    """`new --from` writes the dataset and the answers, says what became what, and both can be scored."""
    (tmp_path / "t.csv").write_text('frage,expected,response\nHow much?,12 dollars,"12 dollars."\n', encoding="utf-8")

    done = cli("new", "key_points", "mine", "--from", "t.csv", "--map", "question=frage")
    scored = cli("score", "mine/questions.jsonl", "mine/answers.jsonl")

    assert "question ← frage" in done.stdout and "answer ← response" in done.stdout
    assert scored.returncode == 0 and "accuracy: 100.0%" in scored.stdout
