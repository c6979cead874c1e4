"""The pool of connections to one host: reused when idle, opened when needed, through a proxy if configured."""

import asyncio
import errno
import socket
import ssl
from ipaddress import ip_address

from ragstone.core.offline import OfflineError
from ragstone.systems.http.address import Address
from ragstone.systems.http.connection import CallFailed, CallLimits, Connection, Reply
from ragstone.systems.http.tunnels import SOCKS, by_connect, by_socks

IDLE = 15.0
"""Seconds a connection is kept for the next call; servers hang up on idle ones."""
LOOKED_UP = 300.0
"""Seconds the addresses of a name stay good."""
NEXT_ADDRESS = 2.0
"""Seconds an address may take before the next one of the same name is tried."""
MOST_HEAD = 16 * 1024
"""Bytes of a proxy's answer that are looked at."""


class Origin:
    """Connections to one scheme, host and port; belongs to one event loop."""

    def __init__(
        self,
        address: Address,
        *,
        tls: ssl.SSLContext | None,
        proxy: Address | None,
        proxy_tls: ssl.SSLContext | None = None,
        connect_timeout: float,
        keep_alive: bool = True,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._address = address
        self._tls = tls if address.scheme == "https" else None
        self._proxy = proxy
        self._proxy_tls = proxy_tls if proxy is not None and proxy.scheme == "https" else None
        self._forwards = proxy is not None and self._tls is None and not proxy.scheme.startswith(SOCKS)
        """Whether a proxy fetches the address, rather than carrying a connection to it."""
        self._dialled = proxy or address
        self._connect_timeout = connect_timeout
        self._idle: list[Connection] = []
        self._wary = not keep_alive
        """Whether each call gets a connection of its own."""
        self._hosts: list[str] = []
        self._stale = 0.0
        self._lookup = asyncio.Lock()

    def target(self, address: Address) -> str:
        """Return what the request line names: a proxy wants to know the host of what it fetches."""
        return str(address) if self._forwards else address.target

    def proxy_headers(self) -> dict[str, str]:
        """Return the headers a proxy needs with each request."""
        said = self._proxy.basic if self._proxy is not None and self._forwards else None
        return {"Proxy-Authorization": said} if said else {}

    async def send(self, request: bytes, limits: CallLimits) -> Reply:
        """Send a request and return its reply; raises CallFailed."""
        line = self._free() or await self._dial()
        try:
            return await line.ask(request, limits)
        except asyncio.CancelledError:
            line.close()
            raise
        finally:
            if line.usable and self._wary:
                line.close()
            elif line.usable or line.stray:
                self._idle.append(line)

    async def close(self) -> None:
        """Close all connections, and give the loop a turn to finish it."""
        for line in self._idle:
            line.close()
        self._idle.clear()
        await asyncio.sleep(0)

    def _free(self) -> Connection | None:
        while self._idle:
            line = self._idle.pop()
            if line.stray and not self._wary:
                # Whose reply that was is not known, so no connection serves twice from here on.
                self._wary = True
                raise CallFailed("stray", "")
            if line.usable and self._loop.time() - line.rested < IDLE:
                return line
            line.close()
        return None

    async def _dial(self) -> Connection:
        try:
            async with asyncio.timeout(self._connect_timeout):
                return await self._connect()
        except TimeoutError:
            raise CallFailed("timeout_connect", "") from None
        except (socket.gaierror, UnicodeError) as error:
            raise CallFailed("dns", str(error)) from None
        except ssl.SSLError as error:
            raise CallFailed("tls", str(error)) from None
        except OfflineError as error:
            raise CallFailed("offline", str(error)) from None
        except OSError as error:
            raise self._undialled(error) from None

    def _undialled(self, error: OSError) -> CallFailed:
        """Return why there is no connection."""
        problem = error.strerror or str(error) or type(error).__name__
        if error.errno in {errno.EMFILE, errno.ENFILE}:
            return CallFailed("handles", problem)
        if self._tls is not None and isinstance(error, ConnectionResetError | ConnectionAbortedError | BrokenPipeError):
            return CallFailed("reset", f"{problem} while the connection was being secured")
        return CallFailed("refused", problem)

    async def _connect(self) -> Connection:
        hosts = await self._look_up()
        for place, host in enumerate(hosts):
            last = place == len(hosts) - 1
            try:
                async with asyncio.timeout(None if last else NEXT_ADDRESS):
                    line = await self._connect_to(host)
            except (TimeoutError, OSError) as error:
                if last or isinstance(error, ssl.SSLError):
                    raise
            else:
                self._hosts = [host, *(other for other in hosts if other != host)]
                return line
        raise OSError("no address")

    async def _connect_to(self, host: str) -> Connection:
        dialled = self._dialled
        if self._proxy is not None and not self._forwards:
            return await self._tunnel(host, self._proxy)
        tls = self._tls if self._proxy is None else self._proxy_tls
        name = dialled.host if tls is not None else None
        _, line = await self._loop.create_connection(
            lambda: Connection(self._loop), host, dialled.port, ssl=tls, server_hostname=name
        )
        return line

    async def _look_up(self) -> list[str]:
        """Return the addresses of the host, the one that worked last first."""
        async with self._lookup:
            if self._hosts and self._loop.time() < self._stale:
                return self._hosts
            host, port = self._dialled.host, self._dialled.port
            if _is_ip(host):
                self._hosts, self._stale = [host], float("inf")
                return self._hosts
            found = await self._loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            self._hosts = list(dict.fromkeys(str(info[4][0]) for info in found))
            self._stale = self._loop.time() + LOOKED_UP
            return self._hosts

    async def _tunnel(self, host: str, proxy: Address) -> Connection:
        """Ask a proxy for a connection to the address itself, and speak through it."""
        reader = asyncio.StreamReader(limit=MOST_HEAD)
        name = proxy.host if self._proxy_tls is not None else None
        transport, _ = await self._loop.create_connection(
            lambda: asyncio.StreamReaderProtocol(reader), host, proxy.port, ssl=self._proxy_tls, server_hostname=name
        )
        line, ask = Connection(self._loop), by_socks if proxy.scheme.startswith(SOCKS) else by_connect
        try:
            await ask(reader, transport, self._address, proxy)
            if self._tls is None:
                transport.set_protocol(line)
            else:
                secured = await self._loop.start_tls(transport, line, self._tls, server_hostname=self._address.host)
                assert secured is not None
                transport = secured
        except BaseException:
            transport.abort()
            raise
        line.connection_made(transport)
        return line


def _is_ip(host: str) -> bool:
    try:
        ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True
