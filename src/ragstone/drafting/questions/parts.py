"""What every language's questions are made of: the answer's place in its sentence, and the words that ask for it."""

from typing import NamedTuple

from ragstone.core.types import JSON
from ragstone.reading.asked import read_question
from ragstone.text.fold import fold
from ragstone.text.late import late

POINTERS = "he|she|it|they|him|her|them|his|its|their|this|that|these|those"
"""English words that point at something named before, as a pattern's alternatives."""

_UNSEEN = late(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
"""What moves a cursor, recolours a terminal, turns writing round, or hides in a word."""

MARKUP = late(r"</?[A-Za-z!][^>]*>|~~|\*\*|\]\(")
"""What makes text bold, struck out, hidden or a link."""


def is_unseen(*texts: str) -> bool:
    """Say whether texts hold signs that nobody sees, and that do something.

    >>> is_unseen("a\tb"), is_unseen("a", "\u202eb")
    (False, True)
    """
    return any(map(_UNSEEN.search, texts))


def plain(text: str) -> str:
    """Write a text in Simplified characters and ASCII digits, marks beside Chinese characters as in Chinese print."""
    return widened("".join(new if new.isalnum() else old for old, new in zip(text, fold(text), strict=True)))


def widened(text: str) -> str:
    """Write ASCII marks beside Chinese characters as Chinese print has them; nothing moves.

    >>> widened("年假:满1年5天,10:00前(上午)办理")
    '年假：满1年5天，10:00前（上午）办理'
    """
    return _NARROW.sub(lambda found: found[0].translate(_WIDE), text)


_HAN = "\u3400-\u9fff"
_NARROW = late(rf"(?<=[{_HAN}》」”）)])[,;:!?()]|[,;:!?()](?=[{_HAN}《「“（])")
_WIDE = str.maketrans(",;:!?()", "，；：！？（）")


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
