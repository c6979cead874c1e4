"""The next step that is printed works as printed, however the command was started."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ragstone.cli import program

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(sys.executable).parent
WAYS = {
    "on the PATH": (["ragstone"], "ragstone"),
    "off the PATH": ([str(SCRIPTS / "ragstone")], str(SCRIPTS / "ragstone")),
    "by module": (["python", "-m", "ragstone"], "python -m ragstone"),
    "by module, flags": (["python", "-X", "utf8", "-m", "ragstone"], "python -X utf8 -m ragstone"),
    "in a clone": (
        ["uv", "run", "--no-sync", "--project", str(ROOT), "ragstone"],
        f"uv run --no-sync --project {ROOT} ragstone",
    ),
}


def _shell(words: list[str] | str, *, path: bool) -> subprocess.CompletedProcess[str]:
    """Run a command where our scripts are on the PATH, or where they are not."""
    others = [one for one in os.environ["PATH"].split(os.pathsep) if Path(one) != SCRIPTS]
    env = os.environ | {"PATH": os.pathsep.join([str(SCRIPTS), *others] if path else others)}
    env.pop("VIRTUAL_ENV", None)  # uv warns of another project's
    shell = isinstance(words, str)
    return subprocess.run(words, shell=shell, env=env, capture_output=True, encoding="utf-8", check=False)


@pytest.mark.parametrize(
    ("way", "ask"),
    [
        *((way, ["runs"]) for way in WAYS),
        ("on the PATH", []),
        *(pytest.param(way, [], marks=pytest.mark.long) for way in WAYS if way != "on the PATH"),
    ],
)
def test_the_next_step_can_be_typed_as_printed(way: str, ask: list[str]) -> None:
    """Each way of starting is the way that is printed, and the shell that started us understands it."""
    words, typed = WAYS[way]
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not here")
    path = words[0] in {"ragstone", "python"}

    shown = _shell([*words, *ask], path=path).stdout
    line = next(line for line in shown.splitlines() if line.endswith(" demo"))

    assert line.partition(": ")[2].replace("'", "") == f"{typed} demo"
    assert _shell(f"{line.partition(': ')[2]} --help", path=path).returncode == 0


def test_another_program_names_one_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -m bench.cli.runner` shows commands of ours, not of its own."""
    monkeypatch.setattr(sys, "argv", ["/somewhere/bench/cli/runner.py", "--mock"])
    monkeypatch.delenv("UV", raising=False)
    monkeypatch.setenv("PATH", str(SCRIPTS))
    assert program.command("report", "runs/a b") == "ragstone report 'runs/a b'"

    monkeypatch.setenv("PATH", "/nowhere")

    assert program.command("report", "latest") == f"{shlex.quote(sys.executable)} -m ragstone report latest"


def test_uv_is_believed_where_its_command_line_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere than on Linux the variables that uv sets must do."""
    monkeypatch.setattr(sys, "argv", ["/clone/.venv/bin/ragstone", "demo"])
    monkeypatch.setattr(os, "getppid", lambda: 0)
    monkeypatch.setenv("UV", "/usr/bin/uv")
    monkeypatch.setenv("UV_RUN_RECURSION_DEPTH", "1")

    assert program.command("runs") == "uv run ragstone runs"


def test_sentences_name_commands_as_they_are_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands alone are changed: not a path, not the product's name."""
    monkeypatch.setattr(program, "_started", lambda: ["uv", "run", "ragstone"])
    told = "ragstone run/x：请用 ragstone verify 查看，`ragstone runs`; /home/ragstone run, ragstone.toml, ragstone"

    assert program.as_typed(told) == (
        "uv run ragstone run/x：请用 uv run ragstone verify 查看，`uv run ragstone runs`; "
        "/home/ragstone run, ragstone.toml, ragstone"
    )
