"""Run folders from elsewhere on the command line: what they would load is told, and loaded only when trusted."""

import json
import os
import pty
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from ragstone.runs.store.folder import RunFolder
from tests.conftest import Cli
from tests.runs.stopped import leave
from tests.web.site import furnish

MAKER = "open('owned', 'w').close()\nclass X: pass\ndef f(q): return q\n"


@pytest.fixture
def planted(tmp_path: Path, cli: Cli) -> Path:
    """A project with a run whose configuration somebody else has changed."""
    furnish(tmp_path)
    (tmp_path / "evil.py").write_text(MAKER)
    assert cli("run", "datasets/library.jsonl", "-s", "replay:answers.jsonl", "--run-id", "a", "-q").returncode == 0
    return tmp_path / "runs" / "a"


def change(path: Path, **config: object) -> None:
    """Rewrite what a run names, with a seal that fits."""
    file = path / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | config))
    meta = RunFolder(path).meta()
    kept = {name: value for name, value in meta.items() if name not in {"files_sha256", "meta_sha256"}}
    (path / "run_meta.json").write_text(json.dumps(kept | {"status": "running"}))
    (path / "answers.jsonl").write_bytes(b"")


PLANTED: dict[str, dict[str, object]] = {
    "chat": {"systems": ["builtin:datasets"], "system_options": {"chat": "python:evil:f"}},
    "system": {"systems": ["python:evil:f"]},
    "contract": {"contract": "evil:X"},
    "api_key_env": {"systems": ["chat:m"], "system_options": {"base_url": "http://127.0.0.1:9", "api_key_env": "AWS"}},
    "proxy": {"system_options": {"proxy": "http://127.0.0.1:9"}},
    "/etc/passwd": {"dataset": "/etc/passwd"},
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_run_is_refused_without_a_terminal(planted: Path, cli: Cli, name: str) -> None:
    """What it would load is named, nothing of it is."""
    change(planted, **PLANTED[name])

    done = cli("resume", "a")

    assert done.returncode == 2
    assert "--trust-run" in done.stderr
    assert name in done.stderr
    assert not Path("owned").exists()


KEYS: dict[str, dict[str, object]] = {
    "key option": {"systems": ["chat:m"], "system_options": {"base_url": "{url}", "api_key_env": "AWS_SECRET"}},
    "key in an address": {"systems": ["http_json:{url}/${AWS_SECRET}"]},
    "proxy": {"systems": ["chat:m"], "system_options": {"base_url": "http://faults.invalid", "proxy": "{url}"}},
    "registry": {"systems": ["chat:m"], "system_options": {"registry": "registry.json"}},
}


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("name", KEYS)
def test_no_key_leaves_the_command_line(planted: Path, cli: Cli, name: str, trusted: bool) -> None:
    """A listener on this machine hears nothing, neither key nor call, until the run is trusted by its flag."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        model = {"model": "m", "base_url": url, "api_key": "${AWS_SECRET}"}
        Path("registry.json").write_text(json.dumps({"models": {"m": model}}))
        change(planted, **json.loads(json.dumps(KEYS[name]).replace("{url}", url)))
        quick = ["-O", "max_retries=0", "-O", "timeout=1", "-O", "patience_at_start=0.1"] if trusted else []
        for command in (["verify", "a"], ["rescore", "a"], ["report", "a"], ["resume", "a", *quick]):
            flag = ["--trust-run"] if trusted and command[0] == "resume" else []
            cli(*command, *flag, env={"AWS_SECRET": "canary-0123456789"})

        called = _is_called(listener)

    assert called is trusted


def _is_called(listener: socket.socket) -> bool:
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


@pytest.mark.parametrize("command", ["verify", "rescore", "report", "runs", "gate"])
def test_no_code_is_loaded_to_look_at_a_run(planted: Path, cli: Cli, command: str) -> None:
    """A contract that is a class of somebody's module is not imported."""
    change(planted, contract="evil:X")

    done = cli(command, *([] if command == "runs" else ["a"]), *(["-r", "accuracy >= 0"] if command == "gate" else []))

    assert "Traceback" not in done.stderr
    assert not Path("owned").exists()


def test_trust_is_given_by_flag(planted: Path, cli: Cli) -> None:
    """Whoever trusts the run says so, and it goes on."""
    change(planted, systems=["python:slow_rag:answer"])

    assert cli("resume", "a", "-q").returncode == 2
    assert cli("resume", "a", "-q", "--trust-run").returncode == 0


def test_ones_own_run_goes_on_without_a_question(planted: Path, cli: Cli) -> None:
    """After a kill nothing is asked of the user, whatever the system is."""
    assert cli("run", "datasets/library.jsonl", "-s", "python:slow_rag:answer", "--run-id", "b", "-q").returncode == 0
    leave(planted.parent / "b", slice(1))

    assert cli("resume", "b", "-q").returncode == 0


@pytest.mark.parametrize(("said", "code"), [(b"n\n", 2), (b"y\n", 0)])
def test_a_terminal_is_asked(planted: Path, said: bytes, code: int) -> None:
    """Systems, files, variables and hosts are shown; only a yes loads them."""
    change(planted, systems=["python:slow_rag:answer"])
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "ragstone", "resume", "a", "-q"], stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.write(ours, said)

    assert process.wait(60) == code
    assert b"python:slow_rag:answer" in os.read(ours, 10_000)
    for end in (ours, theirs):
        os.close(end)


def test_a_rescored_planted_run_stays_foreign(planted: Path, cli: Cli) -> None:
    """Scoring somebody's answers again does not make their systems one's own."""
    (planted / "config.json").write_text(
        json.dumps(json.loads((planted / "config.json").read_text()) | {"systems": ["python:evil:f"]})
    )
    cli("rescore", "a", "--out", "runs/b")
    shutil.rmtree(planted)

    assert cli("resume", "b", "--retry-failed").returncode == 2
    assert not Path("owned").exists()
