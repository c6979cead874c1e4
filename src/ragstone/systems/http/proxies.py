"""Chooses the proxy of an address by the user's option or the environment's variables."""

import os
from fnmatch import fnmatchcase
from ipaddress import ip_address, ip_network

from ragstone.core.errors import ConnectError
from ragstone.systems.http.address import PROXY_PORTS, Address, read_address

OPTION = "proxy"
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})


def choose_proxy(url: Address, wish: str) -> Address | None:
    """Return the proxy for an address: the option's, or that of the environment when the option is `env`."""
    if wish == "none":
        return None
    name, value = (OPTION, wish) if wish != "env" else _of_environment(url)
    if not value:
        return None
    try:
        return read_address(value, PROXY_PORTS)
    except ValueError:
        raise ConnectError("ask.proxy", name=name, example=f"http://{_place(value)}") from None


def _place(value: str) -> str:
    """Return host and port of what should have been an address, without a user's name or password."""
    return value.rpartition("@")[2].rpartition("//")[2].strip("/ ") or "proxy.example:3128"


def _of_environment(url: Address) -> tuple[str, str]:
    """Return the variable that names the proxy and its value; lower case comes first, as it does for curl."""
    # What runs on this machine is never meant to be asked through a proxy.
    if url.host in _LOCAL or bypasses(url, os.environ.get("no_proxy", os.environ.get("NO_PROXY", ""))):
        return "", ""
    lower = (f"{url.scheme}_proxy", "all_proxy")
    names = [spelled for name in lower for spelled in (name, name.upper())]
    found = next((name for name in names if os.environ.get(name)), "")
    return (found, os.environ[found]) if found else _of_system(url)


def _of_system(url: Address) -> tuple[str, str]:
    """Ask the settings of macOS and Windows; elsewhere there are none."""
    from urllib.request import getproxies, proxy_bypass  # noqa: PLC0415 - slow to import

    value = getproxies().get(url.scheme, "")
    return ("", "") if not value or proxy_bypass(url.host) else (f"{url.scheme}_proxy", value)


def bypasses(url: Address, listed: str) -> bool:
    """Return whether a list such as NO_PROXY names the address.

    An entry is a name (and all below it), an IP address, a network (10.0.0.0/8), a pattern with *, each with or
    without a port.
    """
    return any(_names(entry, url) for entry in listed.lower().replace(",", " ").split())


def _names(entry: str, url: Address) -> bool:
    host, port = _split(entry)
    if port and port != str(url.port):
        return False
    if "/" in host:
        return _in_network(url.host, host)
    if "*" in host:
        return fnmatchcase(url.host, host)
    return _same_ip(url.host, host) or f".{url.host}".endswith(f".{host.lstrip('.')}")


def _split(entry: str) -> tuple[str, str]:
    """Strip the port from an entry; an IPv6 address has one only after brackets.

    >>> [_split(entry) for entry in ("a.b:80", "[::1]:80", "::1", "10.0.0.0/8")]
    [('a.b', '80'), ('::1', '80'), ('::1', ''), ('10.0.0.0/8', '')]
    """
    if entry.startswith("["):
        host, _, port = entry[1:].partition("]")
        return host, port.lstrip(":")
    host, _, port = entry.partition(":")
    return (entry, "") if ":" in port else (host, port)


def _in_network(host: str, network: str) -> bool:
    try:
        return ip_address(host) in ip_network(network, strict=False)
    except ValueError:
        return False


def _same_ip(host: str, other: str) -> bool:
    try:
        return ip_address(host) == ip_address(other)
    except ValueError:
        return False
