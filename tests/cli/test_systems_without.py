"""Ragstone where the system is not Linux: what Windows and macOS lack is taken away, and the commands still work.

This shows that nothing on the way needs it. It does not show line ends, paths and sharing rules of those systems.
"""

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

TAKEN_AWAY = """
import asyncio, asyncio.unix_events, builtins, os, signal, socket, subprocess, sys, tempfile, time

MODULES = {"fcntl", "resource", "uvloop", "pwd", "grp", "termios", "tty", "syslog", "readline", "pty"}

for name in MODULES:
    sys.modules[name] = None
for name in (
    "pread pwrite preadv fork forkpty sched_getaffinity getuid geteuid getgid getegid fchmod chown fchown lchown "
    "mkfifo mknod nice statvfs fstatvfs setsid getpgid killpg sync posix_fadvise uname "
    "O_CLOEXEC O_NOFOLLOW O_DIRECTORY O_NONBLOCK O_SYNC O_DSYNC"
).split():
    vars(os).pop(name, None)
for name in ("SIGHUP", "SIGALRM", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPIPE", "setitimer"):
    vars(signal).pop(name, None)
vars(time).pop("tzset", None)

def refused(*given, **more):
    raise NotImplementedError

asyncio.SelectorEventLoop.add_signal_handler = asyncio.SelectorEventLoop.remove_signal_handler = refused
plain = builtins.open

def no_proc(file, *given, **more):
    if str(file).startswith(("/proc", "/sys/", "/dev/shm")):
        raise FileNotFoundError(2, "No such file or directory", str(file))
    return plain(file, *given, **more)

builtins.open = no_proc
import json
from ragstone.cli.front import main

for words in json.loads(sys.argv[1]):
    sys.argv = ["ragstone", *words]
    try:
        main()
    except SystemExit as ended:
        if ended.code:
            raise
"""

HALF = """
import pathlib

def query(question):
    if "借" in question and not pathlib.Path("up").exists():
        raise RuntimeError("down")
    return "上午九点"
"""


def _words(*commands: tuple[str, ...]) -> list[str]:
    return [sys.executable, "-c", TAKEN_AWAY, json.dumps(commands)]


def _run(*commands: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run commands one after the other, in one process, up to the first that ends otherwise than well."""
    return subprocess.run(_words(*commands), capture_output=True, encoding="utf-8", timeout=100, check=False)


def _asked(address: str) -> int:
    """Ask for a page until the server listens."""
    for _ in range(200):
        try:
            with urllib.request.urlopen(address, timeout=20) as reply:
                return int(reply.status)
        except urllib.error.URLError:
            time.sleep(0.05)
    return 0


def test_the_first_minutes_work(tmp_path: Path) -> None:
    """The demo, starter files, a function of the user's, recorded answers, comparing and the gate."""
    done = _run(
        ("demo", "--json"),
        ("new", "key_points", "."),
        ("check", "questions.jsonl", "--documents", "documents"),
        ("run", "questions.jsonl", "--system", "builtin:documents", "--run-id", "before"),
        ("run", "questions.jsonl", "--system", "python:my_rag:query", "--run-id", "after", "--workers", "2"),
        ("score", "questions.jsonl", "answers.jsonl"),
        ("compare", "before", "after"),
        ("gate", "after", "--rule", "accuracy >= 0.5"),
        ("verify", "after"),
        ("runs",),
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_failed_cases_are_asked_again(tmp_path: Path) -> None:
    """Answers are read back from the middle of the journal without `pread`."""
    (tmp_path / "half.py").write_text(HALF, encoding="utf-8")
    first = _run(
        ("new", "key_points", "."), ("run", "questions.jsonl", "--system", "python:half:query", "--run-id", "a")
    )
    (tmp_path / "up").touch()

    second = _run(("resume", "a", "--retry-failed"))

    assert (first.returncode, second.returncode) == (3, 0), first.stderr + second.stderr


def test_the_page_is_served() -> None:
    """The server runs on the loop of the standard library."""
    words = _words(("serve", "--port", "0"))
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8") as server:
        try:
            assert server.stdout is not None
            line = next(line for line in server.stdout if "http://" in line)
            address = line[line.index("http://") :].split()[0].rstrip(".。")
            assert _asked(address) == 200
        finally:
            server.terminate()
