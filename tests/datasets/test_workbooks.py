"""Workbooks that claim more than they hold."""

import zipfile
from pathlib import Path

import pytest

from ragstone.core.types import Finding
from ragstone.datasets.formats import DamagedError, xlsx_rows
from ragstone.datasets.rows import read_rows

openpyxl = pytest.importorskip("openpyxl")
HEAD = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{before}<sheetData>'
    '<row r="1"><c r="A1" t="inlineStr"><is><t>q</t></is></c></row>'
    '<row r="{row}"><c r="{cell}" t="inlineStr"><is><t>{text}</t></is></c></row></sheetData></worksheet>'
)


def _workbook(path: Path, **said: str) -> Path:
    """Make a workbook whose sheet is written by hand."""
    openpyxl.Workbook().save(path.with_suffix(".plain"))
    with zipfile.ZipFile(path.with_suffix(".plain")) as plain, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name in plain.namelist():
            own = name == "xl/worksheets/sheet1.xml"
            fields = {"before": "", "row": "2", "cell": "A2", "text": "x", **said}
            made.writestr(name, HEAD.format_map(fields) if own else plain.read(name))
    return path


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"row": "99999999999", "cell": "A99999999999"}, "more than 1048576 rows"),
        ({"cell": "ZZZZZZ2"}, "ZZZZZZ"),
        ({"text": "x" * (101 << 20)}, "unpacks to more than 104857600 bytes"),
    ],
    ids=["rows", "columns", "text"],
)
def test_a_workbook_without_end_is_refused(tmp_path: Path, said: dict[str, str], told: str) -> None:
    """By its limit, and not after hours or with all memory taken."""
    with pytest.raises(DamagedError, match=told):
        list(xlsx_rows(_workbook(tmp_path / "a.xlsx", **said), "a.xlsx"))


def test_a_width_that_is_only_claimed_is_not_filled(tmp_path: Path) -> None:
    """Sixteen thousand empty cells in each of a million rows took minutes."""
    claimed = {"before": '<dimension ref="A1:XFD50000"/>', "row": "50000", "cell": "A50000"}

    assert list(xlsx_rows(_workbook(tmp_path / "a.xlsx", **claimed), "a.xlsx")) == [(50000, {"q": "x"})]


def _save(path: Path, *sheets: list[tuple[object, ...]]) -> Path:
    book = openpyxl.Workbook()
    for at, rows in enumerate(sheets):
        sheet = book.create_sheet(index=at)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


TABLE: list[tuple[object, ...]] = [("问题", "答案"), ("几点开门？", "九点")]


@pytest.mark.parametrize(
    ("sheets", "number"),
    [
        ([TABLE], 2),
        ([[("客服问答表",), (), *TABLE]], 4),
        ([[("说明：见第二页",)], TABLE], 2),
        ([[], [("标题",), *TABLE], [("x", "y"), ("1", "2")]], 3),
    ],
    ids=["plain", "title", "second sheet", "both"],
)
def test_the_table_of_a_workbook_is_found(tmp_path: Path, sheets: list[list[tuple[object, ...]]], number: int) -> None:
    """Below a title, or on the first sheet that has one; rows keep their numbers."""
    found = list(xlsx_rows(_save(tmp_path / "t.xlsx", *sheets), "t.xlsx"))

    assert found == [(number, {"问题": "几点开门？", "答案": "九点"})]


def test_formulas_without_results_are_told(tmp_path: Path) -> None:
    """A program wrote the file and nothing has calculated it: the cell is empty, and that has a reason."""
    plain = _save(tmp_path / "plain.xlsx", TABLE)
    made = _save(tmp_path / "made.xlsx", [("问题", "答案"), ("几点开门？", '=CONCAT("九","点")')])

    assert not [row for row in read_rows(plain) if isinstance(row, Finding)]
    assert [row.code for row in read_rows(made) if isinstance(row, Finding)] == ["row.formulas"]
