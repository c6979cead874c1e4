"""The HTTP server: one process, one port; idle connections are dropped."""

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from ragstone.api import keep_offline
from ragstone.core.errors import SettingError
from ragstone.core.settings import Settings
from ragstone.web.app import create_app
from ragstone.web.review.serving import announced

try:
    import resource
except ImportError:  # pragma: no cover - Windows has no such limits
    resource = None  # type: ignore[assignment]

GRACE = 3
"""Seconds that open connections get when the server is stopped."""
HEAD_SECONDS = 10.0
"""Seconds in which a connection must have said what it wants."""
STUCK_SECONDS = 60.0
"""Seconds after which a browser that takes nothing of its answer is let go."""
MOST_CONNECTIONS = 1000


def serve(settings: Settings, say: Callable[[str], object]) -> None:
    """Serve the page; `say` is called with its address, and with the lines of its runs."""
    keep_offline(settings)
    app = create_app(settings, say)
    listening = _listen(settings)
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    say(f"Ragstone: http://{shown}:{port}/eval")
    with announced(Path(settings.runs_dir), port):
        _Server(configure(app, grace=GRACE)).run([listening])


def configure(app: ASGIApp, *, grace: int, log_level: str = "warning") -> uvicorn.Config:
    """Return uvicorn's configuration: no access log, no server header, no trust in proxy headers."""
    return uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        log_level=log_level,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=grace,
    )


def most_connections() -> int:
    """Return how many connections are held at once: half of the files this process may open, at most a thousand."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if resource is not None else 512
    return MOST_CONNECTIONS if soft < 0 else max(16, min(MOST_CONNECTIONS, soft // 2))


class Connection(H11Protocol):
    """One connection: dropped when it says nothing, or takes nothing, for too long, or when there are too many."""

    _most = most_connections()
    _head: asyncio.TimerHandle | None = None
    """Runs out while no request is being answered."""
    _stuck: asyncio.TimerHandle | None = None
    """Runs out while the browser takes nothing."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        if len(self.connections) > self._most:
            transport.abort()
        else:
            self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        _cancel(self._head)
        self._head = None
        _cancel(self._stuck)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Wait no more when a request has begun; bytes that make none win no time."""
        super().data_received(data)
        if self._answering:
            _cancel(self._head)
            self._head = None
        elif self._head is None:
            self._await_head()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._await_head()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Wait for a browser that takes nothing."""
        super().pause_writing()
        _cancel(self._stuck)
        self._stuck = self.loop.call_later(STUCK_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: something was taken."""
        super().resume_writing()
        _cancel(self._stuck)

    @property
    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _await_head(self) -> None:
        _cancel(self._head)
        self._head = self.loop.call_later(HEAD_SECONDS, self._no_head)

    def _no_head(self) -> None:
        """Drop a connection that sends nothing; one that is still receiving a response gets more time, once."""
        if self._answering:
            # A request that came together with the one before it.
            self._head = None
        elif self.transport.get_write_buffer_size():
            self._head = self.loop.call_later(STUCK_SECONDS, self.transport.abort)
        else:
            self.transport.abort()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


class _Server(uvicorn.Server):
    """Disconnects watchers of runs when it stops; their browsers reconnect to the next server."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop."""
        app: Any = self.config.app
        app.state.shared.jobs.leave()
        super().handle_exit(sig, frame)


def _listen(settings: Settings) -> socket.socket:
    """Bind the port before anything else is begun."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((settings.host.strip("[]"), settings.port))
    except OSError as error:
        listening.close()
        problem = error.strerror or str(error)
        raise SettingError("serve.port", host=settings.host, port=settings.port, problem=problem) from error
    return listening
