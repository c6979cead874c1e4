"""Accepting: what is compared with what, and what cannot be meant."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import ragstone
from ragstone.core.errors import DatasetError, SettingError
from ragstone.drafting.files.accept import accept
from ragstone.drafting.proof import stale
from tests.conftest import Cli


@pytest.fixture
def file(cli: Cli, documents: Path, tmp_path: Path) -> Path:
    """A file of drafts beside its documents."""
    cli("draft", documents, "-n", "12", "--out", "d.jsonl")
    return tmp_path / "d.jsonl"


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _write(file: Path, rows: list[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def test_a_draft_whose_document_is_gone_is_not_accepted(file: Path, documents: Path) -> None:
    """Beside the folder that is found as beside the one that is named; others are."""
    (documents / "archive.md").unlink()
    gone = {row["id"] for row in _rows(file) if row["doc_hint"] == ["archive.md"]}
    sound = {row["id"] for row in _rows(file)} - gone

    for folder in (None, documents):
        with pytest.raises(DatasetError) as refused:
            accept(file, set(), everything=True, documents=folder)
        assert {one.case_id for one in refused.value.findings} == gone
        assert {one.code for one in refused.value.findings} == {"draft.document_gone"}
    assert accept(file, sound)[0] == len(sound)


def test_the_folder_that_was_found_is_named(cli: Cli, file: Path, documents: Path) -> None:
    """It may be the wrong one."""
    shutil.move(documents, documents.with_name("elsewhere"))
    documents.mkdir()
    (documents / "other.md").write_text("# 其他\n\n今日休息。\n", encoding="utf-8")

    refused = cli("draft", "accept", "d.jsonl", "--all")
    done = cli("draft", "accept", "d.jsonl", "--all", "--documents", "elsewhere")

    assert (refused.returncode, "name another folder with --documents" in refused.stderr) == (2, True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("value", ["yes", 1, "true", None, []])
def test_reviewed_is_true_or_false(cli: Cli, file: Path, value: object) -> None:
    """Anything else is an error with its line, and not accepted, at the gate too; accepting puts it right."""
    rows = _rows(file)
    rows[1]["reviewed"] = value
    for row in rows[2:]:
        row["reviewed"] = True
    _write(file, rows)

    checked = json.loads(cli("check", "d.jsonl", "--json").stdout)
    wrong = [one for one in checked["findings"] if one["level"] == "error"]
    accept(file, {rows[1]["id"]})

    assert [(one["code"], one["position"]["line"]) for one in wrong] == [("draft.reviewed", 2)]
    assert checked["unreviewed_drafts"] == 2
    assert _rows(file)[1]["reviewed"] is True


def test_nothing_is_accepted_and_dropped_at_once(file: Path) -> None:
    """Which was meant is not guessed; all but one may be accepted."""
    with pytest.raises(SettingError, match="draft-0002: cannot be both accepted and dropped"):
        accept(file, {"draft-0001", "draft-0002"}, drop={"draft-0002"})

    reviewed, total = accept(file, set(), everything=True, drop={"draft-0002"})
    assert (reviewed, total) == (len(_rows(file)), len(_rows(file)))


def test_each_fault_is_told_once(cli: Cli, file: Path, documents: Path, tmp_path: Path) -> None:
    """A passage that is neither its quotation's nor its document's; a document that two look for."""
    cli("draft", documents, "--contract", "prompt_task", "--out", "p.jsonl")
    rows = _rows(tmp_path / "p.jsonl")
    rows[0]["passage"] = "今日休息。"
    _write(tmp_path / "p.jsonl", rows)
    found = [one for one in stale(tmp_path / "p.jsonl", documents) if one.level == "error"]
    (documents / "clinic.md").unlink()
    checked = json.loads(cli("check", "d.jsonl", "--documents", documents, "--json").stdout)

    assert [one.code for one in found] == ["draft.gold"]
    assert any(len(row["provenance"]) > 1 for row in _rows(file) if row["doc_hint"] == ["clinic.md"])
    about = [one["case_id"] for one in checked["findings"] if "clinic.md" in str(one["params"])]
    assert len(about) == len(set(about)) > 0
    assert checked["warnings"] == 0


def test_a_document_that_came_back_is_told_from_one_that_names(documents: Path, tmp_path: Path) -> None:
    """Each by its own words, without brackets."""
    out = tmp_path / "d.json"
    drawn = ragstone.draft(documents, 12, contract="legal_rag", abstain=0.6, leave_out=1, seed=3, out=out)
    assert any(one.absent and one.absent.kind == "left_out" for one in drawn.drafts)
    whole = json.loads(out.read_bytes())
    gap = next(row for row in whole["questions"] if "absent" in row)
    whole["questions"].append(gap | {"id": "other", "absent": {"kind": "swapped", "words": ["林知微"]}})
    out.write_text(json.dumps(whole), encoding="utf-8")

    said = {one.code: one.params for one in stale(out, documents) if one.level == "error"}

    assert said["draft.holds"] == {"document": "lin.md", "words": ["林知微"]}
    assert "words" not in said["draft.present"]


def test_a_name_of_a_model_is_no_chat(documents: Path) -> None:
    """What to write is said."""
    with pytest.raises(SettingError, match=r"Chat\(model='gpt'\)"):
        ragstone.draft(documents, 3, chat="gpt")  # type: ignore[arg-type]


def test_a_line_that_is_no_json_is_named(cli: Cli, file: Path) -> None:
    """So is the line of a file that is one value."""
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([lines[0], lines[1][:20] + b"\n", *lines[2:]]))
    whole = file.with_name("d.json")
    whole.write_bytes(b'{"questions": [\n {"q": "a",}\n]}')

    assert "d.jsonl, line 2: not JSON" in cli("draft", "accept", "d.jsonl", "--all").stderr
    assert "d.json, line 2: not JSON" in cli("draft", "accept", "d.json", "--all").stderr


def test_without_a_folder_it_is_told_that_nothing_was_compared(cli: Cli, file: Path, documents: Path) -> None:
    """With one nothing is said of it."""
    compared = cli("draft", "accept", "d.jsonl", "--all")
    documents.rename(documents.with_name("elsewhere"))
    alone = cli("draft", "accept", "d.jsonl", "--all")

    told = "quotations were not compared with the documents"
    assert [told in one.stdout for one in (compared, alone)] == [False, True]


@pytest.mark.parametrize(("wrong", "named"), [({"size": "10"}, "`size`"), ({"seed": "a"}, "`seed`")])
def test_what_drafting_takes_is_checked(documents: Path, wrong: dict[str, Any], named: str) -> None:
    """Another type, and a folder that is not there."""
    with pytest.raises(SettingError, match=named):
        ragstone.draft(documents, **wrong)
    with pytest.raises(SettingError, match="nowhere"):
        ragstone.draft("nowhere", 5)
