"""Key points made ready."""

import pytest

from ragstone.reading.points import Point


@pytest.mark.parametrize(
    ("point", "forms"),
    [
        ("召回率", ["召回率"]),
        ("召回率（Recall）", ["召回率", "Recall", "召回率（Recall）"]),
        ("存储层（对象存储或块存储）", ["存储层", "存储层（对象存储或块存储）"]),
        ("（空）", ["（空）"]),
    ],
)
def test_brackets_are_cut_off(point: str, forms: list[str]) -> None:
    """The head states the point; a short alias in another script does too, an explanation does not."""
    assert [form.text for form in Point.prepare(point).forms] == forms


@pytest.mark.parametrize(
    ("point", "compact"),
    [("云州大学", True), ("Grey Heron Cloud", True), ("系统会自动备份日志", False), ("not refundable", False)],
)
def test_names_are_told_from_statements(point: str, compact: bool) -> None:
    """The words of a name must stand together in an answer, those of a statement need not."""
    assert Point.prepare(point).forms[0].compact is compact


def test_denied_words_are_marked() -> None:
    """The point's own denial reaches only its own words."""
    units = Point.prepare("无需重新登录即可切换账号").forms[0].units

    assert {unit.text: unit.negated for unit in units if unit.text in ("登录", "切换")} == {"登录": True, "切换": False}


def test_a_page_is_only_looked_for_verbatim() -> None:
    """What is too long for a key point has no words to weigh."""
    assert Point.prepare("云州" * 1000).forms[0].units == ()
