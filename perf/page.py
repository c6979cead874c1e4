"""What the page costs: a long run paged, filtered and sorted; many watchers; the first paint.

uv run python -m perf.page [CASES [MODELS [PART …]]]      parts: cases compare matrix watchers paint; all without one
"""

import json
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import to_builtins

from ragstone.api import evaluate
from ragstone.contracts.key_points.contract import METRICS
from ragstone.core.settings import Settings
from ragstone.runs.store.codec import encode

QUERIES = {
    "first page": "",
    "last page by keys": "sort=-number&limit=50",
    "filter by state": "state=missed",
    "filter by tag": "tag=no_citation",
    "filter by group": "group=" + quote("category=馆务7"),
    "missed metric": "metric=citation",
    "sort by score": "sort=score",
    "sort by latency": "sort=-latency",
    "sort by metric": "sort=key_point_recall",
    "search, frequent": "q=" + quote("图书馆"),
    "search, rare": "q=" + quote("第99977问"),
    "search, nowhere": "q=" + quote("没有这样的字"),
    "all at once": "state=missed&sort=-score&q=" + quote("咨询"),
}
ANSWER = "根据馆规，最多可借十册，借期三十天，可续借一次；逾期每册每天五角，上限三十元。更多请看公告。" * 3


def make_run(folder: Path, cases: int, models: int = 1, shift: int = 0) -> str:
    """Make a run of many cases without asking anybody: rows as a real run has them, written directly."""
    (folder / "q.jsonl").write_text('{"q": "图书馆？", "gold": ["十册"], "doc_hint": ["a.md"]}\n')
    names = tuple(f"m{number}" for number in range(1, models + 1))
    settings = Settings(runs_dir=str(folder / "runs"))
    run = evaluate(folder / "q.jsonl", mock=True, names=names, settings=settings, run_id="long")
    row = to_builtins(next(run.results()))
    path = run.folder / "results.jsonl"
    with path.open("wb") as file:
        for unit in range(cases * models):
            number, model = unit // models + 1, unit % models
            row["model_id"] = names[model]
            passed = (number * (1 + shift) + model) % 3 != 0
            row["sample_id"], row["question"] = f"Q{number}", f"第{number}问：图书馆的规定是什么？"
            row["output_text"] = ANSWER if passed else f"请咨询服务台。{number}"
            row["groups"] = {
                "category": [f"馆务{number % 20}"],
                "difficulty": ["易", "中", "难"][number % 3 : number % 3 + 1],
            }
            row["latency_ms"] = float(number * 7919 % 5000)
            card = row["scorecard"]
            card["primary_score"], card["pass"] = (1.0 if passed else (number % 2) / 2), passed
            card["error_tags"] = [] if passed else ["no_citation"]
            card["sub_scores"] = {spec.name: float(passed) for spec in METRICS}
            file.write(encode(row) + b"\n")
    return run.folder.name


