"""Access control: the token, the session cookie, cross-site requests, host names, headers.

A guard stands before every route. Programs send the token as bearer; browsers log in and get a cookie that scripts
cannot read. What changes something must come from this very page: its Origin must be ours, and it must carry a value
that only a page of ours could read.
"""

import asyncio
import hashlib
import hmac
import ipaddress
import secrets
import time
from collections import OrderedDict, deque
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ragstone.core.errors import SettingError
from ragstone.core.language import pick_language
from ragstone.core.settings import Settings
from ragstone.core.types import JSON
from ragstone.runs.store.codec import write_whole
from ragstone.web.errors import PageError
from ragstone.web.people import KEEPER, LOCAL, People, Person, needed, note_change

PERSON, PROOF = "ragstone.person", "ragstone.proof"
"""Where the guard writes down who sends a request, and what proves it."""
COOKIE = "ragstone_session"
HTTPS_COOKIE = f"__Host-{COOKIE}"
"""Its name where the browser speaks HTTPS: one that no other host and no plain HTTP can set."""
CSRF_HEADER = "X-Ragstone-Token"
SESSION_SECONDS = 12 * 3600
SHORTEST_TOKEN = 16
FEWEST_CHARACTERS = 6
"""Different characters a token holds at least."""
MOST_WRONG = 20
"""Wrong tokens one address may send in a minute."""
MOST_ADDRESSES = 4096
MOST_ENDED = 10_000
"""Sessions remembered as ended."""
ENDED_FILE = ".page-logouts"
"""The file among the runs that remembers them over a restart."""
BODY_SECONDS = 20.0
"""Seconds a body may take, besides those that its bytes earn it."""
SLOWEST = 4096
"""Bytes a second below which a body is too slow."""
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
    """Return whether an address or name is this machine and nothing else."""
    name = host.strip("[]").lower()
    if name in LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_for_its_owner(settings: Settings) -> bool:
    """Return whether only this machine reaches the page: it listens on loopback and allows no other host name."""
    return all(map(is_loopback, (settings.host, *settings.allowed_hosts)))


def require_token(settings: Settings) -> None:
    """Refuse to listen beyond this machine without a token worth the name, or people with tokens of their own."""
    if settings.people and not settings.token:
        return
    weak = len(settings.token) < SHORTEST_TOKEN or len(set(settings.token)) < FEWEST_CHARACTERS
    if weak and (settings.token or not is_loopback(settings.host)):
        rule: dict[str, JSON] = {"least": SHORTEST_TOKEN, "different": FEWEST_CHARACTERS}
        if settings.token:
            given: dict[str, JSON] = {"length": len(settings.token), "found": len(set(settings.token))}
            raise SettingError("serve.weak_token", **rule, **given)
        raise SettingError("serve.token", host=settings.host, **rule)


class Tries:
    """Wrong tokens, counted by the address they come from; after too many an address waits."""

    def __init__(self) -> None:
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()

    def check(self, address: str, now: float | None = None) -> None:
        """Refuse an address that has guessed too often within a minute, whatever it says now."""
        times = self._wrong.get(_network(address))
        if times is not None and len(times) == MOST_WRONG and (now or time.monotonic()) - times[0] < 60:
            raise PageError(429, "page.tries")

    def note(self, address: str, now: float | None = None) -> None:
        """Count one wrong token."""
        key = _network(address)
        self._wrong.setdefault(key, deque(maxlen=MOST_WRONG)).append(now or time.monotonic())
        self._wrong.move_to_end(key)
        if len(self._wrong) > MOST_ADDRESSES:
            self._wrong.popitem(last=False)


