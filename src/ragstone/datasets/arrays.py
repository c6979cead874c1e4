"""The rows of a file that is one JSON value: an array, or an object that holds one; the bytes are held once."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from ragstone.datasets.faults import BOM, Broken, crowded, fault_of


class Item(NamedTuple):
    """One row as it stands in the file, and the JSON pointer to it."""

    pointer: str
    raw: msgspec.Raw


def items(data: bytes) -> Iterator[Item] | Broken | None:
    """Return the rows of a file's one value; why there are none; or None where each line is a value of its own.

    >>> [item.pointer for item in items(b'{"version": 1, "data": [{"q": "a"}, {"q": "b"}]}')]
    ['/data/0', '/data/1']
    """
    text = data.removeprefix(BOM)
    if (many := crowded(data)) and not _is_lines(text):
        return many
    try:
        if text.lstrip()[:1] == b"[":
            return _numbered("", _ARRAY(text))
        found = _OBJECT(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return None if _is_lines(text) else fault_of(data, error)
    held = {name: raw for name, raw in found.items() if _holds_rows(raw)}
    if len(held) == 1:
        ((name, raw),) = held.items()
        escaped = name.replace("~", "~0").replace("/", "~1")
        return _numbered(f"/{escaped}", _ARRAY(raw))
    return iter([Item("", msgspec.Raw(text))])


def _numbered(start: str, rows: list[msgspec.Raw]) -> Iterator[Item]:
    return (Item(f"{start}/{place}", raw) for place, raw in enumerate(rows))


def _holds_rows(raw: msgspec.Raw) -> bool:
    text = bytes(raw)
    return text[:1] == b"[" and text[1:].lstrip()[:1] == b"{"


def _is_lines(text: bytes) -> bool:
    """Say whether the first line alone is an object: JSON lines under the name of a JSON file."""
    line, _, rest = text.lstrip().partition(b"\n")
    try:
        return bool(rest.strip()) and bool(_OBJECT(line))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


_ARRAY = msgspec.json.Decoder(list[msgspec.Raw]).decode
_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
