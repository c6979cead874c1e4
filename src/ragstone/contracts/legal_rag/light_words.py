"""Does a text say some words but for the light ones (了, 已经)? 资金已用完 says 资金已经用完."""

import re
from functools import lru_cache

from ragstone.reading.cues import cue
from ragstone.reading.negation import Moods
from ragstone.text.fold import bare, fold

_LIGHT = cue(r"已经?|[了过着的得]")
_DONE = cue(r"已|[^,.;!?]{0,1}了")
_FEWEST = 4
_MOST = 40
_BETWEEN = "[了过着的得已]?经?"


def nearly_said(words: str, text: str) -> tuple[int, int] | None:
    """Return where the text says the words, light words aside, unless it denies or asks them there."""
    pattern = _pattern(words)
    if pattern is None:
        return None
    folded = fold(text)
    moods = Moods(folded)
    for found in pattern.finditer(folded):
        start, end = found.span()
        done = not _is_done(fold(words)) or _is_done(folded[start : end + 2])
        if done and not (moods.negated(start) or moods.negated(end - 1) or moods.asked(start) or moods.guessed(start)):
            return start, end
    return None


def _is_done(words: str) -> bool:
    """Tell whether something is said to have happened: 已损坏, 损坏了."""
    return _DONE.search(words) is not None


@lru_cache(maxsize=4096)
def _pattern(words: str) -> re.Pattern[str] | None:
    heavy = _LIGHT.sub("", bare(words))
    if not _FEWEST <= len(heavy) <= _MOST:
        return None
    return re.compile(_BETWEEN.join(re.escape(char) for char in heavy))
