"""Runs the tests of the lines on two kinds of loop."""

import asyncio
import sys
from collections.abc import Callable

import pytest


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Run the tests of the lines on both kinds of loop: their transports differ."""
    plain = {"asyncio": asyncio.new_event_loop}
    if item.path.name != "test_connection.py" or sys.platform == "win32":
        return plain
    import uvloop  # noqa: PLC0415 - not to be had everywhere

    return {**plain, "uvloop": uvloop.new_event_loop}