def _network(address: str) -> str:
    """Return the network of an IPv6 address: one owner has all of its addresses."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(parsed) if parsed.version == 4 else str(ipaddress.ip_network((parsed, 64), strict=False))


def _hashed(session: str) -> str:
    """Return when a session ends and the hash of it: what is written down opens nothing."""
    ends = session.partition(".")[0]
    return f"{ends} {hashlib.sha256(session.encode('utf-8', 'surrogateescape')).hexdigest()}"


class Lock:
    """The secrets of one server: makes and proves sessions and the values that state-changing requests carry."""

    def __init__(self, token: str, ended: Path | None = None, people: People | None = None) -> None:
        """`ended` is the file that remembers over a restart who has logged out."""
        self.people = people
        self._token = token.encode()
        self._key = hashlib.sha256(b"ragstone page\0" + self._token).digest() if token else secrets.token_bytes(32)
        self._tries = Tries()
        self._file = ended if token else None
        self._ended: OrderedDict[str, None] = OrderedDict.fromkeys(self._remembered())

    def _remembered(self) -> list[str]:
        """Read who has logged out and whose session would not be over yet; each line is a time and a hash."""
        try:
            lines = self._file.read_text(encoding="ascii").splitlines() if self._file is not None else []
        except (OSError, ValueError):
            return []
        now = time.time()
        return [
            line
            for line in lines[-MOST_ENDED:]
            if (ends := line.partition(" ")[0]).isdecimal() and len(ends) < 13 and int(ends) > now
        ]

    def _remember(self) -> None:
        if self._file is None:
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._file, "".join(f"{line}\n" for line in self._ended).encode(), mode=0o600)
        except OSError:
            # The session ends all the same, for as long as this server runs.
            return

    @property
    def open(self) -> bool:
        """Whether no token is needed."""
        return not self._token and self.people is None

    def fits(self, token: str) -> bool:
        """Return whether this is the token, in constant time."""
        return hmac.compare_digest(token.encode("utf-8", "surrogateescape"), self._token)

    def prove(self, token: str, address: str) -> Person | None:
        """Return whose token this is; an address that guesses is made to wait."""
        self._tries.check(address)
        person = KEEPER if self._token and self.fits(token) else None
        if person is None and self.people is not None:
            person = self.people.by_token(token)
        if person is None:
            self._tries.note(address)
        return person

    def session(self, now: float | None = None, *, name: str = "") -> str:
        """Make a cookie's value: when it ends, a name of its own, whose it is, and the proof that we wrote it."""
        claim = f"{int((now or time.time()) + SESSION_SECONDS)}.{secrets.token_hex(8)}"
        claim += f".{name.encode().hex()}" if name else ""
        return f"{claim}.{self._sign('session', claim).decode()}"

    def person_of(self, session: str) -> Person | None:
        """Return the person of a session; None when it is invalid, has expired, or the person was removed."""
        if not self.knows(session):
            return None
        parts = session.split(".")
        if len(parts) == 3:
            return KEEPER if self._token else None
        return self.people.named(bytes.fromhex(parts[2]).decode()) if self.people else None

    def knows(self, session: str, now: float | None = None) -> bool:
        """Return whether a cookie is ours and has not ended."""
        claim, _, proof = session.rpartition(".")
        ends = claim.partition(".")[0]
        if not ends.isascii() or not ends.isdigit() or len(ends) > 12 or int(ends) <= (now or time.time()):
            return False
        ours = hmac.compare_digest(proof.encode("utf-8", "surrogateescape"), self._sign("session", claim))
        return ours and _hashed(session) not in self._ended

    def end(self, session: str) -> None:
        """Believe a session no more: its owner has logged out."""
        if self.knows(session):
            self._ended[_hashed(session)] = None
            if len(self._ended) > MOST_ENDED:
                self._ended.popitem(last=False)
            self._remember()

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
        """Return whether a Host header names us."""
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
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    found = cookies.get(HTTPS_COOKIE) or cookies.get(COOKIE)
    return found.value if found else ""


def speaks_https(request: Request) -> bool:
    """Return whether the browser speaks HTTPS, also when a proxy before us does it for it."""
    return request.url.scheme == "https" or request.headers.get("origin", "").startswith("https://")


