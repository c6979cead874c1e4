"""Specifics: the details a text states are found, and private ones can be hidden."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.values.specifics import LONGEST_ANSWER, find_specifics
from tests.needs import many, sweep

STATED = [
    ("他付了四万二千元。", [("amount", "四万二千元", "42000")]),
    ("降低百分之三十。", [("percent", "百分之三十", "0.3")]),
    ("2020年8月30日签字。", [("date", "2020年8月30日", "2020-08-30/2020-08-30")]),
    ("5月3日签字。", [("date", "5月3日", "5-3")]),
    ("一共36个月。", [("count", "36个月", "36")]),
    ("15日内付清。", [("count", "15日", "15")]),
    ("默认 8 条结果。", [("count", "8 条", "8")]),
    ("电话 139 0000 1234。", [("phone", "139 0000 1234", "13900001234")]),
    ("联系人是宋佳。", [("person", "宋佳", "宋佳")]),
    ("聯絡人是許文強。", [("person", "許文強", "许文强")]),
    ("钱存在建设银行。", [("organisation", "建设银行", "建设银行")]),
    ("户籍地是湖南省长沙市。", [("place", "湖南省长沙市", "湖南省长沙市")]),
    ("住在青岛市市南区香港中路76号。", [("address", "青岛市市南区香港中路76号", "青岛市市南区香港中路76号")]),
    ("它支持MongoDB。", [("product", "MongoDB", "mongodb")]),
    ("没有给丁浩转账。", [("person", "丁浩", "丁浩")]),
    ("Ask Ingrid Vogel about it.", [("person", "Ingrid Vogel", "ingridvogel")]),
]
SILENT = [
    "",
    "材料中没有提到具体用途，无法回答。",
    "材料没有提到张三。",
    "There is no mention of Danone in the article.",
    "首先，他承认借款；其次，他答应还款；第三，他没有还。",
    "根据第1页的笔录，答案如下。",
    "见 page 3 和 02_kestrel_setup.md。",
    "他的妹妹和叔叔都不知情。",
    "原告与被告双方各有一人到场。",
    "The buyer and the seller agreed.",
    "抱歉，我不知道。",
]


@pytest.mark.parametrize(("text", "expected"), STATED)
def test_specific_is_found(text: str, expected: list[tuple[str, str, str]]) -> None:
    """Each detail is found with its kind, its words and its comparable value."""
    found = find_specifics(text)

    assert [(one.kind, one.text, one.value) for one in found] == expected


@pytest.mark.parametrize("text", SILENT)
def test_text_without_specifics(text: str) -> None:
    """Refusals, ordinals, pages, files, kin and role words hold no details."""
    assert find_specifics(text) == []


@given(st.text(max_size=120))
@settings(deadline=None)
def test_any_text_is_read(text: str) -> None:
    """Nothing raises, and the details lie in order inside the text without overlap."""
    found = find_specifics(text)

    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(one.end <= two.start for one, two in pairwise(found))


@given(
    st.text(alphabet="张伟王李某先生北京市区路公司银行大学0123456789年月日元万%·.,，。@A a号第-()\ud800", max_size=60)
)
@settings(max_examples=many(150), deadline=None)
def test_signs_of_specifics_are_read(text: str) -> None:
    """Nothing raises on texts made of the signs that details are made of, broken surrogates among them."""
    assert all(one.start < one.end for one in find_specifics(text))


UNITS = ["张伟", "有限公司", "1年", "A ", "没有提到", "阿·", "1元", "路1号", "a@b.c ", "(0", "1 ", "北京市"]


@pytest.mark.parametrize("unit", sweep(UNITS, 4))
def test_hostile_line_is_read_in_linear_time(unit: str) -> None:
    """A long line of one repeated sign is read; the run's own time limit guards the speed."""
    assert isinstance(find_specifics(unit * (30_000 // len(unit))), list)


def test_an_endless_answer_is_read_up_to_a_bound() -> None:
    """Only the first 200,000 characters are looked through for specifics."""
    assert find_specifics("字" * LONGEST_ANSWER + " 手机13800138000") == []
