"""How a stored run stands, and what is said of one without figures."""

import json
from pathlib import Path

import pytest

from ragstone.core.errors import RunError
from ragstone.core.types import Answer
from ragstone.runs.store.folder import FORMAT, RunFolder
from ragstone.runs.store.status import read_summary, require_ended, standing


@pytest.fixture
def cut(tmp_path: Path) -> RunFolder:
    """A run whose process died with three of forty answers on record."""
    folder = RunFolder.create(tmp_path, "a")
    with folder:
        meta = {"format_version": FORMAT, "run_id": "a", "status": "running", "expected": 40}
        folder.write("run_meta.json", meta)
        journal = folder.journal()
        for unit in (0, 1, 5):
            journal.append(unit, f"Q{unit}", Answer(text="x"))
        journal.close()
    return folder


def test_a_run_whose_process_died_was_interrupted(cut: RunFolder) -> None:
    """Only the lock tells a run that is going on from one that is not."""
    with RunFolder.open(cut.path):
        working = standing(cut)

    assert (working, standing(cut)) == ("running", "interrupted")


def test_an_interrupted_run_says_what_is_kept_and_how_to_go_on(cut: RunFolder) -> None:
    """The same sentence wherever figures are asked for."""
    with pytest.raises(RunError, match=r"interrupted; 3 of 40 answers are kept.*ragstone resume"):
        read_summary(cut)
    with RunFolder.open(cut.path), pytest.raises(RunError, match="still going on; 3 of 40"):
        require_ended(cut)


@pytest.mark.parametrize(
    ("link", "command"), [("imported_from", "import"), ("merged_from", "merge"), ("rescored_from", "rescore")]
)
def test_a_run_made_of_others_is_made_again(cut: RunFolder, link: str, command: str) -> None:
    """Nothing advises to resume what `resume` would refuse."""
    cut.write("run_meta.json", cut.meta() | {link: ["x"]})

    with pytest.raises(RunError, match=f"`ragstone {command}` was interrupted") as caught:
        require_ended(cut)
    assert "resume" not in str(caught.value)


@pytest.mark.parametrize("content", [None, b"", b"{", b"{}", b"[]", json.dumps({"run_id": 3}).encode()])
def test_a_damaged_summary_is_made_again_from_the_answers(cut: RunFolder, content: bytes | None) -> None:
    """A finished run is not said to be unfinished."""
    cut.write("run_meta.json", cut.meta() | {"status": "complete"})
    if content is not None:
        (cut.path / "summary.json").write_bytes(content)

    with pytest.raises(RunError, match=r"missing or damaged.*ragstone rescore"):
        read_summary(cut)
