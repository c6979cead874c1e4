"""One address that is called over HTTP: kept connections, bounded replies, every failure of a known kind.

Nothing of a reply is followed, fetched or run: redirects are reported, bodies are bytes up to a limit.
"""

import asyncio
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from ragstone.core import offline
from ragstone.core.errors import ConnectError
from ragstone.core.language import excerpt
from ragstone.core.masking import MASK, Secrets, names_secret
from ragstone.core.types import JSON, Failure
from ragstone.systems.environment import read_environment
from ragstone.systems.failures import AskError, Kind, fail
from ragstone.systems.http.address import Address, read_address, safe_url
from ragstone.systems.http.certificates import show_certificate, trusting
from ragstone.systems.http.compression import inflate
from ragstone.systems.http.connection import ERROR_BYTES, CallFailed, CallLimits, Reply
from ragstone.systems.http.origin import Origin
from ragstone.systems.http.proxies import choose_proxy
from ragstone.systems.options import Limit, Number

MIB = 1024 * 1024
MOST_VALUES = 500_000
"""Values a JSON reply may hold: an empty list takes three bytes on the way and seventy when it is read."""
SHOWN = 20_000
"""Characters of a body that are shown to people."""
LONGEST_WISH = 1e6
"""Seconds; a longer Retry-After of a server is ignored."""

_LINE_END = frozenset("\r\n\0")
_FILTERED = frozenset({"content_filter", "content_policy_violation", "data_inspection_failed", "contentfilter", "1301"})


class CallOptions(Struct, frozen=True, kw_only=True):
    """How an endpoint is called."""

    connect_timeout: Limit = 10.0
    """Seconds until the connection stands."""
    first_byte_timeout: Limit = 120.0
    """Seconds of silence allowed, before the reply begins and within it."""
    timeout: Limit = 120.0
    """Seconds one attempt may take in all."""
    max_reply_bytes: Number = 8 * MIB
    """Longest reply that is read, after decompression."""
    keep_alive: bool = True
    """Whether a connection serves one call after another; `false` for services whose replies go astray."""
    proxy: str = "env"
    """`env` follows HTTP(S)_PROXY, ALL_PROXY and NO_PROXY, `none` uses none, anything else is the proxy's address."""
    proxy_ca_file: str | None = None
    """Certificates to trust, instead of the system's, when the proxy itself is reached by https."""
    verify_tls: bool = True
    ca_file: str | None = None
    """Certificates to trust instead of the system's."""
    client_cert: str | None = None
    """A certificate of one's own (PEM), for servers that ask who is there."""
    client_key: str | None = None
    """Its key, where it is not in the same file."""
    client_key_password_env: str = ""
    """The variable that holds the password of that key."""

    @property
    def has_own_limits(self) -> bool:
        """Whether it was said how long an attempt may take."""
        usual = CallOptions()
        return (self.timeout, self.first_byte_timeout) != (usual.timeout, usual.first_byte_timeout)


class Exchange(Struct, frozen=True, kw_only=True):
    """One call as it went over the wire, with its secrets hidden: for people who look for a mistake."""

    method: str
    url: str
    headers: dict[str, str]
    sent: str
    status: str = ""
    """The first line of the reply; empty when none came."""
    reply_headers: dict[str, str] = {}
    received: str
    """The body of the reply, or its beginning when it is long."""
    failure: Failure | None = None
    seconds: float


