"""One address that is called over HTTP: one session, bounded replies, and every mishap as one of a closed set of words.

Nothing of a reply is followed, fetched or run: redirects are reported, bodies are bytes up to a limit.
"""

import asyncio
import io
import ssl
import time
import urllib.request
import zlib
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime

import aiohttp
import msgspec
from msgspec import Struct
from yarl import URL

from ragstone.errors import ConnectError
from ragstone.language import excerpt
from ragstone.systems.failures import AskError, Kind, fail
from ragstone.systems.masking import MASK, Secrets, names_secret, safe_url
from ragstone.types import JSON, Failure

MIB = 1024 * 1024
ERROR_BYTES = 64 * 1024
"""How much of an error page is read: enough for a sentence."""
LONGEST_WISH = 1e6
"""Seconds; what a server wishes beyond is no number worth keeping."""
LARGE_BODY = 512 * 1024
"""From here on a body is handed to aiohttp as a file, which it sends in pieces."""

_FILTERED = frozenset({"content_filter", "content_policy_violation", "data_inspection_failed", "contentfilter", "1301"})


class CallOptions(Struct, frozen=True, kw_only=True):
    """How an endpoint is called."""

    connect_timeout: float = 10.0
    """Seconds until the connection stands."""
    first_byte_timeout: float = 120.0
    """Seconds of silence allowed, before the reply begins and within it."""
    timeout: float = 120.0
    """Seconds one attempt may take in all."""
    max_reply_bytes: int = 8 * MIB
    """Longest reply that is read, after decompression."""
    proxy: str = "env"
    """`env` follows HTTP(S)_PROXY and NO_PROXY, `none` uses none, anything else is the proxy's address."""
    verify_tls: bool = True
    ca_file: str | None = None
    """Certificates to trust instead of the system's."""


class Exchange(Struct, frozen=True, kw_only=True):
    """One call as it went over the wire, with its secrets hidden: for people who look for a mistake."""

    method: str
    url: str
    headers: dict[str, str]
    sent: str
    received: str
    failure: Failure | None = None
    seconds: float


