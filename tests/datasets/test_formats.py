"""Rows out of compressed lines, CSV and Parquet, with findings at the right places."""

import gzip
import json
import os
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.errors import DatasetError
from ragstone.core.types import JSON, Finding
from ragstone.datasets.formats import Form, form_of
from ragstone.datasets.rows import Part, Row, only, parts, read_rows

ROWS: list[dict[str, JSON]] = [
    {"q": "一，“二”\n三", "gold": ["甲", "乙"]},
    {"q": "x", "gold": ["y"], "tags": {"a": "b"}},
]

TEXT = pyarrow.string()
SCHEMA = pyarrow.schema({"q": TEXT, "gold": pyarrow.list_(TEXT), "tags": pyarrow.struct({"a": TEXT})})


def _lines(rows: list[dict[str, JSON]]) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def _write_csv(path: Path) -> None:
    cells = '"一，“二”\n三","[""甲"", ""乙""]",\r\nx,"[""y""]","{""a"": ""b""}"\r\n'
    path.write_bytes(b"\xef\xbb\xbf" + f"q,gold,tags\r\n{cells}".encode())


WRITERS: dict[str, Callable[[Path], object]] = {
    "r.jsonl": lambda path: path.write_bytes(_lines(ROWS)),
    "r.jsonl.gz": lambda path: path.write_bytes(gzip.compress(_lines(ROWS))),
    "r.JSONL.ZST": lambda path: path.write_bytes(zstandard.compress(_lines(ROWS))),
    "r.csv": _write_csv,
    "r.parquet": lambda path: pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS, SCHEMA), path),
}


def _read(path: Path, **more: int) -> list[Row | Finding]:
    return list(read_rows(path, name="x", **more))


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_rows(tmp_path: Path, name: str) -> None:
    """The values do not tell what they were wrapped in."""
    WRITERS[name](tmp_path / name)

    rows = [row for row in _read(tmp_path / name) if isinstance(row, Row)]

    assert [row.value for row in rows] == ROWS
    assert [row.number for row in rows] == [1, 2]


def test_lines_of_a_csv_file_are_counted_as_an_editor_counts_them(tmp_path: Path) -> None:
    """A cell with a line break moves what stands after it."""
    _write_csv(tmp_path / "r.csv")

    assert [row.position.line for row in _read(tmp_path / "r.csv")] == [2, 4]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.jsonl", ("lines", "")),
        ("a.txt", ("lines", "")),
        ("A.CSV.GZ", ("csv", "gz")),
        ("a.tsv", ("csv", "")),
        ("a.parquet", ("parquet", "")),
        ("a.jsonl.zst", ("lines", "zst")),
    ],
)
def test_a_name_says_the_form(name: str, form: tuple[str, str]) -> None:
    """Whatever its case."""
    assert form_of(Path(name)) == form
    assert Form("lines").plain


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"a,b\n1,2,3\n4,5\n", ["row.csv:2", 3]),
        (b"a;b\n1;2\n", [2]),
        (b"a\tb\n1\n", [2]),
        (b"a,b\n\n , \n1,2\n", [4]),
        (b'a,b\n"1"x,2\n3,4\n', ["row.csv:2", 3]),
        (b"a,b\n\xff,2\n3,4\n", ["row.not_utf8:2", 3]),
        (b"a,\xff\n1,2\n3,4\n", ["row.not_utf8:1"]),
        (b'a,b\n"' + b"x" * 300, ["row.csv:2"]),
        (b'a,b\n1,"never closed\n' + b"y\n" * 200, ["row.csv:2"]),
        (b"a,b\n", []),
        (b"", []),
    ],
)
def test_what_is_no_record_becomes_a_finding(tmp_path: Path, content: bytes, found: list[JSON]) -> None:
    """Bad records are named with the line they begin at; a quote never closed cannot swallow the memory."""
    (tmp_path / "r.csv").write_bytes(content)
    seen = _read(tmp_path / "r.csv", max_bytes=200)

    assert found == [f"{i.code}:{i.position.line}" if isinstance(i, Finding) else i.position.line for i in seen]


@pytest.mark.parametrize("name", ["r.jsonl.gz", "r.jsonl.zst", "r.csv.gz", "r.parquet"])
def test_a_damaged_file_says_where_it_broke(tmp_path: Path, name: str) -> None:
    """Neither noise nor a file cut short raises anything but a finding."""
    pack = gzip.compress if name.endswith("gz") else zstandard.compress
    cut = pack(b'{"a": 1}\n' * 50_000 + os.urandom(500).hex().encode())[:-20]

    for content in (b"not what its name says", cut):
        (tmp_path / name).write_bytes(content)
        last = _read(tmp_path / name)[-1]

        assert isinstance(last, Finding)
        assert last.code == "row.damaged"


