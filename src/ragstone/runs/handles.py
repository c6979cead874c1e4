"""How many connections a process can have: every one takes a file handle, and the run's own files need some too."""

import contextlib

try:
    import resource
except ImportError:  # pragma: no cover - Windows has no such limit
    resource = None  # type: ignore[assignment]

KEPT = 32
"""Handles left for everything that is no connection: journal, rows, reports, modules that are loaded late."""


def room_for(wanted: int) -> int:
    """Return how many connections can be had, at least one; the limit is raised as far as the system allows."""
    room = wanted
    if resource is not None:
        room = _raised(wanted)
    return room


def _raised(wanted: int) -> int:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    need = wanted + KEPT
    if soft == resource.RLIM_INFINITY or soft >= need:
        return wanted
    with contextlib.suppress(OSError, ValueError):
        most = need if hard == resource.RLIM_INFINITY else min(need, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    return max(1, min(wanted, soft - KEPT))
