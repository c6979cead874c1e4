"""The rows of a file that is one JSON value, an array or an object that holds one; streamed, one row held at a time."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple, NoReturn

from ragstone.core.types import JSON
from ragstone.datasets.faults import BOM, MOST_VALUES, Broken, decode, is_curly

MAX_ROW_BYTES = 16 * 1024 * 1024
"""Bytes of a row; one that is longer is refused."""
DEEPEST = 1000
"""Arrays and objects within one another; the decoder goes no deeper."""
TRUNCATED = "Input data was truncated"
_CHUNK = 1 << 18
_BLANK = re.compile(rb"[ \t\r\n]*+")
_STRING = re.compile(_TEXT := rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_WORD = re.compile(rb'[^ \t\r\n,:\[\]{}"]++')
_FLAT = rb'[^"\[\]{}]*+(?:%b[^"\[\]{}]*+)*+' % _TEXT
_BRACKET = re.compile(rb"%b([\[\]{}])" % _FLAT, re.DOTALL)
"""The next bracket that stands in no string."""
_TWO = rb"%b(?:[\[{]%b(?:[\[{]%b[\]}]%b)*+[\]}]%b)*+" % ((_FLAT,) * 5)
_ELEMENT = re.compile(rb"[ \t\r\n]*+([\[{]%b[\]}])[ \t\r\n]*+([,\]])" % _TWO, re.DOTALL)
"""A row as most are, with two levels inside, and what comes after it: found at once."""

Opened = Callable[[], BinaryIO]


class BrokenError(Exception):
    """A file that is not one JSON value; what was read before it stands."""

    def __init__(self, broken: Broken) -> None:
        super().__init__(broken.code)
        self.broken = broken


class Part(NamedTuple):
    """An element of the array a file is, a member of the object it is, or an element of an array that is a member."""

    name: str | None
    """The member; None in an array."""
    turn: int
    """Members of this name before it: a name may stand more than once."""
    place: int | None
    """The place in its array; None for a whole member."""
    raw: bytes


class Item(NamedTuple):
    """One row as it stands in the file, and the JSON pointer to it."""

    pointer: str
    raw: bytes


def items(opened: Opened, most: int = MAX_ROW_BYTES) -> Iterator[Item]:
    """Stream the rows of a file's one value; raises BrokenError where it turns out to be none.

    >>> import io
    >>> [item.pointer for item in items(lambda: io.BytesIO(b'{"version": 1, "data": [{"q": "a"}, {"q": "b"}]}'))]
    ['/data/0', '/data/1']
    """
    with opened() as file:
        text = _Text(file, most)
        if (mark := text.peek()) == b"[":
            yield from (Item(f"/{part.place}", part.raw) for part in _parts(text))
        if mark in (b"[", b""):
            return
    if (holder := _holder(opened, most)) is None:
        with opened() as file:
            yield Item("", _Text(file, most).value())
        return
    escaped = holder[0].replace("~", "~0").replace("/", "~1")
    with opened() as file:
        for part in parts(file, most):
            if (part.name, part.turn) == holder:
                yield Item(f"/{escaped}/{part.place}", part.raw)


def members(opened: Opened, most: int = MAX_ROW_BYTES) -> dict[str, JSON]:
    """Read the members of the object a file is; an array of objects is an empty one here."""
    found: dict[str, JSON] = {}
    with opened() as file:
        for part in parts(file, most):
            if part.name is not None and not part.place:
                found[part.name] = _decoded(part.raw) if part.place is None else []
    return found


def _decoded(raw: bytes) -> JSON:
    value = decode(raw)
    if isinstance(value, Broken):
        raise BrokenError(value)
    return value


def _holder(opened: Opened, most: int) -> tuple[str, int] | None:
    """Find the member that holds rows: the only one, or `questions`.

    Of members with one name the last counts, as for every decoder.
    """
    last: dict[str, Part] = {}
    with opened() as file:
        for part in parts(file, most):
            if part.name is not None:
                last[part.name] = part._replace(raw=b"")
    held = {name: (name, part.turn) for name, part in last.items() if part.place is not None}
    return next(iter(held.values())) if len(held) == 1 else held.get("questions")


def parts(file: BinaryIO, most: int = MAX_ROW_BYTES) -> Iterator[Part]:
    """Stream what a file's one value is made of; an array of objects within an object comes element by element."""
    return _parts(_Text(file, most))


def _parts(text: "_Text") -> Iterator[Part]:
    match text.peek():
        case b"[":
            yield from (Part(None, 0, place, raw) for place, raw in enumerate(_elements(text)))
        case b"{":
            yield from _members(text)
        case _:
            yield Part(None, 0, None, text.value())
    if text.peek():
        text.fail("trailing characters")


def _elements(text: "_Text") -> Iterator[bytes]:
    text.take(b"[")
    if text.peek() == b"]":
        text.take(b"]")
        return
    while True:
        raw, mark = text.element()
        yield raw
        if mark == b"]":
            return
        if text.peek() == b"]":
            text.fail("trailing comma in array")


