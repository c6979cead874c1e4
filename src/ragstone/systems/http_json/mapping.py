"""Where in a reply answer, contexts, citations, usage and errors are, read once and followed for every reply."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct

from ragstone.core.types import FACTS, JSON, Answer, Citation, Context, Usage
from ragstone.systems.http.streams import Stream
from ragstone.systems.http.wire import clean, decode
from ragstone.systems.http_json.paths import Missing, Path
from ragstone.systems.http_json.service import CitationMap, ContextMap, ErrorMap, Paths, Service, Sign, UsageMap
from ragstone.systems.to_answer import citations_of, contexts_of

T = TypeVar("T")


class Reported(Exception):  # noqa: N818 - news from the service, not an error of ours
    """The service itself reports that something went wrong."""


class WrongId(Exception):  # noqa: N818 - a mix-up in the service, not an error of ours
    """The reply belongs to another question."""

    def __init__(self, found: str) -> None:
        self.found = found
        super().__init__(found)


class CutOff(Exception):  # noqa: N818 - what befell a stream, not an error of ours
    """A stream ended without its closing mark."""


class FoundAnswer(Struct, frozen=True):
    """What stands at the answer's place."""

    text: str
    data: JSON = None


class ReplyMap:
    """Reads one kind of reply into answers."""

    def __init__(self, service: Service) -> None:
        self._answers = _paths(service.answer)
        self._id = Path(service.id) if service.id else None
        self._contexts = _Contexts(service.contexts) if service.contexts else None
        self._citations = _Citations(service.citations) if service.citations else None
        self._usage = _Usage(service.usage) if service.usage else None
        self._finish = Path(service.finish_reason) if service.finish_reason else None
        places = {name: getattr(service.facts, name) for name in FACTS} if service.facts else {}
        self._facts = {name: Path(text) for name, text in places.items() if text}
        self._error = _Error(service.error) if service.error else None
        stream = service.stream
        self._whole = stream is not None and stream.join == "last"
        self._done = stream.done if stream and isinstance(stream.done, str) else ""
        self._last = _Signed(stream.done) if stream and isinstance(stream.done, Sign) else None
        self._replaces = _Signed(stream.replace) if stream and stream.replace else None

    def check_id(self, replies: Sequence[JSON], expected: str) -> None:
        """Refuse a reply that names another question than the one it should answer."""
        if self._id is None:
            return
        found = _first(replies, self._id.one)
        if found is None:
            self._id.one(replies[0])
            raise Missing(self._id.text, "at the id is null")
        if _plain_text(found) != expected:
            raise WrongId(_plain_text(found))

    def read(self, reply: JSON) -> Answer:
        """Read a reply that came whole."""
        if self._error is not None:
            self._error.check(reply)
        found = _answer(self._answers, reply)
        return self._answer(found, [reply])

    def read_stream(self, stream: Stream) -> Answer:
        """Read a streamed reply: the answer from all events, the rest from the last event that has it."""
        self._check(stream)
        pieces: list[str] = []
        missing: tuple[str, str] | None = None
        for reply in stream.events:
            try:
                piece = _answer(self._answers, reply).text
            except Missing as error:
                missing = error.told
                continue
            if self._replaces is not None and self._replaces.fits(reply):
                pieces = [piece]
            elif piece:
                pieces.append(piece)
        if not pieces and missing is not None:
            raise Missing(*missing)
        text = (pieces[-1] if pieces else "") if self._whole else "".join(pieces)
        return self._answer(FoundAnswer(text), list(reversed(stream.events)))

    def _check(self, stream: Stream) -> None:
        """Raise when the service reports an error, or when the end of the stream is missing."""
        for reply in stream.events:
            if self._error is not None:
                self._error.check(reply)
            elif isinstance(reply, dict) and reply.get("error") and not _has(self._answers, reply):
                raise Reported(_said(reply["error"]))
        if stream.error is not None:
            raise Reported(_said(_decoded(stream.error)))
        if stream.whole:
            return
        if self._done and self._done not in stream.marks:
            raise CutOff(self._done)
        if self._last is not None and not any(map(self._last.fits, stream.events)):
            raise CutOff(self._last.text)

    def _answer(self, found: FoundAnswer, replies: list[JSON]) -> Answer:
        finish = _first(replies, self._finish.one) if self._finish else None
        return Answer(
            text=clean(found.text),
            data=found.data,
            contexts=self._contexts.read(replies) if self._contexts else _beside(replies, contexts_of),
            citations=self._citations.read(replies) if self._citations else _beside(replies, citations_of),
            usage=_first(replies, self._usage.read) if self._usage else None,
            finish_reason=finish if isinstance(finish, str) else None,
            facts=_told(self._facts, replies) if self._facts else {},
        )


