"""What every language's questions are made of: the answer's place in its sentence, and the words that ask for it."""

from typing import NamedTuple

from ragstone.core.types import JSON


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


def words(text: str) -> frozenset[str]:
    """A set of words, written with spaces between them."""
    return frozenset(text.split())
