"""The same answers give the same bytes: whatever the concurrency, order, hash seed, locale and time zone."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ragstone

CONTRACT = Path(ragstone.__file__).parent / "data" / "new" / "contract" / "my_contract.py"
CASES = 150
ROWS = [{"id": f"c{i}", "question": f"第{i % 90}题 naïve ½？", "expected": f"答案 {i} 万"} for i in range(CASES)]
RAG = """
import asyncio
from ragstone.core.types import Answer, Failure
async def answer(question):
    number = int(question[1:].split("题")[0])
    await asyncio.sleep(DELAY * ((number * 7919) % 13) / 1000)
    if number % 17 == 0:
        return Answer(failure=Failure("down", "at this hour"), latency_ms=1.0)
    return Answer(text=f"答案 {number} 萬", latency_ms=1.0, contexts=())
"""
WORLDS = [
    {"concurrency": "1", "PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
    {"concurrency": "64", "PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "TZ": "Asia/Taipei"},
    {"concurrency": "7", "PYTHONHASHSEED": "77777", "LC_ALL": "zh_CN.UTF-8", "TZ": "America/St_Johns"},
]


def _lines(rows: Iterator[dict[str, str]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _prepare(folder: Path, world: int) -> None:
    folder.mkdir()
    (folder / "my_contract.py").write_bytes(CONTRACT.read_bytes())
    (folder / "q.jsonl").write_text(_lines(iter(ROWS)), encoding="utf-8")
    answers = [{"id": row["id"], "output": row["expected"] if i % 3 else "錯\u202e🙂"} for i, row in enumerate(ROWS)]
    (folder / "a.jsonl").write_text(_lines(iter(answers[:: -1 if world % 2 else 1])), encoding="utf-8")
    (folder / "slow_rag.py").write_text(RAG.replace("DELAY", str(world)), encoding="utf-8")


def _run(folder: Path, world: dict[str, str], system: str) -> dict[str, bytes]:
    words = ["run", "q.jsonl", "-s", system, "--contract", "my_contract:SameText", "--run-id", "r", "-q"]
    environment = {**os.environ, **{name: value for name, value in world.items() if name != "concurrency"}}
    if not ragstone.__file__.isascii():
        # Python itself does not start in the C locale when an installed path is written in other characters.
        environment["LC_ALL"] = "C.UTF-8"
    subprocess.run(
        [sys.executable, "-m", "ragstone", *words, "-c", world["concurrency"]],
        cwd=folder,
        env=environment,
        check=False,
        timeout=60,
    )
    run = folder / "runs" / "r"
    return {name: (run / name).read_bytes() for name in ("results.jsonl", "summary.json", "summary.csv")}


@pytest.mark.parametrize("system", ["replay:a.jsonl", "python:slow_rag:answer"])
def test_r0_3_same_answers_same_bytes(tmp_path: Path, system: str) -> None:
    """R0.3: rows, figures and their intervals are equal to the byte in three different worlds."""
    found = []
    for number, world in enumerate(WORLDS):
        folder = tmp_path / str(number)
        _prepare(folder, number)
        found.append(_run(folder, world, system))

    assert found[0]["results.jsonl"].count(b"\n") == CASES
    assert found[0] == found[1] == found[2]
