"""Comparing quoted words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.contracts.legal_rag.sources.quotes import holds, quote_key, quote_pieces


@pytest.mark.parametrize(
    ("quote", "text", "there"),
    [
        ("具体请了谁吃饭...都忘记了", "他说：具体请了谁吃饭，花了多少，都忘记了。", True),
        ("具体请了谁吃饭…都忘记了", "都忘记了，具体请了谁吃饭", False),
        ("我不知道，也没有见过", "我不知道  也没有见过！", True),
        ("這張確認書是我做的", "这张确认书是我做的", True),
        ("318000元", "３１８，０００元", True),
        ("318000元", "318,000 元", True),
        ("42000元", "142000元", False),
        ("4.2", "14.2", False),
        ("4.2", "4.25", False),
        ("12", "12万", False),
        ("12", "12 万", False),
        ("2022年3月6日", "编号1\n2022年3月6日", True),
        ("都忘记了", "都记得", False),
        ("42", "4.2", False),
    ],
)
def test_r1_9_quotes_are_matched_piece_by_piece(quote: str, text: str, there: bool) -> None:
    """R1.9: width, spaces and punctuation aside, the characters agree, in order; a number is never cut."""
    assert holds(quote_key(text), quote_pieces(quote)) is there


@settings(deadline=None)
@given(st.text(max_size=40), st.text("甲乙，。 ", max_size=10), st.text("丙丁，。 ", max_size=10))
def test_r1_9_words_are_found_where_they_stand(words: str, before: str, after: str) -> None:
    """Whatever is quoted is found in what holds it."""
    assert (
        holds(quote_key(f"{before}，{words}，{after}"), quote_pieces(words))
        or words[:1].isdigit()
        or words[-1:].isdigit()
    )
