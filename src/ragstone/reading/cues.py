"""Patterns of words that give a clause its meaning, written in plain Simplified and English, met by folded text."""

import re

from ragstone.text.fold import fold
from ragstone.text.late import late

_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


def cue(*alternatives: str) -> re.Pattern[str]:
    """Compile alternatives into one pattern for folded text; only letters beyond ASCII are folded, syntax stays."""
    source = "|".join(alternatives)
    return late(_NOT_ASCII.sub(lambda found: fold(found[0]), source))
