"""One HTTP/1.1 connection: a request goes out, httptools reads the reply, one timer watches over both.

A line never follows, fetches or runs anything; it reads a body up to a limit and says by a closed set of words what
went wrong.
"""

import asyncio
from typing import NamedTuple, cast

import httptools

from ragstone.systems.failures import Kind

ERROR_BYTES = 64 * 1024
"""How much of an error page is read: enough for a sentence."""
HEADERS_BYTES = 256 * 1024
"""Headers longer than this are no headers."""


class Mishap(Exception):  # noqa: N818 - not an error of this program: what befell a call
    """Why a call brought no reply."""

    def __init__(self, kind: Kind, problem: str, reply: "Reply | None" = None) -> None:
        self.kind = kind
        self.reply = reply
        """What had come of a reply until then."""
        super().__init__(problem)


class Reply(NamedTuple):
    """A reply as it came: nothing decoded, the names of the headers in lower case."""

    status: int
    reason: str
    headers: dict[str, str]
    body: bytes
    cut: bool
    """Whether the body went on beyond the limit."""


class CallLimits(NamedTuple):
    """What is allowed to one call."""

    total: float
    """Seconds in all."""
    silence: float
    """Seconds without a byte."""
    most: int
    """Bytes of a body that are read."""


class Line(asyncio.Protocol):
    """A connection that can be asked again and again, one question at a time."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._waiter: asyncio.Future[Reply] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        self.usable = False
        """Whether it can take a request now."""
        self.stray = False
        """Whether a reply came that nobody had asked for."""
        self.rested = 0.0
        """Since when it has had nothing to do."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection stands."""
        # uvloop's transports are not children of asyncio's.
        self._transport, self.usable = cast("asyncio.Transport", transport), True

    def ask(self, request: bytes, limits: CallLimits) -> "asyncio.Future[Reply]":
        """Send a request; its reply arrives in the future."""
        assert self._transport is not None
        self.usable = False
        self._begin()
        now = self._loop.time()
        self._limits, self._ends, self._heard = limits, now + limits.total, now
        self._waiter = self._loop.create_future()
        self._watch(now + min(limits.total, limits.silence))
        self._transport.write(request)
        return self._waiter

    def _watch(self, due: float) -> None:
        """Look at the clock by then; a look planned for an earlier call that comes sooner will plan the next."""
        if self._timer is None or due < self._due:
            self._unwatch()
            self._timer, self._due = self._loop.call_at(due, self._look), due

    def _unwatch(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _begin(self) -> None:
        self._status, self._reason, self._size, self._room = 0, b"", 0, ERROR_BYTES
        self._headers: dict[str, str] = {}
        self._pieces: list[bytes] = []

    def data_received(self, data: bytes) -> None:
        """Bytes have come."""
        if self._waiter is None:
            # Nobody asked: such a line cannot be trusted with the next question. Only a 408, by which servers say
            # that they are tired of waiting, is no reply that went astray.
            self.stray = self.stray or not data.startswith((b"HTTP/1.1 408", b"HTTP/1.0 408"))
            self.close()
            return
        self._heard = self._loop.time()
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._fail("not_http", str(error.__context__ or error) or type(error).__name__)

    def on_message_begin(self) -> None:
        """A reply begins; one that nobody waits for must answer no later question."""
        if self._waiter is None:
            self.close()
            raise ValueError("a reply to no question")

    def on_status(self, reason: bytes) -> None:
        """Part of the reason phrase has been read."""
        self._reason += reason

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header has been read."""
        self._size += len(name) + len(value)
        if self._size > HEADERS_BYTES:
            raise ValueError("headers too long")
        self._headers[name.lower().decode("latin-1")] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        """The body begins."""
        self._size, self._status = 0, self._parser.get_status_code()
        self._room = self._limits.most if 200 <= self._status < 300 else ERROR_BYTES

    def on_body(self, piece: bytes) -> None:
        """Part of the body has been read."""
        self._pieces.append(piece)
        self._size += len(piece)
        if self._size > self._room:
            self._finish(cut=True)

    def on_message_complete(self) -> None:
        """The reply is whole."""
        if 100 <= self._status < 200:
            self._begin()
        else:
            self._finish(cut=False)

    def eof_received(self) -> None:
        """The other side has said all it will."""

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone; a body of no announced length ends with it."""
        self.usable = False
        self._unwatch()
        headers = self._headers if self._waiter is not None and self._status else None
        if headers is not None and exc is None and not {"content-length", "transfer-encoding"} & headers.keys():
            self._finish(cut=False)
        self._fail("reset", str(exc or "the server closed the connection"))

    def close(self) -> None:
        """Hang up; whoever waits is told so."""
        self.usable = False
        self._unwatch()
        if self._transport is not None:
            self._transport.abort()
        self._fail("reset", "the connection was closed")

    def _finish(self, *, cut: bool) -> None:
        waiter = self._rest()
        if waiter is None:
            return
        if cut or not self._parser.should_keep_alive():
            self.close()
        else:
            self.usable, self.rested = True, self._loop.time()
        reason = self._reason.decode("latin-1")
        waiter.set_result(Reply(self._status, reason, self._headers, b"".join(self._pieces), cut))

    def _fail(self, kind: Kind, problem: str) -> None:
        waiter = self._rest()
        if waiter is not None:
            self.close()
            come = Reply(self._status, self._reason.decode("latin-1"), self._headers, b"".join(self._pieces), cut=True)
            waiter.set_exception(Mishap(kind, problem, come if self._status else None))

    def _rest(self) -> "asyncio.Future[Reply] | None":
        """Return who waits, once."""
        waiter, self._waiter = self._waiter, None
        return None if waiter is None or waiter.done() else waiter

    def _look(self) -> None:
        """Look whether the time is up; a byte heard in between has moved the end of the silence."""
        self._timer = None
        if self._waiter is None:
            return
        now, silent = self._loop.time(), self._heard + self._limits.silence
        if now >= self._ends:
            self._fail("timeout_total", "")
        elif now >= silent:
            self._fail("timeout_total" if self._status else "timeout_first_byte", "")
        else:
            self._watch(min(self._ends, silent))
