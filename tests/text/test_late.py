"""Late patterns do what patterns do."""

import re

import pytest

from ragstone.text.late import late, lazy


def test_it_is_a_pattern_in_all_but_type() -> None:
    """Every method works, before and after the first use."""
    pattern = late("A(b+)", re.IGNORECASE)

    assert pattern.sub("x", "abb-AB") == "x-x"
    assert [found[1] for found in pattern.finditer("abb ab")] == ["bb", "b"]
    assert pattern.pattern == "A(b+)" and pattern.groups == 1


def test_nothing_is_compiled_before_it_is_used() -> None:
    """A mistake in a pattern shows at its first use."""
    broken = late("(")

    with pytest.raises(re.error):
        broken.search("")


def test_what_a_pattern_has_not() -> None:
    """Other names are unknown, as everywhere."""
    assert not hasattr(late("a"), "colour")


class Thing:
    """Counts how often it is asked."""

    asked = 0

    @lazy
    def value(self) -> int:
        """The answer."""
        self.asked += 1
        return 42


def test_it_is_computed_at_the_first_look_only() -> None:
    """Two looks, one computation, and each object has its own."""
    one, other = Thing(), Thing()

    assert (one.value, one.value, one.asked, other.asked) == (42, 42, 1, 0)
