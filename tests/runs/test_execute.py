"""A run's own accounts: what was called, what was cut short, what could not be written."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import ragstone
from ragstone.api import aevaluate
from ragstone.core.errors import RunError
from ragstone.core.settings import Settings, read_settings
from ragstone.core.types import Answer, Request, Result, Summary
from ragstone.runs.execute import TICK, Progress
from ragstone.runs.plan import Plan
from ragstone.runs.store.folder import ResultWriter, RunFolder
from ragstone.runs.store.seal import altered
from ragstone.systems.chat import connect
from tests.loopback import Loopback, Reply
from tests.runs.stopped import leave

Rows = Callable[..., Path]


class Notices:
    """Keeps what a person would be told."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def started(self, plan: Plan, folder: Path, expected: int) -> None: ...

    def result(self, result: Result) -> None: ...

    def tick(self, progress: Progress) -> None: ...

    def notice(self, text: str) -> None:
        self.said.append(text)

    def finished(self, plan: Plan, folder: Path, summary: Summary) -> None: ...


class Slow:
    """A system that takes its time."""

    model_id = "slow"

    def identity(self) -> dict[str, str]:
        return {"kind": "slow"}

    async def ask(self, request: Request) -> Answer:
        await asyncio.sleep(TICK * 1.5)
        return Answer(text="point")

    async def close(self) -> None: ...


@pytest.fixture
def dataset(write_rows: Rows) -> Path:
    """Four made-up questions."""
    return write_rows("q.jsonl", *({"q": f"q {n}?", "gold": ["point"], "doc_hint": []} for n in range(4)))


def _meta(run: ragstone.Run) -> dict[str, object]:
    meta: dict[str, object] = json.loads((run.folder / "run_meta.json").read_bytes())
    return meta


def _forget(run: ragstone.Run, lines: int, status: str) -> None:
    """Leave a run as a process does that died in its middle."""
    leave(run.folder, slice(lines), status=status)


def test_calls_are_counted_over_all_processes(dataset: Path) -> None:
    """run_meta.json says how many calls the run took, whoever made them."""
    run = ragstone.evaluate(dataset, lambda question: "point")
    first = _meta(run)["calls"]
    _forget(run, 3, "partial")
    ragstone.resume(run.folder, lambda question: "point")

    assert first == 4
    assert _meta(run)["calls"] == 5
    assert "interrupted" not in _meta(run)


def test_a_run_cut_short_says_what_may_be_asked_twice(dataset: Path) -> None:
    """What was in flight when a process died is not known: that is told and counted."""
    run = ragstone.evaluate(dataset, lambda question: "point")
    _forget(run, 3, "running")
    watcher = Notices()
    ragstone.resume(run.folder, lambda question: "point", watchers=[watcher])

    assert ["a second time" in said for said in watcher.said] == [True]
    assert _meta(run)["interrupted"] == 1


def test_nothing_is_told_when_all_was_answered(dataset: Path) -> None:
    """A process that died while it wrote the report leaves nothing to ask."""
    run = ragstone.evaluate(dataset, lambda question: "point")
    _forget(run, 4, "running")
    watcher = Notices()
    ragstone.resume(run.folder, lambda question: "point", watchers=[watcher])

    assert watcher.said == []


