"""Tests of what is said about a case before a run."""

from pathlib import Path
from typing import Any

import pytest

from ragstone.contracts.eval_json_v2.check import Library, check_case
from ragstone.contracts.eval_json_v2.gold import Wanted
from ragstone.contracts.eval_json_v2.phrases import PHRASES
from ragstone.core.messages import codes
from ragstone.core.types import Finding

from .samples import CONTEXTS, make_case, make_gold


def _check(library: Library | None = None, **gold: Any) -> list[Finding]:
    return list(check_case(make_case(make_gold(**gold)), library))


def _codes(found: list[Finding]) -> list[str]:
    assert all(item.code in PHRASES or item.code in codes() for item in found)
    return [item.code for item in found]


def test_good_case_passes() -> None:
    """A sound case has nothing to say about it."""
    assert _check() == []


@pytest.mark.parametrize("field", ["target_audience", "main_topic", "sub_topic", "original_evidence"])
def test_empty_gold(field: str) -> None:
    """An empty gold is flagged, and so is the score that cannot be reached with it."""
    found = _check(None, **{field: " "})

    assert {"check.empty_gold", "check.unreachable"} <= set(_codes(found))
    assert found[0].params == {"field": field}


def test_empty_list() -> None:
    """An empty list is flagged, though it can be met by an empty one."""
    assert _codes(_check(predicted_questions=[])) == ["check.empty_list"]


def test_blank_item() -> None:
    """A blank item can never be met, so full marks are out of reach."""
    assert _codes(_check(detailed_description=["甲乙丙", " "])) == ["check.blank_item", "check.unreachable"]


def test_short_evidence_is_noted() -> None:
    """Evidence below forty characters is docked when copied, but a longer quote reaches full marks."""
    found = _check(original_evidence="圖書於到期前三天起可線上續借，每冊以兩次為限。")

    assert [(item.code, item.level) for item in found] == [("check.short_evidence", "note")]


def test_unreachable_threshold() -> None:
    """Evidence with fewer than eight keywords cannot reach full marks; the best score is told."""
    [_, found] = _check(original_evidence="只有三字")

    assert found.code == "check.unreachable"
    assert found.params == {"best": 87.5, "fields": ["original_evidence"]}


def test_too_many_items_cannot_be_reached() -> None:
    """More expected items than are compared cannot all be met."""
    items = [f"{chr(0x4E00 + number) * 6}{number}" for number in range(14)]

    assert _codes(_check(detailed_description=items)) == ["check.unreachable"]


def test_no_sources() -> None:
    """A gold without sources is flagged."""
    assert _codes(_check(source_map=[])) == ["check.no_sources"]


def test_sources_are_looked_up_in_the_documents(tmp_path: Path) -> None:
    """A missing document, page or anchor is told."""
    (tmp_path / "loans.md").write_text(CONTEXTS[1].text, encoding="utf-8")
    refs = [
        {"file": "loans.md", "page": 1, "anchors": ["每冊以兩次為限", "每冊以三次為限"]},
        {"file": "loans.md", "page": 2, "anchors": ["續借"]},
        {"file": "loans.md", "anchors": ["續借"]},
        {"file": "gone.md", "page": 1, "anchors": ["續借"]},
    ]

    found = _check(Library(tmp_path), source_map=[{"refs": refs}])

    assert _codes(found) == ["check.anchor_missing", "check.page_missing", "check.document_missing"]


def test_older_form_is_noted() -> None:
    """The older form is said to be scored by coverage; without strings it can score nothing."""
    found = list(check_case(make_case(Wanted((), ())), None))

    assert _codes(found) == ["check.older_form", "check.empty_gold"]
