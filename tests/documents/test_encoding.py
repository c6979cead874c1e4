"""Bytes into text: byte order marks, UTF-16, GB18030, and bytes that are no text."""

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.documents.encoding import decode, is_binary

TEXT = "第一条 租金每月四千元，押金两个月。"


@pytest.mark.parametrize(
    ("data", "encoding", "sure"),
    [
        (TEXT.encode(), "utf-8", True),
        (TEXT.encode("utf-8-sig"), "utf-8-sig", True),
        (TEXT.encode("utf-16"), "utf-16", True),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16", True),
        (TEXT.encode("utf-32"), "utf-32", True),
        (TEXT.encode("utf-16-le"), "utf-16-le", False),
        (TEXT.encode("utf-16-be"), "utf-16-be", False),
        (TEXT.encode("gb18030"), "gb18030", False),
    ],
)
def test_reads_the_same_text(data: bytes, encoding: str, sure: bool) -> None:
    """However the text was saved, it is read; a guess is called a guess."""
    assert decode(data) == (TEXT, encoding, sure)


def test_broken_bytes_are_replaced() -> None:
    """Bytes that fit no encoding become replacement characters instead of an error."""
    decoded = decode(b"abc \xff\xff\xff")

    assert decoded.text.startswith("abc ")
    assert not decoded.sure


@pytest.mark.parametrize(("text", "binary"), [("", False), (TEXT, False), ("\x00\x01\x02PNG" * 9, True)])
def test_tells_text_from_binary(text: str, binary: bool) -> None:
    """Control characters in number are no text."""
    assert is_binary(text) is binary


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_never_raises(data: bytes) -> None:
    """Any bytes are read as something."""
    assert isinstance(decode(data).text, str)


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff"), max_size=60))
def test_utf8_survives(text: str) -> None:
    """UTF-8 is never mistaken for anything else."""
    assert decode(text.encode()).text == text
