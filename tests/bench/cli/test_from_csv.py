"""Spreadsheets into rows."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.runners.from_csv import convert, main


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("q,y\n税率？,3%", {"q": "税率？", "gt_y": "3%"}),
        ("\ufeffq;y\na;b", {"q": "a", "gt_y": "b"}),
        ("q\ty\n1,2\tb", {"q": "1,2", "gt_y": "b"}),
        ('q,y\n"a\nb",""', {"q": "a\nb"}),
        ('q,y\n"[{""title"": ""x""}]",b', {"q": [{"title": "x"}], "gt_y": "b"}),
        ("q,y\n[broken,b", {"q": "[broken", "gt_y": "b"}),
        ("q,y,gt_z\n1,2,3", {"q": "1", "gt_y": "2", "gt_z": "3"}),
    ],
)
def test_a_line_becomes_a_row(text: str, row: dict[str, object]) -> None:
    """Separators, marks, quotes and JSON cells are understood; an empty label is none."""
    assert list(convert(text, labels=["y"])) == [row]


def test_lists_are_split_at_any_usual_mark() -> None:
    """Half-width, full-width, enumeration comma, bar."""
    (row,) = convert('id,k\n7,"a; b；c、d|e，f"', labels=["k"], lists=["k"], id_column="id")

    assert row == {"sample_id": "7", "gt_k": ["a", "b", "c", "d", "e", "f"]}


def test_blank_lines_are_left_out() -> None:
    """A spreadsheet often ends with empty lines."""
    assert len(list(convert("a,b\n1,2\n,\n\n3,"))) == 2


@settings(deadline=None)
@given(st.lists(st.lists(st.text(max_size=8), min_size=2, max_size=2), max_size=5))
def test_any_cells_can_be_written_as_json(cells: list[list[str]]) -> None:
    """No cell makes it stumble."""
    quoted = ["a,b", *(",".join('"' + c.replace('"', '""').replace("\0", "") + '"' for c in row) for row in cells)]

    for row in convert("\n".join(quoted), labels=["b"]):
        json.dumps(row)


def test_the_command_reads_what_excel_saves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """GB18030 is recognised; the fields are told."""
    (tmp_path / "r.csv").write_bytes("问题,类别\n发票抬头怎么改？,发票\n".encode("gb18030"))

    assert main(["r.csv", "out/r.jsonl", "--labels", "类别"]) == 0
    row = json.loads((tmp_path / "out" / "r.jsonl").read_text(encoding="utf-8"))
    assert row == {"问题": "发票抬头怎么改？", "gt_类别": "发票"}
    assert "问题, gt_类别" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [(["no.csv", "o"], "no.csv"), (["r.csv", "o", "--labels", "z"], "'z'"), (["e.csv", "o"], "e.csv")],
)
def test_faults_are_said(words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file, an unknown column, an empty table."""
    (tmp_path / "r.csv").write_text("a\n1\n")
    (tmp_path / "e.csv").write_text("a\n")

    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_a_file_that_is_no_csv_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What Python's own reader refuses is an error that names the file."""
    source = tmp_path / "odd.csv"
    source.write_bytes(b"a,b\r1,\x002\r3")

    assert main([str(source), str(tmp_path / "out.jsonl")]) == 2
    assert "odd.csv" in capsys.readouterr().err


def test_hostile_cells_are_kept() -> None:
    """A cell that is nested too deeply for JSON stays a text, a lone surrogate stays itself."""
    deep = "[" * 100_000
    (row,) = convert(f'a,b\n{deep},"[""\\ud800""]"\n')

    assert row == {"a": deep, "b": ["\ud800"]}
