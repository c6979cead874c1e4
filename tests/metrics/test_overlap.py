"""Tests of list overlap and order."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.metrics.overlap import Overlap, item_keys, order_score, overlap


def _overlap(prediction: Any, label: Any, *, normalize: bool = True) -> Overlap:
    return overlap(item_keys(prediction, normalize=normalize), item_keys(label, normalize=normalize))


@pytest.mark.parametrize(
    ("prediction", "label", "expected"),
    [
        (["ai", "earnings"], ["AI", "earnings"], (1.0, 1.0, 1.0)),
        (["ai", "x"], ["ai", "earnings"], (0.5, 0.5, 0.5)),
        (["ai"], ["ai", "b", "c", "d"], (1.0, 0.25, 0.4)),
        ([], [], (1.0, 1.0, 1.0)),
        (["a"], [], (0.0, 0.0, 0.0)),
        ([], ["a"], (0.0, 0.0, 0.0)),
        (["銀行", "授信"], ["银行", "授信"], (1.0, 1.0, 1.0)),
        (["12,000"], ["1.2万"], (1.0, 1.0, 1.0)),
        (["000001"], ["1"], (0.0, 0.0, 0.0)),
        ([{"id": "n1"}, "n2"], ["N1", "n2"], (1.0, 1.0, 1.0)),
        (["a", "a", "a", "b"], ["a", "b"], (1.0, 1.0, 1.0)),
        ("a", ["a"], (1.0, 1.0, 1.0)),
        ([["x"]], [["x"]], (1.0, 1.0, 1.0)),
    ],
)
def test_list_overlap(prediction: Any, label: Any, expected: tuple[float, float, float]) -> None:
    """Sets of items, each in any form."""
    assert _overlap(prediction, label)[:3] == pytest.approx(expected)


def test_missing_and_extra_are_named() -> None:
    """What is missing is written as in the label, what is too much as in the answer."""
    found = _overlap(["ＡＩ", "Gold"], ["ai", "Silver"])

    assert (found.missing, found.extra) == (["Silver"], ["Gold"])


def test_without_normalising_the_writing_counts() -> None:
    """normalize: false tells A from a, and 1 from "1"."""
    assert _overlap(["A", 1], ["a", "1"], normalize=False).f1 == 0.0


def test_aliases_stand_for_an_item() -> None:
    """An alias counts as the item it stands for."""
    assert list(item_keys(["人工智能"], {"人工智能": "ai"})) == ["ai"]


@pytest.mark.parametrize(
    ("given_items", "wanted", "expected"),
    [
        ("abc", "abc", 1.0),
        ("acb", "abc", 2 / 3),
        ("ab", "abc", 2 / 3),
        ("abcd", "abc", 3 / 4),
        ("", "", 1.0),
        ("", "a", 0),
    ],
)
def test_order(given_items: str, wanted: str, expected: float) -> None:
    """The share of the longer list that stands in the wanted order."""
    assert order_score(list(given_items), list(wanted)) == pytest.approx(expected)


ITEMS = st.lists(st.one_of(st.text(max_size=6), st.integers(), st.none(), st.booleans()), max_size=6)


@settings(deadline=None)
@given(ITEMS, ITEMS)
def test_overlap_stays_in_range(one: list[Any], other: list[Any]) -> None:
    """Precision one way is recall the other way, and nothing leaves 0..1."""
    there, back = _overlap(one, other), _overlap(other, one)

    assert all(0 <= figure <= 1 for figure in there[:3])
    assert there.precision == pytest.approx(back.recall)
