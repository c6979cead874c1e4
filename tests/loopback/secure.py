"""TLS servers and proxies that misbehave, each on a port of its own: python -m tests.loopback.secure FOLDER."""

import asyncio
import json
import ssl
import subprocess
import sys
import warnings
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Greeting = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[int]]
"""Greets who asks a proxy, and returns the port to lead them to, or 0."""
HOST = "far.invalid"
"""The name on the certificates; proxies lead it, and everything else, to this machine."""
IPV6 = "2001:db8::7"
NAMES = f"DNS:{HOST},IP:127.0.0.1,IP:{IPV6}"
REPLY = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
STRAY = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nSTRAY"
STANDS = b"HTTP/1.1 200 Connection established\r\n\r\n"
NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
"""A key that is made at once; large primes take half a second."""
LOGIN = "bWU6cHc="
"""me:pw, as proxies are told."""
FAR = f"https://{HOST}:{{tls}}/"
PLAIN = f"http://{HOST}:{{plain}}/"


class Row(NamedTuple):
    """One fault: what is asked for, what the environment says, and what is right."""

    target: str
    env: dict[str, str]
    right: str = "refused"


def _asked(right: str, port: str, **env: str) -> Row:
    return Row(f"https://127.0.0.1:{{{port}}}/", {"FAULT_CA": "{folder}/ca.pem", **env}, right)


def _connected(right: str, proxy: str, target: str = FAR) -> Row:
    return Row(target, {"FAULT_CA": "{folder}/ca.pem", "https_proxy": proxy}, right)


def _socks(right: str, place: str, target: str = PLAIN) -> Row:
    env = {"FAULT_CA": "{folder}/ca.pem", "all_proxy": f"socks5h://{place}"}
    return Row(target, env, right)


SHOWN = {"FAULT_CERT": "{folder}/client.pem", "FAULT_KEY": "{folder}/client.key.pem"}
ROWS = {
    "TLS, authority named": _asked("hello", "tls"),
    "TLS, authority unknown": _asked("refused", "unknown"),
    "TLS, authority not named": Row("https://127.0.0.1:{tls}/", {}),
    "TLS, certificate of another name": _asked("refused", "other"),
    "TLS, certificate out of date": _asked("refused", "old"),
    "TLS 1.1": _asked("refused", "tls11"),
    "TLS, plain words instead": _asked("refused", "nonsense"),
    "TLS, closed in the handshake": _asked("refused", "closed"),
    "TLS, no handshake": _asked("timeout", "silent"),
    "TLS, cut off without a goodbye": _asked("refused", "cut"),
    "TLS, client certificate missing": _asked("refused", "mutual"),
    "TLS, client certificate": _asked("hello", "mutual", **SHOWN),
    "CONNECT": _connected("hello", "http://127.0.0.1:{connect}"),
    "CONNECT with a password": _connected("hello", "http://me:pw@127.0.0.1:{password}"),
    "CONNECT, password missing": _connected("refused", "http://127.0.0.1:{password}"),
    "CONNECT to an IPv6 address": _connected("hello", "http://127.0.0.1:{connect}", f"https://[{IPV6}]:{{tls}}/"),
    "CONNECT, bad gateway": _connected("refused", "http://127.0.0.1:{gateway}"),
    "CONNECT, closed": _connected("refused", "http://127.0.0.1:{closed}"),
    "CONNECT, not HTTP": _connected("refused", "http://127.0.0.1:{nonsense}"),
    "CONNECT, headers without end": _connected("refused", "http://127.0.0.1:{endless}"),
    "CONNECT, no reply": _connected("timeout", "http://127.0.0.1:{silent}"),
    "CONNECT, reply planted behind it": _connected("hello, refused", "http://127.0.0.1:{planted}"),
    "CONNECT, certificate of another name": _connected("refused", "http://127.0.0.1:{connect}", f"https://{HOST}:{{other}}/"),
    "CONNECT by TLS": _connected("hello", "https://127.0.0.1:{secure}"),
    "CONNECT by TLS, authority unknown": _connected("refused", "https://127.0.0.1:{stranger}"),
    "SOCKS5": _socks("hello", "127.0.0.1:{socks}"),
    "SOCKS5 with a password": _socks("hello", "me:pw@127.0.0.1:{login}"),
    "SOCKS5, password missing": _socks("refused", "127.0.0.1:{login}"),
    "SOCKS5, password wrong": _socks("refused", "me:no@127.0.0.1:{login}"),
    "SOCKS5 and TLS": _socks("hello", "127.0.0.1:{socks}", FAR),
    "SOCKS5, refused": _socks("refused", "127.0.0.1:{unreached}"),
    "SOCKS5, closed": _socks("refused", "127.0.0.1:{closed}"),
    "SOCKS5, not SOCKS": _socks("refused", "127.0.0.1:{nonsense}"),
    "SOCKS5, no reply": _socks("timeout", "127.0.0.1:{silent}"),
}  # fmt: skip
"""Braces hold the folder of the certificates, or the name of a port."""


def _openssl(folder: Path, *words: object) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, cwd=folder)


def make_authority(folder: Path, name: str) -> None:
    """Make a certificate that vouches for others."""
    key, file = f"{name}.key.pem", f"{name}.pem"
    _openssl(folder, "req", "-x509", *NEW_KEY, "-nodes", "-subj", f"/CN={name}", "-keyout", key, "-out", file)