@pytest.mark.parametrize("name", ["r.jsonl.gz", "r.jsonl.zst"])
def test_a_bomb_is_not_held_in_memory(tmp_path: Path, name: str) -> None:
    """A line of 50 MB that packs to nothing is refused at the same length as a plain one."""
    pack = gzip.compress if name.endswith("gz") else zstandard.compress
    (tmp_path / name).write_bytes(pack(bytes(50_000_000)) + pack(b'\n{"a": 1}\n'))

    found = _read(tmp_path / name, max_bytes=1000)

    assert [i.code if isinstance(i, Finding) else i.position.line for i in found] == ["row.too_long", 2]


@pytest.mark.parametrize(("name", "module"), [("r.jsonl.zst", "zstandard"), ("r.parquet", "pyarrow.parquet")])
def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, module: str) -> None:
    """The message says what to install."""
    (tmp_path / name).write_bytes(b"")
    monkeypatch.setitem(sys.modules, module, None)

    with pytest.raises(DatasetError, match=r"pip install 'ragstone\["):
        _read(tmp_path / name)


@pytest.mark.parametrize("name", ["no.parquet", "no.jsonl.gz", "no.csv"])
def test_what_is_no_file_is_refused(tmp_path: Path, name: str) -> None:
    """Missing files and folders are told apart whatever the format."""
    with pytest.raises(DatasetError, match="no such file"):
        _read(tmp_path / name)
    (tmp_path / name).mkdir()
    with pytest.raises(DatasetError, match="is a folder"):
        _read(tmp_path / name)


def test_parquet_values_become_json(tmp_path: Path) -> None:
    """Nulls and NaN are no fields; dates are text."""
    row = {"day": date(2026, 3, 1), "none": None, "nan": float("nan"), "deep": {"a": None, "b": [1.5, None]}}
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([row]), tmp_path / "r.parquet")
    (found,) = _read(tmp_path / "r.parquet")

    assert isinstance(found, Row)
    assert found.value == {"day": "2026-03-01", "deep": {"b": [1.5, None]}}


def test_frames_in_a_row_are_one_file(tmp_path: Path) -> None:
    """Several frames, with and without checksum, and one to be skipped."""
    plain, checked = zstandard.ZstdCompressor(), zstandard.ZstdCompressor(write_checksum=True)
    skipped = b"\x50\x2a\x4d\x18" + (3).to_bytes(4, "little") + b"xyz"
    frames = [plain.compress(_lines(ROWS[:1])), skipped, checked.compress(_lines(ROWS[1:]))]
    (tmp_path / "r.jsonl.zst").write_bytes(b"".join(frames))

    assert len(_read(tmp_path / "r.jsonl.zst")) == 2


@settings(deadline=None)
@given(
    lines=st.lists(st.sampled_from(["", "  ", '{"a": 1}', '{"b": "长"}\r']), max_size=12),
    size=st.integers(1, 5),
    skip=st.integers(0, 4),
    most=st.none() | st.integers(1, 6),
)
def test_parts_together_are_the_whole(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], size: int, skip: int, most: int | None
) -> None:
    """Rows read part by part are those of one reading: values, lines, numbers, offsets."""
    path = tmp_path_factory.mktemp("parts") / "r.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" * (size % 2) + "\n".join(lines).encode())
    found: list[Row | Finding] = []
    cuts = list(parts(path, size, skip=skip, most=most))
    for part in cuts:
        with only(path, part):
            found += read_rows(path)

    assert list(read_rows(path))[skip : None if most is None else skip + most] == found
    assert all(part.size == size for part in cuts[:-1])


def test_a_part_is_seen_inside_its_block_only(tmp_path: Path) -> None:
    """Other files, and the same file afterwards, are read whole."""
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_bytes(b'{"n": 1}\n{"n": 2}\n')
    with only(tmp_path / "a.jsonl", Part(9, 18, 1, 1, 1)):
        inside = [len(_read(tmp_path / name)) for name in ("a.jsonl", "b.jsonl")]

    assert inside == [1, 2]
    assert len(_read(tmp_path / "a.jsonl")) == 2
