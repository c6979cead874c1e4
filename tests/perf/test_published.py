"""Exact match and F1 as the published scripts define them, and folded."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perf.careful_reader.published import Match, cmrc, folded, mixed_segments, squad

quick = settings(deadline=None)


def slow_run(one: list[str], other: list[str]) -> int:
    """Longest common run by trying all."""
    runs = {tuple(one[i:j]) for i in range(len(one)) for j in range(i + 1, len(one) + 1)}
    held = {tuple(other[i:j]) for i in range(len(other)) for j in range(i + 1, len(other) + 1)}
    return max(map(len, runs & held), default=0)


@pytest.mark.parametrize(
    ("prediction", "references", "expected"),
    [
        ("The Fox!", ["fox"], Match(1.0, 1.0)),
        ("a red fox", ["red dog"], Match(0.0, 0.5)),
        ("", ["fox"], Match(0.0, 0.0)),
        ("fox", ["dog", "fox"], Match(1.0, 1.0)),
        ("the", [""], Match(1.0, 0.0)),
        ("fox", [], Match(0.0, 0.0)),
    ],
)
def test_squad(prediction: str, references: list[str], expected: Match) -> None:
    """Articles, ASCII punctuation and case do not count; the best reference does."""
    assert squad(prediction, references) == expected


@pytest.mark.parametrize(
    ("prediction", "references", "expected"),
    [
        ("《一九九一年》", ["一九九一年"], Match(1.0, 1.0)),
        ("退 款", ["退款"], Match(0.0, 1.0)),
        ("甲乙丙", ["乙丙丁"], Match(0.0, 2 / 3)),
        ("甲乙", ["乙甲"], Match(0.0, 0.5)),
        ("１２", ["12"], Match(0.0, 0.0)),
        ("", ["甲"], Match(0.0, 0.0)),
        ("甲", [], Match(0.0, 0.0)),
    ],
)
def test_cmrc(prediction: str, references: list[str], expected: Match) -> None:
    """The F1 is a longest common run, so order counts and width is not folded."""
    assert cmrc(prediction, references) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("占5.5%左右", ["占", "5.5", "%", "左", "右"]),
        ("E.I.杜某", ["e.i", ".", "杜", "某"]),
        ('片名"Red Sky"好', ["片", "名", "``", "red", "sky", "''", "好"]),
        ("约1,500人, 及", ["约", "1,500", "人", ",", "及"]),
        ("It's a fox. Dr. Li didn't.", ["it", "'s", "a", "fox", ".", "dr.", "li", "did", "n't", "."]),
    ],
)
def test_mixed_segments(text: str, expected: list[str]) -> None:
    """Han characters apart, Latin text as Treebank words."""
    assert mixed_segments(text) == expected


@pytest.mark.parametrize(
    ("prediction", "references", "expected"),
    [
        ("臺灣。", ["台湾"], Match(1.0, 1.0)),
        ("１２，０００ 元", ["12000元"], Match(1.0, 1.0)),
        ("退款", ["申请退款"], Match(0.0, 2 / 3)),
    ],
)
def test_folded(prediction: str, references: list[str], expected: Match) -> None:
    """Width and script are folded in our own EM and F1."""
    assert folded(prediction, references) == pytest.approx(expected)


@quick
@given(st.text(alphabet="甲乙丙", max_size=8), st.text(alphabet="甲乙丙", max_size=8))
def test_the_run_is_the_longest(one: str, other: str) -> None:
    """The automaton finds what trying all finds."""
    run = slow_run(list(one), list(other))
    expected = 2 * run / (len(one) + len(other)) if run else 0.0

    assert cmrc(one, [other]).f1 == pytest.approx(expected)


@quick
@given(st.text(), st.text())
def test_nothing_raises(prediction: str, reference: str) -> None:
    """Any two strings have scores between 0 and 1."""
    for score in (squad, cmrc, folded):
        assert all(0 <= value <= 1 for value in score(prediction, [reference]))
