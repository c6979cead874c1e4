"""Which words say yes and which say no, however a tokenizer writes them."""

import pytest

from ragstone.text.yes_no import side_of, side_of_token

_YES = ("yes", "Yes", "YES.", "yeah", "y", "true", "是", "是的", "对", "對", "正确", "没错", "はい", "예", "네")
_NO = (
    *("no", "No", "nope", "n", "false", "否", "不", "不对", "不是", "没有", "沒有", "错误", "錯誤"),
    *("いいえ", "아니요", "아니오"),
)


@pytest.mark.parametrize("around", ["{}", " {}", "▁{}", "Ġ{}", "\n{}", "“{}", "{}.", "{}，", "**{}"])
@pytest.mark.parametrize(("words", "side"), [(_YES, "yes"), (_NO, "no")], ids=["yes", "no"])
def test_natural_words_are_known(words: tuple[str, ...], side: str, around: str) -> None:
    """In any case, with the marks of tokenizers and of prose, as a token and as a whole word."""
    told = [around.format(word) for word in words]

    assert [side_of(word) for word in told] == [side] * len(words)
    assert [side_of_token(word) for word in told] == [side] * len(words)


def test_the_beginning_of_one_sides_words_is_that_side() -> None:
    """What words of both sides begin with, and one Latin letter, tells nothing."""
    tokens = ("ye", "fa", "正", "아", "아니", "い", "は", "没", "T", "I", "", " ", "嗯", "The", "Well")

    assert [side_of_token(token) for token in tokens] == [
        *("yes", "no", "yes", "no", "no", "no", "yes"),
        *(None,) * 8,
    ]
    assert side_of("正") is None
