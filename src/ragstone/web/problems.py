"""What the page refuses, with the status a browser or program is told."""

from pathlib import Path

from ragstone.errors import UserError
from ragstone.language import Lang
from ragstone.messages import message
from ragstone.types import JSON

_PATHS = frozenset({"file", "folder", "run", "target"})


class PageError(UserError):
    """A request that cannot be met; `code` names a text in `ragstone.messages`."""

    def __init__(self, status: int, code: str, **params: JSON) -> None:
        self.status = status
        super().__init__(code, **params)


def say_error(error: UserError, lang: Lang) -> str:
    """Say what is wrong without telling where on the server's disk a file lies."""
    params = {
        name: Path(value).name if name in _PATHS and isinstance(value, str) and Path(value).is_absolute() else value
        for name, value in error.params.items()
    }
    return message(error.code).say(lang, params)
