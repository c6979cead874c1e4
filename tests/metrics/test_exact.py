"""Tests of exact match."""

from typing import Any

import pytest

from ragstone.metrics.exact import alias_table, choice_match, exact_match


@pytest.mark.parametrize("label", [None, "x"])
def test_an_absent_field_matches_nothing(label: Any) -> None:
    """R3.3: absent is 0, even when the label is absent too."""
    assert exact_match(None, label) == 0.0
    assert choice_match(None, label) == 0.0


def test_without_normalising_the_writing_counts() -> None:
    """normalize: false compares as it stands, types included."""
    assert exact_match("A", "a") == 1.0
    assert exact_match("A", "a", normalize=False) == 0.0
    assert exact_match(True, 1, normalize=False) == 0.0
    assert exact_match("a", "a", normalize=False) == 1.0


def test_aliases_stand_for_a_value() -> None:
    """利好 is positive when the table says so, and not negative."""
    aliases = alias_table({"positive": ["利好", "看多"], "negative": ["利空"]})

    assert choice_match("利好", "positive", aliases) == 1.0
    assert choice_match("看多。", "利好", aliases) == 1.0
    assert choice_match("利空", "positive", aliases) == 0.0
    assert choice_match("(B)", "b") == 1.0
