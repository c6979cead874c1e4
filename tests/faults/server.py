"""A server on 127.0.0.1 that writes raw bytes, so that it can be as wrong as no library would let it be.

It counts every request that reached it, by question; each connection has a thread of its own.
"""

import gzip
import io
import json
import re
import socket
import socketserver
import struct
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.loopback import completion

LONGEST = 30.0
"""Seconds after which a reply that is meant to hang lets its thread go."""


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    question: str
    turn: int
    """How often this question had been asked before."""
    number: int
    """How many requests had come before, of any question."""
    body: dict[str, Any]

    @property
    def place(self) -> int:
        """The number in the question."""
        found = re.search(r"\d+", self.question)
        return int(found[0]) if found else 0

    @property
    def answer(self) -> str:
        """The right answer."""
        return right_answer(self.place)


def right_answer(place: int) -> str:
    """Return what the made-up handbook says of a locker."""
    return f"{place}00元（柜.md）"


class Wire:
    """One connection, as a manner of answering sees it."""

    def __init__(self, connection: socket.socket, server: "Faulty") -> None:
        self.connection = connection
        self.server = server

    def send(self, raw: bytes) -> None:
        """Put bytes on the wire as they are."""
        self.connection.sendall(raw)

    def reply(
        self, body: object, status: str = "200 OK", kind: str = "application/json", more: tuple[str, ...] = ()
    ) -> None:
        """Send a whole reply."""
        raw = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        self.send(head(status, kind, len(raw), more) + raw)

    def reset(self) -> None:
        """Let the other side see a reset rather than an end."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def rest(self, seconds: float) -> None:
        """Do nothing for a while, or until the server is closed."""
        self.server.closing.wait(seconds)


Manner = Callable[[Wire, Asked], bool | None]
"""Answers one request; False ends the connection."""


def head(status: str, kind: str, length: int | None, more: tuple[str, ...] = ()) -> bytes:
    """Return the lines before a body."""
    size = () if length is None else (f"Content-Length: {length}",)
    return "\r\n".join((f"HTTP/1.1 {status}", f"Content-Type: {kind}", *size, *more, "", "")).encode()


def good(wire: Wire, asked: Asked) -> None:
    """Answer as it should be."""
    wire.reply(completion(asked.answer))


class Faulty(socketserver.ThreadingTCPServer):
    """`with Faulty(manner) as server:` listens on a free port until the block is left."""

    daemon_threads = True
    request_queue_size = 128
    allow_reuse_address = True

    def __init__(self, manner: Manner = good, *, port: int = 0, tls: bool = False) -> None:
        self.manner = manner
        self.asked: Counter[str] = Counter()
        self.connections = 0
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._tls = tls
        super().__init__(("127.0.0.1", port), _Handler)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        """Where a chat endpoint would begin."""
        return f"http{'s' if self._tls else ''}://127.0.0.1:{self.port}/v1"

    @property
    def calls(self) -> int:
        """Requests that arrived whole."""
        with self._lock:
            return self.asked.total()

    def counts(self) -> Counter[str]:
        """How often each question was asked so far."""
        with self._lock:
            return Counter(self.asked)

    def __enter__(self) -> "Faulty":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self.shutdown()
        self.server_close()
        self._thread.join()

    def note(self, body: dict[str, Any]) -> Asked:
        """Count a request."""
        question = str(body.get("question") or body["messages"][-1]["content"])
        with self._lock:
            asked = Asked(question, self.asked[question], self.asked.total(), body)
            self.asked[question] += 1
        return asked

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that goes away is part of the play."""


class _Handler(socketserver.StreamRequestHandler):
    server: Faulty

    def handle(self) -> None:
        self.server.connections += 1
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection.settimeout(LONGEST)
        wire = Wire(self.connection, self.server)
        if self.server.manner is garble:
            wire.send(b"\x17 this was never TLS \x00\xff" * 8)
            self.rfile.read()
        if self.server.manner in {garble, hang_up}:
            return
        while (body := _read_request(self.rfile)) is not None:
            if self.server.manner(wire, self.server.note(body)) is False:
                return


def _read_request(file: io.BufferedIOBase) -> dict[str, Any] | None:
    length = 0
    line = file.readline()
    if not line.strip():
        return None
    while (line := file.readline()).strip():
        name, _, value = line.decode("latin-1").partition(":")
        if name.lower() == "content-length":
            length = int(value)
    body: dict[str, Any] = json.loads(file.read(length))
    return body


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


# --- manners of answering ---


def garble(wire: Wire, asked: Asked) -> bool:
    """Stand for a port that does not speak TLS; the handler knows it before anything is read."""
    return False


def hang_up(wire: Wire, asked: Asked) -> bool:
    """Stand for a port that hangs up on whoever dials it."""
    return False


