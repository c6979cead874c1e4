"""Whether a run can be made again: one byte changed in each of its parts is named each time."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone import api
from ragstone.core.errors import DatasetError, RunError
from ragstone.core.types import JSON, Verification
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.seal import SEALED, system_files
from ragstone.trust.rescore import rescore
from ragstone.trust.verify import MOST_CASES, verify
from tests.runs.stopped import leave
from tests.trust.samples import Lab


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """Make runs in the test's folder."""
    return Lab(tmp_path, monkeypatch)


@pytest.fixture
def folder(lab: Lab) -> RunFolder:
    """Make a run with documents and a prompt."""
    (lab.folder / "docs").mkdir()
    (lab.folder / "docs" / "guide.md").write_text("guide", encoding="utf-8")
    (lab.folder / "prompt.txt").write_text("answer briefly", encoding="utf-8")
    return lab.run("a", {"c1": "错"}, documents="docs", options={"prompt": "prompt.txt"})


def _drifts(found: Verification) -> set[str]:
    return {drift.what for drift in found.drifts if drift.level == "drift"}


def _flip(path: Path, at: int = -10) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(bytes(data))


def test_an_untouched_run_is_identical(folder: RunFolder) -> None:
    """Every hash agrees and every row comes out again; nothing in the folder is touched."""
    before = {path.name: path.read_bytes() for path in folder.path.iterdir()}

    found = verify(folder)

    assert (found.status, found.rows, found.rescored, found.drifted) == ("identical", 6, 6, 0)
    assert {path.name: path.read_bytes() for path in folder.path.iterdir()} == before


@pytest.mark.parametrize("name", SEALED)
@pytest.mark.parametrize("at", [1, 60, -10])
def test_one_byte_of_each_artefact_is_named(folder: RunFolder, name: str, at: int) -> None:
    """At its beginning, inside and near its end, readable or not."""
    _flip(folder.path / name, at)

    found = verify(folder)

    assert found.status == "drift"
    assert name in _drifts(found)


@pytest.mark.parametrize("name", SEALED)
def test_a_missing_artefact_is_named(folder: RunFolder, name: str) -> None:
    """Gone is a drift too."""
    (folder.path / name).unlink()

    assert name in _drifts(verify(folder))


def test_one_byte_of_run_meta_is_named(folder: RunFolder) -> None:
    """It carries its own hash."""
    path = folder.path / "run_meta.json"
    path.write_bytes(
        path.read_bytes().replace(b'"platform": "L', b'"platform": "l').replace(b'"cases": 6', b'"cases": 7')
    )

    assert "run_meta.json" in _drifts(verify(folder))


@pytest.mark.parametrize(
    ("file", "names"),
    [("q.jsonl", {"dataset"}), ("docs/guide.md", {"documents"}), ("prompt.txt", {"prompt.txt", "prompt_sha256"})],
)
@pytest.mark.parametrize("at", [0, 3])
def test_one_byte_of_each_input_is_named(lab: Lab, folder: RunFolder, file: str, names: set[str], at: int) -> None:
    """Dataset, documents (with the file's name) and prompt, also when they can no longer be read."""
    _flip(lab.folder / file, at)

    found = verify(folder)

    assert found.status == "drift"
    assert _drifts(found) >= names


DESCRIPTION = """
url: http://127.0.0.1:9/ask
body: {question: "{{question}}"}
answer: text
"""
REGISTRY = "models: {tiny: {base_url: 'http://127.0.0.1:9/v1', api_key: 'sk-not-a-real-key-000'}}"
MODULE = "def answer(question):\n    return '答案000'\n"


@pytest.mark.parametrize(
    ("file", "content", "system", "options"),
    [
        ("own.yaml", DESCRIPTION, "http_json:own.yaml", {}),
        ("models.yaml", REGISTRY, "chat:tiny", {"registry": "models.yaml"}),
        ("said.jsonl", '{"id": "c0", "output": "答案000"}\n', "replay:said.jsonl", {}),
        ("bot_to_verify.py", MODULE, "python:bot_to_verify:answer", {}),
    ],
)
def test_one_byte_of_what_a_system_is_made_of_is_named(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, file: str, content: str, system: str, options: dict[str, JSON]
) -> None:
    """A description, a registry, a recording, a module: its hash is on record, its content is not."""
    monkeypatch.chdir(lab.folder)
    monkeypatch.syspath_prepend(str(lab.folder))
    (lab.folder / file).write_text(content, encoding="utf-8")
    lab.write("q.jsonl", lab.rows(1))
    given = {"max_retries": 0, "give_up_after": 1, **options} if options or "http" in system else {}
    run = api.evaluate("q.jsonl", system, contract="tests.trust.samples:Graded", system_options=given, run_id="a")
    folder = RunFolder(run.folder)
    before = verify(folder)
    text = (folder.path / "model_snapshot.json").read_text(encoding="utf-8")
    _flip(lab.folder / file, 3)

    after = verify(folder)

    assert not _drifts(before)
    assert _drifts(after) == {file}
    assert "sk-not-a-real-key" not in text
    (lab.folder / file).unlink()
    assert [(drift.what, drift.level) for drift in verify(folder).drifts if drift.what == file] == [(file, "note")]