class Endpoint:
    """Calls one address; the session is opened by the first call and belongs to its event loop."""

    def __init__(
        self,
        url: str,
        *,
        headers: Mapping[str, str],
        secrets: Secrets,
        options: CallOptions,
        method: str = "POST",
    ) -> None:
        self.secrets = secrets
        self.options = options
        self.url = _read_url(url, secrets)
        self.where = safe_url(self.url, secrets)
        self._method = method
        self._headers = {"Accept-Encoding": "gzip, deflate", "User-Agent": "ragstone", **headers}
        self._ssl = _tls(options)
        self._proxy = _proxy(self.url, options.proxy)
        self._session: aiohttp.ClientSession | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.watch: Callable[[Exchange], None] | None = None
        """Who is shown each exchange, if anybody."""

    def __repr__(self) -> str:
        return f"Endpoint({self.where!r})"

    def beside(self, url: str) -> "Endpoint":
        """Return an endpoint at another address with the same headers and options."""
        return Endpoint(url, headers=self._headers, secrets=self.secrets, options=self.options, method=self._method)

    async def call(self, body: bytes | None, url: URL | None = None) -> bytes:
        """Send a body and return the body of a reply with status 2xx; anything else raises AskError."""
        return await (self._call(body, url) if self.watch is None else self._shown(body, url))

    async def _shown(self, body: bytes | None, url: URL | None) -> bytes:
        began = time.perf_counter()
        try:
            reply = await self._call(body, url)
        except AskError as error:
            self._show(body, url, b"", error.failure, time.perf_counter() - began)
            raise
        self._show(body, url, reply, None, time.perf_counter() - began)
        return reply

    def _show(self, body: bytes | None, url: URL | None, reply: bytes, failure: Failure | None, seconds: float) -> None:
        assert self.watch is not None
        hide = self.secrets.hide
        headers = {k: MASK if names_secret(k) else hide(v) for k, v in self._headers.items()}
        sent, received = (hide(raw.decode("utf-8", "replace")) for raw in (body or b"", reply))
        where = safe_url(url or self.url, self.secrets)
        self.watch(
            Exchange(
                method=self._method,
                url=where,
                headers=headers,
                sent=sent,
                received=received,
                failure=failure,
                seconds=seconds,
            )
        )

    async def _call(self, body: bytes | None, url: URL | None) -> bytes:
        session = self._session
        if session is None or self._loop is not asyncio.get_running_loop():
            session = self._open()
        data = io.BytesIO(body) if body is not None and len(body) > LARGE_BODY else body
        began = time.perf_counter()
        headed = False
        try:
            async with session.request(self._method, url or self.url, data=data, allow_redirects=False) as response:
                headed = True
                if 200 <= response.status < 300:
                    return await self._read(response)
                raise AskError(await self._status(response))
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            raise AskError(self._mishap(error, headed, time.perf_counter() - began)) from None

    async def close(self) -> None:
        """Close the session."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _open(self) -> aiohttp.ClientSession:
        options = self.options
        self._loop = asyncio.get_running_loop()
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300, ssl=self._ssl),
            headers=self._headers,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(
                total=options.timeout, sock_connect=options.connect_timeout, sock_read=options.first_byte_timeout
            ),
            auto_decompress=False,
            proxy=self._proxy,
        )
        return self._session

    async def _read(self, response: aiohttp.ClientResponse) -> bytes:
        limit = self.options.max_reply_bytes
        length = response.content_length
        if length is not None and length <= limit:
            raw = await response.read()
        else:
            raw = await _read_up_to(response, limit)
        encoding = response.headers.get("Content-Encoding")
        data = _inflate(raw, encoding, limit) if encoding else raw
        if len(data) > limit:
            response.close()
            raise AskError(fail("too_large", where=self.where, limit=limit))
        return data

    async def _status(self, response: aiohttp.ClientResponse) -> Failure:
        status = response.status
        raw = await _read_up_to(response, ERROR_BYTES)
        response.close() if len(raw) > ERROR_BYTES else None
        said, named = _complaint(_inflate(raw, response.headers.get("Content-Encoding"), ERROR_BYTES))
        kind: Kind = "rate_limited" if status == 429 else _FAMILIES.get(status // 100, "not_http")
        if kind == "http_4xx" and named & _FILTERED:
            kind = "content_filtered"
        problem = excerpt(self.secrets.hide(said or response.reason or ""), 300)
        place = response.headers.get("Location", "")
        wait = _retry_after(response.headers)
        target = safe_url(place, self.secrets) if kind == "http_3xx" else ""
        return fail(kind, str(status), wait, where=self.where, problem=problem, target=target)

    def _mishap(self, error: BaseException, headed: bool, seconds: float) -> Failure:
        kind = _kind_of(error, headed)
        problem = excerpt(self.secrets.hide(str(error) or type(error).__name__), 200)
        host = self.url.host or ""
        return fail(kind, where=self.where, problem=problem, host=host, seconds=f"{seconds:.3g}")


_FAMILIES: dict[int, Kind] = {3: "http_3xx", 4: "http_4xx", 5: "http_5xx"}


def _kind_of(error: BaseException, headed: bool) -> Kind:
    """Translate what aiohttp raises; the order matters, for its classes inherit from several parents."""
    table: tuple[tuple[type[BaseException], Kind], ...] = (
        (aiohttp.ConnectionTimeoutError, "timeout_connect"),
        (aiohttp.SocketTimeoutError, "timeout_total" if headed else "timeout_first_byte"),
        (TimeoutError, "timeout_total"),
        (aiohttp.ClientSSLError, "tls"),
        (ssl.SSLError, "tls"),
        (aiohttp.ClientConnectorDNSError, "dns"),
        (aiohttp.ClientConnectorError, "refused"),
        (aiohttp.ClientHttpProxyError, "refused"),
        (aiohttp.ClientResponseError, "not_http"),
        (aiohttp.ClientConnectionError, "reset"),
        (aiohttp.ClientPayloadError, "reset"),
        (OSError, "reset"),
    )
    return next((kind for parent, kind in table if isinstance(error, parent)), "not_http")


async def _read_up_to(response: aiohttp.ClientResponse, limit: int) -> bytes:
    """Read a body, but stop beyond the limit; what is left is never fetched."""
    pieces: list[bytes] = []
    size = 0
    while piece := await response.content.readany():
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            response.close()
            break
    return b"".join(pieces)


def _inflate(raw: bytes, encoding: str | None, limit: int) -> bytes:
    """Decompress no further than one byte beyond the limit; an unknown encoding stays as it is."""
    if not encoding or encoding.lower() not in {"gzip", "x-gzip", "deflate"}:
        return raw
    for window in (zlib.MAX_WBITS | 32, -zlib.MAX_WBITS):
        try:
            return zlib.decompressobj(window).decompress(raw, limit + 1)
        except zlib.error:
            continue
    return raw


def _complaint(raw: bytes) -> tuple[str, frozenset[str]]:
    """Find in an error body the sentence for people and the words for machines."""
    try:
        value: JSON = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        text = raw[:2000].decode("utf-8", "replace").strip()
        return ("" if text.startswith("<") else text), frozenset()
    error = value.get("error", value) if isinstance(value, dict) else value
    if not isinstance(error, dict):
        return (error if isinstance(error, str) else ""), frozenset()
    said = next((error[k] for k in ("message", "detail", "msg", "error") if isinstance(error.get(k), str)), "")
    named = frozenset(str(error.get(k)).lower() for k in ("code", "type") if error.get(k) is not None)
    return (said or msgspec.json.encode(error)[:500].decode("utf-8", "replace")), named


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Read when to come back: milliseconds, seconds or an HTTP date."""
    try:
        if "retry-after-ms" in headers:
            return min(max(0.0, float(headers["retry-after-ms"]) / 1000), LONGEST_WISH)
        value = headers.get("Retry-After", "").strip()
        if not value:
            return None
        if value.replace(".", "", 1).isdecimal():
            return min(float(value), LONGEST_WISH)
        return min(max(0.0, parsedate_to_datetime(value).timestamp() - time.time()), LONGEST_WISH)
    except (ValueError, TypeError, OverflowError):
        return None


