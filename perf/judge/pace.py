"""What judging costs beyond the judge: CPU a call beside asking a system, and memory, against a loopback server.

uv run python -m perf.judge.pace [POINTS]        POINTS open points, 10,000 when left out; each count in a new process
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ragstone import api
from ragstone.core.settings import Settings

ROOT = Path(__file__).parents[2]


def measure(address: str, count: int) -> None:
    """Ask a system so many cases, then a judge about their points; print CPU of both and the memory at its most."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "q.jsonl"
        rows = ({"q": f"第{n}间展厅的灯怎么调？", "gold": [f"第{n}间的灯由馆员手动调节"]} for n in range(count))
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        settings = Settings(runs_dir=place, concurrency=32)
        options = {"base_url": f"{address}/v1"}
        began = time.process_time()
        run = api.evaluate(path, "chat:m", system_options=options, settings=settings)
        asked = time.process_time() - began
        before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        wish = api.Judging(judges=("chat:m",), options=options, listen="quote")
        done = api.judge_run(run.folder, wish, settings=settings)
        judged = time.process_time() - began
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        f"{done.asked.asked} calls: {1000 * asked / count:.2f} ms CPU a case asked, {1000 * judged / count:.2f} ms a "
        f"point judged ({judged / asked:.2f} times); memory {before / 1024:.0f} MB before, {most / 1024:.0f} MB at most"
    )


def main(count: int) -> None:
    """Measure a fifth and the whole, each in a process of its own."""
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.loopback"], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert server.stdout is not None
    try:
        address = server.stdout.readline().strip()
        for points in (count // 5, count):
            subprocess.run([sys.executable, "-m", "perf.judge.pace", address, str(points)], check=True, cwd=ROOT)
    finally:
        server.kill()
        server.communicate()


if __name__ == "__main__":
    if len(sys.argv) > 2:
        measure(sys.argv[1], int(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
