"""What every language's questions are made of: the answer's place in its sentence, and the words that ask for it."""

from typing import NamedTuple

from ragstone.core.types import JSON
from ragstone.reading.asked import read_question

POINTERS = "he|she|it|they|him|her|them|his|its|their|this|that|these|those"
"""English words that point at something named before, as a pattern's alternatives."""


class Ask(NamedTuple):
    """A question about one sentence, and where in the sentence its answer stands."""

    question: str
    spans: tuple[tuple[int, int], ...]
    kind: str
    expected: dict[str, JSON]
    subject: str = ""
    """Who or what it is about, as the sentence says it."""
    named: bool = False
    """Whether the subject is a proper name, which needs no topic in front."""
    first: bool = True
    """Whether nothing stands in front that may be what the sentence is about."""


class Slot(NamedTuple):
    """What can be asked for in a sentence: the stretch that the asking words replace, and the answer in it."""

    start: int
    end: int
    words: str
    """What asks for it: 哪一年, 多少."""
    kind: str
    expected: dict[str, JSON]
    answer: tuple[int, int]


class Refused(NamedTuple):
    """Why a sentence gave no question."""

    reason: str


def asks_value(question: str) -> bool:
    """Say whether a number, a sum, a date or a time of day answers a question."""
    asked = read_question(question)
    return asked.exact or not asked.kinds.isdisjoint(("asks_number", "asks_date"))


def words(text: str) -> frozenset[str]:
    """A set of words, written with spaces between them."""
    return frozenset(text.split())
