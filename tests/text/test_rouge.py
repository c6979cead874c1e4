"""ROUGE agrees with counts done by hand and with the plain quadratic definition."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.text.rouge import NOTHING, lcs_length, rouge, rouge_l, rouge_n
from ragstone.text.tokens import tokens

DATA = Path(__file__).parent.parent / "data/rouge.jsonl"
ROWS = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
quick = settings(deadline=None)
words = st.lists(st.sampled_from("abc"), max_size=12)


def slow_lcs(one: list[str], other: list[str]) -> int:
    """The textbook table."""
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, left in enumerate(one):
        for j, right in enumerate(other):
            table[i + 1][j + 1] = table[i][j] + 1 if left == right else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_labelled_pairs(row: dict[str, Any]) -> None:
    """Each labelled pair has the F counted by hand (ruling R3.2)."""
    scores = rouge(row["ref"], row["hyp"])

    assert scores.rouge1.f == pytest.approx(row["rouge1"], abs=1e-6)
    assert scores.rouge2.f == pytest.approx(row["rouge2"], abs=1e-6)
    assert scores.rouge_l.f == pytest.approx(row["rougeL"], abs=1e-6)


@quick
@given(words, words)
def test_lcs_is_the_textbook_length(one: list[str], other: list[str]) -> None:
    """The bit-parallel length equals the table's."""
    assert lcs_length(one, other) == slow_lcs(one, other)


@quick
@given(st.text(), st.text())
def test_rouge_stays_in_range(one: str, other: str) -> None:
    """No text raises or leaves 0..1, and a text against itself is perfect or has no tokens."""
    scores = rouge(one, other)
    itself = rouge(one, one)

    assert all(0 <= value <= 1 for part in scores[:3] for value in part)
    assert itself.rouge1.f in (0.0, 1.0)


def test_the_cut_is_named() -> None:
    """One CJK character on either side changes the cut of both."""
    assert rouge("rate 2.5", "rate 2.5").cut == "google"
    assert rouge("rate 2.5", "利率 2.5").cut == "cjk"
    assert rouge("running", "runs", stem=True).cut == "google-stem"


def test_precision_and_recall_are_told_apart() -> None:
    """Precision counts the prediction, recall the reference."""
    score = rouge("the red fox runs", "the fox").rouge1

    assert (score.precision, score.recall) == (1.0, 0.5)


def test_stemming_joins_forms() -> None:
    """With stemming, running dogs are run dog."""
    assert rouge("running dogs", "runs dog").rouge1.f == 0.0
    assert rouge("running hounds", "run hound", stem=True).rouge1.f == 1.0


def test_parts_take_tokens() -> None:
    """Callers with tokens of their own use the parts."""
    wanted, got = tokens("原告胜诉"), tokens("被告胜诉")

    assert rouge_n(wanted, got, 1).f == 0.75
    assert rouge_l(wanted, got).f == 0.75
    assert rouge_n([], [], 2) == NOTHING