def test_rows_that_cannot_be_written_stop_the_run(dataset: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing more is asked once the disk is full, and the user is told."""
    asked = []

    def flush(writer: ResultWriter) -> None:
        raise RunError("run.unwritable", folder="r", problem="No space left on device")

    class Counted(Slow):
        async def ask(self, request: Request) -> Answer:
            asked.append(request.id)
            return await super().ask(request)

    monkeypatch.setattr(ResultWriter, "flush", flush)

    with pytest.raises(RunError, match="No space left"):
        ragstone.evaluate(dataset, Counted(), settings=Settings(concurrency=1))
    assert asked == ["Q1"]


@pytest.mark.parametrize(
    ("lang", "first", "last"), [("en", "again to drop it", "(SIGINT)"), ("zh", "再按一次", "停止")]
)
def test_ctrl_c_is_heard_and_told_in_sentences(dataset: Path, lang: str, first: str, last: str) -> None:
    """At once what happens to the calls in flight, and at the end why the run is partial."""
    watcher = Notices()

    def answer(question: str) -> str:
        if not watcher.said:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
        return "point"

    settings = read_settings({"concurrency": 1, "language": lang})
    run = ragstone.evaluate(dataset, answer, settings=settings, watchers=[watcher])

    assert run.stopped == "SIGINT"
    assert [first in watcher.said[0], last in watcher.said[-1]] == [True, True]
    assert len(watcher.said) == 2


def test_a_run_cut_short_after_it_was_continued_is_not_called_altered(dataset: Path) -> None:
    """Hashes of its first end are no reproach to what came later."""
    run = ragstone.evaluate(dataset, lambda question: "point")
    _forget(run, 3, "partial")

    class Dying(Notices):
        def started(self, plan: Plan, folder: Path, expected: int) -> None:
            raise OSError("killed")

    with pytest.raises(OSError, match="killed"):
        ragstone.resume(run.folder, lambda question: "point", watchers=[Dying()])

    assert _meta(run)["status"] == "running"
    assert altered(RunFolder(run.folder)) == []


class Ticks(Notices):
    """Keeps how far a run was from moment to moment."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Progress] = []

    def tick(self, progress: Progress) -> None:
        self.seen.append(progress)


async def test_progress_counts_what_is_finished(dataset: Path) -> None:
    """A first case that hangs does not hide the others: what is answered counts, in whatever order."""

    async def answer(question: str) -> str:
        await asyncio.sleep(TICK * 4 if question == "q 0?" else 0)
        return "point"

    watch = Ticks()
    await aevaluate(dataset, answer, watchers=[watch])

    assert watch.seen[0].finished == watch.seen[0].asked == 3
    assert watch.seen[0].seconds_left == pytest.approx(1 / watch.seen[0].rate)


async def test_a_pause_is_no_progress(dataset: Path) -> None:
    """While an endpoint is down nobody knows how long it takes, and the progress says so."""
    watch = Ticks()
    options = {"breaker_after": 1, "breaker_pause": TICK * 2, "max_retries": 5, "retry_delay": 0.01}
    async with Loopback(Reply(), Reply({}, 503), Reply()) as server:
        system = connect("m", {"base_url": server.url, **options})
        done = await aevaluate(dataset, system, watchers=[watch], settings=Settings(concurrency=1))

    assert done.summary.status == "complete"
    assert [(one.paused, one.seconds_left) for one in watch.seen[:1]] == [(True, None)]


async def test_the_time_of_an_attempt_is_the_same_for_every_system(dataset: Path) -> None:
    """--timeout ends an attempt at an endpoint as it ends a function; waiting for a turn does not count."""
    async with Loopback(Reply(delay=20)) as server:
        system = connect("m", {"base_url": server.url, "max_retries": 0, "breaker_after": 0})
        done = await aevaluate(dataset, system, settings=Settings(timeout=0.05))
        paced = connect("m", {"base_url": server.url, "requests_per_minute": 600})
        server.then([Reply()])
        waited = await aevaluate(dataset, paced, settings=Settings(timeout=0.25, concurrency=4))

    assert {row.error_type for row in done.results()} == {"timeout_total"}
    assert {row.error_type for row in waited.results()} == {None}


LIMITS = {
    (256, 256, 8): "8 256",
    (48, 256, 64): "64 96",
    (48, 64, 64): "32 64",
    (40, 40, 64): "8 40",
    (33, 33, 9): "1 33",
}
"""Most handles now, most that may be had, wish: what becomes of the wish and of the limit."""
CODE = """
import os, resource
from ragstone.runs.execute import free_handles
for soft, hard, wanted in {limits}:
    if os.fork() == 0:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        print(free_handles(wanted), resource.getrlimit(resource.RLIMIT_NOFILE)[0], flush=True)
        os._exit(0)
    os.wait()
"""


def test_the_limit_is_raised_or_the_wish_is_cut() -> None:
    """What the system allows is used; what it does not is told by a smaller number."""
    code = CODE.format(limits=[*LIMITS])

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)

    assert done.stdout.splitlines() == [*LIMITS.values()], done.stderr
