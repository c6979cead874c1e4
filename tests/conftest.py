"""What every test starts from: a clean environment, an empty folder, a real command line."""

import http.cookiejar
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.core import offline

OFFLINE_ALLOW = ".invalid"
offline.guard([OFFLINE_ALLOW])

# Tests that run pytest inside pytest forget what was imported in between, and packages do not: a module that half of
# a library took from its package and the other half imports anew has two of each class.
assert http.cookiejar

Cli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Take away what the developer's machine has set, and stand in an empty folder."""
    for name in list(os.environ):
        if name.startswith(("RAGSTONE_", "LC_", "OPENAI")) or name in {"LANG", "LANGUAGE"}:
            monkeypatch.delenv(name)
    # No test may reach beyond this machine; .invalid is reserved and never resolves.
    monkeypatch.setenv("RAGSTONE_OFFLINE", "1")
    monkeypatch.setenv("RAGSTONE_OFFLINE_ALLOW", OFFLINE_ALLOW)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def cli() -> Cli:
    """Run the real command line in the test's folder."""

    def run(
        *words: str | Path, env: dict[str, str] | None = None, seconds: float = 60
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "ragstone", *map(str, words)],
            capture_output=True,
            encoding="utf-8",
            timeout=seconds,
            env={**os.environ, "PYTHONWARNINGS": "error", **(env or {})},
            check=False,
        )

    return run


@pytest.fixture
def write_rows(tmp_path: Path) -> Callable[..., Path]:
    """Write a JSONL file into the test's folder."""

    def write(name: str, *rows: object) -> Path:
        path = tmp_path / name
        lines = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return path

    return write
