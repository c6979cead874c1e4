"""A real server on 127.0.0.1 that behaves as badly as asked, and counts what it saw."""

from tests.loopback.server import Loopback, Reply, completion

__all__ = ["Loopback", "Reply", "completion"]
