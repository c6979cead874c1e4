"""Numbers and money: labelled rows, speed on short texts, and hostile lines."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from perf.careful_reader.row import Row, hostile, records, share, speed
from ragstone.text.numbers.find import Quantity, find_numbers, read_number

OWN = Path(__file__).parents[2] / "tests/data/numbers.jsonl"
HOSTILE: tuple[str, ...] = (
    "一",
    "1,",
    "年月日",
    "1万-",
    "1 to ",
    "1元-",
    "1年",
    "1 ",
    "1~",
    "1a",
    "万一",
    "一个",
    "between 1 and ",
    "20200101 ",
)
HOSTILE += ("1 234 ", "q1 ", "五折", "1k ", "百分之", "三分之", "[1", "a-", "0", "¥1", "1元5角", "half ")


def _close(value: Decimal, wanted: float) -> bool:
    return abs(float(value) - wanted) <= 1e-9 * max(1.0, abs(wanted))


def _value_right(row: dict[str, Any]) -> bool:
    wanted = row["expect"]
    if isinstance(wanted, list):
        found = find_numbers(row["text"])
        ends = [end for one in found for end in (one.value, one.high) if end is not None]
        return len(ends) == len(wanted) and all(map(_close, ends, wanted))
    value = read_number(row["text"])
    return value is wanted if value is None or wanted is None else _close(value, wanted)


def _unit(one: Quantity) -> str:
    return one.currency or ("%" if one.kind in ("percent", "fraction") else "")


def _extract_right(row: dict[str, Any]) -> bool:
    """Whether each wanted value is found once, with its unit and mark, and nothing else but the optional ones."""
    wanted = list(row["expect"])
    for one in find_numbers(row["text"]):
        if one.kind == "ordinal":
            continue
        for value in (one.value, one.high):
            if (
                value is not None
                and not _take(wanted, value, one)
                and not any(_close(value, at) for at in row["optional"])
            ):
                return False
    return not wanted


def _take(wanted: list[dict[str, Any]], value: Decimal, one: Quantity) -> bool:
    for at, label in enumerate(wanted):
        if _close(value, label["v"]) and label["u"] == _unit(one) and label.get("approx", False) == one.approximate:
            del wanted[at]
            return True
    return False


def _own_right(row: dict[str, Any]) -> bool:
    if row["task"] == "value":
        value = read_number(row["text"])
        return value == (None if row["value"] is None else Decimal(row["value"]))
    found = find_numbers(row["text"])
    return len(found) == len(row["found"]) and all(map(_is_labelled, found, row["found"]))


def _is_labelled(one: Quantity, label: dict[str, Any]) -> bool:
    numbers = {key: Decimal(label[key]) for key in ("value", "high") if label.get(key)}
    return all(getattr(one, key) == value for key, value in (label | numbers).items())


def _right(row: dict[str, Any]) -> bool:
    return _value_right(row) if row["task"] == "value" else _extract_right(row)


def rows(data: Path) -> Iterator[Row]:
    """Right rows, texts a second, and seconds for a hostile line."""
    own = [*records(OWN)]
    other = [*records(data / "careful_reading/t1_numbers.jsonl")]
    yield share("numbers", "own rows", [*map(_own_right, own)], 1.0)
    yield share("numbers", "careful_reading/t1_numbers", [*map(_right, other)], 0.97)
    yield speed("numbers", "short texts", find_numbers, [row["text"] for row in own + other], 10_000)
    yield hostile("numbers", find_numbers, HOSTILE)
