"""Words that say the same, or the opposite, in answers: data, one file a language, in Simplified and English.

A line of same/ is a group of words that say the same (a_year for two words), a line of opposite/ a word and its
opposites (打开|关闭 禁用) or groups of which each rules out the others (早上/上午 晚上), a line of irregular.txt an
English word and its forms.
"""

import itertools
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from ragstone.text.fold import fold


def _lines(*path: str) -> Iterator[str]:
    """The lines of a file, or of all files of a folder."""
    place = Path(__file__).parent.joinpath(*path)
    files = sorted(place.iterdir()) if place.is_dir() else [place]
    return (line for file in files for line in file.read_text("utf-8").splitlines() if line.strip())


def _groups(lines: Iterable[str]) -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = {}
    for line in fold(";".join(lines)).split(";"):
        words = line.split()
        words = [word.replace("_", " ") for word in words] if "_" in line else words
        for word in words:
            if word in found:
                found[word].append(words)
            else:
                found[word] = [words]
    return found


def _opposites(lines: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for line in map(fold, lines):
        word, bar, others = line.partition("|")
        groups = [[word], others.split()] if bar else [group.split("/") for group in line.split()]
        for group, against in itertools.permutations(groups, 2):
            for rival in group:
                found.setdefault(rival, set()).update(against)
    return {word: tuple(sorted(others)) for word, others in found.items()}


GROUPS = _groups(_lines("same"))
"""Word to the groups of words that say the same."""


def same(word: str) -> tuple[str, ...]:
    """Return the words that may stand for a folded word."""
    return _others(word) if word in GROUPS else ()


@cache
def _others(word: str) -> tuple[str, ...]:
    return tuple(sorted({other for group in GROUPS[word] for other in group} - {word}))


OPPOSITE = _opposites(_lines("opposite"))
"""Word to the words that turn its statement round."""

MODAL = tuple(fold("可以 能够 可用 可供 具备 允许 也能 也可 都能 都可 均可 能在 可在 能用 能将 可将 能把 可把").split())
"""What says that something is possible, in place of 支持 in front of a verb."""

IRREGULAR = {
    form: word for word, _, forms in (line.partition(":") for line in _lines("irregular.txt")) for form in forms.split()
}
"""Form of an English word that no rule undoes, to the word."""
