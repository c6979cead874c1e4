"""Streamed replies as lists of events."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.systems.streams import events

VALUES = st.lists(st.dictionaries(st.sampled_from("ab"), st.text(max_size=5), min_size=1, max_size=2), min_size=1)


@settings(max_examples=100, deadline=None)
@given(values=VALUES, end=st.sampled_from(["\n", "\r\n", "\r"]))
def test_sse(values: list[Any], end: str) -> None:
    """What a server sends as events comes back as it was, whatever its line ends."""
    raw = "".join(f"event: x{end}data: {json.dumps(value)}{end}{end}" for value in values) + f"data: [DONE]{end}{end}"

    assert events(raw.encode(), "sse") == values


@settings(max_examples=100, deadline=None)
@given(values=VALUES)
def test_ndjson(values: list[Any]) -> None:
    """One value a line, empty lines aside."""
    raw = "\n\n".join(json.dumps(value, ensure_ascii=False) for value in values)

    assert events(raw.encode("utf-8", "replace"), "ndjson") == values


def test_without_a_last_blank_line() -> None:
    """An event the server did not close counts."""
    assert events(b'data: {"a": 1}\n\ndata: {"a": 2}', "sse") == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize("raw", [b"", b": ping\n\n", b"data: [DONE]\n\n", b"data: {x\n\n"])
def test_no_event(raw: bytes) -> None:
    """A stream without events, or with a broken one, is a ValueError."""
    with pytest.raises(ValueError, match=r".+"):
        events(raw, "sse")
