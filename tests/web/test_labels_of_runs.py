"""Runs have names, tags and a place to go when they are deleted; what is sealed of them stays as it is."""

import json
import time
from pathlib import Path

import pytest

from ragstone.runs.store.catalogue import DAYS, REMOVED, clear_removed
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.label import LABEL, Label, make_label, read_label
from ragstone.trust.verify import verify
from ragstone.web.history.lines import RunFilter, RunLine, known_runs
from ragstone.web.history.trends import trends
from tests.conftest import Cli
from tests.web.site import Site


def label(site: Site, run: str, **given: object) -> None:
    """Name a run as the page does."""
    assert site.change("PATCH", f"/api/v1/runs/{run}/label", given).status == 200


def test_a_name_is_shown_everywhere_and_seals_stay(site: Site, tmp_path: Path) -> None:
    """List, start page, comparison and the run itself; the run verifies as before."""
    site.run("mock")
    run = site.run()
    label(site, run, name="夜间 <b>回归</b>", tags=["夜间", "v2", "夜间"])
    label(site, run, archived=False)

    for path in ("/eval/history", "/eval", f"/eval/runs/{run}", f"/eval/compare?first={run}"):
        assert "夜间 &lt;b&gt;回归&lt;/b&gt;" in site.get(path).text, path
    assert read_label(tmp_path / "runs" / run) == Label(name="夜间 <b>回归</b>", tags=("夜间", "v2"))
    assert verify(RunFolder(tmp_path / "runs" / run)).status == "identical"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"name": 5}', b'{"name": "' + b"x" * 9000 + b'"}', b'{"tags": "' + b"[" * 999 + b'"}'],
)
def test_a_planted_label_is_no_name(tmp_path: Path, content: bytes) -> None:
    """A file that is none, or too long, names nothing."""
    (tmp_path / LABEL).write_bytes(content)

    assert read_label(tmp_path) == Label()


def test_a_label_keeps_its_bounds() -> None:
    """Whatever is typed or planted: short, one line, no escapes, few tags."""
    made = make_label("\x1b[31m" + "长" * 900 + "\u202e", [f"t{n}" * 99 for n in range(99)])

    assert len(made.name) <= 120 and "\x1b" not in made.name and "\u202e" not in made.name
    assert len(made.tags) <= 12 and all(len(tag) <= 40 for tag in made.tags)


LINE = RunLine(run_id="r1", dataset="faq.jsonl", model="rag", status="complete", created="", name="Spring", tags=("a",))


@pytest.mark.parametrize(
    ("chosen", "fits"),
    [
        (RunFilter(), True),
        (RunFilter(q="spring RAG"), True),
        (RunFilter(q="winter"), False),
        (RunFilter(dataset="faq.jsonl", system="rag", tag="a", state="complete"), True),
        (RunFilter(tag="b"), False),
        (RunFilter(state="partial"), False),
    ],
)
def test_runs_are_searched_and_filtered(chosen: RunFilter, fits: bool) -> None:
    """Every word must stand somewhere; filters hold exactly."""
    assert chosen.fits(LINE) is fits


def test_what_is_archived_is_listed_on_request(site: Site) -> None:
    """Put away: out of the list, not out of the world."""
    run = site.run()
    label(site, run, archived=True)

    listed = [line["run_id"] for line in site.get("/api/v1/runs").json["runs"]]
    every = [line["run_id"] for line in site.get("/api/v1/runs?archived=true").json["runs"]]
    assert (listed, every) == ([], [run])


def test_a_deleted_run_comes_back(site: Site, tmp_path: Path) -> None:
    """Gone from every list at once; brought back whole; gone for good only after days."""
    run = site.run()
    site.get(f"/api/v1/runs/{run}/cases")
    assert site.change("DELETE", f"/api/v1/runs/{run}").json == {"run_id": run, "days": DAYS}
    assert site.get(f"/eval/runs/{run}").status == 404
    assert site.get("/api/v1/runs").json["runs"] == []
    clear_removed(tmp_path / "runs")

    assert site.change("POST", f"/api/v1/runs/{run}/restore").status == 200
    assert site.get(f"/api/v1/runs/{run}/cases").json["total"] == 3
    assert verify(RunFolder(tmp_path / "runs" / run)).status == "identical"
    site.change("DELETE", f"/api/v1/runs/{run}")
    clear_removed(tmp_path / "runs", time.time() + (DAYS + 1) * 86400)
    assert list((tmp_path / "runs" / REMOVED).iterdir()) == []
    assert site.change("POST", f"/api/v1/runs/{run}/restore").status == 409


