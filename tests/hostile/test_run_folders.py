"""Run folders that hypothesis planted or damaged: nothing breaks, is run or sent, and the other runs are shown."""

import os
import shutil
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from ragstone.core.settings import Settings
from tests.conftest import Cli
from tests.hostile.folders import KEY, SECRET, SENT, Sent, make
from tests.web.site import SYSTEMS, Reply, Site, furnish, serving

FOLDERS = int(os.environ.get("RAGSTONE_FOLDERS", "30"))
"""An example takes a second; before a release: RAGSTONE_FOLDERS=500."""
SECONDS = 300
"""A command that takes longer hangs, also on a machine that has much else to do."""
MAKER = "open('owned', 'w').close()\nclass X: pass\ndef f(q): return q\n"
LABELS = '{"case": "Q3", "point": "首小时免费", "answer_text": "请咨询服务台。", "verdict": "absent"}\n'
FILES = {
    "planted.yaml": "url: {url}/${AWS_SECRET}\n",
    "planted.json": '{"models": {"m": {"model": "m", "base_url": "{url}", "api_key": "${AWS_SECRET}"}}}',
    "evil.py": MAKER,
    "judge.py": "def f(q): return 'no'\n",
}
"""Files of the project that a planted run may name."""
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("runs",),
    ("runs", "--json"),
    ("report", "{bad}"),
    ("report", "{bad}", "--format", "markdown"),
    ("report", "{bad}", "--format", "csv"),
    ("report", "{bad}", "--format", "json"),
    ("verify", "{bad}"),
    ("compare", "good", "{bad}"),
    ("compare", "{bad}", "good"),
    ("gate", "{bad}", "-r", "pass_rate >= 0"),
    ("gate", "good", "-r", "drop(pass_rate) <= 0.5", "--baseline", "{bad}"),
    ("gate", "good", "-r", "drop(pass_rate) <= 0.5", "--baseline", "auto"),
    ("rescore", "{bad}", "--out", "runs/rescored"),
    ("merge", "good", "{bad}", "--out", "runs/merged"),
    ("resume", "{bad}", "-q"),
    ("resume", "{bad}", "-q", "--retry-failed"),
    ("resume", "{bad}", "-q", "--salvage"),
    ("judge", "{bad}"),
    ("judge", "{bad}", "--judge", "python:judge:f"),
    ("judge", "{bad}", "--labels", "labels.jsonl"),
    ("report", "latest"),
)
PAGES = (
    "/eval",
    "/eval/history",
    "/eval/runs/{bad}",
    "/eval/runs/{bad}/matrix",
    "/eval/runs/{bad}/matrix/1",
    "/eval/runs/{bad}/cases/1",
    "/eval/compare?first=good&second={bad}",
    "/eval/compare?first={bad}&second=good",
    "/api/v1/runs",
    "/api/v1/runs/{bad}",
    "/api/v1/runs/{bad}/events",
    "/api/v1/runs/{bad}/cases",
    "/api/v1/runs/{bad}/cases/1",
    "/api/v1/runs/{bad}/artefacts",
    "/api/v1/compare?first=good&second={bad}",
    "/api/v1/runs/{bad}/artefacts/report.html",
    "/api/v1/runs/{bad}/artefacts/cases.csv",
    "/api/v1/runs/{bad}/artefacts/run_meta.json",
    "/api/v1/runs/{bad}/artefacts/answers.jsonl",
)


class Place:
    """A project with a good run, a page, a listener that would see a key, and a file outside of it all."""

    def __init__(self, cli: Cli, site: Site, listener: socket.socket, folder: Path) -> None:
        self.cli, self.site, self.listener, self.folder = cli, site, listener, folder

    @property
    def url(self) -> str:
        """Where nobody may call."""
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def untouched(self) -> None:
        """Nothing was run, nobody was called, nothing outside was written."""
        assert not (self.folder / "owned").exists()
        with pytest.raises(BlockingIOError):
            self.listener.accept()
        outside = self.folder / "outside"
        assert {path.name for path in outside.iterdir()} == {"secret.txt"}
        assert (outside / "secret.txt").read_text() == SECRET


