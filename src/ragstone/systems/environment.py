"""The environment and `.env` files as one mapping, and `${NAME}` in a user's file filled from it."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from ragstone.errors import ConnectError
from ragstone.systems.masking import Secrets, names_secret
from ragstone.types import JSON

ENV_FILE = ".env"
MAX_ENV_BYTES = 1 << 20
_LINE = re.compile(r"(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)")
_PLACE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(:-((?:[^}$]|\$(?!\{))*))?\}")
"""A default ends before the next place: a row of open ones is read in one go."""


def read_environment(*folders: Path) -> dict[str, str]:
    """Return the environment, with what only the `.env` files of the folders know; the environment wins."""
    values: dict[str, str] = {}
    for folder in reversed(folders):
        values |= _read_env_file(folder / ENV_FILE)
    return values | dict(os.environ)


def _read_env_file(path: Path) -> dict[str, str]:
    try:
        text = path.read_bytes()[:MAX_ENV_BYTES].decode("utf-8-sig", "replace")
    except OSError:
        return {}
    matches = (_LINE.fullmatch(line.strip()) for line in text.splitlines())
    return {match[1]: _unquote(match[2].strip()) for match in matches if match}


def _unquote(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1]
    return re.split(r"\s+#", value, maxsplit=1)[0].strip()


class Filler:
    """Fills `${NAME}` and `${NAME:-default}` in the strings of one file, and learns which values are secret."""

    def __init__(self, environ: Mapping[str, str], *, file: str, owner: str, secrets: Secrets) -> None:
        self._environ = environ
        self._file = file
        self._owner = owner
        self._secrets = secrets

    def fill(self, text: str, *, secret: bool = False) -> str:
        """Return the text with its places filled; a variable that is unset or empty is the user's to mend."""

        def value_of(match: re.Match[str]) -> str:
            name, default = match[1], match[3]
            value = self._environ.get(name, "")
            if not value and match[2] is None:
                problem = "empty" if name in self._environ else "not set"
                raise ConnectError("ask.env", variable=name, problem=problem, owner=self._owner, file=self._file)
            if value and (secret or names_secret(name)):
                self._secrets.add(value)
            return value or default or ""

        return _PLACE.sub(value_of, text)

    def fill_tree(self, value: JSON) -> JSON:
        """Return a JSON value with the places in all its strings filled."""
        if isinstance(value, str):
            return self.fill(value)
        if isinstance(value, Mapping):
            return {key: self.fill_tree(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.fill_tree(item) for item in value]
        return value


def variables_in(text: str) -> tuple[str, ...]:
    """Return the names of the variables a text asks for.

    >>> variables_in("Bearer ${A_KEY}")
    ('A_KEY',)
    """
    return tuple(match[1] for match in _PLACE.finditer(text))
