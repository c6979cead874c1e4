"""Words that mean the same, and the segmenter's dictionary; a user's glossary adds groups of its own."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from itertools import islice, product
from typing import Any

from ahocorasick_rs import AhoCorasick, MatchKind

from ragstone.reading.synonyms import GROUPS, IRREGULAR, MODAL, OPPOSITE, same
from ragstone.reading.tokens import root
from ragstone.text.fold import fold
from ragstone.text.late import lazy

_SUPPORTS = fold("支持")
MOST_WORDINGS = 20
"""Rewordings of one text by a user's own terms that are looked for."""
_LONGEST_SAME = 8
"""Characters of a word in Han for which others are looked for."""
_MOST_DRAFTS = 1000
"""Ways to replace the terms of one text that are looked at."""


class Lexicon:
    """The bundled words that mean the same, with a user's own groups laid over them."""

    def __init__(self, groups: Sequence[Sequence[str]] = ()) -> None:
        self._own: dict[str, tuple[str, ...]] = {}
        self._written: dict[str, str] = {}
        for group in groups:
            self._written |= {fold(word).strip(): word.strip() for word in group}
            words = [fold(word).strip() for word in group]
            for word in words:
                others = tuple(other for other in words if other != word)
                self._own[word] = tuple(dict.fromkeys((*self._own.get(word, ()), *others)))

    def same(self, word: str) -> tuple[str, ...]:
        """What says the same as a folded word."""
        found = same(word) + (MODAL if word == _SUPPORTS else ())
        return (*self._own.get(word, ()), *found) if self._own else found

    def sizes(self, char: str) -> tuple[int, ...]:
        """How long the words are that begin with a character and have others that say the same, the longest first."""
        return self._sizes.get(char, ())

    @lazy
    def _sizes(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, set[int]] = {}
        for word in (*GROUPS, *self._own, _SUPPORTS):
            if 0 < len(word) <= _LONGEST_SAME:
                found.setdefault(word[0], set()).add(len(word))
        return {char: tuple(sorted(sizes, reverse=True)) for char, sizes in found.items()}

    def rewordings(self, text: str) -> Iterator[str]:
        """The text with terms of the user's own replaced by others that mean the same, one term first, then several."""
        places = list(self._places(fold(text)))
        spans = [(start, end) for start, end, _ in places]
        choices = [(None, *(self._written[one] for one in self._own[term])) for _, _, term in places]
        drafts = sorted(islice(product(*choices), _MOST_DRAFTS), key=lambda draft: len(draft) - draft.count(None))
        yield from (_replaced(text, spans, draft) for draft in drafts if any(draft))

    def wordings(self, text: str) -> list[str]:
        """The text as it is, and the first of its rewordings."""
        return [text, *islice(self.rewordings(text), MOST_WORDINGS)] if self._own else [text]

    def _places(self, folded: str) -> Iterator[tuple[int, int, str]]:
        """Where the user's own terms stand, the longest at each place; Latin ones as whole words."""
        automaton, terms = self._automaton
        for number, start, end in automaton.find_matches_as_indexes(folded):
            if not (_joined(folded, start) or _joined(folded, end)):
                yield start, end, terms[number]

    @lazy
    def _automaton(self) -> tuple[AhoCorasick, list[str]]:
        return AhoCorasick(list(self._own), matchkind=MatchKind.LeftmostLongest), list(self._own)

    @lazy
    def _own_stems(self) -> dict[str, tuple[str, ...]]:
        return _by_stem(self._own)

    def same_stems(self, stem: str) -> tuple[str, ...]:
        """Keys of the English words, and phrases, that say the same as a word with this stem."""
        return (*self._own_stems.get(stem, ()), *_same_stems(stem[:1]).get(stem, ()))

    @staticmethod
    def opposite_stems(stem: str) -> tuple[str, ...]:
        """Keys of the English words that say the opposite."""
        return _opposite_stems().get(stem, ())


DEFAULT = Lexicon()


def _replaced(text: str, spans: Sequence[tuple[int, int]], draft: Sequence[str | None]) -> str:
    for (start, end), other in reversed(list(zip(spans, draft, strict=True))):
        text = text if other is None else text[:start] + other + text[end:]
    return text


def opposites(words: Sequence[str]) -> tuple[str, str] | None:
    """Two of these folded words that the bundled words call opposites."""
    return next(((one, two) for one in words for two in words if two in OPPOSITE.get(one, ())), None)


def _joined(text: str, at: int) -> bool:
    """Whether a Latin word stands on both sides of a place."""
    return 0 < at < len(text) and all(char.isascii() and char.isalnum() for char in text[at - 1 : at + 1])


@cache
def _same_stems(letter: str) -> dict[str, tuple[str, ...]]:
    """The stems that begin with a letter: of a text's words only some have to be found, and stems take time to make."""
    return _by_stem({word: same(word) for word in GROUPS if IRREGULAR.get(word, word).startswith(letter)})


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


@lru_cache(maxsize=8192)
def is_word(text: str) -> bool:
    """Whether a text is a word of the dictionary."""
    return bool(_dictionary().has_word(text))


def cut_words(text: str) -> Sequence[str]:
    """The words of a run of Han."""
    words: Sequence[str] = _dictionary().cut(text)
    return words


def tag_words(text: str) -> Sequence[tuple[str, str]]:
    """The words of a text with their parts of speech."""
    tagged: Sequence[tuple[str, str]] = _dictionary().tag(text)
    return tagged
