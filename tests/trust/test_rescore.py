"""Recorded answers, scored anew."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ragstone.api import evaluate, resume
from ragstone.cli.main import cli
from ragstone.core.errors import DatasetError, RunError
from ragstone.core.settings import Settings
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.compare import compare
from ragstone.trust.rescore import LINK, rescore
from ragstone.trust.verify import verify
from tests.runs.stopped import leave
from tests.trust.samples import Lab


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """Make runs in the test's folder."""
    return Lab(tmp_path, monkeypatch)


def test_the_same_scorer_gives_the_same_digest(lab: Lab) -> None:
    """A new folder, linked to the old one, which is left as it was."""
    folder = lab.run("a", {"c1": "错"})
    before = {path.name: path.read_bytes() for path in folder.path.iterdir()}

    done = rescore(folder)

    assert done.folder.path.name == "a-rescored-1"
    assert done.folder.meta()[LINK]["run_id"] == "a"
    assert done.summary.results_digest == folder.meta()["results_digest"]
    assert {path.name: path.read_bytes() for path in folder.path.iterdir()} == before
    assert rescore(folder).folder.path.name == "a-rescored-2"


def test_a_new_scorer_moves_scores_without_a_call(lab: Lab) -> None:
    """What moved is told with its cause, and the old run keeps its scores."""
    folder = lab.run("a", {"c1": "答案00x", "c2": "错"})
    (lab.folder / "sut.jsonl").unlink()
    lab.turn("contract", bar=0.5)

    done = rescore(folder, lab.folder / "out" / "again")
    moved = compare(folder, done.folder)

    assert (moved.fixed, moved.causes) == (1, {"scorer": 1})
    assert done.folder.path == lab.folder / "out" / "again"
    assert done.summary.models["sut"].all.passed == 5
    assert json.loads((folder.path / "summary.json").read_text())["models"]["sut"]["all"]["passed"] == 4


def test_a_rescored_run_is_a_run(lab: Lab) -> None:
    """It can be verified and rescored in its turn."""
    done = rescore(rescore(lab.run("a", {"c3": "错"}, repeats=2)).folder)

    assert verify(done.folder).status == "identical"
    assert done.folder.meta()[LINK]["run_id"] == "a-rescored-1"


def test_corrected_gold_is_scored_against(lab: Lab) -> None:
    """Another dataset may be named; cases it adds have no answer, so the run is partial."""
    folder = lab.run("a", {"c1": "更好的答案"})
    rows = lab.rows(7)
    rows[1]["expected"] = "更好的答案"
    fixed = lab.write("fixed.jsonl", rows)

    done = rescore(folder, dataset=fixed)

    assert done.summary.models["sut"].all.passed == 6
    assert (done.summary.status, done.summary.finished, done.summary.expected) == ("partial", 6, 7)


def test_what_cannot_be_rescored_is_told(lab: Lab) -> None:
    """A dataset that is gone, a folder that is taken, a faulty dataset; no half-made folder is left."""
    folder = lab.run("a")
    with pytest.raises(RunError, match="exists already"):
        rescore(folder, folder.path)
    with pytest.raises(DatasetError, match="no such file"):
        rescore(folder, dataset=lab.folder / "nothing.jsonl")
    (lab.folder / "bad.jsonl").write_text('{"id": "c1"')
    with pytest.raises(DatasetError):
        rescore(folder, dataset=lab.folder / "bad.jsonl")
    assert [path.name for path in folder.path.parent.iterdir()] == ["a"]


def test_a_rescoring_cut_short_is_not_asked_for(lab: Lab) -> None:
    """Its answers are in the other run: going on with it would pay for them a second time."""
    done = rescore(lab.run("a", {}))
    leave(done.folder.path)

    with pytest.raises(RunError, match=r"rescoring of .*was interrupted"):
        resume(done.folder.path)


def test_answers_do_not_go_to_other_questions(tmp_path: Path) -> None:
    """Cases without ids are named by their position: a row that is put in front of the others would move them all."""
    rows: list[dict[str, object]] = [
        {"q": f"第{n}号合同的押金是多少？", "gold": [f"{n}00元"], "doc_hint": []} for n in range(1, 4)
    ]
    answers: list[dict[str, object]] = [{"id": f"Q{n}", "output": f"{n}00元"} for n in range(1, 4)]
    paths = [tmp_path / f"{name}.jsonl" for name in ("old", "front", "end", "reworded", "answers")]
    new: dict[str, object] = {"q": "谁签的？", "gold": ["周岩"], "doc_hint": []}
    reworded = [{**rows[0], "q": "一号合同押金多少？"}, *rows[1:]]
    files = [rows, [new, *rows], [*rows, new], reworded, answers]
    for path, written in zip(paths, files, strict=True):
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in written), encoding="utf-8")
    run = evaluate(paths[0], f"replay:{paths[4]}", settings=Settings(runs_dir=str(tmp_path / "runs")))
    folder = RunFolder(run.folder)

    with pytest.raises(RunError, match="answered as Q1"):
        rescore(folder, dataset=paths[1])
    assert rescore(folder, dataset=paths[2]).summary.models["answers"].all.passed == 3
    done = rescore(folder, dataset=paths[3])
    assert (done.replaced, done.summary.finished, done.summary.status) == (1, 2, "partial")


def test_a_question_put_in_anothers_place_has_no_answer(tmp_path: Path) -> None:
    """What was answered at a place is no answer to the question that stands there now, with engines, too."""
    rows: list[dict[str, object]] = [
        {"q": f"第{n}号合同的押金是多少？", "gold": ["100元"], "doc_hint": []} for n in range(1, 4)
    ]
    other = [{**rows[0], "q": "物业费是多少？"}, {**rows[1], "q": "第2号合同的押金是多少? "}, rows[2]]
    paths = _written(tmp_path, old=rows, other=other, said=[{"id": f"Q{n}", "output": "100元"} for n in (1, 2, 3)])
    run = evaluate(paths["old"], f"replay:{paths['said']}", settings=Settings(runs_dir=str(tmp_path / "runs")))

    done = rescore(RunFolder(run.folder), dataset=paths["other"])
    shell = CliRunner().invoke(
        cli, ["rescore", str(run.folder), "--dataset", str(paths["other"]), "--out", str(tmp_path / "by-engine"),
               "--engine", "inproc", "--lang", "en"]
    )  # fmt: skip

    assert [row.sample_id for row in done.folder.results()] == ["Q2", "Q3"]
    assert (done.replaced, done.summary.status) == (1, "partial")
    assert (shell.exit_code, "1 case named by position" in shell.output) == (3, True)
    assert len(list(RunFolder(tmp_path / "by-engine").results())) == 2


def _written(folder: Path, **files: list[dict[str, object]]) -> dict[str, Path]:
    paths = {name: folder / f"{name}.jsonl" for name in files}
    for name, rows in files.items():
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        paths[name].write_text("".join(lines), encoding="utf-8")
    return paths
