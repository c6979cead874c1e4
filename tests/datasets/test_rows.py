"""JSONL files into rows, with a finding for every line that is none."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragstone.core.errors import DatasetError
from ragstone.core.types import Finding, Position
from ragstone.datasets import rows
from ragstone.datasets.rows import FieldReader, Row, read_rows


def _read(path: Path, **more: int) -> list[Row | Finding]:
    return list(read_rows(path, name="x", **more))


def test_bom_crlf_and_blank_lines_are_tolerated(tmp_path: Path) -> None:
    """What editors on other systems write is read, and lines are counted as an editor counts them."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n\r\n{"a": 2}\r\n')

    rows = [row for row in _read(path) if isinstance(row, Row)]

    assert [(row.value["a"], row.position.line) for row in rows] == [(1, 1), (2, 3)]


@pytest.mark.parametrize(
    ("content", "codes"),
    [
        (b'{"a": 1', ["row.not_json"]),
        (b"[1, 2]", ["row.array"]),
        (b"null", ["row.not_object"]),
        (b'{"a": "\xff"}', ["row.not_utf8"]),
        (b'\xff\xfe{\x00"\x00', ["row.utf16"]),
        (b'{"a": NaN}', ["row.nan"]),
        (b'{"a": NaN', ["row.not_json"]),
        (b'{"a": 1} {"b": 2}', ["row.not_json"]),
        (b"[" * 100_000, ["row.not_json"]),
        (b'x\n{"a": 1}\ny', ["row.not_json", "ok", "row.not_json"]),
        (b"", []),
        (b"\n \n", []),
    ],
)
def test_what_is_no_row_becomes_a_finding(tmp_path: Path, content: bytes, codes: list[str]) -> None:
    """Every bad line is named; good lines around it are read."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)

    assert codes == [item.code if isinstance(item, Finding) else "ok" for item in _read(path)]


@pytest.mark.parametrize(
    ("content", "codes"),
    [
        ('{"a": "测试"}\n{"a": "标准"}\n'.encode("gbk"), ["file.encoding"]),
        (b'{"a": 1}\n' + '{"a": "标准"}\n{"a": "标准"}\n'.encode("gbk"), ["ok", "file.encoding"]),
        ('{"a": "测试"}\n'.encode() + '{"a": "标准"}\n{"a": 1}\n'.encode("gbk"), ["ok", "row.not_utf8", "ok"]),
        (b"PK\x03\x04\n\x01\x02\n\x03", ["file.binary"]),
    ],
)
def test_what_is_wrong_with_all_of_a_file_is_told_once(tmp_path: Path, content: bytes, codes: list[str]) -> None:
    """Another encoding is the file's fault, one pasted row in it is that row's."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)

    assert codes == [item.code if isinstance(item, Finding) else "ok" for item in _read(path)]


def test_another_encoding_of_a_table_is_told_once(tmp_path: Path) -> None:
    """A spreadsheet saves CSV in the machine's own encoding."""
    path = tmp_path / "x.csv"
    path.write_bytes("q,gold\n问题,甲\n问题二,乙\n".encode("gbk"))

    assert [item.code for item in _read(path) if isinstance(item, Finding)] == ["file.encoding"]


def test_a_line_that_is_too_long_is_skipped_without_holding_it(tmp_path: Path) -> None:
    """The row after it is read, at the right line."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"a": "' + b"x" * 5000 + b'"}\n{"a": 2}\n')

    first, second = _read(path, max_bytes=1000)

    assert isinstance(first, Finding)
    assert first.code == "row.too_long"
    assert isinstance(second, Row)
    assert second.position.line == 2


def test_offsets_lead_back_to_the_line(tmp_path: Path) -> None:
    """A row can be read again from where it began."""
    path = tmp_path / "x.jsonl"
    path.write_bytes('{"a": "一"}\n\n{"a": "二"}\n'.encode())
    rows = [row for row in _read(path) if isinstance(row, Row)]

    assert json.loads(path.read_bytes()[rows[1].offset :])["a"] == "二"


@pytest.mark.parametrize(("make", "code"), [(Path.mkdir, "dataset.directory"), (lambda p: None, "dataset.missing")])
def test_what_is_no_file_is_refused(tmp_path: Path, make: Callable[[Path], None], code: str) -> None:
    """A folder and a missing file each have their message."""
    make(tmp_path / "x.jsonl")

    with pytest.raises(DatasetError) as caught:
        _read(tmp_path / "x.jsonl")

    assert caught.value.code == code


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_no_bytes_make_it_raise(tmp_path: Path, content: bytes) -> None:
    """Whatever a file holds, rows and findings come out."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)

    assert all(isinstance(item, Row | Finding) for item in _read(path))


def test_all_faults_of_a_row_are_gathered() -> None:
    """A reader does not stop at the first fault."""
    reader = FieldReader(Row({"a": 3, "b": ["x", "", 4], "c": None}, Position("x", 7), 0), "Q7")

    reader.text("a")
    reader.texts("b", least=1)
    reader.text("c")
    reader.texts("d", least=1)

    assert [finding.params["field"] for finding in reader.findings] == ["a", "b[1]", "b[2]", "c", "d"]
    assert {finding.case_id for finding in reader.findings} == {"Q7"}


def test_a_text_where_an_array_belongs_is_shown_one() -> None:
    """The cell of a table holds an array as JSON, which its author may not know."""
    reader = FieldReader(Row({"gold": "42000", "n": 3}, Position("x.csv", 2), 0))

    reader.texts("gold", least=1)
    reader.texts("n")

    assert [finding.params["expected"] for finding in reader.findings] == [
        'an array of at least 1 non-empty strings such as ["…"]',
        "an array of strings",
    ]


def test_blank_lines_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small packed file of newlines without end is given up at a limit that the message names."""
    monkeypatch.setattr(rows, "MOST_BLANK", 1000)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b'{"a": 1}\n' + b"\n" * 999 + b'{"a": 2}\n' + b"\n" * 5000))
    *found, last = read_rows(tmp_path / "a.jsonl.gz")

    assert [row.value for row in found if isinstance(row, Row)] == [{"a": 1}, {"a": 2}]
    assert isinstance(last, Finding) and (last.code, last.params) == ("row.blank", {"limit": 1000})
    assert last.position.line == 2002


def test_a_list_has_a_limit() -> None:
    """Two hundred thousand key points are a mistake, told in one sentence with the limit."""
    reader = FieldReader(Row({"gold": ["a"] * 200_000}, Position("f", 1), 0), "Q1")

    assert reader.texts("gold", least=1) == ()
    assert len(reader.findings) == 1 and "1000" in str(reader.findings[0].params)
