"""Reads PDF files into pages with pypdf; imported only when there is a PDF to read."""

import io
import logging
import re

from ragstone.documents.page import DocumentError, Page

_BROKEN_LINE = re.compile(
    r"(?<=[\u3400-\u9fff，、；：（「『“《])[ \t]*\n[ \t]*(?=[\u3400-\u9fff，、。；：！？）」』”》])"
)
_TITLE = re.compile(r"[^\n，、；：。！？]{2,24}(?=[ \t]*\n)")
_HEADING = re.compile(r"[ \t]*[0-9]{1,2}(?:\.[0-9]{1,2})*[.、]?[ \t]+[\u2e80-\u2fdf\u3400-\u9fff]{2,16}[ \t]*")

# The library mutters about damage it can repair; without a handler that would reach the user's terminal.
logging.getLogger("pypdf").addHandler(logging.NullHandler())


def read_pdf(data: bytes, name: str) -> tuple[Page, ...]:
    """Read the text of every page; page numbers are kept, also of pages without text."""
    from pypdf import PdfReader  # noqa: PLC0415 - 0.2 s that only a PDF has to pay
    from pypdf.errors import DependencyError, FileNotDecryptedError, PyPdfError  # noqa: PLC0415 - the same

    # A damaged file makes the library fail in many ways beside its own errors.
    damaged = (PyPdfError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, OSError)
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise DocumentError("documents.locked", file=name)
        pages = tuple(
            Page(number, _whole_lines(page.extract_text(), begins=number == 1))
            for number, page in enumerate(reader.pages, 1)
        )
    except (DependencyError, FileNotDecryptedError) as error:
        raise DocumentError("documents.locked", file=name) from error
    except damaged as error:
        problem = str(error) or type(error).__name__
        raise DocumentError("documents.unreadable", file=name, problem=problem) from error
    if not any(page.text.strip() for page in pages):
        raise DocumentError("documents.no_text", file=name)
    return pages


def _whole_lines(text: str, *, begins: bool = False) -> str:
    """Join lines that a PDF breaks in the middle of a Chinese sentence; half characters of a bad font are replaced.

    A document begins with its title, if its first line is short among the others.
    """
    whole = text.encode("utf-8", "replace").decode()
    whole = whole.strip()
    title = _TITLE.match(whole) if begins else None
    short = title and 2 * title.end() <= max(map(len, whole.splitlines()))
    ends = title.end() if title and short else -1
    return _BROKEN_LINE.sub(
        lambda found: "\n" if found.start() == ends or _ends_heading(whole, found.start()) else "", whole
    )


def _ends_heading(text: str, end: int) -> bool:
    """Return whether a line that ends there is a number and a few words, which the next line does not go on with."""
    return _HEADING.fullmatch(text, text.rfind("\n", 0, end) + 1, end) is not None
