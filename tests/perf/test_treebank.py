"""Latin text is cut as the Penn Treebank convention cuts it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perf.careful_reader.treebank import treebank_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rose 5%.", ["rose", "5", "%", "."]),
        ("a fox. two hens", ["a", "fox", ".", "two", "hens"]),
        ("dr. li, of e.g. rome", ["dr.", "li", ",", "of", "e.g.", "rome"]),
        ('he said "no"', ["he", "said", "``", "no", "''"]),
        ("they'll cannot (won't)", ["they", "'ll", "can", "not", "(", "wo", "n't", ")"]),
        ("1,200; 3...4", ["1,200", ";", "3", "...", "4"]),
        ("'tis", ["'t", "is"]),
        ("", []),
    ],
)
def test_words_by_example(text: str, expected: list[str]) -> None:
    """Punctuation, quotes, contractions and sentence ends."""
    assert treebank_words(text) == expected


@settings(deadline=None)
@given(st.text(alphabet="ab1 .,'\"()%`$?!-", max_size=30))
def test_no_letter_is_lost(text: str) -> None:
    """Cutting keeps every letter and digit in order."""
    kept = [letter for letter in "".join(treebank_words(text)) if letter.isalnum()]

    assert kept == [letter for letter in text if letter.isalnum()]
