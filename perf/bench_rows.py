"""Memory and speed of a prompt task from 1,000 to 100,000 rows: python -m perf.bench_rows [ROWS …]

A dry run, two models of which one is slower, and a workflow of two steps; each in a process of its own.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

SIZES = (1_000, 10_000, 100_000)
MODELS = """
import asyncio
TEXT = '{"sentiment": "positive", "impact_score": 2, "keywords": ["订单"]}'
async def quick(question): return TEXT
async def slow(question):
    await asyncio.sleep(0.002)
    return TEXT
"""
FLOW = """
name: twice
steps:
  - {name: first, task: event_eval}
  - {name: second, task: event_eval, input_from: first}
"""
KINDS: dict[str, tuple[str, ...]] = {
    "mock": ("--task", "event_eval", "--mock"),
    "two models": ("--task", "event_eval", "--models", "python:models:quick", "python:models:slow", "--no-cache"),
    "workflow": ("--workflow", "flow.yaml", "--models", "python:models:quick", "--no-cache"),
}


def write_rows(path: Path, rows: int) -> None:
    """Write fictional rows."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(rows):
            news = [{"title": f"第{number}号公告：新增订单，产线按计划检修"}, {"title": "管理层回应市场关注"}]
            row: dict[str, object] = {"sample_id": f"R{number}", "ticker": f"T{number}", "news_items": news}
            row |= {"gt_sentiment": "positive", "gt_impact_score": 2, "gt_keywords": ["订单", f"{number}"]}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def measure(folder: Path, words: Sequence[str]) -> tuple[float, float]:
    """Run one command; return its seconds and its largest memory in MB."""
    code = (
        "import resource, sys; from ragstone.runners.bench import main; code = main(sys.argv[1:]);"
        "print('RSS', resource.getrusage(resource.RUSAGE_SELF).ru_maxrss); sys.exit(code)"
    )
    common = ("--dataset", "rows.jsonl", "--quiet", "--concurrency", "64")
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *words, *common], cwd=folder, capture_output=True, encoding="utf-8", check=True
    )
    seconds = time.perf_counter() - began
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return seconds, int(done.stdout.split("RSS")[1]) / unit


def main() -> None:
    """Print one line a size and kind."""
    sizes = [int(word) for word in sys.argv[1:]] or list(SIZES)
    for kind, words in KINDS.items():
        for size in sizes:
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                write_rows(folder / "rows.jsonl", size)
                (folder / "models.py").write_text(MODELS, encoding="utf-8")
                (folder / "flow.yaml").write_text(FLOW, encoding="utf-8")
                seconds, memory = measure(folder, words)
            print(
                f"{kind:12} {size:>8} rows  {seconds:7.1f} s  {memory:6.0f} MB  {size / seconds:7.0f} rows/s",
                flush=True,
            )
    print(f"(this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB)")


if __name__ == "__main__":
    main()
