"""Words that say the same or the opposite."""

from importlib import resources

import pytest

from ragstone.reading.lexicon import DEFAULT
from ragstone.reading.synonyms import GROUPS, IRREGULAR, OPPOSITE, same
from ragstone.reading.tokens import root


def test_tables_go_both_ways() -> None:
    """If one word stands for another, the other stands for it."""
    for table in ({word: same(word) for word in GROUPS}, OPPOSITE):
        assert all(word in table[other] for word, others in table.items() for other in others)


def test_no_word_is_its_own_opposite() -> None:
    """A word never says the same and the opposite."""
    assert not [word for word in GROUPS if set(same(word)) & set(OPPOSITE.get(word, ()))]


def test_every_english_word_is_found_by_its_stem() -> None:
    """Stems are made letter by letter, so each begins with the letter of its word."""
    words = [word for word in (*GROUPS, *IRREGULAR) if word.isascii() and " " not in word]

    assert all(root(word)[0] == IRREGULAR.get(word, word)[0] for word in words)
    assert all(DEFAULT.same_stems(root(word)) for word in words if word in GROUPS)


@pytest.mark.parametrize("language", ["zh", "en", "ja", "ko"])
def test_a_group_is_two_words_or_more_each_once(language: str) -> None:
    """A line of a language's file names at least two words, and none of them twice."""
    for line in resources.files("ragstone.reading").joinpath("same", f"{language}.txt").read_text("utf-8").splitlines():
        words = line.split()
        assert len(words) == len(set(words)), line
        assert len(words) > 1, line
