"""A streamed reply, read whole, as the list of its events: SSE or one JSON value a line."""

from typing import Literal

from ragstone.systems.wire import decode
from ragstone.types import JSON

StreamKind = Literal["sse", "ndjson"]
DONE = "[DONE]"


def events(raw: bytes, kind: StreamKind) -> list[JSON]:
    """Return the decoded events in order, without keep-alives and closing mark; bad JSON raises ValueError."""
    text = raw.decode("utf-8", "replace").lstrip("\ufeff")
    if text.lstrip()[:1] in {"{", "["} and kind == "sse":
        return [decode(raw)]
    pieces = _sse(text) if kind == "sse" else text.split("\n")
    found = [decode(piece.encode()) for piece in map(str.strip, pieces) if piece and piece != DONE]
    if not found:
        raise ValueError("there is no event in it")
    return found


def _sse(text: str) -> list[str]:
    """Join the data lines of each event; comments, event names and ids are not needed."""
    found: list[str] = []
    data: list[str] = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            found.append("\n".join(data))
            data = []
    if data:
        found.append("\n".join(data))
    return [piece for piece in found if piece.lstrip()[:1] in {"{", "[", '"'}]
