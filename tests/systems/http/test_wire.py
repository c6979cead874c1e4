"""JSON on the wire: patient with replies, unbreakable by questions."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.masking import Secrets
from ragstone.core.types import Message
from ragstone.systems.http.streams import read_stream
from ragstone.systems.http.wire import clean, decode, encode, why_not_json


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b'{"a": 1}', {"a": 1}),
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        (b'{"a": NaN, "b": -Infinity}', {"a": None, "b": None}),
        (b'{"a": ["\\ud83d", "\\ud83d\\ude00"]}', {"a": ["\ufffd", "😀"]}),
    ],
)
def test_decode(raw: bytes, value: Any) -> None:
    """What nearly is JSON is read, without NaN."""
    assert decode(raw) == value


def test_a_reply_that_is_not_utf_8_is_refused() -> None:
    """Half-read words are not scored; the place of the first bad byte is told."""
    with pytest.raises(ValueError, match=r"not UTF-8 at byte 8 \(0xff\)"):
        decode(b'{"a": "\xff"}')
    with pytest.raises(ValueError, match="not UTF-8 at byte 14"):
        read_stream(b'data: {"a": "\xb0"}\n\n', "sse")


@settings(deadline=None)
@given(raw=st.binary(max_size=60))
def test_decode_raises_value_errors_only(raw: bytes) -> None:
    """Any bytes are a value or a ValueError."""
    try:
        decode(raw)
    except ValueError as error:
        failure = why_not_json(raw, str(error), "http://h", Secrets())
        assert failure.kind in {"not_json", "html_page"}


@settings(deadline=None)
@given(text=st.text(st.characters(), max_size=40))
def test_any_text_can_be_sent(text: str) -> None:
    """Any text can be sent, lone surrogates among it."""
    sent = json.loads(encode({"m": (Message("user", text),)}))

    assert sent["m"][0]["content"] == text.encode("utf-8", "replace").decode()
    assert msgspec.json.encode(clean(text))


@pytest.mark.parametrize("raw", [b"<html>", b" \n<!DOCTYPE HTML PUBLIC>", b"<HEAD>", b"\xef\xbb\xbf<html>"])
def test_pages(raw: bytes) -> None:
    """Web pages are told apart."""
    assert why_not_json(raw, "x", "http://h", Secrets()).kind == "html_page"
