"""Rows {q, gold, doc_hint} into cases."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.contracts.key_points.cases import Gold, load
from ragstone.core.types import Case, Finding
from ragstone.datasets.check import open_contract, survey

Write = Callable[..., Path]
ROW = {"q": "问", "gold": ["点"], "doc_hint": ["a.md"]}


def test_cases_are_numbered_in_file_order_and_r2_4_blank_lines_allowed(write_rows: Write) -> None:
    """R2.4: blank lines between rows are allowed and do not count."""
    cases = list(load(write_rows("x.jsonl", ROW, "", "  ", ROW)))

    assert [(case.id, case.position.line) for case in cases if isinstance(case, Case)] == [("Q1", 1), ("Q2", 4)]


def test_unknown_fields_are_carried_through(write_rows: Write) -> None:
    """R0.5: nothing of a user's row is lost; known group names become groups."""
    (case,) = load(write_rows("x.jsonl", ROW | {"category": "a", "tags": ["b", "c"], "note": {"x": 1}}))

    assert isinstance(case, Case)
    assert case.gold == Gold(("点",), ("a.md",))
    assert case.extra["note"] == {"x": 1}
    assert case.groups == {"category": ("a",), "tags": ("b", "c")}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"q": ""}, "q"),
        ({"q": 3}, "q"),
        ({"gold": []}, "gold"),
        ({"gold": "点"}, "gold"),
        ({"gold": ["点", ""]}, "gold[1]"),
        ({"gold": None}, "gold"),
        ({"doc_hint": "a.md"}, "doc_hint"),
        ({"doc_hint": [3]}, "doc_hint[0]"),
    ],
)
def test_a_wrong_field_is_named_with_its_line_and_case(
    write_rows: Write, change: dict[str, object], field: str
) -> None:
    """R0.5: file, line, case id, what was expected."""
    findings = list(load(write_rows("x.jsonl", ROW, ROW | change)))[1:]

    (finding,) = findings
    assert isinstance(finding, Finding)
    assert (finding.position.line, finding.case_id, finding.params["field"]) == (2, "Q2", field)
    assert finding.params["expected"]


@pytest.mark.parametrize(
    ("row", "near"),
    [
        ({"q": "问", "gold": ["点"], "doc_hints": ["a.md"]}, "doc_hint"),
        (ROW | {"dificulty": "easy"}, "difficulty"),
        ({"q": "问", "golds": ["点"], "doc_hint": ["a.md"]}, "gold"),
        (ROW | {"golden": "x", "note": "y"}, None),
    ],
)
def test_a_misspelt_field_is_a_warning(write_rows: Write, row: dict[str, object], near: str | None) -> None:
    """The nearest name is offered; other fields are the user's own."""
    path = write_rows("x.jsonl", ROW, row)
    found = survey(open_contract(path, name="key_points"), path, thorough=True)

    slips = [finding for finding in found.findings if finding.code == "row.slip"]

    assert [(one.level, one.position.line, one.params["near"]) for one in slips] == [("warning", 2, near)] * bool(near)