def _told(places: Mapping[str, Path], replies: list[JSON]) -> dict[str, str]:
    """Read the facts a service states about itself, if any."""
    found = {name: _first(replies, path.one) for name, path in places.items()}
    return {name: _plain_text(value) for name, value in found.items() if value is not None}


def _beside(replies: Sequence[JSON], find: Callable[[Mapping[str, JSON]], tuple[T, ...]]) -> tuple[T, ...]:
    """Find what no path was given for, by the names such things have: in the first reply, or its `data`, with any."""
    inner = (reply["data"] for reply in replies if isinstance(reply, dict) and "data" in reply)
    return next((found for reply in (*replies, *inner) if isinstance(reply, dict) and (found := find(reply))), ())


class _Signed:
    """Knows the events of one kind."""

    def __init__(self, sign: Sign) -> None:
        self._path = Path(sign.path)
        self._values = sign.value if isinstance(sign.value, list) else [sign.value]
        self._any = sign.value is None
        self.text = sign.path if self._any else f"{sign.path}: {_plain_text(sign.value)}"

    def fits(self, reply: JSON) -> bool:
        """Return whether an event is one of them."""
        try:
            value = self._path.one(reply)
        except Missing:
            return False
        if self._any:
            return value is not None and value is not False
        return any(value == wanted and type(value) is type(wanted) for wanted in self._values)


class _Contexts:
    def __init__(self, places: ContextMap) -> None:
        self._items, self._optional = Path(places.items), places.optional
        self._source, self._page = _paths(places.source_path), _paths(places.page)
        self._text, self._score = _paths(places.text), _paths(places.score)

    def read(self, replies: list[JSON]) -> tuple[Context, ...]:
        """Read the pieces; a piece whose text is a list is as many pieces."""
        return tuple(piece for item in _items(self._items, replies, self._optional) for piece in self._pieces(item))

    def _pieces(self, item: JSON) -> list[Context]:
        if not isinstance(item, dict | list):
            return [Context(text=_plain_text(item))]
        source, page, score = _text(self._source, item), _page(self._page, item), _number(self._score, item)
        return [Context(source, page, text, score) for text in _texts(self._text, item)]


class _Citations:
    def __init__(self, places: CitationMap) -> None:
        self._items, self._optional = Path(places.items), places.optional
        self._file, self._page, self._quote = _paths(places.file), _paths(places.page), _paths(places.quote)

    def read(self, replies: list[JSON]) -> tuple[Citation, ...]:
        """Read the references; a bare text is a file's name."""
        return tuple(self._citation(item) for item in _items(self._items, replies, self._optional))

    def _citation(self, item: JSON) -> Citation:
        if not isinstance(item, dict | list):
            return Citation(file=_plain_text(item))
        return Citation(_text(self._file, item) or None, _page(self._page, item), _text(self._quote, item) or None)


class _Usage:
    def __init__(self, places: UsageMap) -> None:
        named = {name: getattr(places, name) for name in Usage.__struct_fields__}
        self._paths = {name: Path(text) for name, text in named.items() if text}

    def read(self, reply: JSON) -> Usage:
        """Add up the counts; raises Missing when none is there."""
        counts: dict[str, int] = {}
        missing: tuple[str, str] | None = None
        for name, path in self._paths.items():
            try:
                counts[name] = sum(_count(value) for value in path.all(reply))
            except Missing as error:
                missing = error.told
        if not counts and missing is not None:
            raise Missing(*missing)
        total = counts.get("total_tokens") or sum(counts.get(k, 0) for k in ("prompt_tokens", "completion_tokens"))
        return Usage(counts.get("prompt_tokens", 0), counts.get("completion_tokens", 0), total)


