"""Porter's stemmer for English words, with the additions that rouge-score's stemmer has."""

from collections.abc import Callable
from functools import lru_cache

_SPECIAL = {
    **{word: word for word in ("sky", "news", "howe", "proceed", "exceed", "succeed", "inning", "outing", "canning")},
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "innings": "inning",
    "outings": "outing",
    "cannings": "canning",
}
_STEP_2 = (
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize "
    "ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble fulli:ful"
)
_STEP_3 = "icate:ic ative: alize:al iciti:ic ical:ic ful: ness:"
_STEP_4 = "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent: ion: ou: ism: ate: iti: ous: ive: ize:"


def _rules(text: str) -> tuple[tuple[str, ...], list[tuple[str, str]]]:
    """All suffixes, and each with what is put in its place."""
    rules = [(suffix, put) for suffix, _, put in (rule.partition(":") for rule in text.split())]
    return tuple(suffix for suffix, _ in rules), rules


_RULES_2, _RULES_3, _RULES_4 = _rules(_STEP_2), _rules(_STEP_3), _rules(_STEP_4)


def _shape(word: str) -> str:
    """Consonants as c and vowels as v; a y after a consonant is a vowel."""
    shape = ""
    for letter in word:
        shape += "v" if letter in "aeiou" or (letter == "y" and shape.endswith("c")) else "c"
    return shape


def _measure(word: str) -> int:
    return _shape(word).count("vc")


def _short(word: str) -> bool:
    shape = _shape(word)
    return shape == "vc" or (shape.endswith("cvc") and word[-1] not in "wxy")


def _replace(word: str, rules: tuple[tuple[str, ...], list[tuple[str, str]]], fits: Callable[[str, str], bool]) -> str:
    """Apply the first rule whose suffix is there; if it does not fit, the word stays."""
    for suffix, put in rules[1] if word.endswith(rules[0]) else ():
        if word.endswith(suffix):
            root = word[: -len(suffix)]
            return root + put if fits(root, suffix) else word
    return word


def _plural(word: str) -> str:
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        root = word.removesuffix(suffix)
        if root != word and "v" in _shape(root):
            return _restore_ending(root)
    return word


def _restore_ending(root: str) -> str:
    if root.endswith(("at", "bl", "iz")):
        return root + "e"
    if len(root) > 1 and root[-1] == root[-2] and _shape(root)[-1] == "c":
        return root if root[-1] in "lsz" else root[:-1]
    return root + "e" if _measure(root) == 1 and _short(root) else root


def _y(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and len(word) > 2 and _shape(word[:-1])[-1] == "c" else word


def _long(word: str) -> str:
    """Step 2; what is left of -ally goes through it once more."""
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        return _long(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replace(word, _RULES_2, lambda root, _: _measure(root) > 0)


def _last(root: str, suffix: str) -> bool:
    return _measure(root) > 1 and (suffix != "ion" or root[-1] in "st")


def _final(word: str) -> str:
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """The stem of a lower-case English word."""
    if word in _SPECIAL or len(word) < 3:
        return _SPECIAL.get(word, word)
    word = _long(_y(_past(_plural(word))))
    word = _replace(word, _RULES_3, lambda root, _: _measure(root) > 0)
    return _final(_replace(word, _RULES_4, _last))
