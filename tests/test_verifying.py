"""Whether a run can be made again: one byte changed in each of its parts is named each time."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.errors import DatasetError, RunError
from ragstone.sealing import SEALED
from ragstone.store.folder import RunFolder
from ragstone.types import JSON, Verification
from ragstone.verifying import MOST_CASES, verify
from tests.trusting import Lab


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


def test_the_changed_document_is_named(lab: Lab, folder: RunFolder) -> None:
    """One that changed, one that is new."""
    _flip(lab.folder / "docs" / "guide.md", 0)
    (lab.folder / "docs" / "new.md").write_text("new")

    (drift,) = (drift for drift in verify(folder).drifts if drift.what == "documents")

    assert drift.params["files"] == ["guide.md", "new.md"]


@pytest.mark.parametrize("room", ["text", "parsing", "metrics", "documents", "contract"])
def test_changed_code_is_named_by_room(lab: Lab, folder: RunFolder, room: str) -> None:
    """Even when no score moves."""
    lab.turn(room)

    found = verify(folder)

    (drift,) = (drift for drift in found.drifts if drift.what == "scorer")
    assert (found.status, found.drifted, drift.params["files"]) == ("drift", 0, [room])


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
    meta = folder.meta() | {"status": "partial"}
    meta.pop("meta_sha256")
    folder.write("run_meta.json", meta)

    assert verify(folder).status == "partial"
    folder.write("run_meta.json", meta | {"status": "running"})
    assert (verify(folder).status, verify(folder).rows) == ("partial", 0)
    lab.turn("contract")
    assert verify(folder).status == "drift"


def test_a_run_of_an_older_version_is_scored_again_all_the_same(lab: Lab) -> None:
    """Without recorded hashes a note says so."""
    folder = lab.run("a")
    meta = {name: value for name, value in folder.meta().items() if name not in {"files_sha256", "meta_sha256"}}
    folder.write("run_meta.json", meta)

    found = verify(folder)

    assert (found.status, found.rescored) == ("identical", 6)
    assert "verify.unsealed" in {drift.code for drift in found.drifts}


def test_other_packages_are_a_note(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is installed beside may differ; the rows decide."""
    folder = lab.run("a")
    monkeypatch.setattr("ragstone.verifying.installed", lambda: {"x": "1"})

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
