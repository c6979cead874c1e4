"""A real Dask cluster on this machine: a scheduler and two workers, some of them killed."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

import ragstone.runs.engines.dask as engine
from ragstone.api import evaluate
from ragstone.core.errors import RunError, SettingError, UserError
from ragstone.core.interfaces import Shard, Work
from ragstone.core.registry import connect_engine
from ragstone.runs import shards as sharding
from ragstone.runs.engines.dask import Cluster, connect
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.verify import verify

ROOT = Path(__file__).parents[3]
pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
    pytest.mark.timeout(240),
]


class Machines:
    """The processes of a small cluster."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._children: list[subprocess.Popen[bytes]] = []
        self.workers: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self._start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        deadline = time.monotonic() + 60
        while not file.is_file() and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(0.1)
        self.address = str(json.loads(file.read_text())["address"]).removeprefix("tcp://")

    def _start(self, kind: str, *words: str) -> subprocess.Popen[bytes]:
        path = os.pathsep.join([str(ROOT), *sys.path])
        env = {**os.environ, "PYTHONPATH": path, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "3"}
        child = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{kind}", *words, "--no-dashboard"],
            cwd=self._folder,
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._children.append(child)
        return child

    def worker(self) -> None:
        """Add a worker."""
        words = [f"tcp://{self.address}", "--nthreads", "1", "--no-nanny", "--memory-limit", "0"]
        self.workers.append(self._start("dask_worker", *words, "--host", "127.0.0.1"))

    def kill(self) -> None:
        """Lose a worker the hard way."""
        self.workers.pop().send_signal(signal.SIGKILL)

    def close(self) -> None:
        """End everything."""
        for child in self._children:
            child.kill()
            child.wait()


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """A scheduler with two workers."""
    with closing(Machines(tmp_path_factory.mktemp("cluster"))) as made:
        made.worker()
        made.worker()
        yield made


@pytest.fixture
def cluster(machines: Machines) -> Iterator[Cluster]:
    """A connection to it, with two workers alive."""
    while len(machines.workers) < 2:
        machines.worker()
    with closing(connect(f"//{machines.address}")) as made:
        made._client.wait_for_workers(2, timeout=60)
        yield made


def _shards(*contents: bytes) -> Iterator[Shard]:
    return (Shard(f"shard {number}", content) for number, content in enumerate(contents))


def test_a_cluster_is_an_engine(machines: Machines, cluster: Cluster) -> None:
    """Shards come back in order, faults as what they are, and a worker killed in the middle loses nothing."""
    contents = [str(number % 7).encode() for number in range(25)]
    found = list(cluster.run(Work("tests.runs.engines.work:double", b"s"), _shards(*contents)))
    assert found == [b"s" + content * 2 for content in contents]

    failing = Work("tests.runs.engines.work:fail", b"")
    with pytest.raises(UserError, match="r"):
        list(cluster.run(failing, _shards(b"a", b"user")))
    with pytest.raises(RunError, match="shard 1 failed: ZeroDivisionError"):
        list(cluster.run(failing, _shards(b"a", b"bug")))

    rows = cluster.run(Work("tests.runs.engines.work:sleep", b"k"), _shards(*[b"0.%03d" % n for n in range(60, 90)]))
    first = next(rows)
    machines.kill()
    assert len([first, *rows]) == 30


def test_a_run_is_the_same_to_the_byte(
    machines: Machines, cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Judged by a cluster that loses a worker on the way, or here: results, journal, summary and verdict are equal."""
    monkeypatch.setattr(sharding, "SIZE", 10)
    rows = [{"q": f"第{n}问", "gold": [f"要点{n}"], "doc_hint": ["d.md"]} for n in range(300)]
    said = [{"id": f"Q{n + 1}", "output": f"要点{n if n % 3 else 0}（d.md）"} for n in range(300)]
    for name, lines in (("q.jsonl", rows), ("a.jsonl", said)):
        (tmp_path / name).write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    once = evaluate("q.jsonl", "replay:a.jsonl", run_id="r")
    Path("runs").rename("once")

    class Unlucky:
        name = "unlucky"

        def run(self, work: Work, shards: Iterable[Shard]) -> Iterator[bytes]:
            for number, found in enumerate(cluster.run(work, shards)):
                if number == 3:
                    machines.kill()
                yield found

        def close(self) -> None:
            pass

    again = evaluate("q.jsonl", "replay:a.jsonl", run_id="r", engine=Unlucky())

    for name in ("answers.jsonl", "results.jsonl", "summary.json"):
        assert Path("once/r", name).read_bytes() == (again.folder / name).read_bytes()
    assert once.summary == again.summary
    assert verify(RunFolder(again.folder), cluster) == verify(RunFolder(again.folder))


def test_a_scheduler_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a while, not for ever."""
    monkeypatch.setattr(engine, "PATIENCE", 1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(SettingError, match=r"cannot be reached"):
        connect_engine(f"dask://127.0.0.1:{port}")


def test_an_address_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a protocol nobody speaks nor a scheduler file that is not there raises anything else."""
    monkeypatch.setattr(engine, "PATIENCE", 1)
    for spec in ("dask://gopher://127.0.0.1:1", "dask:///nowhere/scheduler.json"):
        with pytest.raises(SettingError, match=r"cannot be reached"):
            connect_engine(spec)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to install."""
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(SettingError, match=r"pip install 'ragstone\[dask\]'"):
        connect_engine("dask://127.0.0.1:1")
