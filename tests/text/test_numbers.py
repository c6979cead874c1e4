"""Numbers and money in running text."""

import json
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.text.numbers import Quantity, find_numbers, read_number, same_value

ROWS = [json.loads(line) for line in (Path(__file__).parents[1] / "data/numbers.jsonl").read_text("utf-8").splitlines()]
VALUES = [row for row in ROWS if row["task"] == "value"]
FOUND = [row for row in ROWS if row["task"] == "find"]


def shown(quantity: Quantity, keys: Any) -> dict[str, Any]:
    """The named fields of a quantity as the rows write them."""
    fields = {key: getattr(quantity, key) for key in keys}
    return {key: str(value.normalize() + 0) if isinstance(value, Decimal) else value for key, value in fields.items()}


def plain(row: dict[str, Any]) -> dict[str, Any]:
    """A labelled quantity with its numbers in one form."""
    return {
        key: str(Decimal(value).normalize() + 0) if key in ("value", "high") and value else value
        for key, value in row.items()
    }


@pytest.mark.parametrize("row", VALUES, ids=lambda row: row["id"])
def test_value_rows(row: dict[str, Any]) -> None:
    """A text that is one number has its value, any other text has none."""
    expected = None if row["value"] is None else Decimal(row["value"])

    assert read_number(row["text"]) == expected


@pytest.mark.parametrize("row", FOUND, ids=lambda row: row["id"])
def test_find_rows(row: dict[str, Any]) -> None:
    """Running text gives exactly the labelled quantities."""
    found = find_numbers(row["text"])

    assert len(found) == len(row["found"]), found
    assert [shown(one, label) for one, label in zip(found, row["found"], strict=True)] == [
        plain(q) for q in row["found"]
    ]


HAN = "零一二三四五六七八九"
FINANCIAL = "零壹贰叁肆伍陆柒捌玖"


def section(value: int, digits: str, units: tuple[str, ...]) -> str:
    """Four places in Chinese, without the zeros before the first digit."""
    out = ""
    for power in (3, 2, 1, 0):
        place = value // 10**power % 10
        if place:
            out += digits[place] + units[power]
        elif out and value % 10**power and not out.endswith("零"):
            out += "零"
    return out


def chinese(value: int, digits: str = HAN, units: tuple[str, ...] = ("", "十", "百", "千")) -> str:
    """A whole number below 10^12 in Chinese numerals."""
    out = ""
    for power, name in ((8, "亿"), (4, "万"), (0, "")):
        part = value // 10**power % 10000
        gap = out and part and part < 1000
        out += ("零" if gap else "") + (section(part, digits, units) + name if part else "")
    return out or "零"


def dresses(value: int) -> list[str]:
    """One whole number in the ways people write it."""
    financial = chinese(value, FINANCIAL, ("", "拾", "佰", "仟"))
    mixed = f"{value // 10000}万{value % 10000}" if value >= 10000 and value % 10000 >= 1000 else str(value)
    wide = str(value).translate({ord("0") + at: ord("０") + at for at in range(10)})
    return [
        str(value),
        f"{value:,}",
        wide,
        chinese(value),
        financial,
        financial + "元整",
        mixed,
        f"人民币{value:,}元",
        f"{Decimal(value) / 10000:f}万",
    ]


@settings(max_examples=100, deadline=None)
@given(st.integers(min_value=0, max_value=10**12 - 1))
def test_any_dress_reads_back(value: int) -> None:
    """A number written in any dress reads back as the same value."""
    for text in dresses(value):
        assert read_number(text) == value, text


@settings(max_examples=100, deadline=None)
@given(st.integers(min_value=1000, max_value=10**9))
def test_any_dress_is_found_in_a_sentence(value: int) -> None:
    """Two dresses of one amount in running text are the same value."""
    one, other = find_numbers(f"先付{chinese(value)}元，即人民币{value:,}元。")

    assert same_value(one, other).same, (one, other)


@settings(max_examples=200, deadline=None)
@given(
    st.text(
        alphabet=st.one_of(
            st.characters(),
            st.sampled_from("0123456789.,-~/%一二三十百千万亿点半几多余元块毛角分第年月日约至到成折两零壹拾 a$¥k"),
        ),
        max_size=60,
    )
)
def test_nothing_raises(text: str) -> None:
    """Any string is read, and every place lies inside it, in order."""
    found = find_numbers(text)
    read_number(text)

    assert all(one.text == text[one.start : one.end] and one.value.is_finite() for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(one.high is None or one.high > one.value for one in found)


@pytest.mark.parametrize("piece", ["一", "1,", "1.", "1-", "百分之", "年月日", "三点", "two ", "万", "[1"])
def test_hostile_lines_stay_linear(piece: str) -> None:
    """A long hostile line is read without blowing up."""
    assert find_numbers(piece * (20000 // len(piece))) is not None


@pytest.mark.parametrize(
    ("one", "other", "same", "rule"),
    [
        ("四万二千元", "42000元", True, "chinese_numeral = arabic"),
        ("42000元", "42,000元", True, "arabic"),
        ("42000元", "24000元", False, "42000 is not 24000"),
        ("42000元", "42000美元", False, "CNY is not USD"),
        ("第3条", "3条", False, "an ordinal is no amount"),
        ("3-5万元", "3万元", False, "30000 to 50000 is not 30000"),
    ],
)
def test_same_value_says_why(one: str, other: str, same: bool, rule: str) -> None:
    """The comparison names the rules that agree or the reason that parts the values."""
    found = same_value(find_numbers(one)[0], find_numbers(other)[0])

    assert (found.same, found.rule) == (same, rule)


def test_float_and_exact_value() -> None:
    """4.2万 is exactly 42000, and the float is at hand."""
    (found,) = find_numbers("4.2万元")

    assert (found.value, found.number) == (Decimal(42000), 42000.0)
