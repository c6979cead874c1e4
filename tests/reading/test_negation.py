"""Moods: denied, asked, supposed, guessed."""

import pytest

from ragstone.reading.negation import Moods, is_negator
from ragstone.text.fold import fold


@pytest.mark.parametrize(
    ("text", "word", "negated"),
    [
        ("目前不支持Quill。", "quill", True),
        ("并非不支持Quill。", "quill", False),
        ("不仅支持Quill。", "quill", False),
        ("不支持Lumidex，但支持Quill。", "quill", False),
        ("支持的是Lumidex而非Quill。", "quill", True),
        ("是不是支持Quill", "quill", False),
        ("除了Quill，其他都支持。", "quill", True),
        ("除了Quill，还支持Lumidex。", "quill", False),
        ("外带食物是不允许的。", "食物", True),
        ("难以支持Quill。", "quill", True),
        ("支持Quill的说法不实。", "quill", True),
        ("支持Quill（错误）", "quill", True),
        ("支持Quill：×", "quill", True),
        ("取消了对Quill的支持。", "quill", True),
        ("It is false that it supports Quill.", "quill", True),
        ("本应支持Quill，但实际支持Lumidex。", "quill", True),
        ("不超过20公斤的行李。", "行李", False),
        ("办不了手续", "办", True),
        ("原来是红色，现在改为蓝色。", "红色", True),
        ("与其说是Quill，不如说是Lumidex。", "quill", True),
        ("误以为是Quill，其实是Lumidex。", "quill", True),
        ("有人认为是Quill，这种说法不对。", "quill", True),
        ("关于“支持Quill”的问题，答案是否定的。", "quill", True),
        ("非会员付费", "会员", True),
        ("除非会员付费", "会员", False),
        ("非会员付费", "付费", False),
        ("They say it is Quill, but that is a myth.", "quill", True),
        ("It isn't Quill.", "quill", True),
        ("Not only Quill.", "quill", False),
        ("It uses Lumidex rather than Quill.", "quill", True),
        ("The song “Not Now” is by Quill.", "quill", False),
        ("Quillは無料です。", "です", False),
    ],
)
def test_negators_reach_their_words(text: str, word: str, negated: bool) -> None:
    """A denial reaches to the end of its clause, and two neighbours turn each other round."""
    folded = fold(text)

    assert Moods(folded).negated(folded.index(word)) is negated


def test_other_moods_are_told_apart() -> None:
    """Questions, conditions and guesses are each found in their own stretch."""
    folded = fold("是否支持甲？如果支持乙，就好。可能支持丙。支持丁。")
    moods = Moods(folded)

    found = [(moods.asked(at), moods.supposed(at), moods.guessed(at)) for at in map(folded.index, "甲乙丙丁")]

    assert found == [(True, False, False), (False, True, False), (False, False, True), (False, False, False)]


@pytest.mark.parametrize(
    ("text", "past"),
    [
        ("过去支持Quill，现在不了。", True),
        ("It used to be Quill but now is Lumidex.", True),
        ("过去和未来的Quill。", False),
    ],
)
def test_what_held_once_is_told(text: str, past: bool) -> None:
    """Something else must hold now."""
    folded = fold(text)

    assert Moods(folded).past(folded.index("quill")) is past


@pytest.mark.parametrize(("word", "denies"), [("未经许可", True), ("未来", False), ("支持", False), ("", False)])
def test_words_may_begin_with_a_negator(word: str, denies: bool) -> None:
    """A word that begins with a denial is told from one that only looks so."""
    assert is_negator(fold(word)) is denies


@pytest.mark.parametrize("text", ["不", "没有", "it does not", "是否", "如果"])
def test_a_mark_may_stand_at_the_end(text: str) -> None:
    """A mark with nothing behind it reaches nothing and breaks nothing."""
    moods = Moods(fold(text))

    assert not moods.negated(0)
    assert moods.guessed(0) is False
