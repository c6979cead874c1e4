"""Whatever of a drafted row's gold was changed by hand is named, and such a row is not accepted."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragstone.core.errors import DatasetError
from ragstone.drafting.corpus import read_corpus
from ragstone.drafting.files.accept import accept, draft_rows
from ragstone.drafting.make import Plan, make
from ragstone.drafting.proof import stale
from ragstone.drafting.proving.golds import faults
from ragstone.drafting.rows import ENDINGS, write_rows

Row = dict[str, Any]


@pytest.fixture
def drafted(documents: Path, tmp_path: Path) -> Callable[[str], Path]:
    """A file of drafts for a contract."""

    def write(contract: str) -> Path:
        gaps = contract == "legal_rag"
        plan = Plan(size=40, contract=contract, abstain=0.3 * gaps, leave_out=int(gaps))
        file = tmp_path / f"drafts{ENDINGS[contract]}"
        file.write_bytes(write_rows(make(read_corpus(documents), plan).drafts, contract))
        return file

    return write


def _edit(file: Path, fits: Callable[[Row], bool], change: Callable[[Row], object]) -> Row:
    """Change the first row that fits, in its file."""
    whole, rows, lines = draft_rows(file.read_bytes())
    row = next(row for row in rows if fits(row))
    change(row)
    file.write_text("\n".join(map(json.dumps, rows)) if lines else json.dumps(whole), encoding="utf-8")
    return row


def _codes(file: Path, documents: Path | None) -> set[str]:
    """What is wrong with a file; the document that was left out is there."""
    return {one.code for one in stale(file, documents) if one.level == "error"} - {"draft.present"}


@pytest.mark.parametrize("contract", list(ENDINGS))
def test_what_was_drafted_is_proved(drafted: Callable[[str], Path], contract: str, documents: Path) -> None:
    """Every field of every contract."""
    assert _codes(drafted(contract), documents) == set()


def _holds(field: str) -> Callable[[Row], bool]:
    return lambda row: field in row.get("expected", {})


def _expect(field: str, value: object) -> Callable[[Row], object]:
    return lambda row: row["expected"].update({field: value})


def _example(field: str, value: object) -> Callable[[Row], object]:
    return lambda row: row["expected"]["answer_example"].update({field: value})


def _always(row: Row) -> bool:
    return bool(row["provenance"])


def _is_gap(row: Row) -> bool:
    return "absent" in row


def _forbids(row: Row) -> bool:
    return "must not copy" in row["provenance"][0]["quote"]


EDITS: list[tuple[str, Callable[[Row], bool], Callable[[Row], object], str]] = [
    ("key_points", _always, lambda row: row.update(gold=["99元"]), "draft.gold"),
    ("key_points", _always, lambda row: row["gold"].append("还要预约"), "draft.gold"),
    ("key_points", lambda row: len(row["gold"]) > 1, lambda row: row["gold"].pop(), "draft.gold_gone"),
    ("key_points", _always, lambda row: row.update(doc_hint=["other.md"]), "draft.gold"),
    ("key_points", _always, lambda row: row.update(provenance=[]), "draft.unproved"),
    ("key_points", _always, lambda row: row["provenance"][0].update(quote=""), "draft.point"),
    ("key_points", _always, lambda row: row["provenance"][0].pop("point"), "draft.malformed"),
    ("key_points", _always, lambda row: row.update(provenance="a page"), "draft.malformed"),
    ("legal_rag", _holds("text_answer"), _expect("text_answer", "99 days"), "draft.gold"),
    ("legal_rag", _holds("amount_total"), _expect("amount_total", 8000), "draft.gold"),
    ("legal_rag", _holds("boolean_answer"), lambda row: _flip(row["expected"]), "draft.gold"),
    ("legal_rag", _holds("key_points"), lambda row: row["expected"]["key_points"].pop(), "draft.gold_gone"),
    ("legal_rag", _holds("text_answer"), _expect("entity", "Nobody"), "draft.gold"),
    ("legal_rag", _holds("text_answer"), _expect("date_range", {"start": "2001-01-01"}), "draft.gold"),
    ("legal_rag", _holds("text_answer"), lambda row: row["required_evidence"][0].update(page=7), "draft.gold"),
    ("legal_rag", _is_gap, lambda row: row.update(should_abstain=False), "draft.answered"),
    ("legal_rag", _is_gap, lambda row: row.pop("absent"), "draft.unproved"),
    ("key_points", _forbids, lambda row: _both(row, "copy sealed files"), "draft.denied"),
    ("eval_json_v2", _always, _example("original_evidence", "It was never kept."), "draft.gold"),
    ("eval_json_v2", _always, _example("detailed_description", ["It was never kept."]), "draft.gold"),
    ("prompt_task", _always, lambda row: row.update(gt_answer="99元"), "draft.gold"),
    ("prompt_task", _always, lambda row: row.update(passage="Nothing to see."), "draft.gold"),
]


def _flip(expected: Row) -> None:
    expected["boolean_answer"] = not expected["boolean_answer"]


@pytest.mark.parametrize(("contract", "fits", "change", "code"), EDITS)
def test_an_edit_by_hand_is_named_and_not_accepted(
    drafted: Callable[[str], Path],
    contract: str,
    fits: Callable[[Row], bool],
    change: Callable[[Row], object],
    code: str,
) -> None:
    """Without the documents too: the row itself tells."""
    file = drafted(contract)
    row = _edit(file, fits, change)
    before = file.read_bytes()

    assert {one.code for one in faults(row)} == {code}
    assert _codes(file, None) == {code}
    with pytest.raises(DatasetError) as refused:
        accept(file, set(), everything=True)
    assert code in {one.code for one in refused.value.findings}
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("contract", "change"),
    [
        ("eval_json_v2", _example("main_topic", "Something else")),
        ("prompt_task", lambda row: row.update(passage=row["passage"] + " And more.")),
    ],
)
def test_what_stands_around_is_compared_with_the_document(
    drafted: Callable[[str], Path], contract: str, change: Callable[[Row], object], documents: Path
) -> None:
    """A passage that holds its quotation may still say more than its page."""
    file = drafted(contract)
    _edit(file, _always, change)

    assert _codes(file, documents) == {"draft.gold"}


def test_a_point_may_be_cut_otherwise_from_its_quotation(drafted: Callable[[str], Path], documents: Path) -> None:
    """A person may correct a gold point with its entry; a number may not be cut even so."""
    file = drafted("key_points")

    def told(point: str) -> set[str]:
        _edit(file, lambda row: "180 days" in row["provenance"][0]["quote"], lambda row: _both(row, point))
        return _codes(file, documents)

    assert told("kept for 180 days") == set()
    assert told("80 days") == {"draft.point"}


def _both(row: Row, point: str) -> None:
    row["gold"] = [point]
    row["provenance"][0]["point"] = point


def test_drafts_below_other_rows_are_looked_at_too(drafted: Callable[[str], Path]) -> None:
    """A question of one's own in front does not hide them; it is not looked at itself."""
    file = drafted("key_points")
    _edit(file, _always, lambda row: row.update(gold=["99元"]))
    own = json.dumps({"id": "mine", "q": "Who?", "gold": ["Ada"]})
    file.write_text(f"{own}\n{file.read_text(encoding='utf-8')}", encoding="utf-8")

    assert _codes(file, None) == {"draft.gold"}


