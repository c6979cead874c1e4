"""A worker process: reads shards from its standard input, writes outcomes to its standard output, dies with its parent.

A message is its length in eight bytes and then that many bytes.
"""

import gc
import os
import queue
import signal
import threading
from typing import IO

import msgspec

from ragstone.core.offline import ALLOW, SWITCH, guard
from ragstone.runs.engines.call import call, find

HEAD = 8
FIRST = "ragstone.runs.shards:judge_shard"
"""What is most often asked for; it is loaded while the parent is not ready yet."""


class Order(msgspec.Struct, frozen=True, array_like=True):
    """One shard to be done."""

    target: str
    setup: bytes
    content: bytes


def send(stream: IO[bytes], message: bytes) -> None:
    """Write one message."""
    stream.write(len(message).to_bytes(HEAD, "little") + message)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """Read one message; None when the other side is gone."""
    head = stream.read(HEAD)
    if len(head) < HEAD:
        return None
    size = int.from_bytes(head, "little")
    message = stream.read(size)
    return message if len(message) == size else None


def _listen(stream: IO[bytes], orders: "queue.SimpleQueue[bytes]") -> None:
    """Read orders while others are worked on; end the process at the end of the stream."""
    while (message := receive(stream)) is not None:
        orders.put(message)
    os._exit(0)


def main() -> None:
    """Work until the parent closes the stream or dies."""
    # As on the command line: what tables and shards are made of is hardly ever in a cycle.
    gc.set_threshold(100_000)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business; its end is ours
    orders: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    # What a contract prints must not get between the messages.
    source, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    threading.Thread(target=_listen, args=(source, orders), daemon=True).start()
    if os.environ.get(SWITCH) == "1":
        guard(place for place in os.environ.get(ALLOW, "").split(",") if place)
    find(FIRST)
    decode = msgspec.msgpack.Decoder(Order).decode
    while True:
        order = decode(orders.get())
        send(out, call(order.target, order.setup, order.content))
