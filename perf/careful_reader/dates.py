"""Dates: labelled rows, speed on short texts, and hostile lines."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from perf.careful_reader.row import Row, hostile, records, share, speed
from ragstone.text.dates.find import DateMention, find_dates

OWN = Path(__file__).parents[2] / "tests/data/dates.jsonl"
HOSTILE: tuple[str, ...] = (
    "年月日",
    "8月",
    "昨天",
    "上周",
    "1月1日至",
    "aug 1-2, ",
    "2020年8月30日、31日",
    "2月30日",
    "1 jan ",
    "周一",
    "一",
    "去年",
)
HOSTILE += ("12345678", "in 2020 ", "next week ", "march to june ", "民国", "上", "1", "三天前")


def _base(row: dict[str, Any]) -> date | None:
    return date.fromisoformat(row["base"]) if row.get("base") else None


def _right(row: dict[str, Any]) -> bool:
    found = find_dates(row["text"], _base(row))
    return len(found) == len(row["expect"]) and all(map(_fits, found, row["expect"]))


def _fits(one: DateMention, label: dict[str, Any]) -> bool:
    if label.get("approx", False) != one.approximate or label.get("ambiguous", one.ambiguous) != one.ambiguous:
        return False
    if "md" in label:
        return one.month is not None and one.day is not None and f"{one.month:02}-{one.day:02}" == label["md"]
    if one.first is None or one.last is None:
        return "start" not in label and "contains" not in label
    if "start" in label and (one.first.isoformat(), one.last.isoformat()) != (label["start"], label["end"]):
        return one.other is not None and one.other.isoformat() == label["start"] == label["end"]
    covered = [one.first <= date.fromisoformat(day) <= one.last for day in label.get("contains", [])]
    return all(covered) and not any(
        one.first <= date.fromisoformat(day) <= one.last for day in label.get("excludes", [])
    )


def _own_right(row: dict[str, Any]) -> bool:
    found = find_dates(row["text"], _base(row))
    return len(found) == len(row["found"]) and all(map(_is_labelled, found, row["found"]))


def _is_labelled(one: DateMention, label: dict[str, Any]) -> bool:
    fields = {key: getattr(one, key) for key in label}
    return {key: value.isoformat() if isinstance(value, date) else value for key, value in fields.items()} == label


def rows(data: Path) -> Iterator[Row]:
    """Right rows, texts a second, and seconds for a hostile line."""
    own = [*records(OWN)]
    other = [*records(data / "careful_reading/t2_dates.jsonl")]
    yield share("dates", "own rows", [*map(_own_right, own)], 1.0)
    yield share("dates", "careful_reading/t2_dates", [*map(_right, other)], 0.95)
    yield speed("dates", "short texts", find_dates, [row["text"] for row in own + other], 10_000)
    yield hostile("dates", find_dates, HOSTILE)
