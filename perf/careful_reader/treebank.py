"""Tokenises Latin text by the Penn Treebank convention, for scores that are defined over it.

The rules are those of the convention, in order: quotes, punctuation, brackets, dashes, closing quotes, contractions.
A full stop is cut off at the end of a sentence only; a sentence ends at . ? or ! before a space, abbreviations apart.
"""

import re
from functools import lru_cache

_CLOSERS = r"[\])}>\"'»”’]"
_SENTENCE = re.compile(rf"(?<=[.?!])(?:{_CLOSERS}*)\s+")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[{<\"'])(?:[a-z]|(?:[a-z]\.)+[a-z]|[0-9]+|mr|mrs|ms|dr|st|jr|sr|vs|etc|inc|ltd|co|corp|no|vol|prof|gen|col|sen"
    r"|rep|gov|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec|fig|al|ave|bros|maj|messrs|calif|mass|pa|fla|va|ga)\.$"
)
_SHORT = 24
_RULES = [
    (re.compile(pattern), put)
    for pattern, put in (
        (r"([«“‘„]|`+)", r" \1 "),
        (r'^"', "`` "),
        (r"([ (\[{<])(?:\"|'')", r"\1 `` "),
        (r"'(?!re|ve|ll|m|t|s|d|n)(\w)\b", r"' \1"),
        (r"([^.])(\.)([\])}>\"'»”’ ]*+)\s*$", r"\1 \2 \3 "),
        (r"([:,])([^\d])", r" \1 \2"),
        (r"([:,])$", r" \1 "),
        (r"\.{2,}", r" \g<0> "),
        (r"[;@#$%&?!*\]\[(){}<>]", r" \g<0> "),
        (r"([^'])' ", r"\1 ' "),
        (r"--", " -- "),
        (r"^|$", " "),
        (r"[»”’]", r" \g<0> "),
        (r"\"|''", " '' "),
        (r"([^' ])('s|'m|'d|'ll|'re|'ve|n't|') ", r"\1 \2 "),
        (r"\b(can)(not)\b|\b(gim|lem)(me)\b|\b(gon|wan)(na)\b|\b(got)(ta)\b", r" \1\3\5\7 \2\4\6\8 "),
        (r"\b(d)('ye)\b|\b(more)('n)\b", r" \1\3 \2\4 "),
        (r" ('t)(is|was)\b", r" \1 \2 "),
    )
]


def _sentences(text: str) -> list[str]:
    found, start = [], 0
    for match in _SENTENCE.finditer(text):
        head = text[max(start, match.start() - 12) : match.start()]
        if not _ABBREVIATION.search(head):
            found.append(text[start : match.end()].rstrip())
            start = match.end()
    return [*found, text[start:]]


def treebank_words(text: str) -> list[str]:
    """Words and punctuation of lower-case Latin text: treebank_words("rose 5%.") == ["rose", "5", "%", "."]."""
    words: list[str] = []
    for sentence in _sentences(text):
        if sentence.isalnum() or sentence == ".":
            words.append(sentence)
            continue
        words.extend(_words(sentence))
    return words


def _words(sentence: str) -> tuple[str, ...]:
    return _short_words(sentence) if len(sentence) <= _SHORT else _cut(sentence)


# Short sentences come again and again, and the rules cost the same for each.
@lru_cache(maxsize=2048)
def _short_words(sentence: str) -> tuple[str, ...]:
    return _cut(sentence)


def _cut(sentence: str) -> tuple[str, ...]:
    for rule, put in _RULES:
        sentence = rule.sub(put, sentence)
    return tuple(sentence.split())
