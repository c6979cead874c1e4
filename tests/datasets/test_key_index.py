"""A dictionary that does not grow in memory."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.datasets.key_index import KeyTable


@settings(deadline=None)
@given(st.lists(st.tuples(st.text(max_size=4), st.integers(0, 2**40))), st.integers(0, 5))
def test_it_is_a_dictionary_that_keeps_the_first(pairs: list[tuple[str, int]], room: int) -> None:
    """Wherever a key is kept, its first number is found and told again."""
    table, plain = KeyTable(room), dict[str, int]()
    for key, value in pairs:
        assert table.add(key, value) == plain.get(key)
        plain.setdefault(key, value)

    assert {key: table.find(key) for key in plain} == plain
    assert table.find("no such key") is None
    table.close()


@pytest.mark.parametrize("room", [0, 10])
def test_what_is_on_disk_is_found_among_many(room: int) -> None:
    """Thousands of keys keep their numbers."""
    table = KeyTable(room)
    for number in range(5000):
        assert table.add(f"key {number}", number) is None

    assert all(table.find(f"key {number}") == number for number in range(0, 5000, 7))
    table.close()


def test_counts_go_on_beyond_the_memory() -> None:
    """Each key knows how often it was counted before, in memory or on disk."""
    table = KeyTable(in_memory=2)

    counts = [table.count(key) for key in ("a", "b", "c", "a", "c", "c")]

    assert counts == [0, 0, 0, 1, 1, 2]
    table.close()
