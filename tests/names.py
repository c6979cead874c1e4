"""Names that lead nowhere, at once: `.invalid` is reserved, but some machines ask the network for it, and wait."""

import socket
import sys
from typing import Any

RESERVED = ".invalid"


def settle_names() -> None:
    """Let no reserved name be looked up in this process, in neither kind of event loop."""
    sys.addaudithook(lambda event, given: _refuse(given[0]) if event == "socket.getaddrinfo" else None)
    if sys.platform == "win32":
        return
    import uvloop  # noqa: PLC0415 - not to be had everywhere

    inner = uvloop.Loop.getaddrinfo

    async def getaddrinfo(self: uvloop.Loop, host: Any, *more: Any, **named: Any) -> Any:
        _refuse(host)
        return await inner(self, host, *more, **named)

    loop: Any = uvloop.Loop
    loop.getaddrinfo = getaddrinfo


def _refuse(host: object) -> None:
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if isinstance(name, str) and name.rstrip(".").endswith(RESERVED):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