def reset_mid_body(wire: Wire, asked: Asked) -> bool:
    """Break off within the body, the first time a question comes."""
    if asked.turn:
        wire.reply(completion(asked.answer))
        return True
    raw = json.dumps(completion(asked.answer)).encode()
    wire.send(head("200 OK", "application/json", len(raw)) + raw[: len(raw) // 2])
    time.sleep(0.01)
    wire.reset()
    return False


def limited(share: float, *headers: str) -> Manner:
    """Turn a share of all calls away with 429, always the same ones."""

    def manner(wire: Wire, asked: Asked) -> None:
        if _dice(asked) < share:
            error = {"error": {"message": "slow down"}}
            wire.reply(error, status="429 Too Many Requests", more=headers)
        else:
            good(wire, asked)

    return manner


def _dice(asked: Asked) -> float:
    return zlib.crc32(f"{asked.question}/{asked.turn}".encode()) % 1000 / 1000


def status(line: str, *, turns: int = 1_000_000) -> Manner:
    """Answer with a status, the first few times a question comes."""

    def manner(wire: Wire, asked: Asked) -> None:
        if asked.turn < turns:
            wire.reply({"error": {"message": "out of order"}}, status=line)
        else:
            good(wire, asked)

    return manner


def web_page(wire: Wire, asked: Asked) -> None:
    """Answer with a page for people."""
    wire.reply(b"<!doctype html><html><body>Please log in</body></html>", kind="text/html")


def half_json(wire: Wire, asked: Asked) -> None:
    """Send a reply that is whole for HTTP and cut for JSON."""
    raw = json.dumps(completion(asked.answer)).encode()
    wire.reply(raw[: len(raw) // 2])


def wrong_type(wire: Wire, asked: Asked) -> None:
    """Send the right JSON under a wrong name."""
    wire.reply(completion(asked.answer), kind="image/png")


def bomb(wire: Wire, asked: Asked) -> None:
    """Send little that becomes much."""
    wire.reply(_BOMB, more=("Content-Encoding: gzip",))


def endless(wire: Wire, asked: Asked) -> bool:
    """Send a body that has no end."""
    wire.send(head("200 OK", "application/json", None, ("Transfer-Encoding: chunked",)))
    piece = b"10000\r\n" + b" " * 65536 + b"\r\n"
    until = time.monotonic() + LONGEST
    while time.monotonic() < until and not wire.server.closing.is_set():
        wire.send(piece)
    return False


def drip(wire: Wire, asked: Asked) -> bool:
    """Send one byte a second."""
    raw = json.dumps(completion(asked.answer)).encode()
    wire.send(head("200 OK", "application/json", len(raw)))
    for place in range(int(LONGEST)):
        wire.send(raw[place : place + 1])
        wire.rest(1.0)
    return False


def hang(wire: Wire, asked: Asked) -> bool:
    """Take the question and say nothing."""
    wire.rest(LONGEST)
    return False


def twice(after: float) -> Manner:
    """Send every reply a second time, on the same connection."""

    def manner(wire: Wire, asked: Asked) -> None:
        if after:
            wire.reply(completion(asked.answer))
            time.sleep(after)
            wire.reply(completion(asked.answer))
        else:
            raw = json.dumps(completion(asked.answer)).encode()
            wire.send((head("200 OK", "application/json", len(raw)) + raw) * 2)

    return manner


def slow(seconds: float, manner: Manner = good) -> Manner:
    """Take some time for each answer."""

    def later(wire: Wire, asked: Asked) -> bool | None:
        wire.rest(seconds)
        return manner(wire, asked)

    return later


class Gate:
    """Answers some calls, and keeps the others waiting until it is opened."""

    def __init__(self, after: int) -> None:
        self._after = after
        self._opened = threading.Event()

    def __call__(self, wire: Wire, asked: Asked) -> None:
        """Answer, at once or later."""
        if asked.number >= self._after:
            self._opened.wait(LONGEST)
        good(wire, asked)

    def open(self) -> None:
        """Let all through."""
        self._opened.set()


def long_answer(size: int) -> Manner:
    """Give answers that fill a disk."""

    def manner(wire: Wire, asked: Asked) -> None:
        wire.reply(completion(asked.answer + "。" * size))

    return manner


def other_id(wire: Wire, asked: Asked) -> None:
    """Answer a service's question with the id of another one."""
    wire.reply({"id": f"{asked.body.get('id')}-other", "answer": asked.answer})


def same_id(wire: Wire, asked: Asked) -> None:
    """Answer a service's question under its own id."""
    wire.reply({"id": asked.body.get("id"), "answer": asked.answer})


_BOMB = gzip.compress(b" " * (1 << 20), 9) * 64