def make_certificate(folder: Path, name: str, authority: str = "ca", names: str = NAMES, days: int = 2) -> None:
    """Make a certificate that an authority vouches for; a number of days below zero makes an old one."""
    key, wish, extras = f"{name}.key.pem", f"{name}.csr", f"{name}.txt"
    (folder / extras).write_text(f"subjectAltName={names}\n")
    _openssl(folder, "req", *NEW_KEY, "-nodes", "-subj", f"/CN={HOST}", "-keyout", key, "-out", wish)
    by = ("-CA", f"{authority}.pem", "-CAkey", f"{authority}.key.pem", "-CAcreateserial", "-extfile", extras)
    _openssl(folder, "x509", "-req", "-in", wish, *by, "-days", days, "-out", f"{name}.pem")


def make_all(folder: Path) -> None:
    """Make every certificate of the rows."""
    for name in ("ca", "nobody"):
        make_authority(folder, name)
    for name in ("good", "client"):
        make_certificate(folder, name)
    make_certificate(folder, "unknown", authority="nobody")
    make_certificate(folder, "other", names="DNS:elsewhere.invalid")
    make_certificate(folder, "old", days=-1)


def _context(folder: Path, name: str = "good") -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / f"{name}.pem", folder / f"{name}.key.pem")
    return context


def _mutual(folder: Path) -> ssl.SSLContext:
    context = _context(folder)
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(folder / "ca.pem")
    return context


def _tls11(folder: Path) -> ssl.SSLContext:
    context = _context(folder)
    context.set_ciphers("DEFAULT@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    return context


async def _reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while True:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(REPLY)


async def _cut(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send a body without a length, and drop the connection below TLS, as somebody on the way can."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\n\r\nhello")
    await asyncio.sleep(0.1)
    await reader.read(1000)
    writer.transport.abort()


async def _close(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)


async def _wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await asyncio.wait_for(reader.read(), 30)


async def _nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)
    writer.write(b"SSH-2.0-OpenSSH_9.6\r\n\r\n")


async def _endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nX: ")
    while not writer.is_closing():
        writer.write(b"x" * 65_536)
        await writer.drain()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while piece := await reader.read(65_536):
        writer.write(piece)
    writer.close()


def leading(greet: Greeting) -> Handler:
    """Carry a connection to a port of this machine, once whoever asks has been greeted."""

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if there := await greet(reader, writer):
            inner, outer = await asyncio.open_connection("127.0.0.1", there)
            await asyncio.gather(_pump(reader, outer), _pump(inner, writer))

    return handler


def by_connect(answer: bytes = STANDS, login: str = "") -> Greeting:
    """Answer a CONNECT with these bytes, where somebody must log in only if they did."""

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        head = await reader.readuntil(b"\r\n\r\n")
        if login and login.encode() not in head:
            writer.write(b"HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n")
            return 0
        writer.write(answer)
        return int(head.split(b" ")[1].rpartition(b":")[2]) if b" 200 " in answer else 0

    return greet


def by_socks(login: bytes = b"", problem: int = 0) -> Greeting:
    """Speak SOCKS5; every name leads to this machine."""

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        offered = await reader.readexactly((await reader.readexactly(2))[1])
        method = 2 if login else 0
        writer.write(bytes([5, method if method in offered else 255]))
        if login:
            user = await reader.readexactly((await reader.readexactly(2))[1])
            password = await reader.readexactly((await reader.readexactly(1))[0])
            writer.write(bytes([1, user + b":" + password != login]))
        kind = (await reader.readexactly(4))[3]
        await reader.readexactly({1: 4, 4: 16}.get(kind) or (await reader.readexactly(1))[0])
        port = int.from_bytes(await reader.readexactly(2))
        writer.write(bytes([5, problem, 0, 1, 127, 0, 0, 1, 0, 0]))
        return 0 if problem else port

    return greet


def _servers(folder: Path) -> dict[str, tuple[Handler, ssl.SSLContext | None]]:
    tunnel = leading(by_connect())
    return {
        "plain": (_reply, None),
        "tls": (_reply, _context(folder)),
        "unknown": (_reply, _context(folder, "unknown")),
        "other": (_reply, _context(folder, "other")),
        "old": (_reply, _context(folder, "old")),
        "tls11": (_reply, _tls11(folder)),
        "mutual": (_reply, _mutual(folder)),
        "cut": (_cut, _context(folder)),
        "closed": (_close, None),
        "silent": (_wait, None),
        "nonsense": (_nonsense, None),
        "endless": (_endless, None),
        "connect": (tunnel, None),
        "password": (leading(by_connect(login=LOGIN)), None),
        "gateway": (leading(by_connect(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")), None),
        "planted": (leading(by_connect(STANDS + STRAY)), None),
        "secure": (tunnel, _context(folder)),
        "stranger": (tunnel, _context(folder, "unknown")),
        "socks": (leading(by_socks()), None),
        "login": (leading(by_socks(b"me:pw")), None),
        "unreached": (leading(by_socks(problem=5)), None),
    }


def _patiently(handler: Handler) -> Handler:
    """Let whoever hangs up go."""

    async def handled(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await handler(reader, writer)
        except (asyncio.IncompleteReadError, TimeoutError, OSError):
            pass
        finally:
            writer.close()

    return handled


async def main() -> None:
    """Listen until the input ends, and say where."""
    folder = Path(sys.argv[1])
    make_all(folder)
    ports = {}
    for name, (handler, tls) in _servers(folder).items():
        server = await asyncio.start_server(_patiently(handler), "127.0.0.1", 0, ssl=tls)
        ports[name] = server.sockets[0].getsockname()[1]
    sys.stdout.write(json.dumps(ports) + "\n")
    sys.stdout.flush()
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
