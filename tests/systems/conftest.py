"""Keeps the proxies of the developer's machine out of the tests, and runs those of the lines on two kinds of loop."""

import asyncio
import sys
from collections.abc import Callable

import pytest

CLEARED = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away the proxies, in both spellings."""
    for name in CLEARED:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Run the tests of the lines on both kinds of loop: their transports differ."""
    plain = {"asyncio": asyncio.new_event_loop}
    if item.path.name != "test_connection.py" or sys.platform == "win32":
        return plain
    import uvloop  # noqa: PLC0415 - not to be had everywhere

    return {**plain, "uvloop": uvloop.new_event_loop}
