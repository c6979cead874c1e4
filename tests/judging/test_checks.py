"""Quotations are believed only when they stand in the text, in one piece, whole."""

import pytest

from ragstone.judging.checks import find_quote


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("ＦＥＥ is 1.2", "The fee is 1.2 million."),
        ("1,200", "1200 yuan"),
        ("申請材料", "请于周一前提交申请材料。"),
        ("it is 12", "it is 12."),
        ("a", "a"),
        ("支持退款", "本店不支持退换，但支持退款。"),
        ("２０２６年", "二〇二六年，即2026年"),
    ],
)
def test_what_stands_there_is_found(quote: str, text: str) -> None:
    """Width, script, thousands and a second place do not matter."""
    span = find_quote(quote, text)

    assert span is not None
    assert text[slice(*span)]


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("2 million", "The fee is 1.2 million."),
        ("12", "12.5"),
        ("200", "1,200 yuan"),
        ("２00", "1２００"),
        ("十万元", "二十万元"),
        ("支持退款", "本店不支持退款"),
        ("available", "It is not available."),
        ("able", "unable"),
        ("的", "他的书"),
        ("", ""),
        ("...", "..."),
        ("the fee is waived", "The fee is 1.2 million."),
    ],
)
def test_what_is_cut_or_made_up_is_not(quote: str, text: str) -> None:
    """A number, word or negation cut in two, a single character, nothing, and words that are not there."""
    assert find_quote(quote, text) is None
