"""What an answer gives for one field, and the verdict on it; shared by the readers of numbers, dates and words."""

from typing import NamedTuple

from msgspec import Struct

from ragstone.contracts.legal_rag.cases import Fact, Gold
from ragstone.core.types import JSON
from ragstone.reading.answers.told import Choice, Told
from ragstone.reading.lexicon import DEFAULT, Lexicon


class Given(Struct, frozen=True):
    """What an answer gives for a field, and what it was asked."""

    value: JSON
    """The structured value, None when there is none."""
    told: Told
    """The words to read: a structured string, or the whole text."""
    gold: Gold
    fact: Fact
    lexicon: Lexicon = DEFAULT

    @property
    def question(self) -> str:
        """The question."""
        return self.told.question


class Verdict(NamedTuple):
    """Whether the expected value is given, and the expected value as JSON."""

    choice: Choice
    expected: JSON


def plain(right: bool, shown: str) -> Choice:
    """Judge a structured value, which has no rivals."""
    return Choice("match", shown, "structured") if right else Choice("wrong", others=(shown,))