def test_what_a_system_was_made_of_is_carried_along(lab: Lab) -> None:
    """A run scored anew asked nothing: what is on record is what was asked, not what lies there now."""
    old = lab.run("a")
    was = old.read("model_snapshot.json")["files"]
    _flip(lab.folder / "sut.jsonl", 3)

    new = rescore(old).folder

    assert was
    assert new.read("model_snapshot.json")["files"] == was
    assert str(lab.folder / "sut.jsonl") in _drifts(verify(new))


def test_a_file_that_a_run_writes_is_none_it_is_made_of(tmp_path: Path) -> None:
    """A cache grows with every answer."""
    for name in ("cache.db", "models.yaml"):
        (tmp_path / name).write_text("x")
    options = {"cache": str(tmp_path / "cache.db"), "registry": str(tmp_path / "models.yaml")}

    assert list(system_files("chat:tiny", options)) == ["registry"]


def test_the_changed_document_is_named(lab: Lab, folder: RunFolder) -> None:
    """One that changed, one that is new."""
    _flip(lab.folder / "docs" / "guide.md", 0)
    (lab.folder / "docs" / "new.md").write_text("new")

    (drift,) = (drift for drift in verify(folder).drifts if drift.what == "documents")

    assert drift.params["files"] == ["guide.md", "new.md"]


@pytest.mark.parametrize("package", ["text", "reading", "metrics", "documents", "contract"])
def test_changed_code_is_named_by_package(lab: Lab, folder: RunFolder, package: str) -> None:
    """Even when no score moves."""
    lab.turn(package)

    found = verify(folder)

    (drift,) = (drift for drift in found.drifts if drift.what == "scorer")
    assert (found.status, found.drifted, drift.params["files"]) == ("drift", 0, [package])


def test_drift_is_told_case_by_case(lab: Lab, folder: RunFolder) -> None:
    """The fields that come out otherwise, with both scores."""
    rows = lab.rows()
    rows[2]["expected"] = "答案00九"
    lab.write("q.jsonl", rows)

    found = verify(folder)

    (case,) = found.cases
    assert (case.sample_id, case.first_score, case.second_score) == ("c2", 1.0, 0.8)
    assert {"task_metrics", "scorecard.primary_score", "scorecard.pass"} <= set(case.fields)


@pytest.mark.parametrize(
    ("edit", "fields"),
    [
        (lambda rows: rows[1:], {"c0": "no answer"}),
        (lambda rows: rows[::-1], {}),
        (lambda rows: [rows[0] | {"id": "new"}, *rows], {}),
        (lambda rows: rows[:-1], {"c5": "no answer"}),
    ],
)
def test_moved_rows_are_matched(
    lab: Lab, folder: RunFolder, edit: Callable[[list[dict[str, JSON]]], list[JSON]], fields: dict[str, str]
) -> None:
    """A row taken out or put in drifts alone; the others still come out."""
    lab.write("q.jsonl", edit(lab.rows()))

    found = verify(folder)

    assert {case.sample_id: case.fields[0] for case in found.cases} == fields
    assert "dataset" in _drifts(found)


def test_a_partial_run_is_partial_and_drift_comes_first(lab: Lab) -> None:
    """Status partial has an exit code of its own."""
    folder = lab.run("a")
    leave(folder.path, status="partial")

    assert verify(folder).status == "partial"
    leave(folder.path)
    assert (verify(folder).status, verify(folder).rows) == ("partial", 0)
    lab.turn("contract")
    assert verify(folder).status == "drift"


def test_a_run_of_an_older_version_is_scored_again_all_the_same(lab: Lab) -> None:
    """Without recorded hashes a note says so."""
    folder = lab.run("a")
    meta = {name: value for name, value in folder.meta().items() if name not in {"files_sha256", "meta_sha256"}}
    folder.write("run_meta.json", meta)
    journal = folder.path / "answers.jsonl"
    journal.write_bytes(re.sub(rb',"crc":"\w+"}\n', b"}\n", journal.read_bytes()))

    found = verify(folder)

    assert (found.status, found.rescored) == ("identical", 6)
    assert "verify.unsealed" in {drift.code for drift in found.drifts}


def test_other_packages_are_a_note(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is installed beside may differ; the rows decide."""
    folder = lab.run("a")
    monkeypatch.setattr("ragstone.trust.verify.installed", lambda: {"x": "1"})

    found = verify(folder)

    assert found.status == "identical"
    assert [drift.what for drift in found.drifts] == ["installed"]


def test_what_is_unusable_raises(lab: Lab, folder: RunFolder) -> None:
    """No dataset, no verdict; a folder that is no run, neither."""
    (lab.folder / "q.jsonl").unlink()

    with pytest.raises(DatasetError, match="no such file"):
        verify(folder)
    with pytest.raises(RunError, match="not a run folder"):
        verify(RunFolder(lab.folder))


def test_drifted_rows_are_named_up_to_a_bound(lab: Lab) -> None:
    """All are counted."""
    n = MOST_CASES + 10
    folder = lab.run("a", {f"c{i}": "答案00x" for i in range(n)}, rows=lab.rows(n))
    lab.turn("contract", bar=0.1)

    found = verify(folder)

    assert found.drifted > len(found.cases) == MOST_CASES
