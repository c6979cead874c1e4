"""Sentences in the reader's language."""

import pytest

from ragstone.core.language import EXCERPT, Text, excerpt, fill, pick_language


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ("zh_CN.UTF-8", "zh-Hans"),
        ("zh-TW", "zh-Hant"),
        ("zh-Hant", "zh-Hant"),
        ("zh", "zh-Hans"),
        ("en_GB", "en"),
        ("C.UTF-8", "en"),
        (None, "en"),
        ("", "en"),
    ],
)
def test_pick_language_understands_locale_names(wish: str | None, expected: str) -> None:
    """A locale name leads to a language, an unknown one to English."""
    assert expected == pick_language(wish)


def test_first_wish_that_names_a_language_wins() -> None:
    """An empty or unknown wish is passed over."""
    assert pick_language(None, "C", "zh_HK", "en") == "zh-Hant"


def test_lists_are_joined_with_the_word_of_the_language() -> None:
    """`or` and `and` follow the language."""
    params = {"docs": ["a.md", "b.md"]}

    assert fill("{docs:or}", params, "zh-Hans") == "'a.md'或'b.md'"
    assert fill("{docs:or}", params, "en") == "'a.md' or 'b.md'"
    assert fill("{docs:and}", params, "zh-Hant") == "'a.md'、'b.md'"


def test_braces_in_a_value_are_not_filled_again() -> None:
    """What an answer says cannot reach into the template."""
    assert fill("{a}", {"a": "{b}", "b": "secret"}) == "{b}"


def test_excerpt_is_one_line_and_bounded() -> None:
    """Long writing is cut with an ellipsis."""
    cut = excerpt("很长\n" * 1000)

    assert len(cut) == EXCERPT
    assert cut.endswith("…")
    assert "\n" not in cut


def test_traditional_is_made_from_simplified() -> None:
    """A text without a Traditional form is turned, and what is put into it is not."""
    assert Text("a", "甲").say("zh-Hant") == "甲"
    assert Text("a", "没有文件 {name:q}").say("zh-Hant", {"name": "文件夹"}) == "沒有檔案 '文件夹'"
    assert Text("a", "没有文件", "查無此檔").say("zh-Hant") == "查無此檔"


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        ("did you mean 'x'?", "wrong: did you mean 'x'? Fix it."),
        ("it broke.", "wrong: it broke. Fix it."),
        ("it broke", "wrong: it broke. Fix it."),
        ("", "wrong: . Fix it."),
    ],
)
def test_a_sentence_within_a_sentence_ends_once(problem: str, said: str) -> None:
    """Whatever a library says, no two full stops follow each other."""
    assert fill("wrong: {problem}. Fix it.", {"problem": problem}) == said


def test_a_count_is_said_as_it_is_said_in_english() -> None:
    """One case is, two cases are; Chinese has its own measure words and needs no form."""
    text = Text("{n:case is|cases are} open", "{n} 个用例未定")

    assert [text.say("en", {"n": n}) for n in (0, 1, "1", 2, "1,234")] == [
        "0 cases are open",
        "1 case is open",
        "1 case is open",
        "2 cases are open",
        "1,234 cases are open",
    ]
    assert text.say("zh-Hans", {"n": 1}) == "1 个用例未定"
