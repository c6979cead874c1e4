"""kill -9 at any moment: nothing lost, nothing that was answered asked again, equal bytes at the end."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import Cli

CASES = 120
KILLS = 20
RAG = """
import asyncio, os
from ragstone import Answer
LOG = os.open("asked.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
async def answer(question):
    os.write(LOG, (question + "\\n").encode())
    number = int(question.split()[1])
    await asyncio.sleep(0.002 + number % 7 / 25)
    if number % 11 == 0:
        raise RuntimeError("down")
    return Answer(text=f"point {number} (doc{number % 5}.md)", latency_ms=1.0)
"""


def _prepare(folder: Path) -> None:
    folder.mkdir()
    (folder / "kill_rag.py").write_text(RAG)
    rows = ({"q": f"Q {n} ?", "gold": [f"point {n}"], "doc_hint": [f"doc{n % 3}.md"]} for n in range(CASES))
    (folder / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def _words(*words: str) -> list[str]:
    return [sys.executable, "-m", "ragstone", *words, "-q", "--runs-dir", "runs"]


RUN = ("run", "q.jsonl", "-s", "python:kill_rag:answer", "--run-id", "r", "-c")


def _results(folder: Path) -> list[dict[str, object]]:
    lines = (folder / "runs" / "r" / "results.jsonl").read_bytes().splitlines()
    rows = [json.loads(line) for line in lines]
    for row in rows:
        row.pop("latency_ms")
    return rows


def _answered(folder: Path) -> set[str]:
    path = folder / "runs" / "r" / "answers.jsonl"
    if not path.exists():
        return set()
    lines = path.read_bytes().split(b"\n")[:-1]
    return {json.loads(line)["id"] for line in lines}


def _asked(folder: Path) -> Counter[str]:
    path = folder / "asked.log"
    lines = path.read_text().splitlines() if path.exists() else []
    return Counter(f"Q{int(line.split()[1]) + 1}" for line in lines)


def _kill_after(folder: Path, words: list[str], seconds: float) -> bool:
    """Start a command, kill it after a while; say whether it was still running."""
    process = subprocess.Popen(words, cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)})
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def _kill_between(folder: Path, words: list[str], dice: random.Random) -> bool:
    """Kill a command while it starts, or a moment after some more answers; say whether it was still running."""
    more = dice.randint(-1, 4)
    wanted = len(_answered(folder)) + more
    process = subprocess.Popen(words, cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)})
    while process.poll() is None and len(_answered(folder)) < wanted:
        time.sleep(0.005)
    time.sleep(dice.uniform(0, 0.05 if more > 0 else 0.4))
    if process.poll() is not None:
        return False
    process.send_signal(signal.SIGKILL)
    process.wait()
    return True


@pytest.mark.long
def test_kill_9_at_random_moments_loses_nothing(cli: Cli, tmp_path: Path) -> None:
    """Killed and resumed over and over, a run ends with the bytes of an undisturbed one."""
    calm, wild = tmp_path / "calm", tmp_path / "wild"
    _prepare(calm)
    _prepare(wild)
    subprocess.run(_words(*RUN, "64"), cwd=calm, check=False, timeout=60)
    dice = random.Random(20)
    kills, words = 0, _words(*RUN, "4")
    for _ in range(KILLS * 3):
        answered, asked = _answered(wild), _asked(wild)
        killed = _kill_between(wild, words, dice)
        assert _answered(wild) >= answered
        again = _asked(wild) - asked
        assert not answered & again.keys(), "an answered case was asked again"
        kills += killed
        if (wild / "runs" / "r" / "run_meta.json").exists():
            words = _words("resume", "r", "-c", "4")
        if kills >= KILLS:
            break
    deadline = time.monotonic() + 60
    while _kill_after(wild, words, 60):
        assert time.monotonic() < deadline

    assert kills >= KILLS
    assert _results(wild) == _results(calm)
    digests = {json.loads((f / "runs" / "r" / "summary.json").read_text())["results_digest"] for f in (calm, wild)}
    assert len(digests) == 1


def test_ctrl_c_leaves_a_resumable_run(tmp_path: Path) -> None:
    """Ctrl-C finishes what is in flight, says how to go on, exits with 130; resume finishes exactly the rest."""
    folder = tmp_path / "x"
    _prepare(folder)
    words = [word for word in _words(*RUN, "2") if word != "-q"]
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, encoding="utf-8")
    while not _answered(folder):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    answered = _answered(folder)

    assert process.returncode == 130
    assert 0 < len(answered) < CASES
    assert "ragstone resume" in out
    assert "PARTIAL" in out
    done = subprocess.run(_words("resume", "r", "-c", "8"), cwd=folder, check=False, timeout=60)
    assert done.returncode == 3
    assert all(_asked(folder)[case] == 1 for case in answered)
    assert len(_results(folder)) == CASES
