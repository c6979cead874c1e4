"""Tests of the perfect answer."""

from typing import Any

import pytest

from ragstone.contracts.eval_json_v2.gold import Wanted
from ragstone.contracts.eval_json_v2.model import long_enough, model_answer
from ragstone.contracts.eval_json_v2.read import read_answer
from ragstone.contracts.eval_json_v2.score import score_reading

from .samples import make_gold


@pytest.mark.parametrize(
    "gold",
    [
        {},
        {"source_map": []},
        {"source_map": [{"refs": [{"file": "", "anchors": ["甲"]}, {"file": "a.md", "anchors": [" "]}]}]},
        {"original_evidence": "圖書於到期前三天起可線上續借"},
        {"predicted_questions": [], "detailed_description": []},
        {"detailed_description": [], "original_evidence": "圖書於到期前三天起可線上續借"},
    ],
)
def test_scores_a_hundred(gold: dict[str, Any]) -> None:
    """The perfect answer scores 100 wherever the gold allows it."""
    expected = make_gold(**gold)

    card = score_reading(expected, read_answer(model_answer(expected)))

    assert card.sub_scores["score"] == 100
    assert card.reasons[0].code == "perfect"


def test_short_evidence_is_filled_up() -> None:
    """Evidence below forty characters is quoted with more beside it."""
    evidence = long_enough(make_gold(original_evidence="圖書於到期前三天起可線上續借。"))

    assert evidence.startswith("圖書於到期前三天起可線上續借。圖書每冊可續借兩次。")
    assert len(evidence) >= 40


def test_older_form_is_covered() -> None:
    """The perfect answer to the older form holds every string."""
    gold = Wanted(("兩次", "五天"), ("續借",))

    assert score_reading(gold, read_answer(model_answer(gold))).primary_score == 1.0
