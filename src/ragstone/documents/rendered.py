"""A page as it is displayed, character for character: what is hidden is blank, letters of PDF fonts are plain."""

import re
import unicodedata

from ragstone.text.late import late

_HIDDEN = late(
    r"<!--.*?(?:-->|\Z)|(?<!~)~~(?![~\s])(?:(?!\n[ \t]*\n).)+?~~(?!~)|"
    r"<(?P<struck>del|s|strike)\b[^>]*>.*?</(?P=struck)\s*>|"
    r"<(?P<tag>\w+)\b[^>]*(?:display:\s*none|visibility:\s*hidden|\shidden\b)[^>]*>.*?</(?P=tag)\s*>|"
    r"</?(?:b|i|u|em|strong|span|font|mark|small|big|a|br|p|div|center)\b[^<>\n]*>",
    re.IGNORECASE | re.DOTALL,
)
"""In Markdown: comments, what is struck out or hidden, and tags."""
_SEEN = late(r"[^\n]")
_RADICALS = late("[\u2e80-\u2fdf]")
"""Parts of Han characters that PDF fonts put in the place of the characters."""


def rendered(text: str, name: str) -> str:
    """Return a page of a document with everything at its place, and blanks for what no reader sees.

    >>> rendered("costs ~~£5~~ £6", "fees.md")
    'costs        £6'
    """
    plain = _RADICALS.sub(_plain, text)
    return _HIDDEN.sub(_blank, plain) if name.lower().endswith(".md") else plain


def _blank(found: re.Match[str]) -> str:
    return _SEEN.sub(" ", found[0])


def _plain(found: re.Match[str]) -> str:
    sign = unicodedata.normalize("NFKC", found[0])
    return sign if len(sign) == 1 else found[0]
