"""Texts copied from pages lose spaces between Latin words and gain them between Han; both are put right here.

unglue("sung byNorah Jones in 19781.").text      # "sung by Norah Jones in 1978."
"""

from collections.abc import Sequence
from typing import NamedTuple

from ragstone.text.late import late

_SPACED = late(r"(?<=[\u3040-\u9fff])[ \u3000]+(?=[\u3040-\u9fff])")
# A pattern that begins with a class of few characters is searched for much faster than an alternation.
_LATIN = late("[A-Z0-9](?:(?<=[a-z].)|(?<=[0-9])[0-9]{3}[a-z0-9])")
"""Every place where a space is missing has one of these."""
_GLUING = late("[A-Z0-9](?:(?<=[a-z].)|(?<=[0-9])[0-9]{3}[a-z])")
_NOTING = late(" (?:1[0-9]|20)[0-9]{3,4}(?![0-9%])")
_SHORT = "in|on|at|by|of|from|the|is|was|to|and|for|as|with"
_GLUED = late(
    rf"\b(?:{_SHORT})(?=[A-Z][a-z]|[0-9]{{3}})|(?<=[a-z]{{3}})(?=(?:On|In|By|At)[A-Z])"
    rf"|(?<=[a-z])(?=[A-Z][a-z]+ [A-Z][a-z])"
    rf"|(?<=[0-9]{{4}})(?=(?:after|at|and|for|in|by|with|when|to|as|from|where|on|the)\b)"
)
"""Places where a space is missing."""
_NOTED = late(
    r"(?:\b(?:in|on|by|of|since|until|from|and|[A-Z][a-z]{2,8}|[0-9]{1,2},) (?:1[0-9]|20)[0-9]{2})([0-9]{1,2})"
    r"(?![0-9%])(?=[.,;) ]|$)"
)
"""A year with the number of a note stuck to it."""


class Unglued(NamedTuple):
    """A text put right, and for each of its characters the place in the text as it was given."""

    text: str
    offsets: Sequence[int]


def unglue(text: str) -> Unglued | None:
    """The text with its spaces put right; None where nothing is wrong."""
    spaced = not text.isascii() and (" " in text or "\u3000" in text)
    gone = {at for found in _SPACED.finditer(text) for at in range(*found.span())} if spaced else set()
    spaces: set[int] = set()
    if first := _LATIN.search(text):
        if _GLUING.search(text, first.start()):
            spaces = {found.end() for found in _GLUED.finditer(text)}
        if _NOTING.search(text):
            gone |= {at for found in _NOTED.finditer(text) for at in range(*found.span(1))}
    if not gone and not spaces:
        return None
    chars: list[str] = []
    offsets: list[int] = []
    for at, char in enumerate(text):
        if at in spaces:
            chars.append(" ")
            offsets.append(at)
        if at not in gone:
            chars.append(char)
            offsets.append(at)
    return Unglued("".join(chars), offsets)
