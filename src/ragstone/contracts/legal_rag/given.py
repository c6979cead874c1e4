"""What an answer gives for one field, and the verdict on it; shared by the readers of numbers, dates and words."""

from typing import NamedTuple

from ragstone.contracts.legal_rag.cases import Fact, Gold
from ragstone.contracts.legal_rag.stated import Choice
from ragstone.core.types import JSON
from ragstone.reading.lexicon import DEFAULT, Lexicon


class Given(NamedTuple):
    """What an answer gives for a field, and what it was asked."""

    value: JSON
    """The structured value, None when there is none."""
    text: str
    question: str
    gold: Gold
    fact: Fact
    asks: str = ""
    """The questions that were left out of the text."""
    lexicon: Lexicon = DEFAULT

    def words(self) -> str:
        """Return the words to read: a structured string, or the whole text."""
        return self.value if isinstance(self.value, str) else self.text


class Verdict(NamedTuple):
    """Whether the expected value is given, and the expected value as JSON."""

    choice: Choice
    expected: JSON


def plain(right: bool, shown: str) -> Choice:
    """Judge a structured value, which has no rivals."""
    return Choice("match", shown, "structured") if right else Choice("wrong", others=(shown,))
