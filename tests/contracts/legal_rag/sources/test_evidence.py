"""Recall, precision and key points of an evidence_set question."""

import pytest

from ragstone.core.types import JSON
from tests.contracts.legal_rag.samples import evidence_set, judge

ONE: JSON = {"page": 1, "text": "他当场签了收条"}
TWO: JSON = {"page": 2, "text": "后来转账三笔"}
ODD: JSON = {"page": 7, "text": "天气很好"}


def _judge(*pieces: JSON, **more: JSON) -> dict[str, float | None]:
    card = judge(evidence_set(**more), {"answer": "证据如下", "evidence": list(pieces)})
    return card.sub_scores | {"score": card.primary_score}


def test_r1_6_ten_copies_count_once() -> None:
    """R1.6: each required evidence counts once however many pieces hit it."""
    assert _judge(*[ONE] * 10)["evidence_recall"] == pytest.approx(1 / 3)
    assert _judge(*[ONE] * 10)["evidence_precision"] == 1.0


def test_r1_6_the_formula_is_kept_to_the_letter() -> None:
    """0.5 for recall, 0.3 for precision, 0.2 for a citation."""
    assert _judge(ONE, TWO)["score"] == 1.0
    assert _judge(ONE)["score"] == 0.5
    assert _judge(ONE, TWO, ODD, ODD, ODD)["score"] == 0.7
    assert _judge("他当场签了收条", "后来转账三笔")["score"] == 0.8
    assert _judge("天气很好")["score"] == 0.0


def test_r1_6_a_piece_that_states_a_key_point_is_relevant() -> None:
    """R1.6: must_include or any key point."""
    point = {"expected": {"key_points": ["甲当面承认了借款"]}}

    assert _judge(ONE, "甲当面承认了借款。", **point)["evidence_precision"] == 1.0
    assert _judge(ONE, "甲没有承认借款。", **point)["evidence_precision"] == 0.5


def test_r1_6_too_few_pieces_is_a_tag_only() -> None:
    """R1.6: evidence_count_min not met is an error tag, not a score change."""
    question = evidence_set(expected={"evidence_count_min": 3}, scoring={"evidence_recall_min": 0.3})
    card = judge(question, {"answer": "有", "evidence": [ONE]})

    assert card.primary_score == 1.0
    assert "too_few_evidence" in card.error_tags


def test_a_piece_under_another_page_is_not_the_evidence() -> None:
    """The words alone are relevant, but the evidence is on its page; the reason names it."""
    card = judge(evidence_set(), {"answer": "有", "evidence": [{"page": 3, "text": "他当场签了收条"}, TWO]})

    assert card.sub_scores["evidence_recall"] == pytest.approx(1 / 3)
    assert card.sub_scores["evidence_precision"] == 1.0
    assert "wrong_page" in card.error_tags
    assert ("evidence.misplaced", 1) in [(reason.code, reason.params.get("page")) for reason in card.reasons]


def test_key_points_are_counted_beside_the_score() -> None:
    """key_point_recall is shown; without key points it does not apply."""
    assert judge(evidence_set(), "甲签了收条（第1页）。").sub_scores["key_point_recall"] == 1.0
    assert judge(evidence_set(expected={}), "甲签了收条（第1页）。").sub_scores["key_point_recall"] is None


def test_key_points_stand_in_for_evidence_that_is_not_listed() -> None:
    """With no required_evidence the key points are what must be found."""
    question = evidence_set(required_evidence=[], expected={"key_points": ["甲签了收条", "乙退了押金"]})

    assert judge(question, "甲签了收条。").sub_scores["evidence_recall"] == 0.5


def test_contexts_are_no_evidence_of_the_answer() -> None:
    """What was retrieved but not said earns nothing."""
    card = judge(evidence_set(), "抱歉，没有找到相关证据。")

    assert card.primary_score == 0.0
    assert card.sub_scores["over_refusal"] == 1.0
