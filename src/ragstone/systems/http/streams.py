"""A streamed reply, read whole, as the list of its events: SSE or one JSON value a line."""

from collections.abc import Iterable, Iterator
from typing import AnyStr, Literal, NamedTuple

from ragstone.core.types import JSON
from ragstone.systems.http.wire import decode, text_of

StreamKind = Literal["sse", "ndjson"]
DONE = "[DONE]"
ERROR = "error"
"""The name under which an SSE stream tells that something went wrong."""
MOST_LINES = 100_000
"""Lines of a stream, empty ones counted: each takes far more memory than its bytes."""


class Event(NamedTuple):
    """One event of an SSE stream, not yet decoded."""

    name: str
    data: str


class Stream(NamedTuple):
    """What a streamed reply brought."""

    events: list[JSON]
    marks: frozenset[str] = frozenset()
    """Closing marks that were there."""
    error: str | None = None
    """What the first event named `error` said."""
    whole: bool = False
    """Whether the reply was no stream at all, but one JSON value."""


def read_stream(raw: bytes, kind: StreamKind, mark: str = DONE) -> Stream:
    """Decode the events in order, keep-alives passed over; bad JSON and no event at all raise ValueError.

    `mark` is the line a stream closes with.
    """
    text = text_of(raw).lstrip("\ufeff")
    if text.lstrip()[:1] in {"{", "["} and kind == "sse":
        return Stream([decode(raw)], whole=True)
    if text.count("\n") + text.count("\r") > MOST_LINES:
        raise ValueError(f"it has more than {MOST_LINES} lines")
    if kind == "sse":
        return _gathered(_sse(text), kind, {DONE, mark})
    del text  # Only its bytes are needed from here on: with eight large replies at once a copy more is felt.
    return _gathered((Event("", str(line, "utf-8-sig")) for line in _lines(raw, b"\n")), kind, {DONE, mark})


def _gathered(pieces: Iterable[Event], kind: StreamKind, closing: set[str]) -> Stream:
    """Decode what the events say, one after another: many small ones take much memory before that."""
    found, marks, error = list[JSON](), set[str](), None
    for name, said in pieces:
        data = said.strip()
        if name == ERROR:
            error = said if error is None else error
        elif data in closing:
            marks.add(data)
        elif data and (kind == "ndjson" or data[0] in _JSON):
            found.append(decode(data.encode()))
    if not found and error is None:
        raise ValueError("there is no event in it")
    return Stream(found, frozenset(marks), error)


_JSON = frozenset('{["')
"""How data begins that is meant as JSON; anything else keeps a stream alive."""


def _sse(text: str) -> Iterator[Event]:
    """Join the data lines of each event; comments and ids are not needed."""
    name, data = "", list[str]()
    for line in _lines(text.replace("\r\n", "\n").replace("\r", "\n") + "\n", "\n"):
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif line.startswith("event:"):
            name = line[6:].strip()
        elif not line:
            if data or name == ERROR:
                yield Event(name, "\n".join(data))
            name, data = "", []


def _lines(text: AnyStr, mark: AnyStr) -> Iterator[AnyStr]:
    """Yield one line after another; all of them at once would be held twice."""
    start = 0
    while (end := text.find(mark, start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]
