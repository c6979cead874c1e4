"""Streamed replies as lists of events."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.systems.http.streams import MOST_LINES, Stream, StreamKind, read_stream

VALUES = st.lists(st.dictionaries(st.sampled_from("ab"), st.text(max_size=5), min_size=1, max_size=2), min_size=1)


@settings(deadline=None)
@given(values=VALUES, end=st.sampled_from(["\n", "\r\n", "\r"]))
def test_sse(values: list[Any], end: str) -> None:
    """What a server sends as events comes back as it was, whatever its line ends."""
    raw = "".join(f"event: x{end}data: {json.dumps(value)}{end}{end}" for value in values) + f"data: [DONE]{end}{end}"

    assert read_stream(raw.encode(), "sse") == Stream(values, frozenset({"[DONE]"}))


@settings(deadline=None)
@given(values=VALUES)
def test_ndjson(values: list[Any]) -> None:
    """One value a line, empty lines aside."""
    raw = "\n\n".join(json.dumps(value, ensure_ascii=False) for value in values)

    assert read_stream(raw.encode("utf-8", "replace"), "ndjson").events == values


def test_without_a_last_blank_line() -> None:
    """An event the server did not close counts."""
    assert read_stream(b'data: {"a": 1}\n\ndata: {"a": 2}', "sse").events == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize("raw", [b"", b": ping\n\n", b"data: [DONE]\n\n", b"data: {x\n\n"])
def test_no_event(raw: bytes) -> None:
    """A stream without events, or with a broken one, is a ValueError."""
    with pytest.raises(ValueError, match=r".+"):
        read_stream(raw, "sse")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b'event: error\ndata: {"message": "m"}\n\n', '{"message": "m"}'),
        (b'data: {"a": 1}\n\nevent: error\ndata: out of memory\n\n', "out of memory"),
        (b"event:error\n\n", ""),
    ],
)
def test_an_event_named_error(raw: bytes, said: str) -> None:
    """What it says is kept apart from the other events, whatever it is made of."""
    assert read_stream(raw, "sse").error == said


def test_a_mark_of_its_own() -> None:
    """A stream may close with another line than the usual one."""
    assert read_stream(b'{"a": 1}\nEND\n', "ndjson", "END") == Stream([{"a": 1}], frozenset({"END"}))


def test_a_whole_reply() -> None:
    """One JSON value is no stream, and cannot be cut off unseen."""
    assert read_stream(b' {"a": 1}', "sse") == Stream([{"a": 1}], whole=True)


@pytest.mark.parametrize("kind", ["sse", "ndjson"])
@pytest.mark.parametrize("end", ["\n", "\r"])
def test_lines_end(kind: StreamKind, end: str) -> None:
    """Empty lines without end are refused before they are taken apart."""
    with pytest.raises(ValueError, match="lines"):
        read_stream((end * (MOST_LINES + 1)).encode(), kind)
