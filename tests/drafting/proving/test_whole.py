"""A quotation begins and ends between words and numbers."""

import pytest

from ragstone.drafting.proving.whole import find_whole, is_denied, loses_denial

TEXT = (
    "The Otter Bridge, 1,180 metres long, was closed for 11 weeks; at −5 °C the lifts stop, line A320 runs "
    "3 to 5 days a week until 19:30, and Norbeck Steel mends it. "
    "栖雾医院建于1962年，挂号费0.5元，有420张床位，年费三千二百元，开放3～5天，不收费。"
)


@pytest.mark.parametrize(
    "cut",
    [
        *("180 metres", "1 weeks", "5 °C", "320 runs", "5 days", "30, and", "orbeck Stee", "Norbeck Stee", "3 to"),
        *("962年", "5元", "20张床位", "千二百元", "二百元", "三千二", "5天", "1,18"),
    ],
)
def test_what_is_cut_is_not_there(cut: str) -> None:
    """Inside a number, a Latin word, or a value that is told with two numbers."""
    assert cut in TEXT
    assert find_whole(cut, TEXT) < 0


@pytest.mark.parametrize(
    "whole",
    [
        *("1,180 metres", "1,180", "11 weeks", "−5 °C", "A320", "3 to 5 days", "19:30", "Norbeck Steel", "Norbeck"),
        *("1962年", "1962", "0.5元", "420张床位", "三千二百元", "3～5天", "医院"),
    ],
)
def test_what_is_whole_is_found(whole: str) -> None:
    """A number without its unit is whole, and so is a part of a text in Han."""
    assert TEXT[find_whole(whole, TEXT) :].startswith(whole)


def test_a_cut_place_does_not_hide_a_whole_one() -> None:
    """The first place is in a longer number, the second is not."""
    assert find_whole("5元", "押金15元，年费5元。") == 8


def test_what_is_denied_is_told() -> None:
    """不收费 does not say 收费."""
    assert is_denied(TEXT, TEXT.index("收费"))
    assert not is_denied(TEXT, TEXT.index("开放"))


@pytest.mark.parametrize(
    ("point", "quote", "question", "lost"),
    [
        ("feed the swans", "Guests may not feed the swans.", "May guests feed the swans?", True),
        ("feed the swans", "Guests are not allowed to feed the swans.", "May guests feed the swans?", True),
        ("feed the swans", "Guests may feed the swans.", "May guests feed the swans?", False),
        ("may not feed the swans", "Guests may not feed the swans.", "May guests feed the swans?", False),
        ("feed the swans", "Guests may not feed the swans.", "What may guests not do?", False),
        ("14 days", "Fees are not paid back after 14 days.", "After how long are fees not paid back?", False),
        ("喂天鹅", "游客禁止喂天鹅。", "游客可以喂天鹅吗？", True),
        ("在湖边喂天鹅", "游客不得在湖边喂天鹅。", "游客可以在湖边喂天鹅吗？", True),
        ("游客不得喂天鹅", "游客不得喂天鹅。", "游客可以喂天鹅吗？", False),
    ],
)
def test_a_point_keeps_the_denial_of_its_quotation(point: str, quote: str, question: str, lost: bool) -> None:
    """What may not be done does not say what may."""
    assert loses_denial(point, quote, question) == lost
