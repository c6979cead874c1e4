"""What a question asks for: its words and numbers, and the kind of thing that would answer it."""

from functools import lru_cache

from msgspec import Struct

from ragstone.reading.cuebook import tables
from ragstone.reading.tokens import TOKEN, root
from ragstone.reading.values.values import Value, values
from ragstone.text.fold import fold
from ragstone.text.late import late

_CLOSED = late(
    r"吗|是否|是不是|有没有|能否|能不能|可否|会不会|可不可以"
    r"|^(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have)\b|(?:ます|です|ません)か|나요|습니까|인가요|까요"
)
KINDS = ("asks_number", "asks_date", "asks_person", "asks_money")


class Asked(Struct, frozen=True):
    """A question, read."""

    text: str
    roots: frozenset[str]
    """The stems of its Latin words."""
    numbers: tuple[Value, ...]
    closed: bool
    """Whether yes or no would answer it."""
    kinds: frozenset[str]
    """What it asks for, of KINDS."""

    def has(self, value: Value) -> bool:
        """Whether the question itself names a value."""
        return any(own.equals(value) for own in self.numbers)


@lru_cache(maxsize=1024)
def read_question(question: str) -> Asked:
    """Read a question."""
    text = fold(question).strip()
    words = tables()
    kinds = frozenset(kind for kind in KINDS if any(_holds(text, word) for word in words[kind]))
    roots = frozenset(root(match[0]) for match in TOKEN.finditer(text))
    return Asked(text, roots, tuple(values(question)), _CLOSED.search(text) is not None, kinds)


def _holds(text: str, word: str) -> bool:
    at = text.find(word)
    if at < 0 or not word.isascii():
        return at >= 0
    end = at + len(word)
    return not text[at - 1 : at].isalnum() and not text[end : end + 1].isalpha()
