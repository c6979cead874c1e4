"""Answers that decline."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.parsing.refusals import read_refusal

ROWS = [
    json.loads(line) for line in (Path(__file__).parents[1] / "data" / "refusals.jsonl").read_text("utf-8").splitlines()
]


def test_labelled_rows_are_read_as_labelled() -> None:
    """Nearly every labelled row is read as its author meant it."""
    right = sum(read_refusal(row["answer"], row["question"]).abstained == row["abstained"] for row in ROWS)

    assert right / len(ROWS) >= 0.9


@pytest.mark.parametrize("answer", ["", "   ", "……", "\n"])
def test_silence_is_no_refusal(answer: str) -> None:
    """R1.9: an empty answer declines nothing."""
    refusal = read_refusal(answer)

    assert (refusal.kind, refusal.abstained) == ("none", False)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read(answer: str) -> None:
    """No string raises, and what is none or partial never abstains."""
    refusal = read_refusal(answer)

    assert refusal.abstained == (refusal.kind not in ("none", "partial"))
