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
        ("30秒", "30分钟", False),
        ("30秒", "半分钟", True),
        ("30秒", "30 s", True),
        ("30秒", "30", True),
        ("30秒", "30条", False),
        ("256MB", "256GB", False),
        ("1公里", "1000米", True),
        ("300 metres", "300 feet", False),
        ("5美元", "5元", False),
        ("周一", "星期一", True),
        ("周一", "周二", False),
        ("降低40%", "降低到40%", False),
        ("降低40%", "减少了四成", True),
        ("快三倍", "是旧版的三倍", False),
        ("fell by 20%", "fell to 20%", False),
    ],
)
def test_equal_values_in_another_dress_are_the_same(one: str, other: str, same: bool) -> None:
    """R0.1: values compare as a careful reader would, and a closer date states the wider one."""
    assert values(one)[0].same(values(other)[0]) is same


def test_a_number_inside_a_date_is_part_of_it() -> None:
    """The day of a date is no number of its own."""
    assert [value.measure for value in values("2021年3月15日付了300元")] == ["date", "money"]
