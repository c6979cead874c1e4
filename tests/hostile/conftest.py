"""The whole command line, run inside the test's own process: many commands in little time."""

import subprocess
import sys

import pytest

from ragstone.cli.main import main
from tests.conftest import Cli


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command as the real one does, with its exit code and all it shows."""

    def run(*words: object, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
        for name, value in (env or {}).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["ragstone", *map(str, words)])
        monkeypatch.delitem(sys.modules, "my_rag", raising=False)
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        code = ended.value.code
        return subprocess.CompletedProcess(
            [str(word) for word in words], code if isinstance(code, int) else 0, shown.out, shown.err
        )

    return run
