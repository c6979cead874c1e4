"""Words that say the same or the opposite."""

from ragstone.reading.synonyms import OPPOSITE, SAME


def test_tables_go_both_ways() -> None:
    """If one word stands for another, the other stands for it."""
    for table in (SAME, OPPOSITE):
        assert all(word in table[other] for word, others in table.items() for other in others)


def test_no_word_is_its_own_opposite() -> None:
    """A word never says the same and the opposite."""
    assert not [word for word in SAME if set(SAME[word]) & set(OPPOSITE.get(word, ()))]
