"""Links and pages that must not show one thing in another's place, and what a run page tells besides its figures."""

import csv
import io
import shutil
from pathlib import Path

import pytest

from ragstone import evaluate
from ragstone.bridges.import_run import import_run
from ragstone.core.settings import Settings
from ragstone.core.types import UNLIKE
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.gate import GateFile, judge_run, make_gate
from ragstone.web.words import WORDS
from tests.web.site import Site


def test_a_link_to_a_dataset_that_is_gone_chooses_none(site: Site) -> None:
    """Another dataset is not offered in its place, so that Start cannot run it."""
    page = site.get("/eval?dataset=nosuch.jsonl&lang=en").text

    assert "There is no dataset nosuch.jsonl here" in page
    assert page.count(" checked>") == 1  # the system that is configured


def test_a_link_to_a_model_that_is_not_there_says_so(site: Site) -> None:
    """The figures below are named as another's."""
    run = site.run(system="", systems=["recorded", "slow"])
    page = site.get(f"/eval/runs/{run}?model=nobody&lang=en").text

    assert "This run has no model nobody; the figures below are those of recorded." in page
    assert "This run has no model" not in site.get(f"/eval/runs/{run}?model=recorded&lang=en").text


def test_what_a_gate_said_stands_on_the_page(site: Site, tmp_path: Path) -> None:
    """Its outcome and every rule; nothing once the figures are others."""
    run = site.run()
    folder = RunFolder(tmp_path / "runs" / run)
    judge_run(folder, make_gate(GateFile(), ["accuracy >= 0.99"]))
    page = site.get(f"/eval/runs/{run}?lang=en").text
    (folder.path / "summary.json").touch()
    after = site.get(f"/eval/runs/{run}?lang=en").text

    assert ">FAIL</span>" in page and "accuracy &gt;= 0.99" in page
    assert 'id="gate"' not in after


def test_the_cases_of_a_filter_are_a_table(site: Site) -> None:
    """Those of the list, in its order; what cannot be asked is refused."""
    run = site.run()
    table = site.get(f"/api/v1/runs/{run}/cases.csv?state=missed&sort=-number")
    rows = list(csv.DictReader(io.StringIO(table.text.removeprefix("\ufeff"))))

    assert [row["id"] for row in rows] == ["Q3", "Q2"]
    assert table.headers["content-disposition"] == 'attachment; filename="cases.csv"'
    assert site.get(f"/api/v1/runs/{run}/cases.csv?state=nosuch").status == 422


def test_trends_leave_out_what_was_altered(site: Site, tmp_path: Path) -> None:
    """Nor is there a strip for what was never measured."""
    for number in range(3):
        evaluate("datasets/library.jsonl", "replay:answers.jsonl", run_id=f"t{number}", settings=Settings())
    before = site.get("/eval/history?lang=en").text.count("data-open=")
    summary = tmp_path / "runs" / "t1" / "summary.json"
    summary.write_bytes(summary.read_bytes().replace(b'"passed": 1', b'"passed": 3', 1))
    after = site.get("/eval/history?lang=en").text.count("data-open=")

    assert (before, after) == (9, 6)


def test_an_imported_run_is_called_by_its_file_and_cannot_be_asked(site: Site) -> None:
    """The tool that made it is named; there is nobody to ask again."""
    source = Path(__file__).parent.parent / "data" / "imports" / "ragas" / "result.jsonl"
    shutil.copy(source, "result.jsonl")
    run = import_run(Path("result.jsonl"), settings=Settings()).folder.path.name
    page = site.get(f"/eval/runs/{run}?lang=en").text

    assert "<title>result.jsonl · ragas" in page
    assert 'id="again"' not in page and 'id="rows"' in page


@pytest.mark.parametrize("name", ["dataset", "documents", "scorer", "glossary", "prompt", "prompt_unversioned",
                                  "contract", "partial", "questions", "repeats", *sorted(UNLIKE)])  # fmt: skip
def test_whatever_two_runs_differ_in_has_a_word(name: str) -> None:
    """A page that compares them must not break over it."""
    assert f"differs.{name}" in WORDS
