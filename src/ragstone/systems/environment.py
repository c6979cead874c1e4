"""The environment and `.env` files as one mapping, and `${NAME}` in a user's file filled from it."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from ragstone.core.errors import ConnectError
from ragstone.core.masking import Secrets, names_secret
from ragstone.core.types import JSON
from ragstone.systems.wrappers.wrapper import Notice

ENV_FILE = ".env"
MAX_ENV_BYTES = 1 << 20
_LINE = re.compile(r"(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)")
_SINGLE = re.compile(r"'([^']*)'\s*(?:#.*)?")
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(?:#.*)?')
_COMMENT = re.compile(r"\s#")
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_PLACE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(:-((?:[^}$]|\$(?!\{))*))?\}")
"""A default ends before the next place: a row of open ones is read in one go."""


class Environment(dict[str, str]):
    """Variables by name, and what was wrong with the files they come from."""

    news: tuple[Notice, ...] = ()
    """Lines of `.env` files that were passed over."""


def read_environment(*folders: Path) -> Environment:
    """Return the environment, with what only the `.env` files of the folders know; the environment wins."""
    values = Environment()
    news: dict[str, Notice] = {}
    for path in {folder.resolve(): folder / ENV_FILE for folder in reversed(folders)}.values():
        for number, line in enumerate(_lines(path), 1):
            pair = _pair(line.strip())
            if isinstance(pair, tuple):
                values[pair[0]] = pair[1]
            elif pair:
                place = f"{path}:{number}"
                news[place] = Notice("env_line", {"place": place})
    values.update(os.environ)
    values.news = tuple(news.values())
    return values


def _lines(path: Path) -> Iterator[str]:
    try:
        text = path.read_bytes()[:MAX_ENV_BYTES].decode("utf-8-sig", "replace")
    except OSError:
        return iter(())
    return iter(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))


def _pair(line: str) -> tuple[str, str] | bool:
    """Read NAME=VALUE as `.env` files have it, nothing expanded; otherwise say whether the line is a mistake."""
    if not line or line.startswith("#"):
        return False
    found = _LINE.fullmatch(line)
    value = _value(found[2]) if found else None
    return True if found is None or value is None else (found[1], value)


def _value(text: str) -> str | None:
    """Unquote a value and strip its comment; None when a quotation is not closed or goes on.

    >>> [_value(text) for text in ("'a' # b", '"a\\"b"', "a #b", "a#b", "'a", "#b")]
    ['a', 'a"b', 'a', 'a#b', None, '']
    """
    if text[:1] in {"'", '"'}:
        found = _SINGLE.fullmatch(text) or _DOUBLE.fullmatch(text)
        if found is None:
            return None
        return found[1] if text[0] == "'" else _ESCAPED.sub(lambda match: _ESCAPES.get(match[1], match[1]), found[1])
    return _COMMENT.split(f" {text}", maxsplit=1)[0].strip()


class Filler:
    """Fills `${NAME}` and `${NAME:-default}` in the strings of one file, and learns which values are secret."""

    def __init__(self, environ: Mapping[str, str], *, file: str, owner: str, secrets: Secrets) -> None:
        self._environ = environ
        self.news: tuple[Notice, ...] = getattr(environ, "news", ())
        """What was wrong with the files the values come from."""
        self._file = file
        self._owner = owner
        self._secrets = secrets

    def fill(self, text: str, *, secret: bool = False) -> str:
        """Return the text with its places filled; a variable that is unset or empty is the user's to fix."""

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

    def missing_in(self, value: JSON) -> tuple[str, ...]:
        """Return the variables that the strings of a value need and that are unset or empty, each once."""
        text = msgspec.json.encode(value).decode()
        needed = (match[1] for match in _PLACE.finditer(text) if match[2] is None)
        return tuple(dict.fromkeys(name for name in needed if not self._environ.get(name)))

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


def rename_variables(text: str, name: str) -> str:
    """Return a text that asks for another variable.

    >>> rename_variables("Bearer ${A_KEY:-none}", "B_KEY")
    'Bearer ${B_KEY}'
    """
    return _PLACE.sub(f"${{{name}}}", text)


MAX_BYTES = 4 << 20


def read_config(path: Path) -> dict[str, JSON]:
    """Read a file that holds one mapping; `.json` as JSON, anything else as YAML."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConnectError("ask.file", file=str(path), problem=error.strerror or str(error)) from error
    if len(raw) > MAX_BYTES:
        raise ConnectError("ask.file", file=str(path), problem=f"longer than {MAX_BYTES} bytes")
    try:
        value: JSON = _parse(path, raw.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise ConnectError("ask.file", file=str(path), problem=" ".join(str(error).split())) from error
    if not isinstance(value, dict):
        raise ConnectError("ask.file", file=str(path), problem="expected a mapping at the top")
    return value


def _parse(path: Path, raw: bytes) -> JSON:
    if path.suffix.lower() == ".json":
        return msgspec.json.decode(raw)
    import yaml  # noqa: PLC0415 - slow to import, and most systems are described without it

    from ragstone.datasets.syntax.yaml_text import load_yaml, problem_of  # noqa: PLC0415

    try:
        return load_yaml(raw.decode("utf-8"))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(problem_of(error)) from error
