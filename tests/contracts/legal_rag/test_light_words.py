"""Saying some words but for the light ones."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.contracts.legal_rag.light_words import nearly_said


@pytest.mark.parametrize(
    ("words", "text", "said"),
    [
        ("资金已经用完", "资金已用完，所以没退", True),
        ("资金已经用完", "資金用完了", True),
        ("生意亏本", "生意亏了本", True),
        ("资金已经用完", "资金用完之前", False),
        ("资金已经用完", "资金尚未用完", False),
        ("资金已经用完", "并不是资金已用完", False),
        ("资金已经用完", "资金已用完？", False),
        ("已经付", "已付", False),
    ],
)
def test_light_words_may_differ(words: str, text: str, said: bool) -> None:
    """了 and 已经 may differ, what happened and what did not may not."""
    assert (nearly_said(words, text) is not None) is said


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=20), st.text(max_size=60))
def test_any_words_are_looked_for(words: str, text: str) -> None:
    """No string raises, and a place lies in the text."""
    span = nearly_said(words, text)

    assert span is None or 0 <= span[0] < span[1] <= len(text)
