"""Scoring with worker processes from the command line: stopped, killed and resumed, it comes to the same bytes."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.runs.stopped import alive

CASES = 1000


def _words(*words: str) -> list[str]:
    return [sys.executable, "-m", "ragstone", *words]


def _prepare(folder: Path) -> None:
    long = "设备运行正常，压力稳定，无泄漏。" * 10
    rows = [{"q": f"第{n}次巡检？", "gold": [f"温度为{n}度"], "doc_hint": ["d.md"]} for n in range(CASES)]
    said = [{"id": f"Q{n + 1}", "output": f"{long}温度为{n if n % 4 else 0}度。（d.md）"} for n in range(CASES)]
    for name, lines in (("q.jsonl", rows), ("a.jsonl", said)):
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def _gone(pids: list[int]) -> bool:
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline:
        if not any(map(alive, pids)):
            return True
        time.sleep(0.05)
    return False


def _begin(folder: Path) -> tuple[subprocess.Popen[bytes], list[int]]:
    """Start scoring and wait until its workers work."""
    words = _words("score", "q.jsonl", "a.jsonl", "--run-id", "r", "-q", "--workers", "2")
    run = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    pids: list[int] = []
    deadline = time.monotonic() + 60
    while len(pids) < 2 and run.poll() is None and time.monotonic() < deadline:
        # Workers are threads' children: look under every thread of the parent.
        tasks = Path(f"/proc/{run.pid}/task").glob("*/children")
        pids = [int(word) for task in tasks for word in task.read_text(encoding="utf-8").split()]
        time.sleep(0.02)
    return run, pids


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks into /proc")
@pytest.mark.timeout(240)
@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_run_leaves_no_orphan_and_goes_on(tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C and kill -9 in the middle of judging: the workers are gone, and resume comes to the same bytes."""
    _prepare(tmp_path)
    run, pids = _begin(tmp_path)
    time.sleep(0.3)
    run.send_signal(number)
    code = run.wait(60)
    assert run.stderr is not None
    run.stderr.close()

    assert len(pids) == 2
    assert _gone(pids)
    assert code in {130, -number, 0}
    again = subprocess.run(
        _words("resume", "r", "-q", "--workers", "2"), cwd=tmp_path, capture_output=True, check=False
    )
    assert again.returncode == 0, again.stderr
    once = _words("score", "q.jsonl", "a.jsonl", "--run-id", "r", "-q", "--runs-dir", "once")
    subprocess.run(once, cwd=tmp_path, check=True)
    for name in ("results.jsonl", "summary.json"):
        assert (tmp_path / "runs/r" / name).read_bytes() == (tmp_path / "once/r" / name).read_bytes()
