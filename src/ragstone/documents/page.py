"""The values of this package: a document, its pages, and the error of a document that cannot be read."""

from typing import Literal

from msgspec import Struct

from ragstone.core.errors import UserError
from ragstone.core.types import Finding, Position

MAX_BYTES = 64 * 1024 * 1024
"""The largest file that is read, and the most that a packed one may unpack to."""


class Page(Struct, frozen=True):
    """One page of a document; a document without page marks is one page."""

    number: int
    text: str


class Document(Struct, frozen=True):
    """A document as it was read."""

    name: str
    """Path relative to the folder that was read, with forward slashes; the file name when read alone."""
    pages: tuple[Page, ...]
    notes: tuple[Finding, ...] = ()
    """What a reader of the text should know, such as a guessed encoding."""

    @property
    def text(self) -> str:
        """The whole text, pages joined by a line break."""
        return "\n".join(page.text for page in self.pages)

    def page(self, number: int) -> Page | None:
        """Return the page with a number."""
        return next((page for page in self.pages if page.number == number), None)


class DocumentError(UserError):
    """A document that cannot be read."""

    def finding(self, name: str, level: Literal["warning", "note"] = "warning") -> Finding:
        """Return the error as a note about a skipped document."""
        return Finding(level=level, code=self.code, position=Position(name), params=self.params)
