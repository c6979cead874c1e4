"""Numbers and dates in comparable form."""

import pytest

from ragstone.reading.values.values import values


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
        ("26摄氏度", "26℃", True),
        ("26摄氏度", "26度", True),
        ("26摄氏度", "26华氏度", False),
        ("上午九点", "9:00", True),
        ("上午九点", "21:00", False),
        ("5", "第5章", False),
        ("第5条", "第五条", True),
        ("120元", "120元以上", False),
        ("最多120元", "不超过120元", True),
        ("最多120元", "至少120元", False),
        ("120元", "从120元降到100元", False),
        ("5个工作日", "五个自然日", False),
        ("5 business days", "five working days", True),
        ("三十（30）日", "30天", True),
        ("三（3）个月", "3个月", True),
        ("五（5）个工作日", "5个工作日", True),
        ("五（5）个工作日", "五个自然日", False),
        ("人民币壹佰万（1,000,000）元", "100万元", True),
        ("ninety (90) days", "90 days", True),
        ("ninety (9) days", "9 days", False),
        ("30 (thirty) business days", "30 working days", True),
        ("30日的等待期", "30天", True),
        ("每月5日", "每个月五号", True),
        ("每月5日", "每月6日", False),
        ("每月5日", "the 5th of each month", True),
        ("十天前", "10日之前", True),
        ("十天前", "10天后", False),
        ("three days ago", "3 days earlier", True),
        ("3.4キロメートル", "3400米", True),
    ],
)
def test_equal_values_in_another_dress_are_the_same(one: str, other: str, same: bool) -> None:
    """R0.1: values compare as a careful reader would, and a closer date states the wider one."""
    assert values(one)[0].same(values(other)[0]) is same


def test_a_change_has_two_values() -> None:
    """Raised from 10 to 20 holds an old value and a new one, and no range."""
    old, new = values("The limit was raised from 10 GB to 20 GB.")

    assert (old.old, new.old) == (True, False)
    assert values("20 GB")[0].same(new)


def test_a_number_inside_a_date_is_part_of_it() -> None:
    """The day of a date is no number of its own."""
    assert [value.measure for value in values("2021年3月15日付了300元")] == ["date", "money"]


def test_a_beginning_and_an_end_in_two_clauses_are_two_dates() -> None:
    """Only a span told in one breath is one value."""
    assert [value.text for value in values("自9月15日开始，至9月30日截止")] == ["9月15日", "9月30日"]
    assert [value.text for value in values("展期从五月十八日到九月一日")] == ["五月十八日", "九月一日"]
    assert len(values("6月至9月")) == 1
