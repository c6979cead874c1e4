"""Offline mode: once guarded, this process opens no connection except to the places that are allowed.

Every Python socket is watched by an audit hook, which no library can go round or remove; uvloop opens its sockets below
Python and is watched at its own functions. This machine (loopback, Unix sockets) is always allowed. What a library
opens in C by itself, or a child process that is no Ragstone, is out of reach here: docs/offline.md names the tools.
"""

import os
import socket
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps
from importlib.machinery import ModuleSpec, PathFinder
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from pathlib import Path
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from ragstone.core.errors import SettingError, UserError

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

SWITCH = "RAGSTONE_OFFLINE"
ALLOW = "RAGSTONE_OFFLINE_ALLOW"
OWN = ("127.0.0.0/8", "::1/128", "localhost")
"""What is allowed without being named; and the machine's own name."""
MOST_REFUSALS = 100
"""Refused tries that are remembered."""
_LOCAL_FAMILIES = {getattr(socket, name, None) for name in ("AF_UNIX", "AF_NETLINK", "AF_ALG")}
_NAMED = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"}
_WATCHED = _NAMED | {"socket.connect", "socket.sendto", "socket.sendmsg"}


class OfflineError(UserError, ConnectionError):
    """A connection that offline mode refused; a library sees a connection that failed."""


class Refusal(NamedTuple):
    """One try that was refused: where to, and by whom."""

    host: str
    who: str


class Allowed:
    """The places that may be connected to: addresses, networks, names, and names below a name (`.example.org`)."""

    def __init__(self, places: Iterable[str]) -> None:
        self.places = tuple(dict.fromkeys([*OWN, *(place.strip().lower() for place in places if place.strip())]))
        self._networks: list[IPv4Network | IPv6Network] = []
        self._names = {socket.gethostname().lower()}
        self._ends: tuple[str, ...] = ()
        self._learnt: set[str] = set()
        for place in self.places:
            self._take(place)

    def _take(self, place: str) -> None:
        try:
            self._networks.append(ip_network(place.strip("[]"), strict=False))
        except ValueError:
            if "/" in place or ":" in place:
                raise SettingError("offline.place", place=place) from None
            if place.startswith(("*.", ".")):
                self._ends = (*self._ends, place.lstrip("*"))
            else:
                self._names.add(place)

    def has(self, host: str) -> bool:
        """Return whether a host may be connected to; a name is not looked up for it."""
        plain = host.strip("[]").rstrip(".").lower()
        address = _address(plain)
        if address is None:
            return plain in self._names or plain.endswith(self._ends)
        if address.is_unspecified:
            return True
        return str(address) in self._learnt or any(address in network for network in self._networks)

    def learn(self, host: str) -> None:
        """Allow the addresses an allowed name leads to."""
        if _address(host.rstrip(".")) is None:
            found = socket.getaddrinfo(host, None)
            self._learnt |= {str(_address(str(info[4][0]))) for info in found}


class _Guard:
    """What is allowed in this process, and what was refused."""

    def __init__(self) -> None:
        self.allowed: Allowed | None = None
        self.refusals: dict[Refusal, int] = {}
        self.asking = threading.local()


_GUARD = _Guard()


def guard(allow: Iterable[str] = ()) -> None:
    """Refuse from now on, in this process and its Ragstone children, whatever is not allowed.

    There is no way back and no way to widen it: the first guard stands.
    """
    if _GUARD.allowed is not None:
        return
    _GUARD.allowed = Allowed(allow)
    os.environ[SWITCH] = "1"
    os.environ[ALLOW] = ",".join(place for place in _GUARD.allowed.places if place not in OWN)
    sys.addaudithook(_watch)
    sys.meta_path.insert(0, _Uvloop())
    if (loaded := sys.modules.get("uvloop")) is not None:
        _cover(loaded)


def refusals() -> dict[Refusal, int]:
    """Return what was refused so far, with how often."""
    return dict(_GUARD.refusals)


def require(host: str, who: str) -> None:
    """Raise OfflineError when a host may not be connected to."""
    allowed = _GUARD.allowed
    if allowed is not None and not allowed.has(host):
        raise _refused(host, who, allowed)


