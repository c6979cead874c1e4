"""A server in front of another one: passes every request on and remembers what was asked."""

import json
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

OPENER = build_opener(ProxyHandler({}))
"""Goes straight to 127.0.0.1, whatever proxy the machine has."""


class Tally(ThreadingHTTPServer):
    """`with Tally(address) as tally:` counts the questions that reach an endpoint."""

    daemon_threads = True

    def __init__(self, behind: str) -> None:
        super().__init__(("127.0.0.1", 0), _PassOn)
        self.behind = behind
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        self.asked: Counter[str] = Counter()
        """Question to the number of times it arrived."""
        Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, *_: object) -> None:
        """Say nothing of a client that was killed while it waited."""


class _PassOn(BaseHTTPRequestHandler):
    server: Tally

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked[_question(json.loads(body))] += 1
        status, reply = _pass_on(self.server.behind + self.path, body)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_: object) -> None:
        """Keep quiet: the tally is the log."""


def _question(body: dict[str, Any]) -> str:
    """Return the last line of the last message: passages come first, the question last."""
    return str(body["messages"][-1]["content"]).splitlines()[-1]


def _pass_on(address: str, body: bytes) -> tuple[int, bytes]:
    request = Request(address, body, {"Content-Type": "application/json"})
    try:
        with OPENER.open(request, timeout=300) as reply:
            return reply.status, reply.read()
    except HTTPError as error:
        return error.code, error.read()
