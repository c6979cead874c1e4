"""docs/conformance.md: every part of the four documents has a row, and every row a test that exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"\| (?P<part>\d [^|]+) \| (?P<what>[^|]+) \| `(?P<file>[^`:]+)::(?P<test>\w+)` \|")
PARTS = {
    "1": "overview root fact_exact evidence_set conflict_gap required_evidence metadata metrics python",
    "2": "one two.1 two.2 three.1 three.2 three.3.1 three.3.2 three.3.3",
    "3": "aim 1 2 3 4",
    "4": "1 2 3.1 3.2 3.3 3.4 3.5 4 5 6",
}
MORE = {"1 command line", "1 version", "3 2 metrics", "4 6 tools"}
"""Parts whose names are more than a word."""


def _rows() -> list[re.Match[str]]:
    page = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if re.match(r"\| \d", line)]
    rows = [match for line in lines if (match := ROW.fullmatch(line))]
    assert len(rows) == len(lines), "a row that cannot be read"
    return rows


def test_every_row_names_a_test_that_exists() -> None:
    """By file and function, as pytest is told."""
    missing = [row["test"] for row in _rows() if not _is_there(ROOT / row["file"], row["test"])]

    assert missing == []


def _is_there(path: Path, name: str) -> bool:
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return f"\ndef {name}(" in text or f"\nasync def {name}(" in text


def test_every_part_of_the_documents_has_a_row() -> None:
    """And no row speaks of a part there is not."""
    wanted = {f"{document} {part}" for document, parts in PARTS.items() for part in parts.split()} | MORE

    assert {row["part"] for row in _rows()} == wanted


def test_no_row_stands_twice() -> None:
    """A sentence is asked once."""
    said = [(row["part"], row["what"]) for row in _rows()]

    assert len(said) == len(set(said)) > 100
