"""A failing case in words."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from ragstone.core.errors import DatasetError
from ragstone.core.language import Lang
from ragstone.core.types import Answer, Case, Finding, Position
from ragstone.datasets.check import open_contract, survey
from ragstone.report.console import Wording
from ragstone.runs.pipeline import Frame, Unit, judge
from ragstone.testing.explain import case_text, error_text
from ragstone.testing.mark import Mark
from ragstone.testing.suite import Place, Suite

DATASET = Path(__file__).parents[2] / "src" / "ragstone" / "data" / "key_points_en" / "questions.jsonl"
CONTRACT = open_contract(DATASET)
CASE = next(item for item in CONTRACT.load() if isinstance(item, Case))


def _told(question: str, answer: str, lang: Lang = "en") -> str:
    case = structs.replace(CASE, question=question)
    place = Place(Suite(DATASET, CONTRACT, survey(CONTRACT, DATASET), (case,)), Mark(dataset=DATASET), case, 0, "Q1")
    frame = Frame(run_id="r", lang=lang, model_ids=("m",))
    result = judge(CONTRACT, Unit(0, case), Answer(text=answer), frame)
    return case_text(place, result, Wording(tuple(CONTRACT.metrics), CONTRACT.phrases, lang), "cases.jsonl:1")


@settings(deadline=None)
@given(st.text(), st.text())
def test_any_text_can_be_told(question: str, answer: str) -> None:
    """One line a fact, and nothing a terminal would obey."""
    told = _told(question, answer)

    assert len(told.split("\n")) == 6
    assert not any(char < " " for char in told.replace("\n", ""))


@pytest.mark.parametrize(
    ("lang", "line"), [("en", "answer: (empty)"), ("zh-Hans", "回答：（空）"), ("zh-Hant", "回答：（空）")]
)
def test_each_language_has_its_words(lang: Lang, line: str) -> None:
    """An empty answer is said to be one."""
    assert line in _told("?", "", lang).split("\n")


def test_many_faults_are_counted() -> None:
    """The first fifty in full, the rest as a number."""
    params: dict[str, Any] = {"field": "q", "expected": "text"}
    finding = Finding(level="error", code="row.missing", position=Position("a.jsonl", 1), params=params)

    lines = error_text(DatasetError("dataset.faults", [finding] * 60, file="a.jsonl"), "en").split("\n")

    assert len(lines) == 52
    assert lines[-1] == "  … and 10 more"
