"""The Latin words of a folded text: what they are found by, whatever ending, hyphen or note they carry."""

import unicodedata
from functools import lru_cache

from ragstone.reading.synonyms import IRREGULAR
from ragstone.text.late import late
from ragstone.text.stem import stem as porter

LETTER = "a-z0-9\u00df-\u024f"
"""Latin letters and digits of a folded text, as a class of characters."""
TOKEN = late(rf"[{LETTER}]++(?:[.+#'_:-][{LETTER}]++)*+[+#]*+")
"""A Latin word or number."""
_PHONE = late(r"[0-9](?<![0-9.,][0-9])[0-9]{2,3}(?: [0-9]{3,4}){2}(?![0-9.,])")
_GROUPED = late(r"(?=[0-9-]{8,20}$)[0-9]{2,}(?:-[0-9]{2,})+")
"""A telephone number in groups."""
_ACCENT = late("[\u0300-\u036f]")
_JOINT = late(r"[-_':]")
_NOTED = late(r"([a-z\u00df-\u024f]{3,})[0-9]{1,3}")
"""A word with the number of a note stuck to it."""


@lru_cache(maxsize=8192)
def root(word: str) -> str:
    """The stem of an English word; a number is its own."""
    if word.isdigit():
        return word
    word = word.removesuffix("'s")
    return porter(IRREGULAR.get(word, word))


@lru_cache(maxsize=8192)
def token_keys(token: str) -> tuple[str, ...]:
    """Under what a word is found: itself, "~" and its stem, the parts of a hyphened one, a phone without hyphens."""
    if _GROUPED.fullmatch(token):
        return token, token.replace("-", "")
    parts = [token]
    if (noted := _NOTED.fullmatch(token)) is not None:
        parts.append(noted[1])
    if _JOINT.search(token):
        parts += [part for part in _JOINT.split(token) if part != "s" and not part.isdigit()]
    if not token.isascii():
        parts.append(_ACCENT.sub("", unicodedata.normalize("NFD", token)))
    return tuple(dict.fromkeys(key for part in parts if part for key in (part, "~" + root(part))))


def find_tokens(text: str) -> dict[str, list[int]]:
    """All keys of a folded text and the places of their words."""
    words: dict[str, list[int]] = {}
    for match in TOKEN.finditer(text):
        words.setdefault(match[0], []).append(match.start())
    found: dict[str, list[int]] = {}
    for word, places in words.items():
        for key in token_keys(word):
            found[key] = sorted(found[key] + places) if key in found else places
    for phone in _PHONE.finditer(text):
        number = phone[0].replace(" ", "")
        found[number] = [*found.get(number, ()), phone.start()]
    return found
