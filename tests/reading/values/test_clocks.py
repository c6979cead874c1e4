"""Times of day."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.values.clocks import find_clocks, same_clock
from ragstone.text.fold import fold


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("上午九点至下午五点", ["9:00", "17:00"]),
        ("08:00-22:00", ["8:00", "22:00"]),
        ("營業時間：08:00-22:00", ["8:00", "22:00"]),
        ("下午三點半", ["15:30"]),
        ("10时30分", ["10:30"]),
        ("九点一刻开会", ["9:15"]),
        ("晚上12点", ["0:00"]),
        ("中午1点", ["13:00"]),
        ("上午9点到5点", ["9:00", "17:00"]),
        ("下午2点到5点", ["14:00", "17:00"]),
        ("9点到17点", ["9:00", "17:00"]),
        ("9 a.m. to 5 p.m.", ["9:00", "17:00"]),
        ("nine o'clock in the morning", ["9:00"]),
        ("between 12 pm and 2 pm", ["12:00", "14:00"]),
        ("有三点要求", []),
        ("从三点来看", []),
        ("圆周率是三点一四", []),
        ("比例为1:20", []),
        ("25:00", []),
        ("", []),
    ],
)
def test_times_are_read(text: str, times: list[str]) -> None:
    """A time in any form is read; counts, ratios and decimals are none."""
    found = [f"{clock.minutes // 60}:{clock.minutes % 60:02}" for clock in find_clocks(fold(text))]

    assert found == times


def test_a_vague_time_meets_both_halves_of_the_day() -> None:
    """九点 may be nine in the evening, 9:00 not."""
    assert same_clock(540, 1260, sure=False)
    assert not same_clock(540, 1260, sure=True)


@settings(deadline=None)
@given(st.text(alphabet="上下午晚早中点时半刻分:0123456789一二十至-apm. ", max_size=60))
def test_any_text_is_read(text: str) -> None:
    """Nothing raises, and times lie within a day."""
    assert all(0 <= clock.minutes < 1440 for clock in find_clocks(fold(text)))