@pytest.fixture
def place(tmp_path: Path, inside: Cli, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """Furnish it, and serve its page to others."""
    furnish(tmp_path)
    monkeypatch.setenv("AWS_SECRET", KEY)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text(SECRET)
    with socket.create_server(("127.0.0.1", 0)) as listener, serving(Settings(systems=SYSTEMS)) as site:
        listener.setblocking(False)
        found = Place(inside, site, listener, tmp_path)
        for name, text in FILES.items():
            (tmp_path / name).write_text(text.replace("{url}", found.url))
        for run in ("good", "other"):
            begun = inside("run", "datasets/library.jsonl", "-s", "replay:answers.jsonl", "--run-id", run, "-q")
            assert begun.returncode == 0
        (tmp_path / "labels.jsonl").write_text(LABELS)
        assert inside("judge", "good", "--labels", "labels.jsonl").returncode == 0
        assert inside("gate", "good", "-r", "pass_rate >= 0").returncode == 0
        assert site.get("/eval/runs/good").status == 200
        yield found


@contextmanager
def within(seconds: int, what: object) -> Iterator[None]:
    """Fail what hangs instead of waiting for it."""

    def over(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"{what} hangs")

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def by_command(place: Place, bad: str) -> None:
    """Every command ends with an exit code and words that are harmless, and lists the runs that are whole."""
    for words in COMMANDS:
        given = [word.replace("{bad}", f"./runs/{bad}") for word in words]
        with within(SECONDS, given):
            done = place.cli(*given)
        told = done.stdout + done.stderr
        assert done.returncode in {0, 1, 2, 3}, (given, told)
        assert "Traceback" not in told, (given, told)
        assert not [word for word in (KEY, SECRET, "\x1b") if word in told], given
        if words[0] == "runs":
            assert "good" in done.stdout
            assert "other" in done.stdout


def by_page(place: Place, bad: str) -> None:
    """Every page and every answer of the API is no fault of ours, and tells nothing it should not."""
    named = quote(bad.encode("utf-8", "surrogateescape"), safe="")
    for path in PAGES:
        reply = place.site.get(path.replace("{bad}", named))
        _harmless(reply, path)
        if path in {"/eval/history", "/api/v1/runs"}:
            assert "good" in reply.text, path
    for body in ({}, {"retry_failed": True}):
        reply = place.site.change("POST", f"/api/v1/runs/{named}/resume", body)
        _harmless(reply, "resume")
        if reply.status == 202:
            place.site.wait(named)


def _harmless(reply: Reply, path: str) -> None:
    assert reply.status < 500, (path, reply.text)
    assert KEY.encode() not in reply.content, path
    assert SECRET.encode() not in reply.content, path
    if reply.headers.get("content-type", "").startswith("text/html") and "artefacts" not in path:
        assert "<script>alert" not in reply.text, path


def attack(place: Place, sent: Sent) -> None:
    """Put a folder among the runs, look at it in every way, and take it away."""
    runs = place.folder / "runs"
    try:
        make(sent, runs / "good", place.url)
        by_page(place, sent.name)
        by_command(place, sent.name)
        place.untouched()
    finally:
        for path in list(runs.iterdir()):
            if path.name not in {"good", "other"}:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _try(place: Place, examples: int) -> None:
    # An example takes about a second: one that fails is shown as it is, and not made smaller.
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(SENT)
    def run(sent: Sent) -> None:
        attack(place, sent)

    run()


def test_a_few_sent_run_folders_do_no_harm(place: Place) -> None:
    """A small part of those below, in every run of the tests."""
    _try(place, 4)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_many_sent_run_folders_do_no_harm(place: Place) -> None:
    """No traceback, no code run, no key sent, nothing outside read or written, the other runs are listed."""
    _try(place, FOLDERS)
