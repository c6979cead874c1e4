"""What the page refuses, with the status a browser or program is told."""

from ragstone.errors import UserError
from ragstone.types import JSON


class PageError(UserError):
    """A request that cannot be met; `code` names a text in `ragstone.messages`."""

    def __init__(self, status: int, code: str, **params: JSON) -> None:
        self.status = status
        super().__init__(code, **params)
