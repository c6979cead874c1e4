"""Numbers and money in running text."""

import json
import time
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.text.numbers.find import Quantity, find_numbers, read_number
from tests.needs import many, sweep

ROWS = [json.loads(line) for line in (Path(__file__).parents[2] / "data/numbers.jsonl").read_text("utf-8").splitlines()]
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


TRADITIONAL = str.maketrans("万亿两贰叁陆圆", "萬億兩貳參陸圓")


def large(value: int) -> str:
    """A whole number below 10^16 in Chinese numerals; what counts the 亿 may itself hold 万."""
    high, low = divmod(value, 10**8)
    if high < 10**4:
        return chinese(value)
    gap = "零" if 0 < low < 10**7 else ""
    return f"{chinese(high)}亿{gap}{chinese(low) if low else ''}"


def mixed(value: int) -> str:
    """Arabic digits with 亿 and 万 between them, and 零 where places are skipped: 3亿零5万零20."""
    out = ""
    for power, name in ((8, "亿"), (4, "万"), (0, "")):
        part = value // 10**power % (10**8 if power == 8 else 10**4)
        if part:
            out += ("零" if out and part < 1000 else "") + f"{part}{name}"
    return out or "0"


def odd_forms(value: int) -> list[str]:
    """One whole number below 10^16 in rarer forms: Traditional, 两 for 二, 〇, marks and spaces."""
    hanzi = large(value)
    pairs = hanzi.replace("二百", "两百").replace("二千", "两千").replace("二万", "两万").replace("二亿", "两亿")
    return [
        hanzi,
        hanzi.translate(TRADITIONAL),
        hanzi.replace("零", "〇") if value else "〇",
        f" {hanzi}　",
        f"{hanzi}元整",
        mixed(value),
        f"{mixed(value)}元",
        mixed(value).translate({ord("0") + at: ord("０") + at for at in range(10)}),
        f"{value:,}".replace(",", "，"),
        f"NT${value:,}",
        f"US$ {value}",
        f"{value}.00",
        f"{value:,}.0元",
        pairs if "十两" not in pairs else hanzi,
    ]


def forms(value: int) -> list[str]:
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


@settings(deadline=None)
@given(st.integers(min_value=0, max_value=10**12 - 1))
def test_any_form_reads_back(value: int) -> None:
    """A number written in any form reads back as the same value."""
    for text in forms(value):
        assert read_number(text) == value, text


ANY_SIZE = st.one_of(
    st.integers(min_value=0, max_value=10**16 - 1),
    st.builds(lambda digits, power: digits * 10**power, st.integers(0, 9999), st.integers(0, 12)),
    st.builds(
        lambda head, power, tail: head * 10**power + tail, st.integers(1, 99), st.integers(4, 14), st.integers(0, 99)
    ),
)


@settings(deadline=None)
@given(ANY_SIZE)
def test_rare_dresses_read_back(value: int) -> None:
    """A number of any size in Traditional, mixed or marked writing reads back as the same value."""
    for text in odd_forms(value):
        assert read_number(text) == value, text


@settings(deadline=None)
@given(st.integers(min_value=0, max_value=10**10), st.integers(min_value=0, max_value=9999))
def test_decimals_read_back(whole: int, tail: int) -> None:
    """A decimal in Arabic, full-width or Chinese digits reads back exactly, below zero too."""
    value = Decimal(f"{whole}.{tail:04d}")
    spoken = f"{chinese(whole)}点{''.join(HAN[int(char)] for char in f'{tail:04d}')}"

    assert read_number(f"{value}") == read_number(spoken) == value
    assert read_number(f"{value}万元") == value * 10000
    assert read_number(f"负{spoken}") == read_number(f"-{value}") == -value


@settings(deadline=None)
@given(st.integers(min_value=0, max_value=10**7), st.integers(0, 9), st.integers(0, 9))
def test_coins_read_back(yuan: int, jiao: int, fen: int) -> None:
    """元, 角 and 分 add up, in plain and in financial numerals."""
    value = Decimal(f"{yuan}.{jiao}{fen}")
    money = chinese(yuan, FINANCIAL, ("", "拾", "佰", "仟")) + "元"
    money += (FINANCIAL[jiao] + "角" if jiao else "") + (f"{'' if jiao else '零'}{FINANCIAL[fen]}分" if fen else "")

    assert read_number(money) == read_number(f"{yuan}元{jiao}角{fen}分") == read_number(f"¥{value:,}") == value


@settings(deadline=None)
@given(st.integers(min_value=1000, max_value=10**9))
def test_any_form_is_found_in_a_sentence(value: int) -> None:
    """Two forms of one amount in running text are the same value."""
    one, other = find_numbers(f"先付{chinese(value)}元，即人民币{value:,}元。")

    assert (one.value, one.currency) == (other.value, other.currency)


@settings(max_examples=many(200), deadline=None)
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


# fmt: off
HOSTILE = [
    "一", "1,", "1.", "1-", "百分之", "年月日", "三点", "two ", "万", "[1", "万一", "五一", "一五", "1 ", "1万-",
    "1 to ", "1元-", "1年", "1~", "1a", "1w", "一个", "五折", "1 234 ", "1,234,", "1.1.", "0", "第一", "约1", "¥1",
    "¥", "-1", "三分之", "半", "a-", "a.", "a ", "q1 ", "8号", "电话1", "民国1", "between 1 and ", "和1", "米1",
    "+1 ", "1e1", "e1", "1+",
]
# fmt: on


def seconds(piece: str, length: int) -> float:
    """The processor time for a line of one piece, the best of three."""
    line, best = piece * (length // len(piece)), 60.0
    for _ in range(3):
        start = time.process_time()
        find_numbers(line)
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("piece", sweep(HOSTILE, 8))
def test_hostile_lines_stay_linear(piece: str) -> None:
    """Four times the line takes about four times the time, never sixteen times."""
    assert seconds(piece, 16_000) < 10 * seconds(piece, 4_000) + 0.01


def test_a_line_of_mere_numerals_is_read_up_to_a_bound() -> None:
    """At most one numeral for each eight characters is read, and in a text of prose each one however long it is."""
    assert len(find_numbers("1 " * 25_000)) == 50_000 // 8
    assert len(find_numbers("1 " * 2000)) == 2000
    assert len(find_numbers("1 " * 100_000)) == 20_000
    assert len(find_numbers(("这里的文字没有什么可以数，" * 4 + "只有100元。") * 21_000)) == 21_000


def test_float_and_exact_value() -> None:
    """4.2万 is exactly 42000, and the float is at hand."""
    (found,) = find_numbers("4.2万元")

    assert (found.value, found.number) == (Decimal(42000), 42000.0)
