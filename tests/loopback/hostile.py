"""An endpoint of hostile replies, each under its own name in the path: python -m tests.loopback.hostile."""

import asyncio
import gzip
import re
import sys
import zlib
from functools import cache
from urllib.parse import quote, unquote

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
MB = 1 << 20
ENDLESS = {
    "header value": (OK + b"X: ", b"x"),
    "header name": (OK, b"x"),
    "header fold": (OK + b"X: x", b"\r\n x"),
    "headers of one name": (OK, b"X: x\r\n"),
    "reason phrase": (b"HTTP/1.1 200 ", b"x"),
    "trailer value": (CHUNKED + b"1\r\nx\r\n0\r\nX: ", b"x"),
    "trailer name": (CHUNKED + b"1\r\nx\r\n0\r\n", b"x"),
    "trailers": (CHUNKED + b"1\r\nx\r\n0\r\n", b"X: x\r\n"),
    "chunk extension": (CHUNKED + b"1;", b"x"),
    "chunk size": (CHUNKED, b"0"),
    "interim replies": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "interim hints": (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    "empty lines": (b"", b"\r\n"),
    "one-byte chunks": (CHUNKED, b"1\r\nx\r\n"),
}
"""Replies that never end and bring no body worth the name: a beginning, and what follows it again and again."""


def _whole(body: bytes, more: bytes = b"") -> bytes:
    return OK + more + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def _said(content: bytes) -> bytes:
    return b'{"choices":[{"message":{"content":%b}}]}' % content


WHOLE = {
    "16-byte chunks": lambda: CHUNKED + b"10\r\n0123456789abcdef\r\n" * (8 * MB // 16) + b"0\r\n\r\n",
    "gzip bomb": lambda: _whole(gzip.compress(bytes(200 * MB), 1), b"Content-Encoding: gzip\r\n"),
    "gzip members": lambda: _whole(gzip.compress(b"") * 65_000, b"Content-Encoding: gzip\r\n"),
    "long answer": lambda: _whole(_said(b'"%b"' % (b"x" * (7 * MB)))),
    "list of parts": lambda: _whole(_said(b"[%b{}]" % (b"{}," * (7 * MB // 3)))),
    "wide array": lambda: _whole(b"[%b[]]" % (b"[]," * (7 * MB // 3))),
    "deep array": lambda: _whole(b"[" * (7 * MB)),
    "stream of empty lines": lambda: _whole(b"\n" * (8 * MB - 1)),
    "stream of numbers": lambda: _whole(b"1\n" * 99_000),
    "stream of texts": lambda: _whole(b'"%b"\n' % (b"x" * 80) * 99_000),
    "events without data": lambda: _whole(b"data:\n\n" * 49_000),
    "events of one key": lambda: _whole(b'data:{"a":"%b"}\n\n' % (b"x" * 140) * 49_000),
    "many headers": lambda: OK + b"".join(b"%d:\r\n" % n for n in range(30_000)) + b"\r\n",
}
"""Replies that are large when they are opened."""

HELLO = gzip.compress(b"hello", mtime=0)
_ZIPPED = b"Content-Encoding: gzip\r\n"
EXACT = {
    "plain": _whole(b"hello"),
    "interim reply before": b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + _whole(b"hello"),
    "long chunked reply, trailer": CHUNKED + b"100000\r\n%b\r\n0\r\nX-Sum: 1\r\n\r\n" % (b"x" * MB),
    "two gzip members": _whole(HELLO * 2, _ZIPPED),
    "gzip cut short": _whole(HELLO[:-4], _ZIPPED),
    "gzip with a wrong checksum": _whole(HELLO[:-8] + b"abcd" + HELLO[-4:], _ZIPPED),
    "body longer than its length": OK + b"Content-Length: 2\r\n\r\nhello",
    "body shorter than its length": OK + b"Content-Length: 9\r\n\r\nhello",
    "two lengths": OK + b"Content-Length: 5\r\nContent-Length: 2\r\n\r\nhello",
    "two replies in one breath": _whole(b"hello") + _whole(b"STRAY"),
    "no length, then the end": OK + b"\r\nhello",
    "version 1.0": b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    "version 9.9": b"HTTP/9.9 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    "no reason phrase": b"HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello",
    "status of two digits": b"HTTP/1.1 20 OK\r\nContent-Length: 5\r\n\r\nhello",
    "line feeds only": b"HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
    "space before a colon": OK + b"Content-Length : 5\r\n\r\nhello",
    "null in a header": OK + b"X: a\0b\r\nContent-Length: 5\r\n\r\nhello",
    "length below zero": OK + b"Content-Length: -5\r\n\r\nhello",
    "length that is no number": OK + b"Content-Length: five\r\n\r\nhello",
    "length with a plus": OK + b"Content-Length: +5\r\n\r\nhello",
    "length of 21 digits": OK + b"Content-Length: 100000000000000000000\r\n\r\nhello",
    "length beside chunks": OK + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "chunked is not the last": OK + b"Transfer-Encoding: chunked, x\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "chunk extension, harmless": CHUNKED + b"5;a=b\r\nhello\r\n0\r\n\r\n",
    "chunk size with 0x": CHUNKED + b"0x5\r\nhello\r\n0\r\n\r\n",
    "chunk size of 17 digits": CHUNKED + b"fffffffffffffffff\r\nhello\r\n0\r\n\r\n",
    "chunk longer than its size": CHUNKED + b"2\r\nhello\r\n0\r\n\r\n",
    "chunks cut short": CHUNKED + b"5\r\nhe",
    "chunks without their end": CHUNKED + b"5\r\nhello\r\n",
    "gzip, then rubbish": _whole(HELLO + b"rubbish", _ZIPPED),
    "gzip that is none": _whole(b"hello", _ZIPPED),
    "gzip with a wrong length": _whole(HELLO[:-4] + b"\x09\0\0\0", _ZIPPED),
    "gzip in gzip": _whole(gzip.compress(HELLO), b"Content-Encoding: gzip, gzip\r\n"),
    "deflate": _whole(zlib.compress(b"hello"), b"Content-Encoding: deflate\r\n"),
    "unknown compression": _whole(b"hello", b"Content-Encoding: snappy\r\n"),
    "redirect elsewhere": b"HTTP/1.1 307 Go\r\nLocation: /plain\r\nContent-Length: 0\r\n\r\n",
    "redirect to itself": b"HTTP/1.1 307 Go\r\nLocation: /redirect%20to%20itself\r\nContent-Length: 0\r\n\r\n",
    "101 switching protocols": b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nhello",
    "ninety-nine interim replies": b"HTTP/1.1 102 Wait\r\n\r\n" * 99 + _whole(b"hello"),
    "closed at once": b"",
    "closed in the status line": b"HTTP/1.1 20",
    "closed in the headers": OK + b"Content-Le",
    "not HTTP": b"SSH-2.0-OpenSSH_9.6\r\n",
}
"""Replies to the byte; the connection is closed behind them, except where another reply is to come."""
STRAY = "stray reply on an idle connection"
SLOW: dict[str, tuple[bytes, bytes]] = {
    "no reply at all": (b"", b""),
    "headers that drip": (OK + b"X: ", b"x"),
    "body that drips": (OK + b"Content-Length: 100\r\n\r\n", b"x"),
    "body that stops": (OK + b"Content-Length: 100\r\n\r\nhello", b""),
    "chunks that drip": (CHUNKED, b"1\r\nx\r\n"),
}
"""Replies that take for ever: a beginning, and what follows every half second."""
IDLE = "closed while idle"
RESET = "reset in the body"
HELD = "cancelled calls"
"""Where calls are held; `OPEN` tells how many still are."""
OPEN = "open calls"
PASSWORD = b"password.invalid"
"""A host that a proxy leads to only for those who have one."""
_held: dict[str, int] = {}


async def _request(reader: asyncio.StreamReader) -> bytes:
    """Read a request to its end, for one left unread has the system reset the connection and drop the reply."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    await reader.readexactly(int(length[1]) if length else 0)
    return head


async def _slow(name: str, writer: asyncio.StreamWriter) -> None:
    begin, more = SLOW[name]
    writer.write(begin)
    while not writer.is_closing():
        await asyncio.sleep(0.5)
        writer.write(more)
        await writer.drain()


async def _hold(who: str, reader: asyncio.StreamReader) -> None:
    """Keep a call until its other end lets go."""
    _held[who] = _held.get(who, 0) + 1
    try:
        await asyncio.wait_for(reader.read(), 30)
    except (TimeoutError, ConnectionError):
        pass
    finally:
        _held[who] -= 1


async def _exact(name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(EXACT.get(name, EXACT["plain"]))
    if name == STRAY:
        await asyncio.sleep(0.1)
        writer.write(_whole(b"STRAY"))
    if name == IDLE:
        await asyncio.sleep(0.1)
        return
    if b"STRAY" in EXACT.get(name, b"STRAY"):
        await _request(reader)
        writer.write(EXACT["plain"])
    await writer.drain()


@cache
def _made(name: str) -> bytes:
    return WHOLE[name]()


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one connection by the first part of its path."""
    try:
        head = await _request(reader)
        name, _, who = unquote(head.split(b" ")[1].decode("latin-1"))[1:].partition("/")
        if "://" in head.split(b" ")[1].decode("latin-1"):
            # An address with its scheme: we are somebody's proxy.
            asked = (PASSWORD in head and b"407 Who are you") or b"200 OK"
            writer.write(b"HTTP/1.1 %b\r\nContent-Length: 7\r\n\r\nproxied" % asked)
        elif name in SLOW:
            await _slow(name, writer)
        elif name == HELD:
            await _hold(who, reader)
        elif name == OPEN:
            writer.write(_whole(b"%d" % _held.get(who, 0)))
        elif name == RESET:
            writer.write(OK + b"Content-Length: 100\r\n\r\nhello")
            await asyncio.sleep(0.1)
            writer.transport.abort()
        elif name in ENDLESS:
            begin, more = ENDLESS[name]
            writer.write(begin)
            while not writer.is_closing():
                writer.write(more * (65_536 // len(more)))
                await writer.drain()
        elif name in EXACT or name in (STRAY, IDLE):
            await _exact(name, reader, writer)
        else:
            writer.write(_made(name))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


def address(url: str, name: str) -> str:
    """Return where a reply is to be had."""
    return f"{url}/{quote(name)}"


async def main() -> None:
    """Listen until the input ends, and say where."""
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    sys.stdout.write(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
