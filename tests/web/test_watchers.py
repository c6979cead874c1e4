"""Two hundred browsers at one run: all see its end, none holds it up, and what they take is given back."""

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.web.site import ROWS, Site, furnish
from tests.web.test_jobs import TOML

WATCHERS = 200
MANY = [{**ROWS[0], "q": f"第{n}问？"} for n in range(120)]


@asynccontextmanager
async def _server(folder: Path, **env: str) -> AsyncIterator[tuple[Site, asyncio.subprocess.Process]]:
    """Run the real command in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ragstone", "serve", "--port", "0", "-c", "2"),
        cwd=folder,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **env},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout
        line = (await process.stdout.readline()).decode()
        site = Site(int(line.rsplit(":", 1)[1].split("/")[0]))
        while True:
            try:
                await asyncio.to_thread(site.get, "/api/v1/session")
                break
            except OSError:
                await asyncio.sleep(0.05)
        yield site, process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def _memory(process: asyncio.subprocess.Process) -> float:
    """Return the megabytes a process holds."""
    pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _files(process: asyncio.subprocess.Process) -> int:
    return len(list(Path(f"/proc/{process.pid}/fd").iterdir()))


async def _open(site: Site, run_id: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port, limit=1 << 16)
    writer.write(f"GET /api/v1/runs/{run_id}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    await writer.drain()
    return reader, writer


async def _last(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[int, str]:
    """Read to the end; return how many events came and the state of the last."""
    seen, state = 0, ""
    async with asyncio.timeout(60):
        while line := await reader.readline():
            if line.startswith(b"data: "):
                seen, state = seen + 1, json.loads(line[6:])["state"]
            if line == b"0\r\n":
                break
    writer.close()
    return seen, state


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
async def test_two_hundred_may_watch_one_run(tmp_path: Path) -> None:
    """All see the end; each takes less than 200 KB; twenty that never read hold nobody up; files are given back."""
    furnish(tmp_path, MANY)
    (tmp_path / "ragstone.toml").write_text(TOML)
    async with _server(tmp_path, SLOW="0.06") as (site, process):
        run_id = await asyncio.to_thread(site.start, "slow")
        await asyncio.to_thread(site.get, f"/eval/runs/{run_id}")
        await asyncio.sleep(1)
        before, files = _memory(process), _files(process)
        deaf = [await _open(site, run_id) for _ in range(20)]
        watching = [await _open(site, run_id) for _ in range(WATCHERS)]
        ends = [asyncio.create_task(_last(*one)) for one in watching]
        await asyncio.sleep(0.5)
        began = time.monotonic()
        listed = await asyncio.to_thread(site.get, "/api/v1/runs")
        answered = time.monotonic() - began
        grown = _memory(process) - before
        told = await asyncio.gather(*ends)
        for _, writer in deaf:
            writer.close()
        await asyncio.sleep(0.3)
        left = _files(process) - files

    assert {state for _, state in told} == {"complete"}
    assert min(seen for seen, _ in told) >= 2
    assert listed.status == 200
    assert answered < 5
    assert grown < (WATCHERS + 20) * 0.2
    assert left < 20


async def test_watchers_are_let_go_when_the_server_ends(tmp_path: Path) -> None:
    """SIGTERM with fifty watchers ends within seconds; nobody is left hanging."""
    furnish(tmp_path, MANY)
    (tmp_path / "ragstone.toml").write_text(TOML)
    async with _server(tmp_path, SLOW="0.2") as (site, process):
        run_id = await asyncio.to_thread(site.start, "slow")
        watching = [await _open(site, run_id) for _ in range(50)]
        await asyncio.sleep(0.3)
        process.terminate()
        ends = await asyncio.gather(*(_last(*one) for one in watching), return_exceptions=True)
        async with asyncio.timeout(20):
            await process.wait()

    assert len(ends) == 50
    assert not [one for one in ends if isinstance(one, TimeoutError)]


HANGING = """
import threading
def answer(question):
    with open("asked.log", "a") as log:
        log.write(question + "\\n")
    threading.Event().wait()
"""


@pytest.mark.long
async def test_a_system_that_never_returns_does_not_keep_the_server(tmp_path: Path) -> None:
    """Blocking code in a run is left behind when the server is told to stop; its run stays to be continued."""
    furnish(tmp_path)
    (tmp_path / "slow_rag.py").write_text(HANGING)
    (tmp_path / "ragstone.toml").write_text(TOML)
    async with _server(tmp_path) as (site, process):
        run_id = await asyncio.to_thread(site.start, "slow")
        while not (tmp_path / "asked.log").exists():  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.05)
        began = time.monotonic()
        process.terminate()
        async with asyncio.timeout(40):
            await process.wait()

    assert time.monotonic() - began < 30
    assert run_id in (tmp_path / "runs" / ".page-jobs.json").read_text()


def _all_of(place: Path) -> bytes:
    """Return the content of a file, or of all files of a folder, one after the other."""
    files = place.rglob("*") if place.is_dir() else [place]
    return b"".join(path.read_bytes() for path in files if path.is_file())


async def test_the_token_is_in_no_log_and_no_file(tmp_path: Path) -> None:
    """Right and wrong logins, bearers, faults and refusals: nothing the server writes or prints holds the token."""
    token = "canary-token-2718281828459045"
    furnish(tmp_path)
    (tmp_path / "ragstone.toml").write_text(TOML)
    async with _server(tmp_path, RAGSTONE_TOKEN=token, SLOW="0") as (site, process):
        bearer = {"Authorization": f"Bearer {token}"}
        requests = [
            ("POST", "/eval/login", f"token={token}&next=/eval/{token}".encode(), {}),
            ("POST", "/eval/login", f"token={token}x".encode(), {}),
            ("GET", "/api/v1/runs", None, {"Authorization": f"Bearer {token}x"}),
            ("GET", f"/nothing?token={token}", None, {"Referer": f"http://x/?{token}"}),
            ("POST", "/api/v1/runs", {"dataset": token, "system": token}, bearer),
            ("POST", "/api/v1/runs", {"dataset": "library.jsonl", "system": "slow"}, bearer),
            ("GET", "/api/v1/openapi.json", None, bearer),
        ]
        replies = [await asyncio.to_thread(site.ask, *one) for one in requests]
        run_id = replies[5].json["run_id"]
        while True:
            shown = await asyncio.to_thread(site.ask, "GET", f"/api/v1/runs/{run_id}", None, bearer)
            if shown.json["live"]["state"] == "complete":
                break
            await asyncio.sleep(0.05)
        title = _all_of(Path(f"/proc/{process.pid}/cmdline"))
        process.terminate()
        printed = b"".join(await process.communicate())
    written = _all_of(tmp_path)
    shown_back = b"".join(
        reply.content + repr(reply.headers).encode() for reply in (replies[1], replies[2], replies[6])
    )

    assert token.encode() not in printed + written + title + shown_back
    assert replies[0].status == 303
