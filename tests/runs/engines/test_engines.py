"""Every engine does the same: all shards, in order, once each; faults come back as what they are."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ragstone.core.errors import RunError, SettingError, UserError
from ragstone.core.interfaces import Engine, Shard, Work
from ragstone.core.registry import connect_engine
from ragstone.runs.engines.process import Processes
from tests.conftest import PlugIn
from tests.runs.stopped import alive

ROOT = Path(__file__).parents[3]


def _work(name: str, setup: bytes = b"") -> Work:
    return Work(f"tests.runs.engines.work:{name}", setup)


def _shards(*contents: bytes) -> Iterator[Shard]:
    return (Shard(f"shard {number}", content) for number, content in enumerate(contents))


@pytest.fixture(params=["inproc", "process:2"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Each engine that needs no cluster."""
    with closing(connect_engine(request.param)) as made:
        yield made


def test_shards_come_back_in_order(engine: Engine) -> None:
    """Also what a worker prints does not get between them."""
    contents = [str(number).encode() for number in range(40)]

    assert list(engine.run(_work("double", b"s"), _shards(*contents))) == [b"s" + content * 2 for content in contents]
    assert isinstance(engine, Engine)


def test_a_users_fault_comes_back_as_such(engine: Engine) -> None:
    """With its code and its sentence."""
    with pytest.raises(UserError, match="r") as caught:
        list(engine.run(_work("fail"), _shards(b"a", b"user", b"b")))

    assert caught.value.code == "run.missing"


def test_a_bug_names_the_shard_and_keeps_its_traceback(engine: Engine) -> None:
    """What is not the user's fault shows where it happened."""
    with pytest.raises(RunError, match="shard 1 failed: ZeroDivisionError: by nothing") as caught:
        list(engine.run(_work("fail"), _shards(b"a", b"bug", b"b")))

    assert "in fail" in caught.value.__notes__[0]


def test_an_engine_can_be_used_again_after_a_fault(engine: Engine) -> None:
    """Nothing of the fault stays behind."""
    with pytest.raises(RunError):
        list(engine.run(_work("fail"), _shards(b"bug", *[b"x"] * 9)))

    assert list(engine.run(_work("fail"), _shards(b"a", b"b"))) == [b"a", b"b"]


def test_shards_are_taken_as_they_are_needed(engine: Engine) -> None:
    """Memory stays flat: a million shards are never drawn at once."""
    drawn = 0

    def endless() -> Iterator[Shard]:
        nonlocal drawn
        while True:
            drawn += 1
            yield Shard(str(drawn), b"x")

    rows = engine.run(_work("double"), endless())
    assert [next(rows) for _ in range(3)] == [b"xx"] * 3
    rows.close()  # type: ignore[attr-defined]

    assert drawn <= 8


@pytest.mark.parametrize("deaths", [1, 2])
def test_a_worker_that_dies_is_replaced(tmp_path: Path, deaths: int) -> None:
    """kill -9 loses no shard and repeats none in the outcome."""
    (tmp_path / "lives").write_bytes(b"x" * deaths)
    with closing(Processes(2)) as engine:
        found = list(engine.run(_work("die", str(tmp_path / "lives").encode()), _shards(b"a", b"deadly", b"b")))

    assert found == [b"a", b"deadly", b"b"]


def test_a_shard_that_kills_every_worker_is_named(tmp_path: Path) -> None:
    """It is tried a few times and then refused."""
    (tmp_path / "lives").write_bytes(b"x" * 99)
    with closing(Processes(1)) as engine, pytest.raises(RunError, match="shard 1 was given up: 3 workers died"):
        list(engine.run(_work("die", str(tmp_path / "lives").encode()), _shards(b"a", b"deadly")))


def test_workers_killed_from_outside_lose_nothing() -> None:
    """Whoever kills them, and in the middle of whatever."""
    with closing(Processes(2)) as engine:
        rows = engine.run(_work("sleep"), _shards(*[b"0.05"] * 30))
        next(rows)
        for pid in engine.pids():
            os.kill(pid, signal.SIGKILL)

        assert len(list(rows)) == 29


def test_closing_ends_workers_in_the_middle_of_a_shard() -> None:
    """Nobody waits for what nobody wants any more."""
    engine = Processes(2)
    rows = engine.run(_work("sleep"), _shards(b"0", b"60", b"60"))
    next(rows)
    pids, began = engine.pids(), time.monotonic()
    engine.close()

    assert time.monotonic() - began < 10
    assert not any(alive(pid) for pid in pids)


PARENT = """
import sys
sys.path.insert(0, sys.argv[1])
from ragstone.runs.engines.process import Processes
from ragstone.core.interfaces import Shard, Work
engine = Processes(2)
rows = engine.run(Work("tests.runs.engines.work:sleep", b""), (Shard("s", b"0" if n < 4 else b"60") for n in range(9)))
next(rows), next(rows)
print(*engine.pids(), flush=True)
next(rows), next(rows), next(rows)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_die_with_their_parent(number: signal.Signals) -> None:
    """No orphan works on, however the parent ended."""
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(ROOT)], stdout=subprocess.PIPE, encoding="utf-8")
    assert parent.stdout is not None
    pids = [int(word) for word in parent.stdout.readline().split()]
    parent.send_signal(number)
    parent.wait(10)
    parent.stdout.close()
    deadline = time.monotonic() + 10
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)

    assert pids
    assert not any(map(alive, pids))


@pytest.mark.parametrize(
    "spec", ["process:0", "process:x", "process:-1", "process:9999", "inproc:2", "dask:", "dask://", "spark://h", ""]
)
def test_an_engine_nobody_knows_is_refused(spec: str) -> None:
    """With examples of what there is."""
    with pytest.raises(SettingError, match=r"inproc|process"):
        connect_engine(spec)


def test_a_plug_in_adds_an_engine(plug_in: PlugIn) -> None:
    """By an entry point, under its own name."""
    plug_in("ragstone.engines", "here", "ragstone.runs.engines.inproc:connect")

    assert connect_engine("here").name == "inproc"
    with pytest.raises(SettingError, match=r"here, inproc, process"):
        connect_engine("there")


def test_auto_counts_the_cores() -> None:
    """Those this process may use."""
    with closing(connect_engine("process:auto")) as engine:
        assert engine.name == f"process:{len(os.sched_getaffinity(0))}"


def test_an_engine_works_from_any_thread() -> None:
    """Workers do not die with the thread that began them."""
    engine = Processes(1)
    rows = engine.run(_work("double"), _shards(b"a", b"b", b"c"))
    found: list[bytes] = []
    thread = threading.Thread(target=lambda: found.append(next(rows)))
    thread.start()
    thread.join()
    found += rows
    engine.close()

    assert found == [b"aa", b"bb", b"cc"]


def test_workers_keep_their_parents_promise_to_stay_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker of a guarded process is guarded, too."""
    monkeypatch.setenv("RAGSTONE_OFFLINE", "1")
    with closing(Processes(1)) as engine:
        found = list(engine.run(_work("reach"), _shards(b"198.51.100.1", b"127.0.0.1")))

    assert found[0] == b"OfflineError"
    assert found[1] != b"OfflineError"
