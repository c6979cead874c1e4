"""Numbers and dates in comparable form."""

import pytest

from ragstone.parsing.values import values


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("5.6万元", "五萬六千元", True),
        ("56000元", "65000元", False),
        ("一年", "12个月", True),
        ("两年", "两个月", False),
        ("30天", "30分钟", False),
        ("20%", "两成", True),
        ("20%", "20元", False),
        ("2021年3月15日", "2021-03-15", True),
        ("2021年3月", "2021年3月15日", True),
        ("2021年3月15日", "2021年3月", False),
        ("1999年", "1999", True),
        ("3月15日", "2021年3月15日", True),
    ],
)
def test_equal_values_in_another_dress_are_the_same(one: str, other: str, same: bool) -> None:
    """R0.1: values compare as a careful reader would, and a closer date states the wider one."""
    assert values(one)[0].same(values(other)[0]) is same


def test_a_number_inside_a_date_is_part_of_it() -> None:
    """The day of a date is no number of its own."""
    assert [value.measure for value in values("2021年3月15日付了300元")] == ["date", "number"]
