"""Comparing by indexes says what `compare` says, and hands over where it cannot."""

import json
import random
from functools import partial
from pathlib import Path

import pytest

import ragstone
from ragstone.core.settings import Settings
from ragstone.core.types import Comparison
from ragstone.runs.store.admission import OWN
from ragstone.runs.store.folder import RunFolder
from ragstone.statistics.clusters import Clusters
from ragstone.trust import differences
from ragstone.trust.compare import compare
from ragstone.web.admission import PageGuard
from ragstone.web.cases import compared, paired
from ragstone.web.cases.compared import Comparisons
from ragstone.web.cases.index import Index, Indexes
from ragstone.web.cases.paired import Side, compare_in_step
from ragstone.web.cases.stored import open_run
from ragstone.web.places import Places
from tests.web.site import ROWS, Site, furnish, serving

SAID = ["八点开门。参考 hours.md", "八点开门。", "参考 hours.md", "九点开门。"]


@pytest.fixture(autouse=True)
def only_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few cases are treated as very many are: only sums are kept of them."""
    monkeypatch.setattr(paired, "MOST", 0)
    monkeypatch.setattr(differences, "Clusters", partial(Clusters, most=1))


def _runs(folder: Path, rows: int = 60) -> tuple[RunFolder, RunFolder]:
    draw = random.Random(3)
    furnish(folder, [{**ROWS[0], "q": f"第{n}问？", "id": f"c{n}"} for n in range(rows)])
    for name in ("one", "two"):
        lines = [json.dumps({"id": f"c{n}", "output": draw.choice(SAID)}) + "\n" for n in range(rows)]
        (folder / f"{name}.jsonl").write_text("".join(lines))
        ragstone.evaluate("datasets/library.jsonl", f"replay:{name}.jsonl", run_id=name, settings=Settings())
    return RunFolder(folder / "runs" / "one"), RunFolder(folder / "runs" / "two")


def _side(run: RunFolder) -> Side:
    side = Side(open_run(run.path), Index(run.path))
    side.cases.refresh()
    return side


def test_indexes_say_what_the_rows_say(tmp_path: Path) -> None:
    """Every figure, every count, every changed case with its cause, in the same order."""
    runs = _runs(tmp_path)
    read = compare(*runs, most=1000)
    made = compare_in_step(_side(runs[0]), _side(runs[1]), OWN)
    assert made is not None
    found, both = made

    for mine, full in zip(found.deltas, [one for one in read.deltas if not one.group], strict=True):
        assert (
            mine == pytest.approx(full) if isinstance(mine, float) else (mine.figure, mine.n) == (full.figure, full.n)
        )
        assert (mine.gained, mine.lost) == (full.gained, full.lost)
        for name in ("first", "second", "difference", "error", "p_holm"):
            assert getattr(mine, name) == pytest.approx(getattr(full, name))
    assert read.broken and read.fixed and read.moved
    for kind in ("broken", "fixed", "moved"):
        listed = both.changes(kind, 0, 1000, OWN)
        wanted = [one for one in read.changes if one.kind == kind]
        assert [(one.sample_id, one.cause) for one in listed] == [(one.sample_id, one.cause) for one in wanted]
        assert len(listed) == getattr(found, kind)
        assert both.changes(kind, 2, 1, OWN) == listed[2:3]


@pytest.mark.parametrize("other", ["order", "question", "fewer"])
def test_what_is_out_of_step_is_read(tmp_path: Path, other: str) -> None:
    """Another order, another question under one id, a case more: the rows themselves are paired."""
    runs = _runs(tmp_path, 6)
    rows = (runs[1].path / "results.jsonl").read_text("utf-8").splitlines()
    changed = {"order": rows[::-1], "question": [rows[0].replace("第0问", "第九问"), *rows[1:]], "fewer": rows[1:]}[
        other
    ]
    (runs[1].path / "results.jsonl").write_text("\n".join(changed) + "\n", "utf-8")

    assert compare_in_step(_side(runs[0]), _side(runs[1]), OWN) is None


async def test_long_runs_out_of_step_are_compared_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process of its own comes to what this one would."""
    runs = _runs(tmp_path, 6)
    monkeypatch.setattr(compared, "MOST_HERE", 0)
    settings = Settings(datasets_dir="datasets", token="correct-horse-battery")
    indexes = Indexes()
    made = Comparisons(settings, PageGuard(Places(settings)), indexes)
    found = (await made.of(*runs, whole=True)).found
    indexes.close()

    assert isinstance(found, Comparison)
    assert (found.paired, found.broken + found.fixed + found.moved) == (6, len(found.changes))


def test_the_page_pages_through_runs_in_step(tmp_path: Path) -> None:
    """The same page, with the question of every case; what was altered is said all the same."""
    runs = _runs(tmp_path, 130)
    with serving(Settings()) as site:
        page = _page(site, "kind=broken&start=0")
        results = runs[0].path / "results.jsonl"
        results.write_bytes(results.read_bytes().replace(b'"pass":false', b'"pass":true', 1))
        after = _page(site, "kind=broken")

    assert "130 cases in both" in page and 'class="prose asked">第' in page
    assert "Changed after the run" not in page
    assert "Changed after the run" in after and "one/results.jsonl" in after


def _page(site: Site, more: str) -> str:
    return site.get(f"/eval/compare?first=one&second=two&{more}&lang=en").text
