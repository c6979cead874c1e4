"""One connection and what may befall it, against servers that send exactly the bytes they are told to."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.systems.failures import AskError
from ragstone.systems.http.address import read_address
from ragstone.systems.http.connection import CallLimits, Mishap, Reply
from ragstone.systems.http.endpoint import CallOptions, Endpoint
from ragstone.systems.http.origin import Origin
from ragstone.systems.masking import Secrets
from tests.systems.http.test_endpoint import make_certificate

TERMS = CallLimits(total=5.0, silence=5.0, most=10_000)
REQUEST = b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n"
Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listening(handler: Handler, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """Listen on a free port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await handler(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls) as server:
        yield server.sockets[0].getsockname()[1]


def saying(*replies: bytes) -> Handler:
    """Answer one connection's requests with these bytes, then hang up."""

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for reply in replies:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(reply)
            await writer.drain()

    return handler


async def ask(port: int, times: int = 1, limits: CallLimits = TERMS) -> list[Reply]:
    """Ask so many times in a row."""
    origin = Origin(read_address(f"http://127.0.0.1:{port}/"), tls=None, proxy=None, connect_timeout=5.0)
    try:
        return [await origin.send(REQUEST, limits) for _ in range(times)]
    finally:
        await origin.close()


@pytest.mark.parametrize(
    ("raw", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", b"hi"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n1\r\ni\r\n0\r\n\r\n", b"hi"),
        (b"HTTP/1.1 200 OK\r\n\r\nuntil the end", b"until the end"),
        (b"HTTP/1.0 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi", b"hi"),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", b"hi"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", b""),
    ],
)
async def test_every_way_a_body_ends(raw: bytes, body: bytes) -> None:
    """Announced, in chunks, with the connection, after an interim reply, or not there at all."""
    async with listening(saying(raw)) as port:
        (reply,) = await ask(port)

    assert (reply.body, reply.status // 100, reply.cut) == (body, 2, False)


async def test_connections_are_kept() -> None:
    """Three questions take one connection, unless the server wants to hang up."""
    kept = b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"
    seen: list[int] = []

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(0)
        for body in (b"1", b"2", b"3"):
            await reader.readuntil(b"\r\n\r\n")
            seen[-1] += 1
            writer.write(kept + body if body != b"2" else kept.replace(b"OK", b"OK\r\nConnection: close") + body)
            if body == b"2":
                return

    async with listening(handler) as port:
        replies = await ask(port, 5)

    assert (seen, [reply.body for reply in replies]) == ([2, 2, 1], [b"1", b"2", b"1", b"2", b"1"])


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b"SSH-2.0-OpenSSH\r\n", "not_http"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi", "reset"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 2\r\n\r\nhi", "not_http"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "not_http"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi", "reset"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 300_000 + b"\r\n\r\n", "not_http"),
        (b"", "reset"),
    ],
)
async def test_every_way_a_reply_fails(raw: bytes, kind: str) -> None:
    """Not HTTP, cut short, contradicting itself, endless headers: each has its word."""
    async with listening(saying(raw)) as port:
        with pytest.raises(Mishap) as caught:
            await ask(port)

    assert caught.value.kind == kind


async def test_bodies_are_cut() -> None:
    """What goes on beyond the limit is not read, and its connection not used again."""
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
    async with listening(saying(head + b"x" * 500_000)) as port:
        (reply,) = await ask(port)

    assert reply.cut and 10_000 < len(reply.body) < 600_000


