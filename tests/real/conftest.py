"""A small real language model on loopback, started once for a session and ended by its own process id."""

import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError

import pytest

from scripts.get_small_model import SMALL, model_folder
from tests.needs import lacks
from tests.real.tally import OPENER, Tally

ROOT = Path(__file__).parents[2]
PATH = model_folder() / SMALL.file
"""Read at import, before a test's clean environment hides the variable that names the folder."""
PATIENCE = 120
"""Seconds until the model must answer."""


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", "real: asks a real model on loopback; see docs/real-model.md")


@pytest.fixture(scope="session")
def model_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the real model answers; without one the test is skipped, or fails where one is required."""
    if why := what_is_missing():
        lacks("model", why)
    with serving(tmp_path_factory.mktemp("server") / "log.txt") as address:
        yield address


@pytest.fixture
def tally(model_address: str) -> Iterator[Tally]:
    """The real model behind a door that counts."""
    with Tally(model_address) as tally:
        yield tally


def what_is_missing() -> str:
    """Say what a real model needs that is not there, and how to get it."""
    if find_spec("xllamacpp") is None:
        return "no model server: run the tests with `uv run --group real pytest`"
    if not PATH.is_file():
        return f"no model at {PATH}: run `python scripts/get_small_model.py`"
    return ""


@contextmanager
def serving(log: Path, *options: str) -> Iterator[str]:
    """Serve the model in a process of its own until its user is done."""
    words = [sys.executable, "-m", "tests.real.server", str(PATH), *options]
    # Threads that wait must sleep: spinning ones starve everything on a busy machine.
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    began = time.monotonic()
    with (
        log.open("wb") as errors,
        subprocess.Popen(
            words,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            encoding="utf-8",
        ) as process,
    ):
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            _wait_until_ready(address, log)
            logging.getLogger(__name__).info("ready after %.1f s", time.monotonic() - began)
            yield address
        finally:
            process.kill()


def _wait_until_ready(address: str, log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while address and time.monotonic() < end:
        try:
            with OPENER.open(f"{address}/health", timeout=5):
                return
        except (URLError, TimeoutError):
            time.sleep(0.05)
    pytest.fail(f"the model server did not begin: {log.read_text(errors='replace')[-500:]}")
