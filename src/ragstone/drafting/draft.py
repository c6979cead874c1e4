"""The values of this package: a drafted question, its points, and the place that proves each of them."""

from typing import Literal

from msgspec import Struct

from ragstone.core.types import JSON

Difficulty = Literal["easy", "medium", "hard"]
"""One place, two places, a comparison."""
Writing = Literal["zh-Hans", "zh-Hant", "ja", "ko", "en"]
AbsentKind = Literal["swapped", "other_entity", "left_out"]


class Place(Struct, frozen=True):
    """Where a quotation stands: offsets into the text of a page, as Ragstone reads it."""

    document: str
    sha256: str
    """Of the file's bytes."""
    page: int
    start: int
    end: int
    quote: str


class Point(Struct, frozen=True):
    """One thing a right answer states, and the quotation that says it."""

    text: str
    place: Place


class Absent(Struct, frozen=True):
    """Why a question has no answer in the documents."""

    kind: AbsentKind
    words: tuple[str, ...]
    """What no document holds (swapped), or no sentence together (other_entity); the documents left out (left_out)."""


class Draft(Struct, frozen=True, kw_only=True):
    """A question for a person to accept or reject."""

    question: str
    points: tuple[Point, ...]
    kind: str
    """What is asked for: amount, date, count, share, time, person, place, name, definition, list, …"""
    difficulty: Difficulty = "easy"
    writing: Writing = "en"
    topic: str = ""
    section: str = ""
    expected: dict[str, JSON] = {}
    """The answer as one of legal_rag's typed fields; empty for lists and what has no answer."""
    absent: Absent | None = None
    context: str = ""
    """What stands around the first quotation: its paragraph."""

    @property
    def documents(self) -> tuple[str, ...]:
        """The documents it rests on."""
        return tuple(dict.fromkeys(point.place.document for point in self.points))
