"""Makes foreign text safe to display; stored text is never changed."""

import re

_CONTROL = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "␡"}
_CONTROL |= dict.fromkeys(range(0x80, 0xA0), "�")
_BIDI = dict.fromkeys((0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x061C), "�")
_UNSEEN = dict.fromkeys((0x2028, 0x2029, 0xFEFF), "�")
_LINE = _CONTROL | _BIDI | _UNSEEN | {0x09: " ", 0x0A: "⏎", 0x0D: None}
_BLOCK = {code: mark for code, mark in _LINE.items() if code not in (0x09, 0x0A)}
_SURROGATE = re.compile("[\ud800-\udfff]")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+!|~$&-])")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def visible_line(text: str) -> str:
    """Return a text on one line, without anything that moves a cursor, recolours a terminal or turns writing round."""
    return _SURROGATE.sub("�", text.translate(_LINE))


def visible_block(text: str) -> str:
    """The same, but line breaks stay."""
    return _SURROGATE.sub("�", text.translate(_BLOCK))


def markdown_cell(text: str) -> str:
    """Return a text that Markdown shows as it stands, on one line, also inside a table."""
    return _MARKDOWN.sub(r"\\\1", visible_line(text)).replace("://", ":\u200b//")


def csv_cell(text: str) -> str:
    """Return a text that a spreadsheet shows and does not compute."""
    clean = visible_line(text)
    return f"'{clean}" if clean.lstrip().startswith(_FORMULA) else clean