class Server:
    """The real command in a process of its own."""

    def __init__(self, folder: Path, env: dict[str, str] | None = None) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        words = [sys.executable, "-m", "ragstone", "serve", "--port", str(self.port), "-c", "16"]
        self.process = subprocess.Popen(words, cwd=folder, env={**os.environ, **(env or {})}, stdout=subprocess.DEVNULL)
        for _ in range(1200):
            try:
                self.get("/api/v1/session")
                return
            except OSError:
                time.sleep(0.05)

    def get(self, path: str) -> bytes:
        """Read something."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=600) as reply:
            return bytes(reply.read())

    def post(self, path: str, value: object) -> dict[str, object]:
        """Change something."""
        token = json.loads(self.get("/api/v1/session"))["token"]
        headers = {"X-Ragstone-Token": token, "Content-Type": "application/json"}
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", json.dumps(value).encode(), headers, method="POST"
        )
        with urllib.request.urlopen(request, timeout=60) as reply:
            found: dict[str, object] = json.loads(reply.read())
            return found

    def memory(self) -> float:
        """Return the megabytes it holds."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else 0.0

    def timed(self, path: str) -> tuple[float, float]:
        """Read something; return the milliseconds it took, and those the server computed."""
        begin, before = time.perf_counter(), self.computed()
        self.get(path)
        return 1000 * (time.perf_counter() - begin), (self.computed() - before) / 1e6

    def computed(self) -> int:
        """Return the nanoseconds all threads of the server have computed so far."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks)

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(60)


def measure_cases(folder: Path, cases: int, models: int = 1) -> None:
    """Time every kind of question about a long run; with several models, about the first, as the page asks."""
    make_run(folder, 3, models)
    shutil.move(folder / "runs" / "long", folder / "runs" / "short")
    make_run(folder, cases, models)
    chosen = "&model=m1" if models > 1 else ""
    server = Server(folder)
    try:
        # A server's first pages compile their templates, whatever run they show.
        for path in ("/eval/runs/short", "/eval/runs/short/matrix", "/eval/runs/short/cases/1"):
            _tell(f"short: {path[17:]}", [server.timed(path) for _ in range(5)])
        begin = time.perf_counter()
        server.get("/api/v1/runs/long/cases")
        print(f"index of {cases:,} cases x {models} models made in {time.perf_counter() - begin:.1f} s")
        for name, query in QUERIES.items():
            # Another limit each time, so that no count comes out of the cache but by right.
            turns = [server.timed(f"/api/v1/runs/long/cases?{query}{chosen}&limit={40 + turn}") for turn in range(5)]
            _tell(name, turns)
        pages = {
            "the page": "/eval/runs/long",
            "matrix": "/eval/runs/long/matrix",
            "matrix, differing": "/eval/runs/long/matrix?differ=true",
            "matrix, last": f"/eval/runs/long/matrix?start={cases - 200}",
            "the last case": f"/eval/runs/long/cases/{cases}",
            "a case of a filter": f"/eval/runs/long/cases/3?state=missed&sort=-score{chosen}",
        }
        for name, path in pages.items():
            _tell(name, [server.timed(path) for _ in range(5)])
        print(f"the server holds {server.memory():.0f} MB")
    finally:
        server.stop()


def measure_compare(folder: Path, cases: int) -> None:
    """Time the comparison of two long runs, and a page that is asked for meanwhile."""
    make_run(folder, cases)
    shutil.move(folder / "runs" / "long", folder / "runs" / "before")
    make_run(folder, cases, shift=1)
    server = Server(folder)
    try:
        for run in ("before", "long"):
            server.get(f"/api/v1/runs/{run}/cases")
        before, waits = "/eval/compare?first=before&second=long", list[float]()
        alone = [server.timed(before), *(server.timed(f"{before}&kind=fixed&start={50 * turn}") for turn in range(4))]
        _tell("compare", alone)
        done = threading.Event()

        def ask() -> None:
            while not done.is_set():
                waits.append(server.timed("/api/v1/session")[0])

        asking = threading.Thread(target=ask)
        asking.start()
        server.timed("/eval/compare?first=long&second=before")
        done.set()
        asking.join()
        middle = sorted(waits)[len(waits) // 2]
        print(f"compared the other way round: {len(waits)} other requests meanwhile, {middle:.1f} ms in the middle")
        print(f"another request waited {max(waits):.0f} ms at most meanwhile; server holds {server.memory():.0f} MB")
    finally:
        server.stop()


def measure_matrix(folder: Path, cases: int = 5000, runs: int = 8) -> None:
    """Time the matrix of several runs, and of one run of several models."""
    make_run(folder, cases, runs)
    shutil.move(folder / "runs" / "long", folder / "runs" / "models")
    make_run(folder, cases)
    for number in range(runs):
        shutil.copytree(folder / "runs" / "long", folder / "runs" / f"r{number}")
    query = "&".join(f"run=r{number}" for number in range(runs))
    server = Server(folder)
    try:
        for path in (f"/eval/matrix?{query}", f"/eval/matrix?{query}&differ=true", "/eval/runs/models/matrix"):
            _tell(f"{cases:,} x {runs}", [server.timed(path) for _ in range(5)])
    finally:
        server.stop()


def _tell(name: str, turns: list[tuple[float, float]]) -> None:
    (wall, computed), middle = turns[0], sorted(turns)[2]
    print(f"{name:20} first {wall:7.1f} ms, {computed:6.1f} computed   median {middle[0]:6.1f} ms, {middle[1]:6.1f}")


SLOW = """
import asyncio
async def answer(question):
    await asyncio.sleep(0.2)
    return "十册 a.md"
"""


def measure_watchers(folder: Path, watchers: int = 10) -> None:
    """See whether the server's memory grows with those who watch."""
    (folder / "datasets").mkdir()
    rows = ({"q": f"第{n}问？", "gold": ["十册"], "doc_hint": ["a.md"]} for n in range(2000))
    (folder / "datasets" / "w.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "slow_rag.py").write_text(SLOW)
    (folder / "ragstone.toml").write_text('[systems.slow]\nsystem = "python:slow_rag:answer"\n')
    server = Server(folder)
    try:
        run = server.post("/api/v1/runs", {"dataset": "w.jsonl", "system": "slow"})["run_id"]
        time.sleep(4)
        alone = server.memory()
        path = f"/api/v1/runs/{run}/events"
        threads = [threading.Thread(target=server.get, args=(path,), daemon=True) for _ in range(watchers)]
        for thread in threads:
            thread.start()
        time.sleep(2)
        first = server.memory()
        time.sleep(12)
        print(
            f"memory: {alone:.1f} MB alone, {first:.1f} with {watchers} watchers, {server.memory():.1f} after 12 s more"
        )
    finally:
        server.stop()


def _weigh(sizes: list[int], request: Any) -> None:
    sizes.append(request.sizes()["responseBodySize"])


def measure_paint(folder: Path) -> None:
    """Count the bytes of the first visit and the time until the page can be used."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("first paint: no chromium here")
        return
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only with a browser

    server = Server(folder)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            for turn in ("warm-up", "first visit"):
                page = browser.new_context(locale="zh-CN").new_page()
                sizes: list[int] = []
                page.on("requestfinished", partial(_weigh, sizes))
                begin = time.perf_counter()
                page.goto(f"http://127.0.0.1:{server.port}/eval")
                page.wait_for_selector("#check .verdict")
                usable = time.perf_counter() - begin
                ready = page.evaluate("performance.getEntriesByType('navigation')[0].domInteractive")
                kilobytes = sum(sizes) / 1000
                print(f"{turn}: {kilobytes:.1f} KB, ready {ready:.0f} ms, dataset checked {1000 * usable:.0f} ms")
            browser.close()
    finally:
        server.stop()


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    models = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    parts: dict[str, Callable[[Path], None]] = {
        "cases": lambda folder: measure_cases(folder, count, models),
        "compare": lambda folder: measure_compare(folder, count),
        "matrix": measure_matrix,
        "watchers": measure_watchers,
        "paint": measure_paint,
    }
    for part in sys.argv[3:] or parts:
        with tempfile.TemporaryDirectory() as name:
            parts[part](Path(name))
    print(f"this process held at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
