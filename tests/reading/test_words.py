"""Words and their weights."""

import pytest

from ragstone.reading.words import join_pairs, latin_stems, stem, weight, words
from ragstone.text.fold import fold


def test_words_keep_their_places() -> None:
    """Every word stands where it says it stands."""
    folded = fold("支持 Grey-Heron v1.2 與雲州圖書館カード")

    assert all(folded.startswith(word.text, word.start) for word in words(folded))


@pytest.mark.parametrize(("text", "heavy"), [("的", 0.0), ("须于", 0.0), ("the", 0.0), ("isn't", 0.0), ("quill", 1.0)])
def test_function_words_weigh_nothing(text: str, heavy: float) -> None:
    """Grammar carries no meaning of its own."""
    assert [weight(word) for word in words(fold(text))] == [heavy]


def test_terms_with_synonyms_are_split() -> None:
    """价格上涨 is two words, so that 涨 can stand for the second."""
    assert [word.text for word in words("价格上涨")] == ["价格", "上涨"]


@pytest.mark.parametrize("text", ["400-700-5566", "4007005566", "call 400 700 5566"])
def test_telephone_numbers_lose_their_gaps(text: str) -> None:
    """Hyphens and spaces inside a telephone number say nothing."""
    assert "4007005566" in {stemmed for _, stemmed in latin_stems(text)}


def test_latin_words_are_found_with_stems() -> None:
    """Latin words keep inner marks and meet by their stems."""
    assert [word for _, word in latin_stems("c++ and node.js, grounded")] == ["c++", "and", "node.j", "ground"]
    assert stem("grounded") == stem("grounding")


@pytest.mark.parametrize(
    ("one", "other"), [("rose", "rise"), ("fell", "falling"), ("children", "child"), ("went", "go")]
)
def test_irregular_forms_meet(one: str, other: str) -> None:
    """Forms that no rule undoes have the stem of their word."""
    assert stem(one) == stem(other)


def test_two_words_that_say_one_are_joined() -> None:
    """Go down is also fall, in answers beside its own words and in points instead of them."""
    assert latin_stems("it went down") == [(0, "it"), (3, "fall"), (3, "go"), (8, "down")]
    assert [word.text for word in join_pairs(words("it went down"))] == ["it", "fall"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("甲方向乙方支付定金", ["甲方", "乙方"]),
        ("林晓把房子卖给周航", ["林晓", "周航"]),
        ("A队击败B队", ["a队", "b队"]),
    ],
)
def test_parties_stay_whole(text: str, expected: list[str]) -> None:
    """A party is one word, without the preposition behind it."""
    found = [word.text for word in words(fold(text))]

    assert [word for word in found if word in expected] == expected
