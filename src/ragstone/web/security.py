"""Who may come in: the token, the session cookie, requests of other sites, names of this server, headers.

A guard stands before every route. Programs send the token as bearer; browsers log in and get a cookie that scripts
cannot read. What changes something must come from this very page: its Origin must be ours, and it must carry a value
that only a page of ours could read.
"""

import hashlib
import hmac
import ipaddress
import secrets
import time
from http.cookies import CookieError, SimpleCookie
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ragstone.errors import SettingError
from ragstone.language import pick_language
from ragstone.settings import Settings
from ragstone.web.problems import PageError

COOKIE = "ragstone_session"
CSRF_HEADER = "X-Ragstone-Token"
SESSION_SECONDS = 7 * 24 * 3600
SHORTEST_TOKEN = 16
MOST_BODY = 1 << 20
"""Longest body of a request that is no upload."""
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_OPEN_PATHS = ("/static/", "/eval/login")
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
PAGE_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}


def is_loopback(host: str) -> bool:
    """Say whether an address or name is this machine and nothing else."""
    name = host.strip("[]").lower()
    if name in LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def require_token(settings: Settings) -> None:
    """Refuse to listen beyond this machine without a token worth the name."""
    too_short = len(settings.token) < SHORTEST_TOKEN
    if (settings.token and too_short) or (not is_loopback(settings.host) and too_short):
        raise SettingError("serve.token", host=settings.host)


class Lock:
    """The secrets of one server: makes and proves sessions and the values that state-changing requests carry."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()
        self._key = hashlib.sha256(b"ragstone page\0" + self._token).digest() if token else secrets.token_bytes(32)

    @property
    def open(self) -> bool:
        """Whether no token is needed."""
        return not self._token

    def fits(self, token: str) -> bool:
        """Say whether this is the token, in time that tells nothing."""
        return hmac.compare_digest(token.encode("utf-8", "surrogateescape"), self._token)

    def session(self, now: float | None = None) -> str:
        """Make a cookie's value: when it ends, and the proof that we wrote it."""
        ends = str(int((now or time.time()) + SESSION_SECONDS))
        return f"{ends}.{self._sign('session', ends).decode()}"

    def knows(self, session: str, now: float | None = None) -> bool:
        """Say whether a cookie is ours and has not ended."""
        ends, _, proof = session.partition(".")
        if not ends.isascii() or not ends.isdigit() or len(ends) > 12:
            return False
        return int(ends) > (now or time.time()) and hmac.compare_digest(proof.encode(), self._sign("session", ends))

    def csrf(self, session: str) -> str:
        """Make the value that only pages shown to this session hold."""
        return self._sign("csrf", session).decode()

    def _sign(self, purpose: str, text: str) -> bytes:
        words = f"{purpose}\0{text}".encode("utf-8", "surrogateescape")
        return hmac.new(self._key, words, hashlib.sha256).hexdigest().encode()


class Names:
    """The names this server answers to; a page of another site that points its own name at us is turned away."""

    def __init__(self, settings: Settings) -> None:
        self._names = {*LOOPBACK_NAMES, settings.host.strip("[]").lower(), *map(str.lower, settings.allowed_hosts)}
        self._any_address = settings.host in {"0.0.0.0", "::"}  # noqa: S104 - compared with, not listened on

    def allow(self, header: str) -> bool:
        """Say whether a Host header names us."""
        try:
            name = (urlsplit(f"//{header}").hostname or "").lower()
        except ValueError:
            return False
        if name in self._names or is_loopback(name):
            return True
        return self._any_address and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def session_of(headers: Headers) -> str:
    """Return the session cookie of a request, or nothing."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def refusal(error: PageError, headers: Headers) -> Response:
    """Answer a request that is refused at the door."""
    lang = pick_language(headers.get("accept-language"))
    return JSONResponse({"error": {"code": error.code, "message": error.say(lang)}}, error.status)


class Guard:
    """Stands before every route."""

    def __init__(self, app: ASGIApp, *, settings: Settings, lock: Lock) -> None:
        self._app = app
        self._lock = lock
        self._names = Names(settings)
        self._upload = settings.max_upload_mb << 20

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def careful_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                add_headers(MutableHeaders(scope=message), scope["path"])
            await send(message)

        try:
            redirect = self._check(scope, headers)
        except PageError as error:
            await refusal(error, headers)(scope, receive, careful_send)
            return
        app = redirect or self._app
        await app(scope, receive, careful_send)

    def _check(self, scope: Scope, headers: Headers) -> Response | None:
        """Raise what is wrong with a request; return where a stranger should go."""
        if not self._names.allow(headers.get("host", "")):
            raise PageError(421, "page.host", host=headers.get("host", ""))
        self._check_size(scope, headers)
        if self._bearer(headers):
            return None
        session = session_of(headers)
        known = self._lock.open or self._lock.knows(session)
        if not known and not scope["path"].startswith(_OPEN_PATHS):
            return self._stranger(scope)
        if scope["method"] not in _SAFE_METHODS:
            self._check_sender(scope, headers, "" if self._lock.open else session)
        return None

    def _check_size(self, scope: Scope, headers: Headers) -> None:
        length = headers.get("content-length", "0")
        most = self._upload if scope["method"] == "PUT" else MOST_BODY
        if not length.isdigit() or int(length) > most:
            raise PageError(413, "page.too_large", limit=most >> 20)

    def _bearer(self, headers: Headers) -> bool:
        kind, _, token = headers.get("authorization", "").partition(" ")
        if self._lock.open or kind.lower() != "bearer":
            return False
        if not self._lock.fits(token.strip()):
            raise PageError(401, "page.wrong_token")
        return True

    def _stranger(self, scope: Scope) -> Response:
        if scope["path"].startswith("/api/"):
            raise PageError(401, "page.login")
        return RedirectResponse(f"/eval/login?next={quote(scope['path'])}", 303)

    def _check_sender(self, scope: Scope, headers: Headers, session: str) -> None:
        """Refuse what another site makes a browser send."""
        origin, host = headers.get("origin"), headers.get("host", "")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            raise PageError(403, "page.origin", origin=origin)
        if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
            raise PageError(403, "page.origin", origin=headers["sec-fetch-site"])
        if scope["path"].startswith(_OPEN_PATHS):
            return
        given = headers.get(CSRF_HEADER, "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(given, self._lock.csrf(session).encode()):
            raise PageError(403, "page.csrf")


def add_headers(headers: MutableHeaders, path: str) -> None:
    """Tell the browser what this page may do; what a route has said already stays."""
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Content-Security-Policy", PAGE_POLICY)
    if not path.startswith("/static/"):
        headers.setdefault("Cache-Control", "no-store")


def csrf_of(request: Request, lock: Lock) -> str:
    """Return the value a page must send back with what it changes."""
    return lock.csrf("" if lock.open else session_of(request.headers))
