"""One connection and what may befall it, against servers that send exactly the bytes they are told to."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.masking import Secrets
from ragstone.systems.failures import AskError
from ragstone.systems.http.address import read_address
from ragstone.systems.http.connection import CallFailed, CallLimits, Connection, Reply
from ragstone.systems.http.endpoint import CallOptions, Endpoint
from ragstone.systems.http.origin import Origin
from tests.loopback.hostile import CHUNKED, ENDLESS, OK
from tests.systems.http.test_endpoint import make_certificate

LIMITS = CallLimits(total=5.0, silence=5.0, most=10_000)
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


async def ask(port: int, times: int = 1, limits: CallLimits = LIMITS) -> list[Reply]:
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
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi\r\n", b"hi"),
        (b"HTTP/1.1 102 Processing\r\n\r\n" * 50 + b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", b"hi"),
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
        (b"HTTP/1.1 200 OK\r\n" + b"".join(b"%d:\r\n" % n for n in range(2000)) + b"\r\n", "not_http"),
        (b"", "reset"),
    ],
)
async def test_every_way_a_reply_fails(raw: bytes, kind: str) -> None:
    """Not HTTP, cut short, contradicting itself, endless headers: each has its word."""
    async with listening(saying(raw)) as port:
        with pytest.raises(CallFailed) as caught:
            await ask(port)

    assert caught.value.kind == kind


def endless(begin: bytes, more: bytes) -> Handler:
    """Answer a request with a beginning, and then with the same bytes until nobody listens."""

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(begin)
        while not writer.is_closing():
            writer.write(more * (65_536 // len(more)))
            await writer.drain()

    return handler


@pytest.mark.parametrize(("begin", "more"), ENDLESS.values(), ids=ENDLESS)
async def test_nothing_goes_on_without_end(begin: bytes, more: bytes) -> None:
    """What grows without a body is given up long before the time is up."""
    async with listening(endless(begin, more)) as port:
        with pytest.raises(CallFailed) as caught:
            await ask(port, limits=LIMITS._replace(total=30.0, most=8 << 20))

    assert caught.value.kind == "not_http"


@pytest.mark.parametrize(("begin", "more"), [(OK + b"X: ", b"x"), (CHUNKED, b"0")], ids=["header", "chunk size"])
def test_drops_of_a_header_count(begin: bytes, more: bytes) -> None:
    """A header in single bytes is given up before the parser has copied it a quarter of a million times."""
    loop = asyncio.new_event_loop()
    line, fed = Connection(loop), 0
    line.connection_made(asyncio.Transport())
    with patch.object(asyncio.Transport, "write"), patch.object(asyncio.Transport, "abort"):
        waiter = line.ask(REQUEST, LIMITS)
        line.data_received(begin)
        while not waiter.done() and fed < 300_000:
            line.data_received(more)
            fed += 1
        waiter.exception()
    loop.close()

    assert fed < 10_000


@pytest.mark.parametrize(("interim", "fails"), [(100, False), (101, True)])
async def test_interim_replies_are_counted(interim: int, fails: bool) -> None:
    """A flood of them ends by their number, long before their bytes are too many."""
    raw = b"HTTP/1.1 102 Wait\r\n\r\n" * interim + b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
    async with listening(saying(raw)) as port:
        if fails:
            with pytest.raises(CallFailed, match="interim"):
                await ask(port)
        else:
            assert (await ask(port))[0].body == b"hi"


async def test_long_replies_may_have_trailers() -> None:
    """Chunks of more than 256 KB with a trailer behind them are a reply like any other."""
    chunks = b"10000\r\n%b\r\n" % (b"x" * 65_536) * 5
    async with listening(saying(CHUNKED + chunks + b"0\r\nX-Sum: 1\r\nX-More: 2\r\n\r\n")) as port:
        (reply,) = await ask(port, limits=LIMITS._replace(most=8 << 20))

    assert (len(reply.body), reply.cut, "x-sum" in reply.headers) == (5 * 65_536, False, False)


async def test_tokens_may_come_one_by_one() -> None:
    """A stream of forty thousand small chunks is read whole."""
    async with listening(saying(CHUNKED + b"4\r\nword\r\n" * 40_000 + b"0\r\n\r\n")) as port:
        (reply,) = await ask(port, limits=LIMITS._replace(most=8 << 20))

    assert reply.body == b"word" * 40_000


@pytest.mark.parametrize("connection", [b"", b"Connection: close\r\n"])
async def test_a_body_beyond_its_length_is_a_failure(connection: bytes) -> None:
    """A body that is longer than announced is not taken for the half that was."""
    async with listening(saying(OK + connection + b"Content-Length: 2\r\n\r\n12345")) as port:
        with pytest.raises(CallFailed, match="longer than its Content-Length"):
            await ask(port)


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
        with pytest.raises(CallFailed) as caught:
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
        first = await origin.send(REQUEST, LIMITS)
        await asyncio.sleep(0.1)
        with pytest.raises(CallFailed) as caught:
            await origin.send(REQUEST, LIMITS)
        later = [await origin.send(REQUEST, LIMITS) for _ in range(2)]
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
        first = await origin.send(REQUEST, LIMITS)
        await asyncio.sleep(0.1)
        second = await origin.send(REQUEST, LIMITS)
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
            await origin.send(REQUEST, LIMITS)
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


async def through_proxy(url: str, proxy: str, **options: str | float) -> bytes:
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


def tunnel(greet: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[int]]) -> Handler:
    """Carry a connection to a port of this machine, once whoever asks has been greeted."""

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if there := await greet(reader, writer):
            inner, outer = await asyncio.open_connection("127.0.0.1", there)
            await asyncio.gather(pump(reader, outer), pump(inner, writer))

    return handler


def connecting(answer: bytes, asked: list[bytes] | None = None) -> Handler:
    """Answer a CONNECT with this line."""

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        head = await reader.readuntil(b"\r\n\r\n")
        (asked if asked is not None else []).append(head)
        writer.write(answer + b"\r\n\r\n" if answer else b"")
        return int(head.split(b" ")[1].rpartition(b":")[2]) if b" 200 " in answer else 0

    return tunnel(greet)


HI = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi"
STANDS = b"HTTP/1.1 200 Connection established"


@pytest.mark.parametrize("secure", [False, True], ids=["http", "https"])
async def test_tunnel(tmp_path: Path, secure: bool) -> None:
    """A proxy for https is asked for a tunnel, in the clear or behind a certificate of its own authority."""
    certificate, context = make_certificate(tmp_path)
    authority, outer = make_certificate(tmp_path, "proxy")
    files = {"ca_file": str(certificate), "proxy_ca_file": str(authority)}
    scheme = "https" if secure else "http"

    async with listening(saying(HI), context) as far, listening(connecting(STANDS), outer if secure else None) as port:
        body = await through_proxy(f"https://127.0.0.1:{far}/", f"{scheme}://127.0.0.1:{port}", **files)

    assert body == b"hi"


async def test_a_plain_address_through_a_secure_proxy(tmp_path: Path) -> None:
    """The authority of a proxy is trusted for what it fetches, and only where it is named."""
    authority, outer = make_certificate(tmp_path, "proxy")
    async with listening(saying(HI), outer) as port:
        body = await through_proxy("http://far.invalid/", f"https://127.0.0.1:{port}", proxy_ca_file=str(authority))
        with pytest.raises(AskError) as caught:
            await through_proxy("http://far.invalid/", f"https://127.0.0.1:{port}")

    assert body == b"hi" and caught.value.failure.kind == "tls"


@pytest.mark.parametrize(
    ("answer", "kind", "said"),
    [
        (b"HTTP/1.1 407 Who are you", "http_4xx", "the proxy needs a user and password: Who are you"),
        (b"HTTP/1.1 502 Bad Gateway", "refused", "the proxy said 'HTTP/1.1 502 Bad Gateway'"),
        (b"nonsense", "refused", "the proxy said 'nonsense'"),
        (b"x" * 70_000, "refused", "has no end"),
        (b"", "refused", "the proxy hung up"),
    ],
)
async def test_no_tunnel(answer: bytes, kind: str, said: str) -> None:
    """A proxy that refuses is named; one that wants a password says where to put it."""
    async with listening(connecting(answer)) as port:
        with pytest.raises(AskError) as caught:
            await through_proxy("https://127.0.0.1:1/", f"http://127.0.0.1:{port}")

    assert caught.value.failure.kind == kind and said in caught.value.failure.message


async def test_a_proxy_that_fetches_wants_a_password() -> None:
    """A 407 has a sentence of its own for plain addresses as well."""
    async with listening(saying(b"HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")) as port:
        with pytest.raises(AskError, match="user and password into the proxy's address"):
            await through_proxy("http://far.invalid/", f"http://127.0.0.1:{port}")


async def test_a_tunnel_to_an_ipv6_address() -> None:
    """The address stands in brackets, where its own colons end."""
    asked: list[bytes] = []
    async with listening(connecting(b"HTTP/1.1 502 No", asked)) as port:
        with pytest.raises(AskError):
            await through_proxy("https://[::1]:8443/", f"http://127.0.0.1:{port}")

    assert asked[0].startswith(b"CONNECT [::1]:8443 HTTP/1.1\r\nHost: [::1]:8443\r\n")


@pytest.mark.parametrize("goodbye", [True, False])
async def test_a_secured_reply_of_no_length_ends_with_a_goodbye(tmp_path: Path, goodbye: bool) -> None:
    """Whoever stands on the way can cut a connection, and must not make a part of an answer the whole."""
    certificate, context = make_certificate(tmp_path)

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n\r\nhello")
        await writer.drain()
        await reader.readexactly(2)
        if not goodbye:
            writer.transport.abort()

    options = CallOptions(proxy="none", ca_file=str(certificate))
    async with listening(handler, context) as port:
        endpoint = Endpoint(f"https://127.0.0.1:{port}/", headers={}, secrets=Secrets(), options=options)
        try:
            if goodbye:
                assert await endpoint.call(b"{}") == b"hello"
            else:
                with pytest.raises(AskError) as caught:
                    await endpoint.call(b"{}")
                assert caught.value.failure.kind == "reset"
        finally:
            await endpoint.close()


async def test_little_is_kept_of_a_reply_that_failed() -> None:
    """Its beginning is enough to show; eight long ones that time out at once are not held twice."""
    async with listening(saying(b"HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n" + b"x" * 8_000_000)) as port:
        with pytest.raises(CallFailed) as caught:
            await ask(port, limits=CallLimits(30.0, 30.0, 1 << 24))

    assert caught.value.reply is not None and 0 < len(caught.value.reply.body) <= 100_000


def socks(method: int = 0, welcome: int = 0, problem: int = 0, asked: list[bytes] | None = None) -> Handler:
    """Speak SOCKS5; a name leads to this machine."""

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        await reader.readexactly((await reader.readexactly(2))[1])
        writer.write(bytes([5, method]))
        if method == 2:
            user = await reader.readexactly((await reader.readexactly(2))[1])
            password = await reader.readexactly((await reader.readexactly(1))[0])
            (asked if asked is not None else []).append(user + b":" + password)
            writer.write(bytes([1, welcome]))
        kind = (await reader.readexactly(4))[3]
        host = await reader.readexactly({1: 4, 4: 16}.get(kind) or (await reader.readexactly(1))[0])
        (asked if asked is not None else []).append(host)
        port = int.from_bytes(await reader.readexactly(2))
        writer.write(bytes([5, problem, 0, 3, 2, *b"me", 0, 0]))
        return 0 if problem else port

    return tunnel(greet)


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_socks(tmp_path: Path, scheme: str) -> None:
    """A SOCKS5 proxy carries plain and secure connections, is given user and password, and looks up names itself."""
    certificate, context = make_certificate(tmp_path)
    asked: list[bytes] = []
    tls = context if scheme == "https" else None
    async with listening(saying(HI), tls) as far, listening(socks(2, asked=asked)) as port:
        host = "127.0.0.1" if tls else "far.invalid"
        proxy = f"socks5h://me:pw@127.0.0.1:{port}"
        body = await through_proxy(f"{scheme}://{host}:{far}/", proxy, ca_file=str(certificate))

    assert body == b"hi" and asked == [b"me:pw", b"\x7f\0\0\1" if tls else b"far.invalid"]


def blurting(said: bytes) -> Handler:
    """Say something to the first byte and hang up."""

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(1)
        writer.write(said)

    return handler


@pytest.mark.parametrize(
    ("handler", "said"),
    [
        (socks(2, welcome=1), "407"),
        (socks(255), "407"),
        (socks(problem=5), "connection refused"),
        (blurting(b"HTTP/1.1 400 Bad Request\r\n\r\n"), "does not speak SOCKS5"),
        (blurting(b""), "hung up"),
        (blurting(b"\5"), "hung up"),
    ],
)
async def test_no_socks(handler: Handler, said: str) -> None:
    """A SOCKS5 proxy that refuses says why; one that speaks something else is told apart."""
    async with listening(handler) as port:
        with pytest.raises(AskError) as caught:
            await through_proxy("http://far.invalid/", f"socks5://me:pw@127.0.0.1:{port}", connect_timeout=2.0)

    assert said in caught.value.failure.message


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Carry bytes one way until they end."""
    while piece := await reader.read(65536):
        writer.write(piece)
    writer.close()


async def test_names_are_looked_up() -> None:
    """A name with several addresses is tried until one answers."""
    async with listening(saying(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")) as port:
        origin = Origin(read_address(f"http://localhost:{port}/"), tls=None, proxy=None, connect_timeout=5.0)
        reply = await origin.send(REQUEST, LIMITS)
        await origin.close()

    assert reply.body == b"hi"


@settings(deadline=None)
@given(raw=st.one_of(st.binary(max_size=200), st.binary(max_size=80).map(lambda b: b"HTTP/1.1 200 OK\r\n" + b)))
def test_any_bytes(raw: bytes) -> None:
    """Whatever a server sends is a reply or a mishap."""

    async def once() -> None:
        async with listening(saying(raw)) as port:
            try:
                await ask(port, limits=CallLimits(2.0, 2.0, 100))
            except CallFailed as mishap:
                assert mishap.kind in {"not_http", "reset"}

    asyncio.run(once())