def _members(text: "_Text") -> Iterator[Part]:
    turns: Counter[str] = Counter()
    text.take(b"{")
    if text.peek() == b"}":
        text.take(b"}")
        return
    while True:
        name = text.name()
        text.take(b":")
        if text.holds_objects():
            yield from (Part(name, turns[name], place, raw) for place, raw in enumerate(_elements(text)))
        else:
            yield Part(name, turns[name], None, text.value())
        turns[name] += 1
        if text.take(b",}") == b"}":
            return
        if text.peek() == b"}":
            text.fail("trailing comma in object")


class _Text:
    """A file read on as far as it is needed: at most one value of it is held."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file = file
        self._most = most
        self._data = file.read(_CHUNK).removeprefix(BOM)
        self._at = 0
        self._line, self._column = 1, 1

    def peek(self) -> bytes:
        """Return the next character that is not blank; none at the end."""
        while True:
            self._at = self._end(_BLANK, self._at)
            if self._at < len(self._data) or not self._more():
                return self._data[self._at : self._at + 1]

    def take(self, marks: bytes) -> bytes:
        """Step over one of some characters, which must come next."""
        found = self.peek()
        if not found:
            self.fail(TRUNCATED)
        if found not in marks:
            self.fail(f"expected {' or '.join(f'`{chr(mark)}`' for mark in marks)}")
        self._at += 1
        return found

    def name(self) -> str:
        """Step over a member's name."""
        if self.peek() != b'"':
            self.fail("object keys must be strings")
        try:
            # The one decoder that lets half of a surrogate pair pass.
            return str(json.loads(self.value()))
        except ValueError:
            self.fail("invalid object key")

    def holds_objects(self) -> bool:
        """Return whether an array of objects comes next."""
        if self.peek() != b"[":
            return False
        ahead = 1
        while True:
            ahead = self._end(_BLANK, self._at + ahead) - self._at
            if self._at + ahead < len(self._data) or not self._more():
                return self._data[self._at + ahead : self._at + ahead + 1] == b"{"

    def element(self) -> tuple[bytes, bytes]:
        """Step over an element of an array, and what comes after it."""
        found = _ELEMENT.match(self._data, self._at)
        if found is None or len(found[1]) > self._most:
            return self.value(), self.take(b",]")
        self._at = found.end()
        return found[1], found[2]

    def value(self) -> bytes:
        """Step over one value and return it as it stands; what is inside it is not looked at."""
        mark = self.peek()
        length = self._nested() if mark in (b"[", b"{") else self._plain(_STRING if mark == b'"' else _WORD)
        if length > self._most:
            self._refuse("row.too_long", self._most)
        start, self._at = self._at, self._at + length
        return self._data[start : self._at]

    def _plain(self, pattern: re.Pattern[bytes]) -> int:
        """Measure a string, a number or a word."""
        while True:
            end = self._end(pattern, self._at)
            if self._at < end < len(self._data) or not self._more():
                break
        if end == self._at:
            self.fail("expected a value" if self._at < len(self._data) and pattern is _WORD else TRUNCATED)
        return end - self._at

    def _nested(self) -> int:
        """Measure an array or an object."""
        length = depth = brackets = 0
        while True:
            found = _BRACKET.match(self._data, self._at + length)
            if found is None:
                if not self._more():
                    self.fail(TRUNCATED)
                continue
            length = found.end() - self._at
            depth += 1 if found[1] in b"[{" else -1
            brackets += 1
            if brackets > 2 * MOST_VALUES:
                self._refuse("row.crowded", MOST_VALUES)
            if depth == 0:
                return length
            if depth > DEEPEST:
                self.fail("nested too deeply")

    def _end(self, pattern: re.Pattern[bytes], start: int) -> int:
        found = pattern.match(self._data, start)
        return found.end() if found else start

    def _more(self) -> bool:
        """Read on; what was stepped over is let go, and as much is read as is held, for it may be looked at again."""
        self._line, self._column = self._place()
        self._data, self._at = self._data[self._at :], 0
        if len(self._data) > self._most:
            self._refuse("row.too_long", self._most)
        piece = self._file.read(max(_CHUNK, len(self._data)))
        self._data += piece
        return bool(piece)

    def _place(self) -> tuple[int, int]:
        """Return the line and column of what comes next."""
        before = self._data[: self._at]
        start = before.rfind(b"\n") + 1
        column = len(before[start:].decode("utf-8", "replace")) + (1 if start else self._column)
        return self._line + before.count(b"\n"), column

    def _refuse(self, code: str, limit: int) -> NoReturn:
        raise BrokenError(Broken(code, {"limit": limit}, self._place()[0]))

    def fail(self, problem: str) -> NoReturn:
        """Refuse what comes next."""
        if problem == TRUNCATED:
            self._at = len(self._data.rstrip())
        line, column = self._place()
        if is_curly(self._data[self._at :][:_CHUNK]):
            raise BrokenError(Broken("row.curly", {"problem": problem}, line))
        at = f"{problem} (at line {line}, column {column})"
        raise BrokenError(Broken("file.not_json", {"problem": at}, line))
