"""Charts: SVG that is well formed, says what it shows and carries nothing foreign."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.report.charts import Column, Moment, bar, distribution, trend

counts = st.integers(0, 10**6)


@settings(deadline=None)
@given(st.lists(st.tuples(counts, counts), max_size=12), st.text(max_size=30))
def test_a_distribution_is_well_formed(pairs: list[tuple[int, int]], label: str) -> None:
    """Any counts and any label; no bar stands higher than its room."""
    columns = [Column(n / 10, (n + 1) / 10, good, bad) for n, (good, bad) in enumerate(pairs)]

    root = ElementTree.fromstring(distribution(columns, label, "passed", "missed"))

    assert root.get("role") == "img"
    assert all(0 <= float(rect.get("height", "0")) <= 200 for rect in root.iter("rect"))


@pytest.mark.parametrize("share", [None, 0.0, 0.5, 1.0, 7.0, -1.0])
def test_a_bar_keeps_to_its_scale(share: float | None) -> None:
    """A share out of range is cut, none is an empty bar."""
    root = ElementTree.fromstring(bar(share, 0.2, 0.9))

    assert all(float(rect.get("width", "0")) <= 100 for rect in root)


@pytest.mark.parametrize("length", [0, 1, 2, 100])
def test_a_trend_takes_any_number_of_runs(length: int) -> None:
    """From none to more than fit; gaps are left open."""
    moments = [Moment(f"<r{n}>", "2026-01-01", {"a": n / 100 if n % 3 else None}, "/x?a=1&b=2") for n in range(length)]

    root = ElementTree.fromstring(trend(moments, {"a": "准确率"}, "<&>"))

    assert root.get("aria-label") == "<&>"
    assert len(list(root.iter("circle"))) <= 60