def test_a_run_that_goes_on_is_not_deleted(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """First cancel it."""
    monkeypatch.setenv("SLOW", "60")
    run = site.start("slow")
    site.wait(run, "running")

    assert site.change("DELETE", f"/api/v1/runs/{run}").status == 409
    site.change("POST", f"/api/v1/runs/{run}/cancel")
    site.change("POST", f"/api/v1/runs/{run}/cancel")
    site.wait(run)


@pytest.mark.parametrize("name", ["..", ".removed", "a/../../b", "no"])
def test_only_runs_are_deleted_and_brought_back(site: Site, name: str) -> None:
    """A name that leads elsewhere is no run."""
    path = f"/api/v1/runs/{name.replace('/', '%2F')}"

    assert site.change("DELETE", path).status in {404, 405}
    assert site.change("POST", f"{path}/restore").status in {404, 405, 409}


def test_trends_are_by_dataset_and_system_without_stops(site: Site, tmp_path: Path) -> None:
    """One chart for each pair, a strip for each figure, values in its name, nothing a Tab could stop at."""
    for _ in range(2):
        site.run()
        site.run("mock")
    (tmp_path / "datasets" / "other").mkdir()
    (tmp_path / "datasets" / "other" / "library.jsonl").write_bytes(
        (tmp_path / "datasets" / "library.jsonl").read_bytes()
    )
    site.run(dataset="other/library.jsonl")
    charts = trends(known_runs(tmp_path / "runs", "en"), "en")

    assert [chart.title for chart in charts] == ["library.jsonl · recorded"]
    assert "library.jsonl · recorded, 2 runs: pass rate 33.3% → 33.3%" in charts[0].svg
    assert "<a " not in charts[0].svg and charts[0].svg.count("<polyline") == 3


def test_a_part_of_a_dataset_is_no_point_of_its_trend(site: Site, tmp_path: Path) -> None:
    """Every run says over how many cases it was; the line joins those over the most."""
    for samples, repeats in ((None, 1), (2, 1), (None, 1), (None, 2)):
        site.run(max_samples=samples, repeats=repeats)
    charts = trends(known_runs(tmp_path / "runs", "en"), "en")
    page = site.get("/eval/history?lang=en").text

    assert [page.count(f">n = {n}<") for n in ("3", "2", "3 × 2")] == [2, 1, 1]
    assert "recorded, 3 runs" in charts[0].svg and "· n = 3 ·" in charts[0].svg and "n = 2 ·" not in charts[0].svg


def test_deleted_runs_are_found_later(site: Site) -> None:
    """The history leads to them, and each can be brought back."""
    run = site.run()
    site.change("DELETE", f"/api/v1/runs/{run}")
    page = site.get("/eval/history?deleted=true&lang=en").text

    assert "/eval/history?deleted=true" in site.get("/eval/history").text
    assert f'data-restore="{run}"' in page and "7 days" in page
    assert site.change("POST", f"/api/v1/runs/{run}/restore", {}).status == 200
    assert "data-restore" not in site.get("/eval/history?deleted=true").text


def test_the_command_line_shows_names(site: Site, inside: Cli) -> None:
    """`ragstone runs` says what the page says."""
    run = site.run()
    label(site, run, name="Spring", tags=["weekly"])
    said = inside("runs").stdout
    told = json.loads(inside("runs", "--json").stdout)

    assert '"Spring"' in said or "“Spring”" in said
    assert "#weekly" in said and told[0]["label"] == {"name": "Spring", "tags": ["weekly"]}
