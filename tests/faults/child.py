"""The command line in a process that something is done to: `python child.py '{"handles": 40}' run …`.

Runs as a script, so that nothing but the fault stands between the process and the command line:
handles, bytes      most file handles, longest file
names               names that are reserved are not known, whatever this machine's resolver does with them
clock, after        the wall clock jumps by so many seconds, so many seconds after the start
trace               a file that gets one line for every change this process makes below its folder
kill, how           die (SIGKILL) at one such change, named as in the trace: before it, or torn in its middle
"""

import builtins
import io
import json
import os
import re
import resource
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

HERE = str(Path.cwd())
_OWN = re.compile(r"\.\d+\.tmp$")
"""The number of the process in a name that is its own."""
_write, _readlink, _kill, _getpid = os.write, os.readlink, os.kill, os.getpid


class Points:
    """Knows the changes made below the folder, each by its name and how often it came, and ends the process at one."""

    def __init__(self, fault: dict[str, Any]) -> None:
        self._seen: Counter[str] = Counter()
        self._at, self._how = fault.get("kill"), fault.get("how", "before")
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self._trace = os.open(fault["trace"], flags) if "trace" in fault else None

    def pass_by(self, what: str, path: str) -> bool:
        """Note a change that is about to be made; return whether it shall be torn."""
        if not path.startswith(HERE):
            return False
        name = f"{what} {_OWN.sub('.tmp', os.path.relpath(path, HERE))}"
        self._seen[name] += 1
        point = f"{name} #{self._seen[name]}"
        if self._trace is not None:
            _write(self._trace, f"{point}\n".encode())
        if point != self._at:
            return False
        if self._how == "before":
            _kill(_getpid(), signal.SIGKILL)
        return bool(self._how == "torn")


def _where(file: int) -> str:
    try:
        return _readlink(f"/proc/self/fd/{file}")
    except OSError:
        return ""


def _whole(path: object) -> str:
    return str(Path(HERE, os.fsdecode(path))) if isinstance(path, str | bytes | os.PathLike) else ""


def watch_changes(points: Points) -> None:
    """Put a point before everything that changes a file, its name or its length."""

    def before(name: str, where: Any) -> None:
        original = getattr(os, name)

        def changed(*given: Any, **named: Any) -> Any:
            points.pass_by(name, where(given[0]))
            return original(*given, **named)

        setattr(os, name, changed)

    for name in ("fsync", "fdatasync", "ftruncate"):
        before(name, _where)
    for name in ("mkdir", "replace", "rename", "unlink", "truncate", "rmdir", "link", "symlink"):
        before(name, _whole)
    _watch_writes(points)
    _watch_opening(points)


def _watch_writes(points: Points) -> None:
    def write(file: int, data: bytes) -> int:
        if points.pass_by("write", _where(file)):
            _write(file, bytes(data)[: len(data) // 2])
            _kill(_getpid(), signal.SIGKILL)
        return _write(file, data)

    class File(io.FileIO):
        def __init__(self, file: Any, mode: str = "r", *more: Any, **named: Any) -> None:
            if set(mode) & set("wx"):
                points.pass_by("open", _whole(file))
            super().__init__(file, mode, *more, **named)

        def write(self, data: Any) -> int:
            return write(self.fileno(), data)

    plain = io.open

    def opened(file: Any, mode: str = "r", buffering: int = -1, *more: Any, **named: Any) -> Any:
        if "b" not in mode or not set(mode) & set("wax+"):
            return plain(file, mode, buffering, *more, **named)
        raw = File(file, mode.replace("b", ""))
        return io.BufferedWriter(raw, 1 << 13 if buffering < 2 else buffering) if buffering else raw

    os.write = write  # type: ignore[assignment]
    io.FileIO = File  # type: ignore[misc]
    io.open = opened
    builtins.open = opened


def _watch_opening(points: Points) -> None:
    original = os.open

    def opening(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if flags & (os.O_CREAT | os.O_TRUNC):
            points.pass_by("open", _whole(path))
        return original(path, flags, *more, **named)

    os.open = opening


def jump_clock(seconds: float, after: float) -> None:
    """Let the wall clock jump once; the monotonic clock goes on as it does."""
    wall, began = time.time, time.monotonic()

    def now() -> float:
        return wall() + (seconds if time.monotonic() - began > after else 0.0)

    time.time = now
    time.time_ns = lambda: int(now() * 1e9)


def set_limits(fault: dict[str, Any]) -> None:
    """Take file handles or room away."""
    if "handles" in fault:
        resource.setrlimit(resource.RLIMIT_NOFILE, (fault["handles"], fault["handles"]))
    if "bytes" in fault:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (fault["bytes"], fault["bytes"]))


def main() -> None:
    """Do to this process what the first word says, then be the command line."""
    fault: dict[str, Any] = json.loads(sys.argv.pop(1))
    if "clock" in fault:
        jump_clock(fault["clock"], fault.get("after", 0.0))
    if "names" in fault:
        sys.path.append(str(Path(__file__).parents[2]))
        from tests.names import settle_names  # noqa: PLC0415 - only for this fault

        settle_names()
    set_limits(fault)
    if {"trace", "kill"} & fault.keys():
        watch_changes(Points(fault))
    sys.path[0] = str(Path.cwd())
    from ragstone.cli.main import main as command_line  # noqa: PLC0415 - after the fault is in place

    command_line()


if __name__ == "__main__":
    main()
