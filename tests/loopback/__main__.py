"""The server as a process of its own: `python -m tests.loopback --latency 0.05`, which prints its address."""

import argparse
import asyncio

from aiohttp import web

from tests.loopback import Reply


async def serve(latency: float) -> None:
    """Answer every request with one completion until the process is ended."""
    content = Reply().content()
    calls = 0

    async def handle(request: web.Request) -> web.Response:
        nonlocal calls
        if request.method == "GET":
            return web.json_response({"calls": calls})
        await request.read()
        calls += 1
        if latency:
            await asyncio.sleep(latency)
        return web.Response(body=content, content_type="application/json")

    # The bare server, without router and middlewares, so that the client is what limits.
    runner = web.ServerRunner(web.Server(handle))  # type: ignore[arg-type]
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)  # noqa: T201
    await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.0)
    asyncio.run(serve(parser.parse_args().latency))
