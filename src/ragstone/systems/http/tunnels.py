"""Opens a tunnel through a proxy: HTTP CONNECT, or SOCKS5 with user and password."""

import asyncio
from ipaddress import ip_address

from ragstone.systems.http.address import Address
from ragstone.systems.http.connection import CallFailed, Reply

SOCKS = "socks5"
_ANONYMOUS, _PASSWORD = 0, 2
_LENGTHS = {1: 4, 4: 16}
_REFUSALS = {
    1: "general failure",
    2: "not allowed by its rules",
    3: "network unreachable",
    4: "host unreachable",
    5: "connection refused",
    6: "time to live expired",
    7: "command not supported",
    8: "kind of address not supported",
}


async def by_connect(
    reader: asyncio.StreamReader, transport: asyncio.WriteTransport, address: Address, proxy: Address
) -> None:
    """Ask an HTTP proxy for a connection; raises OSError, or CallFailed when it wants to know who asks."""
    lines = [f"CONNECT {address.place} HTTP/1.1", f"Host: {address.place}"]
    lines += [f"Proxy-Authorization: {proxy.basic}"] if proxy.basic else []
    transport.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        raise OSError("the proxy hung up") from None
    except asyncio.LimitOverrunError:
        raise OSError("the proxy's answer has no end") from None
    line = head.split(b"\r\n", 1)[0][:200].decode("latin-1")
    _, _, said = line.partition(" ")
    if said[:3] == "407":
        raise CallFailed("http_4xx", line, Reply(407, said[4:], {}, b"", cut=False))
    if not line.startswith("HTTP/1.") or said[:1] != "2":
        raise OSError(f"the proxy said {line!r}")


async def by_socks(
    reader: asyncio.StreamReader, transport: asyncio.WriteTransport, address: Address, proxy: Address
) -> None:
    """Ask a SOCKS5 proxy for a connection (RFC 1928, 1929); it looks the name up itself."""
    try:
        await _introduce(reader, transport, proxy)
        transport.write(b"\x05\x01\x00" + _destination(address.host) + address.port.to_bytes(2))
        _, problem, _, kind = await reader.readexactly(4)
        if problem:
            raise OSError(f"the SOCKS proxy refused: {_REFUSALS.get(problem, problem)}")
        await reader.readexactly((_LENGTHS.get(kind) or (await reader.readexactly(1))[0]) + 2)
    except asyncio.IncompleteReadError:
        raise OSError("the SOCKS proxy hung up") from None


async def _introduce(reader: asyncio.StreamReader, transport: asyncio.WriteTransport, proxy: Address) -> None:
    """Agree on a method, and give user and password where the proxy wants them."""
    offered = bytes([_ANONYMOUS] if proxy.user is None else [_ANONYMOUS, _PASSWORD])
    transport.write(bytes([5, len(offered), *offered]))
    version, method = await reader.readexactly(2)
    if version != 5 or method not in offered:
        raise _unknown() if version == 5 else OSError("the proxy does not speak SOCKS5")
    if method == _PASSWORD:
        user, password = (proxy.user or "").encode()[:255], proxy.password.encode()[:255]
        transport.write(bytes([1, len(user), *user, len(password), *password]))
        if (await reader.readexactly(2))[1]:
            raise _unknown()


def _unknown() -> CallFailed:
    return CallFailed("http_4xx", "", Reply(407, "SOCKS5: user and password were not accepted", {}, b"", cut=False))


def _destination(host: str) -> bytes:
    try:
        packed = ip_address(host).packed
    except ValueError:
        name = host.encode("ascii")[:255]
        return bytes([3, len(name), *name])
    return bytes([1 if len(packed) == 4 else 4]) + packed
