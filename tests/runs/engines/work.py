"""Work that tests give to engines: it doubles, it prints, it fails, it dies."""

import os
import signal
import socket
import sys
import time
from pathlib import Path

from ragstone.core.errors import RunError


def double(setup: bytes, content: bytes) -> bytes:
    """Say everything twice, noisily."""
    sys.stdout.write("noise on the standard output\n")
    return setup + content * 2


def fail(setup: bytes, content: bytes) -> bytes:
    """Trip over one shard: as a user's fault, or as a bug."""
    if content == b"user":
        raise RunError("run.missing", run="r", folder="f")
    if content == b"bug":
        raise ZeroDivisionError("by nothing")
    return content


def die(setup: bytes, content: bytes) -> bytes:
    """Die over a shard as often as the setup's file has letters left."""
    path = Path(setup.decode())
    if content == b"deadly" and (left := path.read_bytes()):
        path.write_bytes(left[1:])
        os.kill(os.getpid(), signal.SIGKILL)
    return content


def sleep(setup: bytes, content: bytes) -> bytes:
    """Take a while, and say who one is."""
    time.sleep(float(content))
    return str(os.getpid()).encode()


def reach(setup: bytes, content: bytes) -> bytes:
    """Try to connect to a place, and say what came of it."""
    try:
        socket.create_connection((content.decode(), 9), timeout=2).close()
    except OSError as error:
        return type(error).__name__.encode()
    return b"connected"
