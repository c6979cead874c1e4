"""A property computed once."""

from ragstone.text.lazy import lazy


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
