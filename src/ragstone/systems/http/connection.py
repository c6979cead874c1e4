"""One HTTP/1.1 connection: a request goes out, httptools reads the reply, one timer watches over both.

It never follows, fetches or runs anything; it reads a body up to a limit and says by a closed set of words what
went wrong.
"""

import asyncio
import ssl
from typing import NamedTuple, cast

import httptools

from ragstone.systems.failures import Kind

FAILED_BYTES = 100_000
"""Bytes that are kept of a reply which was not complete."""
ERROR_BYTES = 64 * 1024
"""How much of an error page is read: enough for a sentence."""
UNUSED_BYTES = 256 * 1024
"""Bytes that may come in a row without a byte of a body: headers, trailers, chunk sizes and interim replies."""
UNUSED_READ = 64
"""What a read without a byte of a body counts at least; the parser copies a header again with each piece of it."""
PIECES = 65_536
"""Pieces below PIECE_BYTES that a body may come in."""
PIECE_BYTES = 16
HEADERS = 1000
"""Headers a reply may have; their names and values take more memory than their bytes."""
INTERIM = 100
"""Interim replies (1xx) that may come before the one that was asked for."""


class CallFailed(Exception):  # noqa: N818 - a failed call is a result, no error of this program
    """Raised when a call got no reply."""

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


class Connection(asyncio.Protocol):
    """An HTTP connection that is kept open and carries one request at a time."""

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
        """Whether an unexpected reply came."""
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
        """Check the deadline by then; an earlier check that is already planned will plan the next."""
        if self._timer is None or due < self._due:
            self._unwatch()
            self._timer, self._due = self._loop.call_at(due, self._look), due

    def _unwatch(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _begin(self) -> None:
        self._unused = self._small = self._interim = 0
        self._whole = self._kept = self._more = False
        self._clear()

    def _clear(self) -> None:
        self._status, self._reason, self._room = 0, b"", ERROR_BYTES
        self._headers: dict[str, str] = {}
        self._body = bytearray()

    def data_received(self, data: bytes) -> None:
        """Bytes have come."""
        if self._waiter is None:
            # Nobody asked: such a line cannot be trusted with the next question. Only a 408, by which servers say
            # that they are tired of waiting, is no reply that went astray.
            self.stray = self.stray or not data.startswith((b"HTTP/1.1 408", b"HTTP/1.0 408"))
            self.close()
            return
        self._heard, before = self._loop.time(), len(self._body)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            problem = str(error.__context__ or error) or type(error).__name__
            self._fail("not_http", "the body is longer than its Content-Length" if self._whole else problem)
        else:
            self._took(0 if len(self._body) > before else max(len(data), UNUSED_READ))

    def _took(self, unused: int) -> None:
        """End the reply when it is whole, or when too much came of which nothing is a body."""
        self._unused = self._unused + unused if unused else 0
        if self._whole:
            self._finish(cut=False)
        elif self._unused > UNUSED_BYTES:
            self._fail("not_http", f"more than {UNUSED_BYTES} bytes of headers")

    def on_message_begin(self) -> None:
        """A reply begins; a second one in the same breath must answer no later question."""
        self._more = self._whole

    def on_status(self, reason: bytes) -> None:
        """Part of the reason phrase has been read."""
        if not self._whole:
            self._reason += reason

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header has been read; trailers and the headers of a second reply are passed over."""
        if not self._status and not self._whole:
            self._headers[name.lower().decode("latin-1")] = value.decode("latin-1")
            if len(self._headers) > HEADERS:
                raise ValueError(f"more than {HEADERS} headers")

    def on_headers_complete(self) -> None:
        """The body begins."""
        if not self._whole:
            self._status = self._parser.get_status_code()
            self._room = self._limits.most if 200 <= self._status < 300 else ERROR_BYTES

    def on_body(self, piece: bytes) -> None:
        """Part of the body has been read."""
        if self._whole:
            return
        self._body += piece
        if len(piece) < PIECE_BYTES:
            self._small += 1
            if self._small > PIECES:
                raise ValueError(f"more than {PIECES} pieces of less than {PIECE_BYTES} bytes")
        if len(self._body) > self._room:
            self._finish(cut=True)

    def on_message_complete(self) -> None:
        """The reply is whole."""
        if 100 <= self._status < 200:
            self._clear()
            self._interim += 1
            if self._interim > INTERIM:
                raise ValueError(f"more than {INTERIM} interim replies")
        elif not self._whole:
            # The parser forgets after this whether the connection may be used again.
            self._whole, self._kept = True, self._parser.should_keep_alive()

    def eof_received(self) -> None:
        """The other side has said all it will."""

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone; a body of no announced length ends with it."""
        self.usable = False
        self._unwatch()
        headers = self._headers if self._waiter is not None and self._status else None
        open_ended = headers is not None and not {"content-length", "transfer-encoding"} & headers.keys()
        if open_ended and exc is None and _said_goodbye(self._transport):
            self._finish(cut=False)
        self._fail("reset", str(exc or "the server closed the connection"))

    def close(self) -> None:
        """Close the connection; a waiting call fails."""
        self.usable = False
        self._unwatch()
        if self._transport is not None:
            self._transport.abort()
        self._fail("reset", "the connection was closed")

    def _finish(self, *, cut: bool) -> None:
        waiter = self._rest()
        if waiter is None:
            return
        if cut or self._more or not self._kept:
            self.close()
        else:
            self.usable, self.rested = True, self._loop.time()
        reason = self._reason.decode("latin-1")
        body, self._body = bytes(self._body), bytearray()
        waiter.set_result(Reply(self._status, reason, self._headers, body, cut))

    def _fail(self, kind: Kind, problem: str) -> None:
        waiter = self._rest()
        if waiter is not None:
            self.close()
            # Its beginning is all that is shown of a reply that failed; many at once must not be held twice.
            body, self._body = bytes(self._body[:FAILED_BYTES]), bytearray()
            come = Reply(self._status, self._reason.decode("latin-1"), self._headers, body, cut=True)
            waiter.set_exception(CallFailed(kind, problem, come if self._status else None))

    def _rest(self) -> "asyncio.Future[Reply] | None":
        """Return who waits, once."""
        waiter, self._waiter = self._waiter, None
        return None if waiter is None or waiter.done() else waiter

    def _look(self) -> None:
        """Check whether the time is up; a byte received meanwhile has moved the deadline."""
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


def _said_goodbye(transport: asyncio.Transport | None) -> bool:
    """Return whether the server closed TLS itself; a closed TCP connection alone may come from anyone on the path."""
    secured: ssl.SSLObject | None = transport.get_extra_info("ssl_object") if transport is not None else None
    if secured is None:
        return True
    try:
        return not secured.read(1)
    except ssl.SSLZeroReturnError:
        return True
    except (ssl.SSLError, ValueError):
        return False
