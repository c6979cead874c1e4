"""Tests of ROUGE against a reference."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.metrics.rouge import reference_rouge
from ragstone.text.rouge import rouge

TEXTS = st.text(alphabet=st.sampled_from(list("营收增长12. ,，。aAbé中臺")), max_size=30)


def test_r3_2_chinese_no_longer_scores_zero() -> None:
    """R3.2: equal Chinese texts score 1, half of the characters about half."""
    assert reference_rouge("营收增长", "營收增長")["rouge1"] == 1.0
    assert reference_rouge("营收", "营收增长")["rouge1"] == pytest.approx(2 / 3)
    assert reference_rouge("天气晴朗12%", "营收增长12%")["rouge1"] < 0.5


def test_r3_2_latin_equals_rouge_score() -> None:
    """R3.2: the figures of google's rouge-score for this well-known pair."""
    found = reference_rouge(
        "The quick brown dog jumps on the log.",
        "The quick brown fox jumps over the lazy dog",
        ["rouge1", "rouge2", "rougeL"],
    )

    assert found == pytest.approx({"rouge1": 12 / 17, "rouge2": 4 / 15, "rougeL": 10 / 17})


@pytest.mark.parametrize(("one", "other"), [("", "营收"), ("营收", " "), ("", ""), ("。。", "。。")])
def test_nothing_scores_nothing(one: str, other: str) -> None:
    """Blanks and bare marks are 0."""
    assert reference_rouge(one, other) == {"rouge1": 0.0}


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_the_quick_way_equals_the_long_one(prediction: str, reference: str) -> None:
    """ROUGE-1 alone is the ROUGE-1 of the full computation."""
    full = rouge(reference, prediction).rouge1.f if prediction.strip() and reference.strip() else 0.0

    assert reference_rouge(prediction, reference)["rouge1"] == pytest.approx(full)
