"""Runs of the server: queued, watched by many, and not lost when the server dies."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ragstone.core.settings import Settings
from tests.loopback.server import Loopback, Reply
from tests.web.site import SYSTEMS, Site, furnish, holding, serving

MANY = [{"q": f"第{n}问？", "gold": [f"答案{n}号"], "doc_hint": []} for n in range(40)]
TOML = """
runs_dir = "runs"
[systems.slow]
system = "python:slow_rag:answer"
"""


@contextmanager
def _process(folder: Path, slow: float) -> Iterator[tuple[Site, subprocess.Popen[str]]]:
    """Run the real command in a process of its own."""
    words = [sys.executable, "-m", "ragstone", "serve", "--port", "0", "-c", "2"]
    env = {**os.environ, "SLOW": str(slow), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(words, cwd=folder, env=env, stdout=subprocess.PIPE, encoding="utf-8")
    try:
        assert process.stdout
        line = process.stdout.readline()
        site = Site(int(line.rsplit(":", 1)[1].split("/")[0]))
        _until_up(site)
        yield site, process
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def _until_up(site: Site) -> None:
    for _ in range(200):
        try:
            if site.get("/api/v1/session").status == 200:
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server did not come up")


def _asked(folder: Path) -> Counter[str]:
    path = folder / "asked.log"
    return Counter(path.read_text().splitlines()) if path.exists() else Counter()


def _answered(folder: Path, run_id: str) -> set[str]:
    lines = (folder / "runs" / run_id / "answers.jsonl").read_bytes().split(b"\n")[:-1]
    return {MANY[json.loads(line)["unit"]]["q"] for line in lines}


@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_a_server_that_ends_leaves_its_runs_to_the_next(tmp_path: Path, number: signal.Signals) -> None:
    """Killed or stopped, the next server goes on by itself and asks nothing twice that was answered."""
    furnish(tmp_path, MANY)
    (tmp_path / "ragstone.toml").write_text(TOML)
    with _process(tmp_path, 0.1) as (site, process):
        run_id = site.start("slow")
        while len(_asked(tmp_path)) < 6:
            time.sleep(0.02)
        process.send_signal(number)
        process.wait(15)
    answered, before = _answered(tmp_path, run_id), _asked(tmp_path)
    assert 0 < len(answered) < len(MANY)

    with _process(tmp_path, 0.01) as (site, _):
        live = site.wait(run_id, "complete")

    assert live["finished"] == len(MANY)
    assert not answered & (_asked(tmp_path) - before).keys()


def test_a_cancelled_run_is_not_continued(tmp_path: Path) -> None:
    """What a person stopped stays stopped."""
    furnish(tmp_path, MANY)
    (tmp_path / "ragstone.toml").write_text(TOML)
    with _process(tmp_path, 0.1) as (site, _):
        run_id = site.start("slow")
        while not _asked(tmp_path):
            time.sleep(0.02)
        site.change("POST", f"/api/v1/runs/{run_id}/cancel")
        site.wait(run_id, "partial")

    with _process(tmp_path, 0.01) as (site, _):
        assert site.get("/api/v1/runs").json["going"] == []
        assert site.get(f"/api/v1/runs/{run_id}").json["live"]["state"] == "partial"


def test_runs_wait_their_turn(tmp_path: Path) -> None:
    """With one job at a time the second waits, and can be taken out of the queue."""
    furnish(tmp_path)
    with serving(Settings(systems=SYSTEMS, max_jobs=1, concurrency=1)) as site:
        with holding(tmp_path):
            first, second, third = (site.start("slow") for _ in range(3))
            states = {job["run_id"]: job["state"] for job in site.get("/api/v1/runs").json["going"]}
            assert states == {first: "running", second: "queued", third: "queued"}
            assert site.get(f"/eval/runs/{second}").status == 200

            site.change("POST", f"/api/v1/runs/{second}/cancel")

        assert site.wait(first)["state"] == "complete"
        assert site.wait(third)["state"] == "complete"
        assert site.get(f"/api/v1/runs/{second}").json["live"]["state"] == "partial"
    assert not (tmp_path / "runs" / second).exists()


def test_a_system_that_cannot_be_built_fails_its_run_only(tmp_path: Path) -> None:
    """The reason is told; other runs go on."""
    furnish(tmp_path)
    systems = {**SYSTEMS, "gone": {"system": "replay:nothing.jsonl"}}
    with serving(Settings(systems=systems)) as site:
        live = site.wait(site.start("gone"))

        assert live["state"] == "failed"
        assert "nothing.jsonl" in live["error"]
        assert site.wait(site.start())["state"] == "complete"


@pytest.mark.parametrize("kind", ["http_json", "chat"])
async def test_an_endpoint_of_this_machine_can_be_entered(tmp_path: Path, kind: str) -> None:
    """An address typed into the page is asked, without any key."""
    import asyncio  # noqa: PLC0415 - only here

    furnish(tmp_path)
    plain = Reply({"answer": "八点开门 hours.md"})
    async with Loopback(plain if kind == "http_json" else Reply()) as service:
        with serving(Settings(systems=SYSTEMS)) as site:
            url = f"{service.url}/ask" if kind == "http_json" else f"{service.url}/v1"
            endpoint = {"url": url, "kind": kind, "model": "m"}
            run_id = await asyncio.to_thread(site.run, "endpoint", endpoint=endpoint)
            found = await asyncio.to_thread(site.get, f"/api/v1/runs/{run_id}")

    assert found.json["live"]["state"] == "complete"
    assert service.calls == 3
    assert not any("authorization" in (name.lower() for name in seen.headers) for seen in service.seen)


def test_many_may_watch_one_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten watchers see the same end; none holds the run up."""
    import threading  # noqa: PLC0415 - only here

    monkeypatch.setenv("SLOW", "0.3")
    furnish(tmp_path)
    ends: list[str] = []
    with serving(Settings(systems=SYSTEMS, concurrency=1)) as site:
        run_id = site.start("slow")

        def watch() -> None:
            ends.append(site.get(f"/api/v1/runs/{run_id}/events").text.strip().split("\n\n")[-1])

        threads = [threading.Thread(target=watch) for _ in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)

    assert len(ends) == 10
    assert set(ends) == {ends[0]}
    assert '"state":"complete"' in ends[0]