class _Error:
    def __init__(self, places: ErrorMap) -> None:
        self._path, self._ok = Path(places.path), places.ok
        self._message = Path(places.message) if places.message else None

    def check(self, reply: JSON) -> None:
        """Raise Reported when the service says that something went wrong."""
        try:
            value = self._path.one(reply)
        except Missing:
            return
        if any(value == fine and type(value) is type(fine) for fine in self._ok):
            return
        said = ""
        if self._message is not None:
            said = _plain_text(_first([reply], self._message.one) or "")
        raise Reported(f"{_plain_text(value)}: {said}" if said else _plain_text(value))


def _paths(given: Paths | None) -> tuple[Path, ...]:
    return tuple(Path(text) for text in ([given] if isinstance(given, str) else given or ()))


def _answer(paths: Sequence[Path], reply: JSON) -> FoundAnswer:
    missing: tuple[str, str] | None = None
    for path in paths:
        try:
            value = path.one(reply)
        except Missing as error:
            missing = missing or error.told
            continue
        if path.many and isinstance(value, list) and all(isinstance(v, str) for v in value):
            return FoundAnswer("".join(value))
        if isinstance(value, dict | list):
            return FoundAnswer(_plain_text(value), value)
        return FoundAnswer(_plain_text(value))
    assert missing is not None
    raise Missing(*missing)


def _has(paths: Sequence[Path], reply: JSON) -> bool:
    """Return whether there is an answer in an event."""
    try:
        return bool(_answer(paths, reply).text)
    except Missing:
        return False


def _decoded(text: str) -> JSON:
    try:
        return decode(text.encode())
    except ValueError:
        return text


def _said(error: JSON) -> str:
    """Find the sentence in what a service reports."""
    while isinstance(error, dict):
        inner = next((error[name] for name in ("error", "message", "detail", "msg") if error.get(name)), None)
        if inner is None:
            break
        error = inner
    return _plain_text(error) or "error"


def _first(replies: Sequence[JSON], read: Callable[[JSON], JSON]) -> JSON:
    for reply in replies:
        try:
            return read(reply)
        except Missing:
            continue
    return None


def _items(path: Path, replies: Sequence[JSON], optional: bool) -> list[JSON]:
    missing: tuple[str, str] | None = None
    for reply in replies:
        try:
            found = path.all(reply)
        except Missing as error:
            missing = missing or error.told
            continue
        if found or len(replies) == 1:
            return found
    if missing is not None and not optional and len(replies) == 1:
        raise Missing(*missing)
    return []


def _value(paths: Sequence[Path], item: JSON) -> JSON:
    for path in paths:
        try:
            value = path.one(item)
        except Missing:
            continue
        if value not in (None, ""):
            return value
    return None


def _text(paths: Sequence[Path], item: JSON) -> str:
    value = _value(paths, item)
    return "" if value is None else clean(_plain_text(value))


def _texts(paths: Sequence[Path], item: JSON) -> list[str]:
    """Return one text, the parts of several paths joined; or several, where the only path leads to a list."""
    values = [_value((path,), item) for path in paths]
    if len(values) == 1 and isinstance(values[0], list):
        return [clean(_plain_text(value)) for value in values[0]] or [""]
    return [clean("\n".join(_plain_text(value) for value in values if value is not None))]


def _page(paths: Sequence[Path], item: JSON) -> int | None:
    value = _value(paths, item)
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        return int(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e9:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _number(paths: Sequence[Path], item: JSON) -> float | None:
    value = _value(paths, item)
    try:
        number = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _count(value: JSON) -> int:
    fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e12
    return int(value) if fits else 0


def _plain_text(value: JSON) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    try:
        return msgspec.json.encode(value).decode()
    except (TypeError, ValueError, RecursionError):
        return ""
