"""Whether a quotation may stand as an answer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.contracts.legal_rag.outside_quotes import Outside, asks_back
from ragstone.reading.sentences import hide_quotes

QUESTION = "甲一共给了乙多少钱？"


def _lets_speak(text: str, asks: str = "") -> bool:
    return Outside(text, hide_quotes(text), QUESTION, asks).lets_speak([text.index("42000")])


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("笔录第2页写道“一共给了42000元”。", True),
        ("第2页：“一共给了42000元”", True),
        ("甲给乙的钱（第2页：“一共给了42000元”）", True),
        ("他没有说明用途，只说“一共给了42000元”。", True),
        ("很多钱（第2页：“一共给了42000元”）", False),
        ("很多钱。第2页：“一共给了42000元”", False),
        ("没有给钱，笔录却写“一共给了42000元”。", False),
        ("不知道。“一共给了42000元”", False),
        ("Much (page 2: “42000”)", False),
    ],
)
def test_a_quote_answers_where_nothing_else_does(text: str, right: bool) -> None:
    """A quote that proves another answer, a refusal or a denial is no answer itself."""
    assert _lets_speak(text) is right


def test_a_doubt_outside_silences_the_quote() -> None:
    """是42000元吗 puts the value in doubt, 多少钱 only repeats the question."""
    assert not _lets_speak("“一共给了42000元”，第2页。", "是42000元吗？")
    assert _lets_speak("“一共给了42000元”，第2页。", "一共多少钱？")
    assert not asks_back("")


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=80), st.text(max_size=30), st.text(max_size=20))
def test_any_text_is_weighed(text: str, question: str, asks: str) -> None:
    """No string raises."""
    assert Outside(text, hide_quotes(text), question, asks).lets_speak([0]) in (True, False)
