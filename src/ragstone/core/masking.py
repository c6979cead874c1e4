"""Keeps keys out of everything that is written or shown: messages, identities, answers and files."""

import os
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from ragstone.core.types import JSON

MASK = "***"
SHORTEST = 3
"""A value shorter than this is not looked for: it would hide half of every message."""
KEY_LENGTH = 8
"""From here on a value with letters and digits is taken for a key wherever it stands, in answers, too."""
SURELY_KEY = 20
"""A value this long is a key whatever it is made of."""

_SECRET_NAME = re.compile(r"(?i)key|token|secret|passw|auth|credential|cookie|session|signature|^sig$")
_SHAPES = re.compile(
    r"(?i)(?<=bearer )[\w\-.~+/=]{4,}|(?<=basic )[\w\-.~+/=]{4,}|\b(?:sk|pk|ak|app|fastgpt|ragflow)-\w[\w\-]{7,}"
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_USER = re.compile(r"(?<=://)([^/?#\s]{1,2000})@")
_PAIR = re.compile(r"([?&;]([\w.\-]{1,100})=)([^&#\s\"'<>]+)")
_BARE_USER = re.compile(r"(?<=:)[^\s:/@]{1,200}:[^\s/@]{1,2000}@(?=[\w\[])")
"""Somebody forgot the scheme."""
_VARIABLE = re.compile(r"\$\{\w+(?::-[^}]*)?\}")
_PLAIN_ESCAPE = re.compile(rb"\\u00([2-7][0-9a-fA-F])|\\(/)")
_UNHARMED = frozenset(b'"\\')


def names_secret(name: str) -> bool:
    """Return whether a header, variable or query name denotes a secret."""
    return _SECRET_NAME.search(name) is not None


def is_key(value: str) -> bool:
    """Return whether a value looks like a key: `EMPTY` and `ollama` stand for none and are common in answers."""
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return len(value) >= SURELY_KEY or (len(value) >= KEY_LENGTH and mixed)


class Secrets:
    """The values that must never be shown, and the one place that hides them."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values: set[str] = set()
        self._keys: tuple[str, ...] = ()
        self._raw: tuple[bytes, ...] = ()
        for value in values:
            self.add(value)

    def __repr__(self) -> str:
        return f"Secrets({len(self._values)})"

    def add(self, value: str) -> None:
        """Hide a value from now on, also as it stands in an address."""
        for form in {value, value.strip(), quote(value, safe="")}:
            if len(form) >= SHORTEST:
                self._values.add(form)
        self._keys = tuple(sorted(filter(is_key, self._values), key=len, reverse=True))
        self._raw = tuple(key.encode("utf-8", "surrogatepass") for key in self._keys)

    def hide(self, text: str) -> str:
        """Return a text that is safe to show: no known secret, nothing shaped like one, no control characters."""
        for value in sorted(self._values, key=len, reverse=True):
            text = text.replace(value, MASK)
        return _CONTROL.sub(" ", _SHAPES.sub(MASK, text))

    def hide_keys(self, text: str) -> str:
        """Return a text that is kept, without the keys in it: nothing else is changed."""
        for key in self._keys:
            if key in text:
                text = text.replace(key, MASK)
        return text

    def hide_in_reply(self, raw: bytes) -> bytes:
        """Return a reply without the keys in it, also where JSON escapes spell them."""
        for key in self._raw:
            if key in raw:
                raw = raw.replace(key, MASK.encode())
        if self._raw and (b"\\u00" in raw or b"\\/" in raw):
            spelt = _PLAIN_ESCAPE.sub(_spell, raw)
            if any(key in spelt for key in self._raw):
                return self.hide_in_reply(spelt)
        return raw

    def hide_tree(self, value: JSON) -> JSON:
        """Return a JSON value with the secrets in it hidden, also under names that speak of one."""
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, Mapping):
            return {str(k): self._hide_item(str(k), v) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [self.hide_tree(v) for v in value]
        return value

    def hide_keys_in(self, value: JSON) -> JSON:
        """Return a JSON value without the keys in its texts."""
        if isinstance(value, str):
            return self.hide_keys(value)
        if isinstance(value, Mapping):
            return {name: self.hide_keys_in(item) for name, item in value.items()}
        return [self.hide_keys_in(item) for item in value] if isinstance(value, list | tuple) else value

    def _hide_item(self, name: str, value: JSON) -> JSON:
        if isinstance(value, str) and value and names_secret(name):
            return MASK
        return self.hide_tree(value)


def _spell(match: re.Match[bytes]) -> bytes:
    code = int(match[1], 16) if match[1] else ord("/")
    return match[0] if code in _UNHARMED else bytes([code])


def hide_addresses(text: str) -> str:
    """Return a text with users, passwords and secret query values of the addresses in it hidden; `${NAME}` stays.

    >>> hide_addresses("http_json:https://me:pw@host/v1?api_key=abc&mode=mix")
    'http_json:https://***@host/v1?api_key=***&mode=mix'
    """
    if "=" in text:
        text = _PAIR.sub(_hide_pair, text)
    return _BARE_USER.sub(f"{MASK}@", _USER.sub(_hide_user, text)) if "@" in text else text


def _hide_user(match: re.Match[str]) -> str:
    user, _, password = _VARIABLE.sub("", match[1]).partition(":")
    return f"{MASK}@" if password or is_key(user) or not _VARIABLE.search(match[1]) else match[0]


def _hide_pair(match: re.Match[str]) -> str:
    shown = not names_secret(match[2]) or _VARIABLE.fullmatch(match[3])
    return match[0] if shown else f"{match[1]}{MASK}"


def hide_foreign(text: str) -> str:
    """Return what foreign code says about its failure without the keys this process was given by its environment."""
    known = Secrets(value for name, value in os.environ.items() if names_secret(name) and is_key(value))
    return _SHAPES.sub(MASK, hide_addresses(known.hide_keys(text)))
