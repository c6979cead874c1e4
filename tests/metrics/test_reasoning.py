"""Tests of consistency and step order."""

import time
from typing import Any

import pytest

from ragstone.metrics.reasoning import consistency, final_text, fragments, step_order


@pytest.mark.parametrize(
    ("final", "supports", "expected"),
    [
        ("buy", ["结论：BUY", "营收增长"], (1.0, 0.5)),
        ({"value": "持有"}, ["建議持有"], (1.0, 1.0)),
        ("sell", ["结论：buy"], (0.0, 0.0)),
        (5, ["得 15 分", "0.5", "5.5"], (0.0, 0.0)),
        (5, ["共5分"], (1.0, 1.0)),
        ("3.5", ["评分3.5。"], (1.0, 1.0)),
        ("A", ["BAD", "答案是A。"], (1.0, 0.5)),
        ("上涨", ["预计不会上涨", "价格上涨"], (1.0, 0.5)),
        ("不会上涨", ["预计不会上涨"], (1.0, 1.0)),
        ("up", ["Prices did not go up.", "Is it up?", "Sales are up."], (1.0, 1 / 3)),
        ("41", ["得42分", "不是41分", "共41分"], (1.0, 1 / 3)),
        ("现金流", ["现 金 流充足"], (1.0, 1.0)),
        ("", ["x"], (0.0, 0.0)),
        (None, ["x"], (0.0, 0.0)),
        ("x", [], (0.0, 0.0)),
    ],
)
def test_consistency(final: Any, supports: list[str], expected: tuple[float, float]) -> None:
    """A supporting text must state the answer: as a whole word or number, not denied, not only asked."""
    assert tuple(consistency(final, supports)) == expected


def test_without_normalising_the_writing_counts() -> None:
    """normalize: false tells BUY from buy."""
    assert consistency("buy", ["BUY"], normalize=False).consistent == 0.0


def test_fragments_are_found_in_steps_and_claims() -> None:
    """Objects are read by the keys that hold text; deep nesting ends somewhere."""
    value: Any = ["一", {"text": "二", "id": "x"}, {"conclusion": ["三"]}, "", None, 4]
    deep: Any = "底"
    for _ in range(500):
        deep = [deep]

    assert list(fragments(value)) == ["一", "二", "三"]
    assert list(fragments(deep)) == []
    assert final_text({"value": 3}) == "3"


@pytest.mark.parametrize(
    ("steps", "wanted", "expected"),
    [
        (["看营收", "看利润", "给结论"], ["看营收", "看利润", "给结论"], (1.0, 1.0)),
        (["看利润", "看营收", "给结论"], ["看营收", "看利润", "给结论"], (2 / 3, 1.0)),
        (["看营收", "多余的一步", "给结论"], ["看营收", "看利润", "给结论"], (2 / 3, 2 / 3)),
        (["先看营收情况"], ["看营收情况"], (1.0, 1.0)),
        ([], ["看营收"], (0.0, 0.0)),
        (["看营收"], [], (0.0, 0.0)),
    ],
)
def test_step_order(steps: list[str], wanted: list[str], expected: tuple[float, float]) -> None:
    """Steps count when they are there, and in order when they rise."""
    assert tuple(step_order(steps, wanted)) == pytest.approx(expected)


def test_many_steps_stay_quick() -> None:
    """Thousands of steps are bounded."""
    begin = time.process_time()
    step_order([f"第{n}步看第{n}项" for n in range(5000)], [f"另{n}" for n in range(5000)])

    assert time.process_time() - begin < 3
