"""Finds why bytes are no JSON: their encoding, or the place where they break; knows no row."""

import json
import re
from typing import NamedTuple

import msgspec

from ragstone.core.types import JSON, Finding, Position

HEAD = 1 << 20
"""How much of a file is looked at to tell its encoding."""
BOM = b"\xef\xbb\xbf"
UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")
_PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"%PDF", b"\x89PNG", b"PAR1", b"\xd0\xcf\x11\xe0")
"""How files begin that are no text: archives and spreadsheets, gzip, zstd, PDF, pictures, Parquet, old Office."""
_HIGH = re.compile(rb"[\x80-\xff]")
_PLACE = re.compile(r"(?:JSON is malformed: )?(.+) \(byte (\d+)\)", re.DOTALL)
_FEW = 0.8
"""Share of characters that must be everyday ones where two encodings are possible."""


class Broken(NamedTuple):
    """Why bytes are no JSON: a message's code, what is put into it, and the line it is about."""

    code: str
    params: dict[str, JSON]
    line: int | None = None

    def at(self, file: str) -> Finding:
        """Return it as a finding about a file."""
        return Finding(level="error", code=self.code, position=Position(file, self.line), params=self.params)


MOST_VALUES = 500_000
"""Values of a row: a small one takes many times its bytes in memory."""


def crowded(data: bytes) -> Broken | None:
    """Return the fault of a row with too many values, found by counting commas before decoding."""
    many = len(data) > MOST_VALUES and data.count(b",") > MOST_VALUES
    return Broken("row.crowded", {"limit": MOST_VALUES}) if many else None


def decode(data: bytes) -> JSON | Broken:
    """Read the one JSON value of a file, or say why there is none."""
    if found := crowded(data):
        return found
    try:
        return msgspec.json.decode(data.removeprefix(BOM))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return fault_of(data, error)


def fault_of(data: bytes, error: Exception) -> Broken:
    """Return why a file could not be read as JSON: its encoding first, then the place where it breaks."""
    if fault := unreadable(data):
        return fault
    text = data.removeprefix(BOM)
    if (found := no_number(text)) is not None:
        return Broken("row.nan", {"found": found})
    if is_curly(text):
        line = text.count(b"\n", 0, text.find("“".encode())) + 1
        return Broken("row.curly", {"problem": reason(error)}, line)
    known = _PLACE.fullmatch(said := reason(error))
    place = int(known[2]) if known else len(text.rstrip())
    # Of what stands behind the end, the decoder has read the first character already.
    before = text[: place - (said.count("trailing characters"))]
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
    if isinstance(error, RecursionError):
        return Broken("file.not_json", {"problem": said})
    return Broken(
        "file.not_json", {"problem": f"{known[1] if known else said} (at line {line}, column {column})"}, line
    )


def is_curly(text: bytes) -> bool:
    """Return whether the first quotation mark of what is no JSON is a curly one."""
    first = text.find(b'"')
    return any(mark.encode() in text[: None if first < 0 else first] for mark in "“”")


def unreadable(data: bytes) -> Broken | None:
    """Return the fault of bytes in another encoding, or that are no text at all; None for UTF-8."""
    if data.startswith(UTF16_BOMS) or _is_bare_utf16(data):
        return Broken("row.utf16", {})
    if data.startswith(_PACKED) or b"\0" in data[:HEAD]:
        return Broken("file.binary", {})
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        if encoding := foreign(data):
            return Broken("file.encoding", {"encoding": encoding}, line)
        return Broken("row.not_utf8", {"byte": error.start + 1}, line)
    return None


def foreign(data: bytes) -> str:
    """Name the encoding a whole file is likely in, "" when it is mostly UTF-8 or in no known encoding.

    >>> foreign('{"q": "税率是多少"}'.encode("gbk"))
    'GBK'
    """
    head = data[:HEAD]
    first = _HIGH.search(head)
    if first is None:
        return ""
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return _likely(head) if error.start == first.start() else _by_the_whole(head)
    return ""


class ByChance(NamedTuple):
    """Letters that are read as UTF-8, and what GBK makes of the same bytes."""

    read: str
    meant: str


def by_chance(head: bytes) -> ByChance | None:
    """Return what GBK reads in bytes that are UTF-8, but hold no letter of Chinese and would hold nothing else in GBK.

    >>> by_chance("8小时".encode("gbk"))
    ByChance(read='Сʱ', meant='小时')
    """
    read, meant = ([char for char in _read(head, name) if char > "\x7f"] for name in ("utf-8", "GBK"))
    if not read or max(read) > "\u07ff" or _everyday("".join(meant), "GBK") < 1:
        return None
    return ByChance("".join(read), "".join(meant))


def _by_the_whole(head: bytes) -> str:
    """Judge bytes whose first characters happen to be UTF-8, as 默 in GBK: most must not be, and read well."""
    read = head.decode("utf-8", "replace")
    bad = read.count("\ufffd")
    if bad <= sum(char > "\x7f" for char in read) - bad:
        return ""
    return next((name for name in ("GBK", "Big5") if _everyday(_read(head, name), name) >= _FEW), "")


def _likely(head: bytes) -> str:
    tries = [(name, text) for name in ("GBK", "Big5", "Shift_JIS", "EUC-KR") if (text := _read(head, name))]
    for name, text in tries:
        if _everyday(text, name) >= _FEW:
            return name
    return tries[0][0] if tries else ""


def _read(head: bytes, encoding: str) -> str:
    """Read bytes in an encoding; the last character may be cut off."""
    for cut in range(min(2, len(head)) if len(head) == HEAD else 1):
        try:
            return head[: len(head) - cut].decode(encoding)
        except UnicodeDecodeError:
            continue
    return ""


def _everyday(text: str, encoding: str) -> float:
    """Return the share of a text's characters beyond ASCII that people write every day in an encoding."""
    high = [char for char in text if char > "\x7f"]
    return sum(1 for char in high if _is_everyday(char, encoding)) / max(len(high), 1)


def _is_everyday(char: str, encoding: str) -> bool:
    first = char.encode(encoding, "replace")[0]
    if encoding == "GBK":
        return first in range(0xA1, 0xA4) or (0xB0 <= first <= 0xD7 and char.encode("gbk")[1] >= 0xA1)
    if encoding == "Big5":
        return 0xA1 <= first <= 0xC6
    return True


def _is_bare_utf16(data: bytes) -> bool:
    """Whether bytes are UTF-16 without a mark: every second byte of plain JSON is zero."""
    head = data[:16]
    return len(head) > 1 and head[0] in b"{[ \r\n\t\0" and max(head[::2].count(0), head[1::2].count(0)) * 4 > len(head)


def reason(error: Exception) -> str:
    """Return in a word why a decoder gave up, without its nesting limit."""
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def no_number(raw: bytes) -> str | None:
    """Return the NaN or Infinity that alone keeps bytes from being JSON; some programs write them."""
    found: list[str] = []
    try:
        json.loads(raw, parse_constant=found.append)
    except (ValueError, RecursionError):
        return None
    return found[0] if found else None
