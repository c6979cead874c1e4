"""Runs that version 0.1 made, before every module moved: today's version opens, checks and continues them."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.core.settings import Settings
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.seal import SEALED
from ragstone.trust.compare import compare
from ragstone.trust.rescore import rescore
from ragstone.trust.verify import verify
from tests.conftest import Cli
from tests.web.site import serving

STORED = Path(__file__).parents[1] / "data" / "runs_0_1"
FINISHED = sorted(str(path.parent.relative_to(STORED)) for path in STORED.rglob("summary.json"))
Open = Callable[[str], RunFolder]


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Copy a project with its runs and open one of them as its user would, standing in the project."""

    def open_run(name: str) -> RunFolder:
        project, _, run = name.partition("/")
        shutil.copytree(STORED / project, tmp_path / project)
        monkeypatch.chdir(tmp_path / project)
        return RunFolder(Path(run))

    return open_run


def _scores(folder: RunFolder) -> list[tuple[str, str, float]]:
    rows = map(json.loads, (folder.path / "results.jsonl").read_text(encoding="utf-8").splitlines())
    return [(row["sample_id"], row["model_id"], row["scorecard"]["primary_score"]) for row in rows]


def test_every_kind_of_run_is_stored() -> None:
    """All contracts, an imported run, a workflow, several models."""
    contracts = {json.loads((STORED / name / "config.json").read_bytes())["contract"] for name in FINISHED}
    kinds = {"key_points", "legal_rag", "eval_json_v2", "prompt_task", "imported"}

    assert contracts == {*kinds, "ragstone.workflow.contract:Workflow"}


@pytest.mark.parametrize("name", FINISHED)
def test_verify_names_the_code_and_nothing_else(name: str, opened: Open) -> None:
    """The files, the dataset and the documents agree to the byte; only the scorer's code is another."""
    found = verify(opened(name))

    changed = {drift.what for drift in found.drifts if drift.level == "drift"}
    parts = next(drift.params["files"] for drift in found.drifts if drift.what == "scorer")
    assert not changed & {*SEALED, "run_meta.json", "dataset", "documents", "results_digest", "rescore"}
    assert "contract" in parts
    assert "parsing" not in parts
    assert found.rescored == found.rows > 0


@pytest.mark.parametrize("name", FINISHED)
def test_rescored_answers_are_worth_the_same(name: str, opened: Open) -> None:
    """Today's scorer gives these plain answers the same marks, and compare finds nothing that flipped."""
    folder = opened(name)

    new = rescore(folder).folder

    assert _scores(new) == _scores(folder)
    found = compare(folder, new)
    assert (found.paired, found.broken, found.fixed) == (len(_scores(new)), 0, 0)


def test_what_was_interrupted_is_resumed(opened: Open, cli: Cli) -> None:
    """One answer was in the journal; only the other is asked for, and today's scorer makes both rows."""
    folder = opened("key_points/runs/unfinished")

    done = cli("resume", str(folder.path), "--trust-run")

    assert done.returncode == 0
    assert "1.1.0+a91f657847ac" in done.stdout + done.stderr
    assert [score for _, _, score in _scores(folder)] == [1.0, 1.0]
    assert len((folder.path / "answers.jsonl").read_bytes().splitlines()) == 2
    assert verify(folder).status == "identical"


def test_two_runs_are_compared(opened: Open) -> None:
    """The second question's answer grew worse."""
    folder = opened("key_points/runs/before")

    found = compare(folder, RunFolder(Path("runs/after")))

    assert (found.broken, found.causes) == (1, {"answer": 1})


@pytest.mark.parametrize("name", ["prompt_task/runs/workflow", "key_points/runs/imported"])
def test_the_command_line_shows_it(name: str, opened: Open, cli: Cli) -> None:
    """`report` and `runs` read the old folders."""
    folder = opened(name)

    shown, listed = cli("report", str(folder.path)), cli("runs")

    assert (shown.returncode, listed.returncode) == (0, 0)
    assert folder.path.name in listed.stdout


def test_the_page_lists_and_opens_them(opened: Open) -> None:
    """History, a run and one of its cases."""
    opened("prompt_task/runs/models")

    with serving(Settings()) as site:
        runs = {run["run_id"] for run in site.get("/api/v1/runs").json["runs"]}
        page, case = site.get("/eval/runs/models"), site.get("/api/v1/runs/workflow/cases/1")

    assert runs == {"models", "workflow"}
    assert "my_models:poor" in page.text
    assert case.status == 200
