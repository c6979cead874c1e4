"""Things that happen at once: cancel and finish, start and start, resume and resume, uploads, folders that vanish."""

import json
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from ragstone.core.settings import Settings
from ragstone.web import jobs
from ragstone.web.cases import index
from ragstone.web.cases.index import Indexes
from ragstone.web.cases.query import Query
from tests.web.site import ROWS, SYSTEMS, Site, furnish, holding, serving, until_asked

T = TypeVar("T")
OVER = {"complete", "partial", "failed"}


def _together(*calls: Callable[[], T]) -> list[T]:
    """Call all at the same moment and return what they came to."""
    gate = threading.Barrier(len(calls))
    results: list[T | None] = [None] * len(calls)

    def call(place: int) -> None:
        gate.wait()
        results[place] = calls[place]()

    threads = [threading.Thread(target=call, args=(place,)) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert all(result is not None for result in results)
    return [result for result in results if result is not None]


def _post(site: Site, path: str, token: str, body: object = None) -> int:
    return site.ask("POST", path, body, {"X-Ragstone-Token": token, "Origin": site.url}).status


def test_cancel_and_finish_at_once(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever wins, the run is over in one way only, and its files say the same as the page."""
    monkeypatch.setenv("SLOW", "0.02")
    token = site.get("/api/v1/session").json["token"]
    for wait in (0.0, 0.02, 0.05, 0.08, 0.12, 0.2):
        run_id = site.start("slow", concurrency=1)
        time.sleep(wait)
        status = _post(site, f"/api/v1/runs/{run_id}/cancel", token)
        state = site.wait(run_id)["state"]

        assert status in {202, 409}
        assert state in {"complete", "partial"}
        meta = tmp_path / "runs" / run_id / "run_meta.json"
        assert not meta.exists() or json.loads(meta.read_text())["status"] == state
        assert site.wait(run_id)["state"] == state


def test_many_cancels_at_once_are_one(site: Site, tmp_path: Path) -> None:
    """Ten presses of the button stop one run once."""
    token = site.get("/api/v1/session").json["token"]
    with holding(tmp_path):
        run_id = site.start("slow", concurrency=1)
        statuses = _together(*[lambda: _post(site, f"/api/v1/runs/{run_id}/cancel", token)] * 10)

    assert set(statuses) <= {202, 409}
    assert 202 in statuses
    assert site.wait(run_id)["state"] == "partial"


def test_starts_at_once_are_runs_of_their_own(site: Site, tmp_path: Path) -> None:
    """Twenty orders in one second get twenty names and twenty folders."""
    run_ids = _together(*[lambda: site.start("mock")] * 20)
    states = {site.wait(run_id, seconds=60)["state"] for run_id in run_ids}

    assert len(set(run_ids)) == 20
    assert states == {"complete"}
    folders = {path.name for path in (tmp_path / "runs").iterdir() if path.is_dir() and path.name[0] != "."}
    assert folders == set(run_ids)


def test_a_name_that_is_taken_is_not_given_again(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names end in four letters of chance; one that another run has is passed over, never continued."""
    names = iter(["same", "same", "same", "other"])
    monkeypatch.setattr(jobs, "new_run_id", lambda contract: next(names))

    assert [site.run("mock"), site.run("mock")] == ["same", "other"]


def test_resumes_at_once_are_one(site: Site, tmp_path: Path) -> None:
    """One goes on, the others are told so; every case is asked once."""
    token = site.get("/api/v1/session").json["token"]
    with holding(tmp_path):
        run_id = site.start("slow", concurrency=1)
        until_asked(tmp_path)
        _post(site, f"/api/v1/runs/{run_id}/cancel", token)
    site.wait(run_id)

    with holding(tmp_path):
        statuses = _together(*[lambda: _post(site, f"/api/v1/runs/{run_id}/resume", token)] * 6)

    assert sorted(statuses) == [202, 409, 409, 409, 409, 409]
    assert site.wait(run_id)["state"] == "complete"
    assert len((tmp_path / "asked.log").read_text().splitlines()) == 3


def test_a_long_queue_takes_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs that wait are counted; what is over is forgotten in time."""
    monkeypatch.setattr(jobs, "MOST_WAITING", 3)
    monkeypatch.setattr(jobs, "KEPT_JOBS", 2)
    furnish(tmp_path)
    with serving(Settings(systems=SYSTEMS, max_jobs=1, concurrency=1)) as site, holding(tmp_path):
        waiting = [site.start("slow") for _ in range(4)]
        refused = site.change("POST", "/api/v1/runs", {"dataset": "library.jsonl", "system": "slow"})
        for run_id in reversed(waiting):
            site.change("POST", f"/api/v1/runs/{run_id}/cancel")
        again = site.change("POST", "/api/v1/runs", {"dataset": "library.jsonl", "system": "mock"})

    assert (refused.status, refused.json["error"]["code"]) == (429, "page.queue")
    assert again.status == 202


def test_many_jobs_leave_the_page_its_threads(tmp_path: Path) -> None:
    """Forty runs at once, and a page is still answered."""
    furnish(tmp_path)
    with serving(Settings(systems=SYSTEMS, max_jobs=64, concurrency=1)) as site, holding(tmp_path):
        run_ids = [site.start("slow") for _ in range(40)]
        status = site.get("/eval/history").status
        going = len(site.get("/api/v1/runs").json["going"])
        for run_id in run_ids:
            site.change("POST", f"/api/v1/runs/{run_id}/cancel")

    assert status == 200
    assert going == 40


def test_files_of_one_name_at_once_are_all_kept(site: Site, tmp_path: Path) -> None:
    """No upload takes the place of another that came in the same moment."""
    token = site.get("/api/v1/session").json["token"]

    def upload(number: int) -> Callable[[], str]:
        row = json.dumps({**ROWS[0], "q": f"第{number}问？"}).encode() + b"\n"
        headers = {"X-Ragstone-Token": token, "Origin": site.url}
        return lambda: str(site.ask("PUT", "/api/v1/datasets/same.jsonl", row, headers).json["dataset"])

    names = _together(*[upload(number) for number in range(12)])

    assert len(set(names)) == 12
    contents = {(tmp_path / "datasets" / name).read_bytes() for name in names}
    assert len(contents) == 12
    assert not list((tmp_path / "datasets").glob(".upload-*"))


def test_a_run_folder_that_vanishes_fails_its_run_only(site: Site, tmp_path: Path) -> None:
    """Somebody deletes the folder of a run that goes on: the page tells, and goes on with others."""
    with holding(tmp_path):
        run_id = site.start("slow", concurrency=1)
        until_asked(tmp_path)
        site.get(f"/api/v1/runs/{run_id}/cases")
        shutil.rmtree(tmp_path / "runs" / run_id)
        views = [site.get(f"/eval/runs/{run_id}"), site.get(f"/api/v1/runs/{run_id}/cases")]
    live = site.wait(run_id)

    assert {view.status for view in views} <= {200, 404, 409}
    assert live["state"] in OVER
    assert str(tmp_path) not in live["error"]
    assert site.get("/eval").status == site.get("/eval/history").status == 200
    assert site.wait(site.start())["state"] == "complete"


def test_a_run_that_is_deleted_is_gone(site: Site, tmp_path: Path) -> None:
    """Its pages are not there any more, even where its index was open."""
    run_id = site.run()
    assert site.get(f"/api/v1/runs/{run_id}/cases").status == 200
    shutil.rmtree(tmp_path / "runs" / run_id)

    assert site.get(f"/api/v1/runs/{run_id}/cases").status == 404
    assert site.get(f"/api/v1/runs/{run_id}/artefacts/report.html").status == 404


def test_more_runs_than_indexes_are_read_at_once(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index that is put away while somebody reads in it stays readable until they are done."""
    monkeypatch.setattr(index, "OPEN", 1)
    first = tmp_path / "runs" / site.run()
    folders = [first]
    for number in range(4):
        folders.append(first.with_name(f"copy-{number}"))
        shutil.copytree(first, folders[-1], ignore=shutil.ignore_patterns("cases.sqlite*"))
    indexes = Indexes()

    def read() -> int:
        return sum(indexes.of(folder).page(Query()).total for _ in range(10) for folder in folders)

    totals = _together(*[read] * 6)
    indexes.close()

    assert totals == [3 * 10 * 5] * 6
