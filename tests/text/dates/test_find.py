"""Dates and ranges in running text."""

import json
import time
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.text.dates.find import DateMention, find_dates
from tests.needs import many, sweep

ROWS = [json.loads(line) for line in (Path(__file__).parents[2] / "data/dates.jsonl").read_text("utf-8").splitlines()]


def shown(mention: DateMention, keys: Any) -> dict[str, Any]:
    """The named fields of a mention as the rows write them."""
    fields = {key: getattr(mention, key) for key in keys}
    return {key: value.isoformat() if isinstance(value, date) else value for key, value in fields.items()}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_rows(row: dict[str, Any]) -> None:
    """Running text gives exactly the labelled dates."""
    base = date.fromisoformat(row["base"]) if row["base"] else None

    found = find_dates(row["text"], base)

    assert len(found) == len(row["found"]), found
    assert [shown(one, label) for one, label in zip(found, row["found"], strict=True)] == row["found"]


@settings(deadline=None)
@given(st.dates(min_value=date(1912, 1, 1), max_value=date(2099, 12, 31)))
def test_any_form_reads_back(day: date) -> None:
    """A day written in any form reads back as the same day."""
    hanzi = "".join("〇一二三四五六七八九"[int(char)] for char in str(day.year))
    forms = [
        day.isoformat(),
        f"{day.year}年{day.month}月{day.day}日",
        f"{day:%Y/%m/%d}",
        f"{day:%Y%m%d}",
        f"{hanzi}年{day.month}月{day.day}日",
    ]
    forms += [
        f"民國{day.year - 1911}年{day.month}月{day.day}日",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%b} {day.year}",
    ]

    for text in forms:
        assert [(one.first, one.last) for one in find_dates(text)] == [(day, day)], text


@settings(max_examples=many(200), deadline=None)
@given(
    st.text(
        alphabet=st.one_of(
            st.characters(),
            st.sampled_from("0123456789-/.~ 年月日号天周第一二三十百民国去今明昨上下半季度初底至到前后起Qaugmy"),
        ),
        max_size=60,
    ),
    st.one_of(st.none(), st.dates()),
)
def test_nothing_raises(text: str, base: date | None) -> None:
    """Any string is read, and every place lies inside it, in order."""
    found = find_dates(text, base)

    assert all(one.text == text[one.start : one.end] for one in found)
    assert all((one.first is None) == (one.last is None) for one in found)
    assert all(one.first <= one.last for one in found if one.first and one.last)
    assert all(one.end <= other.start for one, other in pairwise(found))


# fmt: off
HOSTILE = [
    "年月日", "2020年", "8月", "1-", "2020-", "上周", "in 2020 to ", "民国", "一", "昨天", "去年", "上", "周一", "1",
    "12345678", "20200101 ", "1月1日至", "、2日", "2月30日", "aug 1-2, ", "may ", "march 1 ", "the day ", "last ",
    "今", "农历", "农历八月", "三天前", "第二季度", "1 jan ", "q1 ", "in ", "a ", "一月", "1980年代", "99999年", "百",
    "万一", "星期", "march to june ", "12/25/",
]
# fmt: on


def seconds(piece: str, length: int) -> float:
    """The processor time for a line of one piece, the best of three."""
    line, best = piece * (length // len(piece)), 60.0
    for _ in range(3):
        start = time.process_time()
        find_dates(line, date(2024, 3, 5))
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("piece", sweep(HOSTILE, 8))
def test_hostile_lines_stay_linear(piece: str) -> None:
    """Four times the line takes about four times the time, never sixteen times."""
    assert seconds(piece, 16_000) < 10 * seconds(piece, 4_000) + 0.01


def test_a_line_of_mere_dates_is_read_up_to_a_bound() -> None:
    """At most one date for each eight characters is read, and the further days of one date count too."""
    assert len(find_dates("8月1日 " * 25_000)) == 125_000 // 8
    assert len(find_dates("8月1日 " * 60_000)) == 20_000
    assert len(find_dates("8月1日" + "、2日" * 25_000)) == 75_004 // 8


def test_base_at_the_edge_of_the_calendar() -> None:
    """Counting past the first or last year gives no date and no error."""
    assert find_dates("三天前", date(1, 1, 1)) == []
    assert find_dates("明年", date(9999, 12, 31)) == []


def test_range_with_an_unknown_end() -> None:
    """A range is unknown when one of its ends is, and says why."""
    (found,) = find_dates("2023年11月3日至昨天")

    assert (found.first, found.last, found.reason, found.is_range) == (None, None, "no_base", True)