def test_a_draft_whose_document_changed_is_not_accepted(drafted: Callable[[str], Path], documents: Path) -> None:
    """The documents lie beside the file, or are named; other drafts are accepted."""
    file = drafted("key_points")
    (documents / "clinic.md").write_text("# 松鹤诊所就诊须知\n\n今日休息。\n", encoding="utf-8")
    names = {one["id"]: one["doc_hint"] for one in map(json.loads, file.read_bytes().splitlines())}
    changed = next(name for name, hints in names.items() if hints == ["clinic.md"])
    sound = next(name for name, hints in names.items() if hints == ["archive.md"])

    with pytest.raises(DatasetError, match="cannot be accepted"):
        accept(file, {changed})
    assert accept(file, {sound})[0] == 1
    assert accept(file, set(), drop={changed})[0] == 1


def test_a_document_left_out_is_known_by_its_contents(documents: Path, tmp_path: Path) -> None:
    """Under another name it is still there."""
    plan = Plan(size=10, contract="legal_rag", abstain=0.5, leave_out=2, seed=3)
    drawn = make(read_corpus(documents), plan)
    gone = [one.absent for one in drawn.drafts if one.absent and one.absent.kind == "left_out"]
    file = tmp_path / "d.json"
    file.write_bytes(write_rows(drawn.drafts, "legal_rag"))
    assert gone
    for name in {name for one in gone for name in one.words}:
        (documents / name).rename(documents / f"renamed-{name}")

    present = [one for one in stale(file, documents) if one.code == "draft.present"]

    assert len(present) == len(gone)
    assert "renamed-" in str(present[0].params["document"])


def test_a_document_left_out_is_known_by_what_it_says(documents: Path, tmp_path: Path) -> None:
    """Under another name and with a line more."""
    drawn = make(read_corpus(documents), Plan(size=10, contract="legal_rag", abstain=0.5, leave_out=2, seed=3))
    gone = [one.absent for one in drawn.drafts if one.absent and one.absent.kind == "left_out"]
    file = tmp_path / "d.json"
    file.write_bytes(write_rows(drawn.drafts, "legal_rag"))
    for name in {name for one in gone for name in one.words}:
        (documents / f"new-{name}").write_text(f"{(documents / name).read_text(encoding='utf-8')}\nabc\n", "utf-8")
        (documents / name).unlink()

    present = [one for one in stale(file, documents) if one.code == "draft.present"]

    assert len(present) == len(gone) > 0


def test_a_question_reworded_to_what_the_documents_tell_is_named(tmp_path: Path) -> None:
    """The name that no document holds must stay in it, and so must what is asked of another thing."""
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "a.md").write_text("# 松岭县\n\n松岭县人口为27万人。\n", encoding="utf-8")
    (folder / "b.md").write_text("# 云台县\n\n云台县多山。\n", encoding="utf-8")
    file = tmp_path / "d.json"
    drawn = make(read_corpus(folder), Plan(size=6, contract="legal_rag", abstain=0.9))
    file.write_bytes(write_rows(drawn.drafts, "legal_rag"))
    assert _codes(file, folder) == set()
    assert {one.absent.kind for one in drawn.drafts if one.absent} == {"swapped", "other_entity"}

    rows = draft_rows(file.read_bytes()).rows
    for row in filter(_is_gap, rows):
        row["question"] = "松岭县人口为多少人？"
    file.write_text(json.dumps({"questions": rows}), encoding="utf-8")

    told = [one for one in stale(file, folder) if one.level == "error"]
    assert {one.code for one in told} == {"draft.reworded"}
    assert ["云台县"] in [one.params["words"] for one in told]
    with pytest.raises(DatasetError):
        accept(file, set(), everything=True)
