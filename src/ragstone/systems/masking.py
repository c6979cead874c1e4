"""Keeping keys out of everything that is written or shown: one mask for messages, identities and reprs."""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from ragstone.systems.address import Address, without_secrets
from ragstone.types import JSON

MASK = "***"
SHORTEST = 3
"""A value shorter than this is not looked for: it would hide half of every message."""

_SECRET_NAME = re.compile(r"(?i)key|token|secret|passw|auth|credential|cookie|session|signature|^sig$")
_SHAPES = re.compile(
    r"(?i)(?<=bearer )[\w\-.~+/=]{4,}|(?<=basic )[\w\-.~+/=]{4,}|\b(?:sk|pk|ak|app|fastgpt|ragflow)-\w[\w\-]{7,}"
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def names_secret(name: str) -> bool:
    """Say whether a header, variable or query name speaks of a secret."""
    return _SECRET_NAME.search(name) is not None


class Secrets:
    """The values that must never be shown, and the one place that hides them."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values: set[str] = set()
        for value in values:
            self.add(value)

    def __repr__(self) -> str:
        return f"Secrets({len(self._values)})"

    def add(self, value: str) -> None:
        """Hide a value from now on, also as it stands in an address."""
        for form in {value, value.strip(), quote(value, safe="")}:
            if len(form) >= SHORTEST:
                self._values.add(form)

    def hide(self, text: str) -> str:
        """Return a text that is safe to show: no known secret, nothing shaped like one, no control characters."""
        for value in sorted(self._values, key=len, reverse=True):
            text = text.replace(value, MASK)
        return _CONTROL.sub(" ", _SHAPES.sub(MASK, text))

    def hide_tree(self, value: JSON) -> JSON:
        """Return a JSON value with the secrets in it hidden, also under names that speak of one."""
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, Mapping):
            return {str(k): self._hide_item(str(k), v) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [self.hide_tree(v) for v in value]
        return value

    def _hide_item(self, name: str, value: JSON) -> JSON:
        if isinstance(value, str) and value and names_secret(name):
            return MASK
        return self.hide_tree(value)


def safe_url(url: Address | str, secrets: Secrets | None = None) -> str:
    """Return an address without user, password and the values of secret-looking query names.

    >>> safe_url("https://me:pw@host/v1?api_key=abc&mode=mix")
    'https://host/v1?api_key=***&mode=mix'
    """
    try:
        shown, query = without_secrets(str(url))
    except ValueError:
        shown, query = MASK, []
    pairs = [f"{k}={MASK if names_secret(k) else v}" for k, v in query]
    text = f"{shown}?{'&'.join(pairs)}" if pairs else shown
    return secrets.hide(text) if secrets else text
