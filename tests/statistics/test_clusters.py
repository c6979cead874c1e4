"""Rows into clusters: what is kept, what is folded, and that both say the same."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.statistics.clusters import Clusters, Spread, spread


def test_the_variance_is_the_textbooks() -> None:
    """Each row its own cluster: the variance of the mean, by hand."""
    found = spread([0.0, 0.5, 1.0, 1.0], [1.0] * 4)

    assert found.mean == 0.625
    assert found.variance == pytest.approx((0.390625 + 0.015625 + 2 * 0.140625) / 3 / 4)
    assert found.clusters == found.size == 4


def test_copies_of_a_row_add_nothing() -> None:
    """Eight distinct questions asked 125 times each are eight, not a thousand."""
    copied, plain = Clusters(1), Clusters(1)
    for row in range(1000):
        copied.add(f"q{row % 8}", [float(row % 8 < 3), 1.0])
    for row in range(8):
        plain.add(f"q{row}", [float(row < 3), 1.0])

    assert copied.spread(0).variance == pytest.approx(plain.spread(0).variance)
    assert copied.spread(0).clusters == 8


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 300), st.integers(1, 4))
def test_folding_changes_no_figure(seed: int, rows: int, repeats: int) -> None:
    """Moments say what the kept sums say, however often they were folded."""
    dice = Random(seed)
    kept, folded = Clusters(2), Clusters(2, most=7)
    for row in range(rows):
        for _ in range(repeats):
            cells = [dice.random(), 1.0, *((0.0, 0.0) if dice.random() < 0.3 else (dice.random() * 2, 2.0))]
            kept.add(str(row), cells)
            folded.add(str(row), cells)

    for column in (0, 1):
        here, there = kept.spread(column), folded.spread(column)
        assert there[:3] == pytest.approx(here[:3])
        assert there.variance == pytest.approx(here.variance, abs=1e-12)


def test_shrinking_keeps_the_figure_and_drops_the_parts() -> None:
    """Once memory must stay flat, sums are no longer held."""
    clusters = Clusters(1)
    for row in range(1000):
        clusters.add(str(row), [row / 1000, 1.0])
    before = clusters.spread(0)
    clusters.shrink()
    after = clusters.spread(0)

    assert len(before.sums) == 1000
    assert after.sums == ()
    assert after.mean == pytest.approx(before.mean)
    assert after.error == pytest.approx(before.error)


def test_nothing_is_no_number_but_no_nan() -> None:
    """An empty column has mean 0 of size 0, and its variance is 0."""
    assert Clusters(1).spread(0) == Spread(0.0, 0.0, 0, 0.0, [], [])
    assert Clusters(1).spread(0).mean == 0.0


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 200))
def test_a_metric_that_applies_late_or_never_says_the_same(seed: int, rows: int) -> None:
    """Places of a row that hold nothing yet are not kept, and no figure shows it."""
    dice = Random(seed)
    clusters = Clusters(4)
    sums = [dict[str, list[float]]() for _ in range(4)]
    for row in range(rows):
        # The third column begins in the middle, the fourth never applies.
        applies = [dice.random() < 0.5, dice.random() < 0.5, row > rows // 2, False]
        cells = [cell for one in applies for cell in ((dice.random(), 1.0) if one else (0.0, 0.0))]
        key = f"q{row // 2}"
        clusters.add(key, cells)
        for column in range(4):
            kept = sums[column].setdefault(key, [0.0, 0.0])
            kept[0] += cells[2 * column]
            kept[1] += cells[2 * column + 1]

    for column in range(4):
        counted = [pair for pair in sums[column].values() if pair[1]]
        assert clusters.spread(column) == spread([s for s, _ in counted], [n for _, n in counted])
