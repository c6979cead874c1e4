"""Decodes a text file: UTF-8 first, then byte order marks, UTF-16, GB18030; reports when it had to guess."""

import codecs
import unicodedata
from typing import NamedTuple

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 4096
_STRANGE = frozenset({"Cc", "Cn", "Co", "Cs"})


class Decoded(NamedTuple):
    """A text and the encoding it was read with; `sure` is false when the encoding was guessed."""

    text: str
    encoding: str
    sure: bool


def decode(data: bytes) -> Decoded:
    """Read bytes as text; never raises, at worst some characters become U+FFFD.

    >>> decode("税率".encode("gb18030"))
    Decoded(text='税率', encoding='gb18030', sure=False)
    """
    for encoding in _named(data):
        text = _try(data, encoding)
        if text is not None:
            return Decoded(text, encoding, True)
    for encoding in _guesses(data):
        text = _try(data, encoding)
        if text is not None:
            return Decoded(text, encoding, False)
    return Decoded(data.decode("utf-8", "replace"), "utf-8", False)


def is_binary(text: str) -> bool:
    """Return whether a decoded text is binary: control characters, and code points without a character."""
    sample = text[:_SAMPLE]
    strange = sum(1 for char in sample if unicodedata.category(char) in _STRANGE and char not in "\t\n\r\f\v\x1b")
    return strange + sample.count("\ufffd") > len(sample) // 10


def _named(data: bytes) -> list[str]:
    """List what a byte order mark says, and plain UTF-8 when no byte speaks against it."""
    named = [encoding for mark, encoding in _MARKS if data.startswith(mark)]
    return named or ([] if b"\0" in data[:_SAMPLE] else ["utf-8"])


def _guesses(data: bytes) -> list[str]:
    """List what is tried without a mark: zero bytes on one side are UTF-16, anything else may be Chinese."""
    sample = data[:_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if even + odd:
        return ["utf-16-le", "utf-16-be"] if odd >= even else ["utf-16-be", "utf-16-le"]
    return ["gb18030"]


def _try(data: bytes, encoding: str) -> str | None:
    """Read bytes in one encoding, or give None."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None
