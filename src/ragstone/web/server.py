"""Listening: one process, one port, until it is told to stop."""

import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn

from ragstone.errors import SettingError
from ragstone.settings import Settings
from ragstone.web.app import create_app
from ragstone.api import keep_offline

GRACE = 3
"""Seconds that open connections get when the server is stopped."""


def serve(settings: Settings, say: Callable[[str], object]) -> None:
    """Serve the page; `say` is told where it is."""
    app = create_app(settings)
    listening = _listen(settings)
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    say(f"Ragstone: http://{shown}:{port}/eval")
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE,
    )
    keep_offline(settings)
    _Server(config).run([listening])


class _Server(uvicorn.Server):
    """Lets those who watch a run go when it is told to stop; their browsers come back to the next server."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop."""
        app: Any = self.config.app
        app.state.hall.jobs.leave()
        super().handle_exit(sig, frame)


def _listen(settings: Settings) -> socket.socket:
    """Take the port before anything else is begun."""
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