def address_of(scope: Scope) -> str:
    """Return the address a request came from."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def refusal(error: PageError, headers: Headers) -> Response:
    """Answer a request that is refused before its route."""
    lang = pick_language(headers.get("accept-language"))
    more = {"Retry-After": "60"} if error.status == 429 else {}
    return JSONResponse({"error": {"code": error.code, "message": error.say(lang)}}, error.status, more)


class Body:
    """The body of one request: no longer than allowed, and not dripping in for ever."""

    def __init__(self, receive: Receive, most: int) -> None:
        self.problem: PageError | None = None
        self._receive = receive
        self._most = most
        self._seen = 0
        self._began = time.monotonic()
        self._whole = False

    async def __call__(self) -> Message:
        """Return the next piece; what is too long or too slow ends the request."""
        if self._whole:
            # Nothing more can come but word that the browser has left.
            return await self._receive()
        left = self._began + BODY_SECONDS + self._seen / SLOWEST - time.monotonic()
        try:
            async with asyncio.timeout(max(0.0, left)):
                message = await self._receive()
        except TimeoutError:
            raise self._refuse(PageError(408, "page.slow")) from None
        self._seen += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._seen > self._most:
            raise self._refuse(PageError(413, "page.too_large", limit=self._most >> 20))
        return message

    def _refuse(self, problem: PageError) -> PageError:
        self.problem = problem
        return problem


class Visitor(NamedTuple):
    """Who sends a request, and what the values are made from that its changes must carry."""

    person: Person | None
    proof: str = ""
    program: bool = False
    """Whether it has shown a token with this very request, which no other site could make it do."""


class Guard:
    """Stands before every route."""

    def __init__(self, app: ASGIApp, *, settings: Settings, lock: Lock) -> None:
        self._app = app
        self._runs = Path(settings.runs_dir)
        self._lock = lock
        self._names = Names(settings)
        self._upload = settings.max_upload_mb << 20

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it here."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        body = Body(receive, self._most(scope))
        begun = False

        async def careful_send(message: Message) -> None:
            nonlocal begun
            if body.problem is not None and not begun:
                # Whatever the route answered without the body, the response gives the reason.
                begun = True
                await refusal(body.problem, headers)(scope, receive, plain_send)
            elif body.problem is None:
                begun = True
                await plain_send(message)

        async def plain_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                await self._note(scope, int(message["status"]))
                add_headers(MutableHeaders(scope=message), scope["path"])
                if body.problem is not None:
                    MutableHeaders(scope=message)["Connection"] = "close"
            await send(message)

        try:
            redirect = self._check(scope, headers)
        except PageError as error:
            await refusal(error, headers)(scope, receive, plain_send)
            return
        app = redirect or self._app
        await app(scope, body, careful_send)

    async def _note(self, scope: Scope, status: int) -> None:
        """Log every change that one of several people made or tried, before the response is sent."""
        person = scope.get(PERSON)
        if self._lock.people is not None and person is not None and scope["method"] not in _SAFE_METHODS:
            await asyncio.to_thread(note_change, self._runs, person, scope["method"], scope["path"], status)

    def _most(self, scope: Scope) -> int:
        return self._upload if scope["method"] == "PUT" else MOST_BODY

    def _check(self, scope: Scope, headers: Headers) -> Response | None:
        """Raise what is wrong with a request; return where a visitor without a session is sent."""
        if not self._names.allow(headers.get("host", "")):
            raise PageError(421, "page.host", host=headers.get("host", ""))
        self._check_size(scope, headers)
        _check_site(scope, headers)
        visitor = self._visitor(scope, headers)
        scope[PERSON], scope[PROOF] = visitor.person, visitor.proof
        if visitor.person is None and not scope["path"].startswith(_OPEN_PATHS):
            return self._not_signed_in(scope)
        if not visitor.program and scope["method"] not in _SAFE_METHODS:
            self._check_sender(scope, headers, visitor.proof)
        role = needed(scope["method"], scope["path"])
        if role is not None and visitor.person is not None and not visitor.person.may(role):
            raise PageError(403, "page.role", role=role, name=visitor.person.name)
        return None

    def _visitor(self, scope: Scope, headers: Headers) -> Visitor:
        """Return who sends a request: by a token, by a proxy's header, by a session, or as the only user."""
        if self._lock.open:
            return Visitor(LOCAL)
        if person := self._bearer(scope, headers):
            return Visitor(person, program=True)
        people = self._lock.people
        if people is not None and (header := people.book.proxy_header):
            named = people.by_proxy(headers.get(header), address_of(scope))
            if named is not None:
                return Visitor(named, f"proxy:{named.name}")
        session = session_of(headers)
        return Visitor(self._lock.person_of(session), session)

    def _check_size(self, scope: Scope, headers: Headers) -> None:
        length, most = headers.get("content-length", "0"), self._most(scope)
        if not (length.isascii() and length.isdigit()) or len(length) > 18 or int(length) > most:
            raise PageError(413, "page.too_large", limit=most >> 20)
        if "content-length" in headers and "transfer-encoding" in headers:
            # A proxy before us may believe the other one, and see another request than we do.
            raise PageError(400, "page.query", field="Content-Length", problem="Transfer-Encoding")

    def _bearer(self, scope: Scope, headers: Headers) -> Person | None:
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer":
            return None
        person = self._lock.prove(token.strip(), address_of(scope))
        if person is None:
            raise PageError(401, "page.wrong_token")
        return person

    def _not_signed_in(self, scope: Scope) -> Response:
        if scope["path"].startswith("/api/"):
            raise PageError(401, "page.login")
        return RedirectResponse(f"/eval/login?next={quote(scope['path'])}", 303)

    def _check_sender(self, scope: Scope, headers: Headers, session: str) -> None:
        """Refuse what another site makes a browser send."""
        origin, host = headers.get("origin"), headers.get("host", "")
        if origin is not None and _netloc(origin) != host.lower():
            raise PageError(403, "page.origin", origin=origin)
        if scope["path"].startswith(_OPEN_PATHS):
            return
        given = headers.get(CSRF_HEADER, "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(given, self._lock.csrf(session).encode()):
            raise PageError(403, "page.csrf")


def _check_site(scope: Scope, headers: Headers) -> None:
    """Let other sites link to our pages and nothing else: no embedding, no fetching, no sending.

    Browsers that do not say where a request comes from are held by Origin and by what only our pages know.
    """
    site = headers.get("sec-fetch-site", "none")
    if site in {"same-origin", "none"}:
        return
    linked = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest", "document") == "document"
    if scope["method"] not in _SAFE_METHODS or not linked:
        raise PageError(403, "page.origin", origin=site)


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def add_headers(headers: MutableHeaders, path: str) -> None:
    """Add the security headers that the route has not set."""
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Content-Security-Policy", PAGE_POLICY)
    if not path.startswith("/static/"):
        headers.setdefault("Cache-Control", "no-store")


def csrf_of(request: Request, lock: Lock) -> str:
    """Return the value a page must send back with what it changes."""
    return lock.csrf(str(request.scope.get(PROOF, "")))


def person_of(request: Request) -> Person:
    """Return who sends a request; the guard has looked."""
    person: Person | None = request.scope.get(PERSON)
    return person or Person("", "viewer")
