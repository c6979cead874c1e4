"""Markdown tables are read cell by cell, each with its row and its column."""

import time

import pytest

from ragstone.reading.layout.tables import lay_out
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.statements import Statements

PLANS = (
    "月费如下：\n\n| 套餐 | 月费 | 流量 |\n|---|---|---|\n| 轻享 | 39 元 | 20GB |\n| 畅享 | 79 元 | – |\n\n均为合约价。"
)
PRICES = "Prices:\n\nTicket | Weekday | Weekend\n:---|---:|:---:\nAdult | £14 | £17\nChild | £7 | £8.50"


def test_a_row_becomes_a_sentence() -> None:
    """A cell is told with its row's name and the heads of both columns, below a colon as an item; no empty one is."""
    laid = lay_out(PLANS)

    assert laid is not None
    assert "- 轻享 套餐 月费 39 元, 轻享 套餐 流量 20GB.\n- 畅享 套餐 月费 79 元.\n" in laid.text
    assert laid.text.startswith("月费如下：") and laid.text.endswith("均为合约价。")


@pytest.mark.parametrize("text", ["a | b", "a\nb", "| a | b |\n| c | d |", "x\n---\ny", ""])
def test_no_table_is_left_alone(text: str) -> None:
    """Bars without a line of dashes are no table."""
    assert lay_out(text) is None


@pytest.mark.parametrize(
    ("point", "answer", "outcome"),
    [
        ("畅享套餐月费为79元", PLANS, "yes"),
        ("轻享套餐月费为79元", PLANS, "no"),
        ("轻享套餐流量为20GB", PLANS, "yes"),
        ("Adult ticket weekend £17", PRICES, "yes"),
        ("Child ticket weekend £17", PRICES, "no"),
    ],
)
def test_a_cell_is_read_with_its_row_and_column(point: str, answer: str, outcome: str) -> None:
    """The value of another row is another value."""
    assert states(Point(point), Statements(answer)).outcome == outcome


def test_the_place_is_in_the_row() -> None:
    """A verdict's place is one of the text as it was given."""
    span = states(Point("畅享套餐月费为79元"), Statements(PLANS)).span

    assert span is not None
    assert PLANS[span[0] : span[1]] == "畅享 | 79 元"


def test_a_huge_table_stays_small() -> None:
    """What is laid out is bounded: rows, cells and the length of their names."""
    head = "|".join(["x" * 500] * 300)
    table = f"{head}\n{'|'.join(['---'] * 300)}\n" + "\n".join(["|".join(["y" * 500] * 300)] * 50)

    laid = lay_out(table)

    assert laid is not None and len(laid.text) < len(table)


def test_a_long_text_behind_a_table_is_placed_in_linear_time() -> None:
    """Four times the text takes about four times the time, never sixteen times."""
    short, long = (min(seconds(size) for _ in range(3)) for size in (20_000, 80_000))

    assert long < 10 * short + 0.01


def seconds(size: int) -> float:
    """CPU time of laying out a small table and a long text behind it."""
    text = "| a | b |\n|---|---|\n| 1 | 2 |\n\n" + "字。" * size
    began = time.process_time()
    laid = lay_out(text)
    spent = time.process_time() - began
    assert laid is not None and list(laid.offsets[-size:]) == list(range(len(text) - size, len(text)))
    return spent
