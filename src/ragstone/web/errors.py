"""The errors of the page, with their HTTP status."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from ragstone.core.errors import UserError
from ragstone.core.language import Lang
from ragstone.core.masking import hide_addresses
from ragstone.core.messages import message
from ragstone.core.types import JSON

_PATHS = frozenset({"file", "folder", "run", "target"})
ON_PAGE = {
    "dataset.unrecognised": "page.unrecognised",
    "draft.unsound": "page.unsound",
    "draft.unsound_beside": "page.unsound",
    "draft.stale": "page.stale",
    "draft.reframed": "page.reframed",
}
"""Messages that tell of flags, and what the page says instead."""
_FOLDERS = re.compile(r"(?<![\w:/.-])(?:/[^/\s'\"]+)+/")
"""The folders before a file's name, in a text that some library has made."""


class PageError(UserError):
    """A request that cannot be met; `code` names a text in `ragstone.core.messages`."""

    def __init__(self, status: int, code: str, **params: JSON) -> None:
        self.status = status
        super().__init__(code, **params)


@contextmanager
def reading(run: str) -> Iterator[None]:
    """Turn errors of reading a run's files into the page's error for damaged or missing ones."""
    try:
        yield
    except FileNotFoundError as error:
        raise PageError(404, "page.run", name=run) from error
    except (msgspec.MsgspecError, LookupError, TypeError, ValueError, AttributeError, RecursionError, OSError) as error:
        raise PageError(409, "page.damaged", run=run) from error


def say_error(error: UserError, lang: Lang, file: str = "") -> str:
    """Return what is wrong without paths of the server's disk or commands to type; `file` names the file."""
    params = {name: _bare(name, value) for name, value in error.told(lang).items()}
    if file and "file" in params:
        params["file"] = file
    return hide_addresses(message(ON_PAGE.get(error.code, error.code)).say(lang, params))


def _bare(name: str, value: JSON) -> JSON:
    if not isinstance(value, str):
        return value
    return Path(value).name if name in _PATHS and Path(value).is_absolute() else _FOLDERS.sub("", value)
