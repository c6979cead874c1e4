"""One cause for each changed case, found without a call."""

from pathlib import Path

import pytest

from ragstone.core.types import JSON
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.compare import compare
from tests.trust.samples import KNOBS, Lab


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """Make runs in the test's folder."""
    return Lab(tmp_path, monkeypatch)


def _other_gold(lab: Lab, *numbers: int) -> list[dict[str, JSON]]:
    rows = lab.rows()
    for number in numbers:
        rows[number]["expected"] = "全然不同"
    return rows


def test_a_changed_answer_is_the_cause(lab: Lab) -> None:
    """Same dataset, same code."""
    found = compare(lab.run("a"), lab.run("b", {"c1": "错"}))

    assert (found.broken, found.causes) == (1, {"answer": 1})
    assert found.changes[0].sample_id == "c1"


def test_changed_gold_is_the_cause(lab: Lab) -> None:
    """Same answers, same code."""
    first = lab.run("a")
    second = lab.run("b", {"c1": "答案001"}, rows=_other_gold(lab, 1))

    found = compare(first, second)

    assert found.causes == {"gold": 1}
    assert found.differs == ("dataset",)


@pytest.mark.parametrize(
    ("package", "knobs", "cause"),
    [
        ("contract", {"bar": 0.5}, "scorer"),
        ("contract", {"trim": False}, "parser"),
        ("reading", {"trim": False}, "parser"),
        ("text", {"bar": 0.5}, "normaliser"),
        ("metrics", {"bar": 0.5}, "scorer"),
    ],
)
def test_changed_code_is_the_cause(lab: Lab, package: str, knobs: dict[str, JSON], cause: str) -> None:
    """Same answers, same gold: the package that changed, or what was read, tells parser from scorer."""
    texts = {"c1": "答案00x", "c2": " 答案002"}
    first = lab.run("a", texts)
    lab.turn(package, **knobs)

    found = compare(first, lab.run("b", texts))

    assert found.causes == {cause: 1}
    assert "scorer" in found.differs


def test_other_terms_are_the_scorers(lab: Lab) -> None:
    """Same code, told to pass more."""
    texts = {"c1": "答案00x"}

    found = compare(lab.run("a", texts), lab.run("b", texts, options={"bar": 0.5}))

    assert found.causes == {"scorer": 1}


def test_several_changes_are_taken_apart(lab: Lab) -> None:
    """Answer, gold and scorer all differ: each flipped case gets the one that flipped it."""
    first = lab.run("a", {"c0": "答案00x", "c1": "答案001"})
    lab.turn("contract", bar=0.7)
    second = lab.run(
        "b", {"c0": "答案00y", "c1": "答案01", "c3": "错错错"}, rows=_other_gold(lab, 1), file="other.jsonl"
    )

    found = compare(first, second)

    assert {change.sample_id: change.cause for change in found.changes if change.kind != "moved"} == {
        "c0": "scorer",
        "c1": "gold",
        "c3": "answer",
    }


def test_gold_edited_in_place_is_still_told_from_the_answer(lab: Lab) -> None:
    """The first run's dataset is gone; its answers under today's gold tell the two apart."""
    first = lab.run("a")
    second = lab.run("b", {"c1": "答案00", "c3": "错"}, rows=_other_gold(lab, 1))

    found = compare(first, second)

    assert {change.sample_id: change.cause for change in found.changes if change.kind == "broken"} == {
        "c1": "gold",
        "c3": "answer",
    }


def test_code_that_is_gone_makes_no_guess(lab: Lab) -> None:
    """Neither run was scored by what is installed, and answer and code both differ."""
    first = lab.run("a")
    lab.turn("contract")
    second = lab.run("b", {"c1": "错"})
    lab.turn("contract")

    assert compare(first, second).causes == {"unknown": 1}


def test_code_that_is_gone_tells_gold_from_answer_where_only_one_changed(lab: Lab) -> None:
    """Both runs were scored alike, by code that is gone: what the folders say is told, and no more."""
    first = lab.run("a")
    second = lab.run("b", {"c1": "答案00", "c3": "错"}, rows=_other_gold(lab, 1, 5), file="other.jsonl")
    lab.turn("contract")

    found = compare(first, second)

    assert {change.sample_id: change.cause for change in found.changes if change.kind == "broken"} == {
        "c1": "unknown",
        "c3": "answer",
    }


def _overdetermined(lab: Lab) -> tuple[RunFolder, RunFolder]:
    """Make two runs whose scorer, gold and answers differ: either alone would flip c1 and c2, only the scorer c0."""
    texts = {"c0": "答案00x", "c1": "答案00x", "c2": "答案00x"}
    first = lab.run("a", texts)
    lab.turn("contract", bar=0.5)
    rows = lab.rows()
    rows[2]["expected"] = "答案00x"
    return first, lab.run("b", texts | {"c1": "答案001"}, rows=rows, file="other.jsonl")


def test_the_installed_code_never_changes_the_story(lab: Lab) -> None:
    """With the scorer undone the same two folders tell less, and nothing else."""
    first, second = _overdetermined(lab)
    edited = {change.sample_id: change.cause for change in compare(first, second).changes}
    lab.code["contract"] = "c1"
    lab.patch.setitem(KNOBS, "bar", 1.0)

    undone = {change.sample_id: change.cause for change in compare(first, second).changes}

    assert edited == {"c0": "scorer", "c1": "scorer", "c2": "scorer"}
    assert undone == {"c0": "scorer", "c1": "unknown", "c2": "unknown"}


def test_a_lost_dataset_leaves_what_the_hashes_say(lab: Lab) -> None:
    """Nothing can be scored again, and nothing raises."""
    first, second = lab.run("a"), lab.run("b", {"c1": "错"}, rows=_other_gold(lab, 2), file="other.jsonl")
    (lab.folder / "q.jsonl").unlink()
    (lab.folder / "other.jsonl").unlink()

    found = compare(first, second)

    assert found.broken == 1
    assert set(found.causes) <= {"unknown", "answer"}


def test_a_moved_score_has_a_cause_too(lab: Lab) -> None:
    """No flip, but another score."""
    found = compare(lab.run("a", {"c1": "答案00x"}), lab.run("b", {"c1": "答错错错错"}))

    assert (found.broken, found.fixed, found.moved) == (0, 0, 1)
    assert found.changes[0].cause == "answer"
    assert "overlap" in found.changes[0].metrics
