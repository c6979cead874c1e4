"""docs/conformance.md: every part of the four documents and every ruling has a row, every row a test that exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("conformance.md", "conformance.zh.md")
ROW = re.compile(
    r"\| (?P<part>(?:\d |R\d)[^|]+) \| (?P<what>[^|]+) \| "
    r"`(?P<file>[^`:]+)::(?P<test>\w+)(?:\[(?P<case>[^\]`]+)\])?` \|"
)
PARTS = {
    "1": "overview root fact_exact evidence_set conflict_gap required_evidence metadata metrics python",
    "2": "one two.1 two.2 three.1 three.2 three.3.1 three.3.2 three.3.3",
    "3": "aim 1 2 3 4",
    "4": "1 2 3.1 3.2 3.3 3.4 3.5 4 5 6",
}
MORE = {"1 command line", "1 version", "3 2 metrics", "4 6 tools"}
"""Parts whose names are more than a word."""
RULINGS = {"R0": 5, "R1": 10, "R2": 4, "R3": 5, "R4": 5}
"""How many rulings there are about all documents and about each."""


def _rows(page: str = PAGES[0]) -> list[re.Match[str]]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if re.match(r"\| (?:\d|R\d)", line)]
    rows = [match for line in lines if (match := ROW.fullmatch(line))]
    assert len(rows) == len(lines), "a row that cannot be read"
    return rows


def test_every_row_names_a_test_that_exists() -> None:
    """By file and function, as pytest is told; a row of a test's table stands in the test or in the data it reads."""
    missing = [row[0] for row in _rows() if not _is_there(ROOT / row["file"], row["test"], row["case"] or "")]

    assert missing == []


def _is_there(path: Path, name: str, case: str) -> bool:
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    data = (ROOT / "tests" / "data" / "eval_json_v2.jsonl").read_text(encoding="utf-8")
    return (f"\ndef {name}(" in text or f"\nasync def {name}(" in text) and (case in text or case in data)


def test_every_part_of_the_documents_has_a_row() -> None:
    """And every ruling; no row speaks of a part there is not."""
    wanted = {f"{document} {part}" for document, parts in PARTS.items() for part in parts.split()} | MORE
    wanted |= {f"{about}.{number}" for about, many in RULINGS.items() for number in range(1, many + 1)}

    assert {row["part"] for row in _rows()} == wanted


def test_both_languages_have_the_same_rows() -> None:
    """The same parts and tests in the same order."""
    first, second = ([(row["part"], row["file"], row["test"], row["case"]) for row in _rows(page)] for page in PAGES)

    assert first == second


@pytest.mark.parametrize("page", PAGES)
def test_no_row_stands_twice(page: str) -> None:
    """A sentence is asked once, and there are more of them than anybody checked by hand."""
    said = [(row["part"], row["what"]) for row in _rows(page)]

    assert len(said) == len(set(said)) > 204
