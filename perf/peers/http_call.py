"""Two calls in a row (or eight at once) by one client, in its own environment; prints the outcome as JSON.

With `cancel` twenty calls are cancelled and those counted that stay open; with `offline` Python's audit hooks refuse
every connection, as `--offline` does; with `proxy` the client shall take its proxy from the environment. FAULT_CA names
an authority to trust, for servers and proxies, FAULT_CERT and FAULT_KEY the certificate to show.
"""

import asyncio
import json
import os
import resource
import ssl
import sys
import time
import urllib.request
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

Call = Callable[[], Awaitable[bytes]]
CANCELLED = 20
CA, CERT, KEY = (os.environ.get(f"FAULT_{name}") for name in ("CA", "CERT", "KEY"))


def _context() -> ssl.SSLContext:
    """Return whom to trust and what to show, for the clients that take it so."""
    context = ssl.create_default_context(cafile=CA)
    if CERT:
        context.load_cert_chain(CERT, KEY)
    return context


def _read(path: str | None) -> bytes:
    return Path(path).read_bytes() if path else b""


async def _client(name: str, url: str, seconds: float, stack: AsyncExitStack) -> Call:
    """Open a client with its own defaults, apart from the time."""
    if name == "ragstone":
        from ragstone.core.masking import Secrets  # noqa: PLC0415
        from ragstone.systems.http.endpoint import CallOptions, Endpoint  # noqa: PLC0415

        files: dict[str, Any] = {"ca_file": CA, "proxy_ca_file": CA, "client_cert": CERT, "client_key": KEY}
        options = CallOptions(timeout=seconds, connect_timeout=seconds, **files)
        endpoint = Endpoint(url, headers={}, secrets=Secrets(), options=options)
        stack.push_async_callback(endpoint.close)
        return lambda: endpoint.call(b"{}")
    if name == "aiohttp":
        import aiohttp  # noqa: PLC0415

        timeout = aiohttp.ClientTimeout(total=seconds)
        session = await stack.enter_async_context(
            aiohttp.ClientSession(
                timeout=timeout, trust_env="proxy" in sys.argv, connector=aiohttp.TCPConnector(ssl=_context())
            )
        )

        async def by_aiohttp() -> bytes:
            async with session.post(url, data=b"{}") as reply:
                return await reply.read()

        return by_aiohttp
    return await _other(name, url, seconds, stack)


async def _other(name: str, url: str, seconds: float, stack: AsyncExitStack) -> Call:
    client: Any
    if name == "httpx":
        import httpx  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

        client = await stack.enter_async_context(httpx.AsyncClient(timeout=seconds, verify=_context()))

        async def by_httpx() -> bytes:
            content: bytes = (await client.post(url, content=b"{}")).content
            return content

        return by_httpx
    if name == "pyreqwest":
        from datetime import timedelta  # noqa: PLC0415

        from pyreqwest.client import ClientBuilder  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

        builder = ClientBuilder().timeout(timedelta(seconds=seconds)).gzip(True)
        builder = builder.add_root_certificate_pem(_read(CA)) if CA else builder
        builder = builder.identity_pem(_read(CERT) + _read(KEY)) if CERT else builder
        client = await stack.enter_async_context(builder.build())

        async def by_pyreqwest() -> bytes:
            reply = await client.post(url).body_text("{}").build().send()
            return bytes(await reply.bytes())

        return by_pyreqwest
    import wreq  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415
    from wreq.tls import CertStore, Identity  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

    trust = {"tls_verify": CertStore.from_pem_stack(_read(CA))} if CA else {}
    shown = {"tls_identity": Identity.from_pkcs8_pem(_read(CERT), _read(KEY))} if CERT else {}
    client = wreq.Client(**trust, **shown)

    async def by_wreq() -> bytes:
        reply = await client.post(url, body="{}")
        return bytes(await reply.bytes())

    return by_wreq


async def _told(call: Call, seconds: float) -> str:
    try:
        async with asyncio.timeout(seconds + 1):
            body = await call()
    except TimeoutError:
        return "timeout"
    except Exception as error:  # noqa: BLE001 - each library has errors of its own
        return "timeout" if "timeout" in f"{type(error).__name__} {error}".lower() else "refused"
    return (body.decode("latin-1") or "nothing") if len(body) < 12 else f"{len(body)} bytes"


async def _cancelled(call: Call, url: str) -> str:
    """Cancel calls that are held, and ask the server how many it still holds."""
    tasks = [asyncio.ensure_future(call()) for _ in range(CANCELLED)]
    await asyncio.sleep(1)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0.5)
    place = url.replace("cancelled%20calls", "open%20calls")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with await asyncio.to_thread(opener.open, place) as reply:
        return f"{int(reply.read())} of {CANCELLED} left open"


def _refuse(event: str, args: tuple[object, ...]) -> None:
    if event == "socket.connect":
        raise ConnectionRefusedError("offline")


async def main() -> None:
    """Call, and print."""
    name, url, at_once, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    if "offline" in sys.argv:
        sys.addaudithook(_refuse)
    async with AsyncExitStack() as stack:
        try:
            call = await _client(name, url, seconds, stack)
        except Exception:  # noqa: BLE001 - a setting that the client will not have
            print(json.dumps({"outcome": "refused", "megabytes": 0, "seconds": 0}))
            return
        began = time.perf_counter()
        if "cancel" in sys.argv:
            told = [await _cancelled(call, url)]
        elif at_once > 1:
            told = sorted(set(await asyncio.gather(*(_told(call, seconds) for _ in range(at_once)))))
        else:
            told = [await _told(call, seconds)]
            await asyncio.sleep(0.3)
            told.append(await _told(call, seconds))
            told = list(dict.fromkeys(told))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        took = time.perf_counter() - began
        print(json.dumps({"outcome": ", then ".join(told), "megabytes": peak, "seconds": took}))


if __name__ == "__main__":
    asyncio.run(main())
