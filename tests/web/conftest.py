"""A furnished folder and a server in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ragstone.core.settings import Settings
from tests.web.site import SYSTEMS, Site, furnish, serving


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server without a token, as it runs on one's own machine."""
    furnish(tmp_path)
    with serving(Settings(systems=SYSTEMS)) as found:
        yield found


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Site]:
    """A server with a token."""
    furnish(tmp_path)
    with serving(Settings(systems=SYSTEMS, token="correct-horse-battery")) as found:
        yield found