def _read_url(text: str, secrets: Secrets) -> URL:
    try:
        url = URL(text)
        fits = url.scheme in {"http", "https"} and bool(url.host)
    except ValueError:
        fits = False
    if not fits:
        raise ConnectError("ask.url", url=secrets.hide(text))
    for name, value in (("password", url.password or ""), *url.query.items()):
        if value and names_secret(name):
            secrets.add(value)
    return url


def join_url(base: str, tail: str) -> str:
    """Put a path behind an address that may end in a slash or carry a query.

    >>> join_url("http://h/v1/?a=1", "chat")
    'http://h/v1/chat?a=1'
    """
    path, mark, query = base.partition("?")
    return f"{path.rstrip('/')}/{tail}{mark}{query}"


def _tls(options: CallOptions) -> ssl.SSLContext | bool:
    if not options.verify_tls:
        return False
    if options.ca_file is None:
        return True
    try:
        return ssl.create_default_context(cafile=options.ca_file)
    except (OSError, ssl.SSLError) as error:
        raise ConnectError("ask.ca_file", file=options.ca_file, problem=str(error)) from error


def _proxy(url: URL, wish: str) -> str | None:
    """Choose the proxy once, rather than at every call."""
    if wish != "env":
        return None if wish == "none" else wish
    # What runs on this machine is never meant to be asked through a proxy.
    if url.host in {"localhost", "127.0.0.1", "::1"} or urllib.request.proxy_bypass(url.host or ""):
        return None
    return urllib.request.getproxies().get(url.scheme)
