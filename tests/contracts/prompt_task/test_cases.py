"""Tests of rows and cases."""

from typing import Any

import pytest

from ragstone.contracts.prompt_task.cases import row_of
from ragstone.core.types import Case

from .samples import PROMPT, bundled, cases_of, findings_of, open_task, write_task

EXACT = [{"type": "exact_match", "pred_field": "a", "label_field": "gt_a"}]


@pytest.mark.parametrize(
    ("row", "expected"),
    [({}, "S1"), ({"sample_id": None, "id": 7}, "7"), ({"sample_id": " "}, "L1"), ({"sample_id": True}, "L1")],
)
def test_ids(row: dict[str, Any], expected: str) -> None:
    """sample_id, else id, else the line."""
    write_task(metrics=EXACT)

    assert cases_of(open_task(row))[0].id == expected


def test_unknown_fields_are_carried_and_labels_kept_apart() -> None:
    """R0.5: what no rule knows stays with the case; labels are in the gold only."""
    write_task(metrics=EXACT)
    case = cases_of(open_task({"gt_a": "x", "note": [1], "category": "c", "tags": ["t", "u"]}))[0]

    assert case.inputs == {"text": "文1"}
    assert case.extra == {"sample_id": "S1", "note": [1], "category": "c", "tags": ["t", "u"]}
    assert case.groups == {"category": ("c",), "tags": ("t", "u")}
    assert row_of(case)["gt_a"] == "x"


def test_a_field_mapping_adds_names() -> None:
    """The row keeps its own names beside those the task knows."""
    contract = bundled("news_analysis")
    row = row_of(cases_of(contract)[0])

    assert row["ref_summary"] == row["gt_summary"]
    assert "ref_summary" not in cases_of(contract)[0].extra


def test_the_question_is_what_the_prompt_shows() -> None:
    """One field as it is, several by name, a question of its own before both."""
    write_task(prompt=PROMPT | {"user": "{{ text }} {{ n }}"}, metrics=EXACT)
    one, other = cases_of(open_task({"n": [1, {"t": "二"}]}, {"n": 0, "question": "何？"}))

    assert one.question == "text: 文1\nn: 1; 二"
    assert other.question == "何？"


def test_a_row_the_prompt_cannot_use_is_an_error_before_the_run() -> None:
    """R0.5: file, line, case, the field, and the fields there are, for every such row."""
    write_task(prompt=PROMPT | {"user": "{{ text }} {{ news_json }}"}, metrics=EXACT, serialize_fields=["news"])
    found = findings_of(open_task({}, {"news": []}, {"other": 1, "gt_a": 1}))

    assert [(str(one.position), one.case_id, one.params["field"]) for one in found] == [
        ("rows.jsonl:1", "S1", ["news"]),
        ("rows.jsonl:3", "S3", ["news"]),
    ]
    assert found[1].params["fields"] == "sample_id, text, other"
    assert all(one.level == "error" and one.code == "check.prompt_field" for one in found)


def test_a_part_of_a_field_that_is_missing_is_found_too() -> None:
    """A template that looks into a field is tried on every row."""
    write_task(prompt=PROMPT | {"user": "{{ text }} {{ n.title }}"}, metrics=EXACT)
    found = findings_of(open_task({"n": {"title": "t"}}, {"n": {}}))

    assert [(one.case_id, one.code) for one in found] == [("S2", "check.prompt")]
    assert "title" in found[0].params["problem"]


def test_an_optional_variable_may_be_missing() -> None:
    """What the template asks `is defined` about need not be there."""
    write_task(prompt=PROMPT | {"user": "{{ text }}{% if hint is defined %}{{ hint }}{% endif %}"}, metrics=EXACT)

    assert isinstance(next(iter(open_task({}).load())), Case)