def _refused(host: str, who: str, allowed: Allowed) -> OfflineError:
    refusal = Refusal(host, who)
    if refusal in _GUARD.refusals or len(_GUARD.refusals) < MOST_REFUSALS:
        _GUARD.refusals[refusal] = _GUARD.refusals.get(refusal, 0) + 1
    return OfflineError("offline.refused", host=host, who=who, allowed=", ".join(allowed.places))


def _watch(event: str, args: tuple[Any, ...]) -> None:
    """Inspect what Python is about to do; raising here prevents it."""
    if event not in _WATCHED:
        return
    allowed = _GUARD.allowed
    if allowed is None or getattr(_GUARD.asking, "busy", False):
        return
    _GUARD.asking.busy = True
    try:
        if event in _NAMED:
            _check(args[0], allowed)
        elif args[0].family not in _LOCAL_FAMILIES:
            _check(args[1], allowed)
    finally:
        _GUARD.asking.busy = False


def _check(place: object, allowed: Allowed) -> None:
    """Refuse a host, or the host of a socket's address, that is not allowed; learn where an allowed name leads."""
    host = place[0] if isinstance(place, tuple) and place else place
    if host is None or host in ("", b"", ()):
        return
    name = host.decode("ascii", "replace") if isinstance(host, bytes | bytearray) else str(host)
    if not allowed.has(name):
        raise _refused(name, _who(sys._getframe(2)), allowed)
    # A lookup that fails here fails again in the call that is watched, which says so itself.
    with suppress(OSError, UnicodeError):
        allowed.learn(name)


def _who(frame: FrameType | None) -> str:
    """Name the code that tries: the innermost that is neither Python's own nor this file."""
    own = (str(Path(os.__file__).parent), __file__)
    fallback = threading.current_thread().name
    while frame is not None:
        file = frame.f_code.co_filename
        if "site-packages" in file or not file.startswith((*own, "<")):
            return f"{frame.f_globals.get('__name__', file)}:{frame.f_lineno}"
        frame = frame.f_back
    return f"thread {fallback}"


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


class _Uvloop:
    """Guards uvloop's functions as soon as it is imported."""

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        """Have the module covered once it is loaded."""
        spec = PathFinder.find_spec(name) if name == "uvloop" else None
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def load_and_cover(module: ModuleType) -> None:
            load(module)
            _cover(module)

        spec.loader.exec_module = load_and_cover  # type: ignore[method-assign]
        return spec


def _cover(uvloop: ModuleType) -> None:
    """Guard every function by which uvloop connects without Python's audit events."""
    loop = uvloop.Loop

    def covered(name: str, hosts: Callable[[tuple[Any, ...], dict[str, Any]], Iterable[object]]) -> None:
        inner = getattr(loop, name)

        @wraps(inner)
        async def outer(self: "AbstractEventLoop", *args: Any, **kwargs: Any) -> Any:
            if (allowed := _GUARD.allowed) is not None:
                for host in hosts(args, kwargs):
                    await _check_aside(self, host, allowed)
            return await inner(self, *args, **kwargs)

        setattr(loop, name, outer)

    covered("getaddrinfo", lambda args, kwargs: [args[0] if args else kwargs.get("host")])
    covered("getnameinfo", lambda args, kwargs: [(args[0] if args else kwargs["sockaddr"])[0]])
    covered("create_connection", lambda args, kwargs: [args[1] if len(args) > 1 else kwargs.get("host")])
    covered("create_datagram_endpoint", _datagram_host)


def _datagram_host(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[object]:
    """A datagram socket without a fixed partner could send anywhere: it counts as an unknown place."""
    local, remote = ([*args[1:], None, None][place] or kwargs.get(f"{side}_addr") for place, side in enumerate(_SIDES))
    if kwargs.get("sock") is not None or (remote is None and local is None):
        return []
    return [remote[0] if remote else "(any host, by datagram)"]


_SIDES = ("local", "remote")


async def _check_aside(loop: "AbstractEventLoop", host: object, allowed: Allowed) -> None:
    """Check a host outside of the audit hook; an allowed name is looked up in a thread, which the hook watches."""
    if not isinstance(host, str | bytes) or not host:
        return
    name = host if isinstance(host, str) else host.decode("ascii", "replace")
    if not allowed.has(name):
        raise _refused(name, _who(sys._getframe(1)), allowed)
    with suppress(OSError, UnicodeError):
        await loop.run_in_executor(None, allowed.learn, name)
