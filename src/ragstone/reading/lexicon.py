"""Words that mean the same, and the segmenter's dictionary; a user's glossary adds groups of its own."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from ragstone.reading.synonyms import MODAL, OPPOSITE, SAME
from ragstone.reading.tokens import root
from ragstone.text.fold import fold
from ragstone.text.late import lazy

_SUPPORTS = fold("支持")


class Lexicon:
    """The bundled words that mean the same, with a user's own groups laid over them."""

    def __init__(self, groups: Sequence[Sequence[str]] = ()) -> None:
        self._own: dict[str, tuple[str, ...]] = {}
        for group in groups:
            words = [fold(word).strip() for word in group]
            for word in words:
                others = tuple(other for other in words if other != word)
                self._own[word] = tuple(dict.fromkeys((*self._own.get(word, ()), *others)))

    def same(self, word: str) -> tuple[str, ...]:
        """What says the same as a folded word."""
        found = SAME.get(word, ()) + (MODAL if word == _SUPPORTS else ())
        return (*self._own.get(word, ()), *found) if self._own else found

    def rewordings(self, text: str) -> Iterator[str]:
        """The text with a term of the user's own replaced by another that means the same."""
        folded = fold(text)
        for term, others in self._own.items():
            at = folded.find(term)
            if at >= 0 and not (_joined(folded, at) or _joined(folded, at + len(term))):
                yield from (text[:at] + other + text[at + len(term) :] for other in others)

    @lazy
    def _own_stems(self) -> dict[str, tuple[str, ...]]:
        return _by_stem(self._own)

    def same_stems(self, stem: str) -> tuple[str, ...]:
        """Keys of the English words, and phrases, that say the same as a word with this stem."""
        return (*self._own_stems.get(stem, ()), *_same_stems().get(stem, ()))

    @staticmethod
    def opposite_stems(stem: str) -> tuple[str, ...]:
        """Keys of the English words that say the opposite."""
        return _opposite_stems().get(stem, ())


DEFAULT = Lexicon()


def _joined(text: str, at: int) -> bool:
    """Whether a Latin word stands on both sides of a place."""
    return 0 < at < len(text) and all(char.isascii() and char.isalnum() for char in text[at - 1 : at + 1])


@cache
def _same_stems() -> dict[str, tuple[str, ...]]:
    return _by_stem(SAME)


@cache
def _opposite_stems() -> dict[str, tuple[str, ...]]:
    return _by_stem(OPPOSITE)


def _by_stem(table: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for word, others in table.items():
        if word.isascii() and " " not in word:
            found.setdefault(root(word), {}).update((_key(other), None) for other in others)
    return {word: tuple(others) for word, others in found.items()}


def _key(word: str) -> str:
    """A phrase is looked for as it is, a Latin word by its stem."""
    return "~" + root(word) if word.isascii() and " " not in word else word


@cache
def _dictionary() -> Any:
    # Loading it takes a tenth of a second: only texts in Han pay for that.
    return import_module("rjieba")


@lru_cache(maxsize=50_000)
def is_word(text: str) -> bool:
    """Whether a text is a word of the dictionary."""
    return bool(_dictionary().has_word(text))


def cut_words(text: str) -> Sequence[str]:
    """The words of a run of Han."""
    words: Sequence[str] = _dictionary().cut(text)
    return words


def tag_words(text: str) -> Iterator[tuple[str, str]]:
    """The words of a text with their parts of speech."""
    yield from _dictionary().tag(text)
