"""An endpoint of hostile replies, each under its own name in the path: python -m tests.loopback.hostile."""

import asyncio
import gzip
import sys
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
}
"""Replies to the byte; the connection is closed behind them, except where another reply is to come."""
STRAY = "stray reply on an idle connection"


async def _exact(name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(EXACT.get(name, EXACT["plain"]))
    if name == STRAY:
        await asyncio.sleep(0.1)
        writer.write(_whole(b"STRAY"))
    if b"STRAY" in EXACT.get(name, b"STRAY"):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(EXACT["plain"])
    await writer.drain()


@cache
def _made(name: str) -> bytes:
    return WHOLE[name]()


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one connection by the first part of its path."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        name = unquote(head.split(b" ")[1].split(b"/")[1].decode("latin-1"))
        if name in ENDLESS:
            begin, more = ENDLESS[name]
            writer.write(begin)
            while not writer.is_closing():
                writer.write(more * (65_536 // len(more)))
                await writer.drain()
        elif name in EXACT or name == STRAY:
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