class Endpoint:
    """Calls one address; its connections are opened by the calls and belong to their event loop."""

    def __init__(
        self,
        url: str,
        *,
        headers: Mapping[str, str],
        secrets: Secrets,
        options: CallOptions,
        method: str = "POST",
        key: Sequence[str] | None = None,
    ) -> None:
        """`key` names the variables that hold the key; an empty one says that none is sent."""
        self.secrets = secrets
        self._key = key
        self.options = options
        self.url = _read_url(url, secrets)
        self.where = safe_url(self.url, secrets)
        self._method = method
        self._headers = {"Accept-Encoding": "gzip, deflate", "User-Agent": "ragstone", **headers}
        if unfit := [name for name, value in headers.items() if _LINE_END & {*name, *value}]:
            raise ConnectError("ask.header", name=unfit[0])
        named = options.ca_file or options.client_cert
        self._tls = _tls(options, secrets) if self.url.scheme == "https" or named else None
        self._proxy = choose_proxy(self.url, options.proxy)
        if self._proxy is not None:
            _learn_secrets(self._proxy, secrets)
        own = self._proxy is not None and self._proxy.scheme == "https"
        self._proxy_tls = trusting(options.proxy_ca_file) if own or options.proxy_ca_file else None
        for dialled in filter(None, (self.url, self._proxy)):
            offline.require(dialled.host, self.where)
        self._limits = CallLimits(options.timeout, options.first_byte_timeout, options.max_reply_bytes)
        self._connect_timeout = options.connect_timeout
        self._own_head = b""
        self._origin: Origin | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.watch: Callable[[Exchange], None] | None = None
        """Who is shown each exchange, if anybody."""

    def __repr__(self) -> str:
        return f"Endpoint({self.where!r})"

    def limit_time(self, seconds: float) -> None:
        """Limit the time of an attempt; a shorter limit that is set already stays."""
        self._limits = self._limits._replace(total=min(self._limits.total, seconds))
        self._connect_timeout = min(self._connect_timeout, seconds)

    async def call(self, body: bytes | None, address: Address | None = None) -> bytes:
        """Send a body and return the body of a reply with status 2xx; anything else raises AskError."""
        return await (self._call(body, address) if self.watch is None else self._shown(body, address))

    async def _shown(self, body: bytes | None, address: Address | None) -> bytes:
        began = time.perf_counter()
        seen: list[Reply] = []
        failure: Failure | None = None
        try:
            return await self._call(body, address, seen)
        except AskError as error:
            failure = error.failure
            raise
        finally:
            reply = seen[0] if seen else Reply(0, "", {}, b"", cut=False)
            self._show(body, address, reply, failure, time.perf_counter() - began)

    def _show(
        self, body: bytes | None, address: Address | None, reply: Reply, failure: Failure | None, seconds: float
    ) -> None:
        assert self.watch is not None
        status = f"HTTP/1.1 {reply.status} {reply.reason}".rstrip() if reply.status else ""
        come = self.secrets.hide_in_reply(_beginning(reply, 5 * SHOWN))
        self.watch(
            Exchange(
                method=self._method,
                url=safe_url(address or self.url, self.secrets),
                headers=self._shown_headers(self._headers),
                sent=self._shown_body(body or b""),
                status=self.secrets.hide(status),
                reply_headers=self._shown_headers(reply.headers),
                received=self._shown_body(come),
                failure=failure,
                seconds=seconds,
            )
        )

    def _shown_headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        return {k: MASK if names_secret(k) else self.secrets.hide(v) for k, v in headers.items()}

    def _shown_body(self, raw: bytes) -> str:
        """Return the beginning of a body; what is hidden is hidden before anything is cut."""
        text = self.secrets.hide(raw[: 5 * SHOWN].decode("utf-8", "replace"))
        return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"

    async def _call(self, body: bytes | None, address: Address | None, seen: list[Reply] | None = None) -> bytes:
        origin = self._origin
        if origin is None or self._loop is not asyncio.get_running_loop():
            origin = self._open()
        began = time.perf_counter()
        try:
            reply = await origin.send(self._request(origin, address, body), self._limits)
        except CallFailed as mishap:
            if seen is not None and mishap.reply is not None:
                seen.append(mishap.reply)
            raise AskError(self._failure(mishap, time.perf_counter() - began)) from None
        if seen is not None:
            seen.append(reply)
        if 200 <= reply.status < 300:
            return self._body(reply)
        raise AskError(self._status(reply))

    async def close(self) -> None:
        """Close the connections."""
        origin, self._origin = self._origin, None
        if origin is not None:
            await origin.close()

    def _open(self) -> Origin:
        self._loop = asyncio.get_running_loop()
        options = self.options
        self._origin = Origin(
            self.url,
            tls=self._tls,
            proxy=self._proxy,
            proxy_tls=self._proxy_tls,
            connect_timeout=self._connect_timeout,
            keep_alive=options.keep_alive,
        )
        self._own_head = self._head(self._origin, self.url)
        return self._origin

    def _request(self, origin: Origin, address: Address | None, body: bytes | None) -> bytes:
        head = self._own_head if address is None else self._head(origin, address)
        if body is None and self._method == "GET":
            return head + b"\r\n"
        body = body or b""
        return b"%bContent-Length: %d\r\n\r\n%b" % (head, len(body), body)

    def _head(self, origin: Origin, address: Address) -> bytes:
        """Write the request line and the headers that are the same for every call."""
        headers = {"Host": address.authority, **self._headers}
        if address.basic and "authorization" not in {name.lower() for name in headers}:
            headers["Authorization"] = address.basic
        headers |= origin.proxy_headers()
        lines = [f"{self._method} {origin.target(address)} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items()), ""]
        return "\r\n".join(lines).encode("utf-8")

    def _body(self, reply: Reply) -> bytes:
        limit = self.options.max_reply_bytes
        encoding = reply.headers.get("content-encoding")
        try:
            data = inflate(reply.body, encoding, limit) if encoding else reply.body
        except ValueError as error:
            raise AskError(fail("damaged", where=self.where, problem=str(error))) from None
        if len(data) > limit:
            raise AskError(fail("too_large", where=self.where, limit=limit))
        if len(data) > MIB and sum(map(data.count, (b",", b"[", b"{"))) > MOST_VALUES:
            raise AskError(fail("not_json", where=self.where, problem=f"it holds more than {MOST_VALUES} values"))
        return self.secrets.hide_in_reply(data)

    def _status(self, reply: Reply) -> Failure:
        status = reply.status
        body = _beginning(reply, ERROR_BYTES)
        said, named = _complaint(self.secrets.hide_in_reply(body))
        kind: Kind = "rate_limited" if status == 429 else _FAMILIES.get(status // 100, "not_http")
        if kind == "http_4xx" and named & _FILTERED:
            kind = "content_filtered"
        problem = excerpt(self.secrets.hide(said or reply.reason), 300)
        place = reply.headers.get("location", "")
        wait = _retry_after(reply.headers)
        target = safe_url(self.secrets.hide(place), self.secrets) if kind == "http_3xx" else ""
        variant = "" if status != 401 or self._key is None else "_named" if self._key else "_none"
        params: dict[str, JSON] = {"where": self.where, "problem": problem, "target": target}
        if variant == "_named":
            params["variables"] = list(self._key or ())
        return fail(kind, str(status), wait, variant, **params)

    def _failure(self, mishap: CallFailed, seconds: float) -> Failure:
        if mishap.kind == "http_4xx" and mishap.reply is not None:
            return self._status(mishap.reply)
        problem = excerpt(self.secrets.hide(str(mishap)), 200)
        return fail(mishap.kind, where=self.where, problem=problem, host=self.url.host, seconds=f"{seconds:.3g}")


_FAMILIES: dict[int, Kind] = {3: "http_3xx", 4: "http_4xx", 5: "http_5xx"}


def _beginning(reply: Reply, limit: int) -> bytes:
    """Return the beginning of a body for people to look at, damaged or not."""
    try:
        return inflate(reply.body, reply.headers.get("content-encoding"), limit)
    except ValueError:
        return reply.body


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
        value = headers.get("retry-after", "").strip()
        if not value:
            return None
        if value.replace(".", "", 1).isdecimal():
            return min(float(value), LONGEST_WISH)
        from email.utils import parsedate_to_datetime  # noqa: PLC0415 - slow to import

        return min(max(0.0, parsedate_to_datetime(value).timestamp() - time.time()), LONGEST_WISH)
    except (ValueError, TypeError, OverflowError):
        return None


def _read_url(text: str, secrets: Secrets) -> Address:
    try:
        address = read_address(text)
    except ValueError:
        raise ConnectError("ask.url", url=secrets.hide(unquote(text))) from None
    _learn_secrets(address, secrets)
    return address


def _learn_secrets(address: Address, secrets: Secrets) -> None:
    if address.user and not address.password:
        secrets.add(address.user)
    for name, value in (("password", address.password), ("authorization", address.basic or ""), *address.pairs()):
        if value and names_secret(name):
            secrets.add(value.removeprefix("Basic "))


def join_url(base: str, tail: str) -> str:
    """Append a path to an address that may end in a slash or carry a query.

    >>> join_url("http://h/v1/?a=1", "chat")
    'http://h/v1/chat?a=1'
    """
    path, mark, query = base.partition("?")
    return f"{path.rstrip('/')}/{tail}{mark}{query}"


def _tls(options: CallOptions, secrets: Secrets) -> ssl.SSLContext:
    context = trusting(options.ca_file, verify=options.verify_tls)
    if options.client_cert:
        variable = options.client_key_password_env
        password = read_environment(Path()).get(variable, "") if variable else ""
        if variable and not password:
            raise ConnectError("ask.env", variable=variable, problem="not set", owner="client_key", file="options")
        secrets.add(password)
        show_certificate(context, options.client_cert, options.client_key, password)
    return context
