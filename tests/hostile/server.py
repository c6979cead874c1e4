"""A real server on loopback, in a thread, that answers each call with the next thing a script says."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import NamedTuple


class Call(NamedTuple):
    """One request as it arrived."""

    number: int
    path: str
    headers: dict[str, str]
    body: bytes


class Said(NamedTuple):
    """One reply as it is sent."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = MappingProxyType({})


Script = Callable[[Call], Said]


@contextmanager
def serving(script: Script) -> Iterator[int]:
    """Serve on a free port until the block ends."""
    calls: list[Call] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            calls.append(Call(len(calls), self.path, dict(self.headers), body))
            said = script(calls[-1])
            self.send_response(said.status)
            for name, value in {"Content-Type": "application/json", **said.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(said.body)))
            self.end_headers()
            self.wfile.write(said.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