@pytest.mark.parametrize(
    ("begun", "limits", "kind"),
    [
        (b"", CallLimits(5.0, 0.1, 10), "timeout_first_byte"),
        (b"", CallLimits(0.1, 5.0, 10), "timeout_total"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", CallLimits(5.0, 0.1, 10), "timeout_total"),
    ],
)
async def test_the_clock(begun: bytes, limits: CallLimits, kind: str) -> None:
    """Silence before the reply, silence within it, and too long in all are told apart."""
    over = asyncio.Event()

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(begun)
        await over.wait()

    async with listening(handler) as port:
        with pytest.raises(Mishap) as caught:
            await ask(port, limits=limits)
        over.set()

    assert caught.value.kind == kind


async def test_words_nobody_asked_for() -> None:
    """A line that speaks between two questions is dropped and told of once; then each question has its own line."""
    whole = b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"
    lines = 0

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal lines
        lines += 1
        await reader.readuntil(b"\r\n\r\n")
        writer.write(whole + b"a")
        await asyncio.sleep(0.05)
        writer.write(whole + b"!")
        await asyncio.sleep(0.05)

    async with listening(handler) as port:
        origin = Origin(read_address(f"http://127.0.0.1:{port}/"), tls=None, proxy=None, connect_timeout=5.0)
        first = await origin.send(REQUEST, TERMS)
        await asyncio.sleep(0.1)
        with pytest.raises(Mishap) as caught:
            await origin.send(REQUEST, TERMS)
        later = [await origin.send(REQUEST, TERMS) for _ in range(2)]
        await origin.close()

    assert caught.value.kind == "stray"
    assert [reply.body for reply in (first, *later)] == [b"a", b"a", b"a"]
    assert lines == 3


async def test_a_server_tired_of_waiting_is_no_stray_reply() -> None:
    """A 408 on an idle line is how some servers hang up; nothing is made of it."""

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
        await asyncio.sleep(0.02)
        writer.write(b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")

    async with listening(handler) as port:
        origin = Origin(read_address(f"http://127.0.0.1:{port}/"), tls=None, proxy=None, connect_timeout=5.0)
        first = await origin.send(REQUEST, TERMS)
        await asyncio.sleep(0.1)
        second = await origin.send(REQUEST, TERMS)
        await origin.close()

    assert (first.body, second.body) == (b"a", b"a")


async def test_a_line_for_each_question() -> None:
    """Without keep_alive no line is used twice."""
    lines = 0

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal lines
        lines += 1
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
        await reader.read()

    async with listening(handler) as port:
        address = read_address(f"http://127.0.0.1:{port}/")
        origin = Origin(address, tls=None, proxy=None, connect_timeout=5.0, keep_alive=False)
        for _ in range(3):
            await origin.send(REQUEST, TERMS)
        await origin.close()

    assert lines == 3


async def test_a_second_reply_in_one_breath() -> None:
    """A duplicated reply cannot answer the next question."""
    whole = b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"
    async with listening(saying(whole + b"a" + whole + b"b", whole + b"c")) as port:
        replies = await ask(port, 2)

    assert [reply.body for reply in replies] == [b"a", b"a"]


async def test_cancelled_calls_hang_up() -> None:
    """Whoever stops waiting leaves no line behind on which the reply could come later."""
    gone = asyncio.Event()

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        await reader.read()
        gone.set()

    async with listening(handler) as port:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await ask(port)
        await asyncio.wait_for(gone.wait(), 5)


async def through_proxy(url: str, proxy: str, **options: str) -> bytes:
    """Call an address through a proxy."""
    wishes = CallOptions(proxy=proxy, **options)  # type: ignore[arg-type]
    endpoint = Endpoint(url, headers={}, secrets=Secrets(), options=wishes)
    try:
        return await endpoint.call(b"{}")
    finally:
        await endpoint.close()


async def test_plain_proxy() -> None:
    """A proxy for http is told the whole address, and who is asking."""
    heads: list[bytes] = []

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")

    async with listening(handler) as port:
        body = await through_proxy("http://far.invalid/v1?a=1", f"http://me:pw@127.0.0.1:{port}")

    assert body == b"hi" and heads[0].startswith(b"POST http://far.invalid/v1?a=1 HTTP/1.1\r\nHost: far.invalid\r\n")
    assert b"Proxy-Authorization: Basic bWU6cHc=" in heads[0]


@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 200 Connection established", b"HTTP/1.1 407 Who are you", b"nonsense", b""]
)
async def test_tunnel(tmp_path: Path, answer: bytes) -> None:
    """A proxy for https is asked for a tunnel; one that refuses is named."""
    certificate, context = make_certificate(tmp_path)

    async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await reader.readuntil(b"\r\n\r\n")
        writer.write(answer + b"\r\n\r\n" if answer else b"")
        if b" 200 " not in answer:
            return
        there = int(asked.split(b" ")[1].split(b":")[1])
        inner, outer = await asyncio.open_connection("127.0.0.1", there)
        await asyncio.gather(pump(reader, outer), pump(inner, writer))

    reply = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi"
    async with listening(saying(reply), context) as far, listening(tunnel) as port:
        call = through_proxy(f"https://127.0.0.1:{far}/", f"http://127.0.0.1:{port}", ca_file=str(certificate))
        if b" 200 " in answer:
            assert await call == b"hi"
            return
        with pytest.raises(AskError) as caught:
            await call

    assert caught.value.failure.kind == "refused" and "proxy" in caught.value.failure.message


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Carry bytes one way until they end."""
    while piece := await reader.read(65536):
        writer.write(piece)
    writer.close()


async def test_names_are_looked_up() -> None:
    """A name with several addresses is tried until one answers."""
    async with listening(saying(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")) as port:
        origin = Origin(read_address(f"http://localhost:{port}/"), tls=None, proxy=None, connect_timeout=5.0)
        reply = await origin.send(REQUEST, TERMS)
        await origin.close()

    assert reply.body == b"hi"


@settings(max_examples=60, deadline=None)
@given(raw=st.one_of(st.binary(max_size=200), st.binary(max_size=80).map(lambda b: b"HTTP/1.1 200 OK\r\n" + b)))
def test_any_bytes(raw: bytes) -> None:
    """Whatever a server sends is a reply or a mishap."""

    async def once() -> None:
        async with listening(saying(raw)) as port:
            try:
                await ask(port, limits=CallLimits(2.0, 2.0, 100))
            except Mishap as mishap:
                assert mishap.kind in {"not_http", "reset"}

    asyncio.run(once())
