"""Who speaks in a document that writes a talk down: the head names them once, the turns only say I, he and she."""

import re

from ragstone.documents import Document
from ragstone.systems.builtin.units import turn_of

_HEAD = 2000
"""Characters of a document in which somebody may be introduced."""
_TURNS = 3
"""Lines that must begin a turn before a document is taken for a talk."""
_ROLE = r"被[\u4e00-\u9fff]{2}[人者]|受[访訪][人者]|[陈陳]述人|[证證]人|interviewee|witness|deponent|respondent"
_NAME = r"[^\s，,、；;（(：:][^\n，,、；;（(：:\u3000]{0,39}"
_INTRODUCED = re.compile(
    rf"^[ \t>*-]{{0,9}}(?:{_ROLE})(?:姓名)?[ \t*]{{0,9}}[:：][ \t*]{{0,9}}({_NAME})", re.MULTILINE | re.IGNORECASE
)


def speaker_of(document: Document) -> str:
    """Return the name of the one who replies in a talk, or nothing.

    >>> from ragstone.documents import Page
    >>> speaker_of(Document("a.txt", (Page(1, "证人：柯远，男\\n问：在吗？\\n答：在。\\n问：听见吗？\\n答：听见。"),)))
    '柯远'
    """
    found = _INTRODUCED.search(document.pages[0].text[:_HEAD]) if document.pages else None
    return found[1].strip() if found and _is_talk(document) else ""


def _is_talk(document: Document) -> bool:
    """Return whether some lines of a document begin turns."""
    seen = 0
    for page in document.pages:
        for line in page.text.split("\n"):
            seen += turn_of(line) != ""
            if seen >= _TURNS:
                return True
    return False
