"""Drafting a single question again, in its place."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Cli
from tests.drafting.conftest import model, rows_of, write
from tests.loopback import Loopback


@pytest.fixture
def file(cli: Cli, documents: Path, tmp_path: Path) -> Path:
    """Drafts of which all are accepted."""
    cli("draft", documents, "-n", "12", "--out", "d.jsonl")
    cli("draft", "accept", "d.jsonl", "--all")
    return tmp_path / "d.jsonl"


def _fee(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return next(row for row in rows if row["gold"] == ["80元"])


def test_a_stale_question_is_drafted_again_in_its_place(cli: Cli, file: Path, documents: Path) -> None:
    """The same question with the document's new value; the others stay, accepted as they are."""
    before = rows_of(file)
    fee = _fee(before)
    clinic = documents / "clinic.md"
    clinic.write_text(clinic.read_text(encoding="utf-8").replace("80元", "95元"), encoding="utf-8")

    done = cli("draft", documents, "--out", "d.jsonl", "--again", fee["id"], "--json")

    after = rows_of(file)
    new = next(row for row in after if row["id"] == fee["id"])
    assert json.loads(done.stdout)["again"] == {fee["id"]: fee["q"]}
    assert (new["q"], new["gold"], new["reviewed"]) == (fee["q"], ["95元"], False)
    assert [row for row in after if row is not new] == [row for row in before if row is not fee]
    codes = [one["code"] for one in json.loads(cli("check", "d.jsonl", "--json").stdout)["findings"]]
    assert "draft.stale" not in codes


def test_one_that_was_changed_by_hand_is_put_right_and_a_sound_one_replaced(
    cli: Cli, file: Path, documents: Path
) -> None:
    """Of what stands as it is another question is made, of what the other rows do not ask."""
    cli("draft", documents, "-n", "4", "--out", "few.jsonl")
    few = file.with_name("few.jsonl")
    rows = rows_of(few)
    wording = rows[0]["q"]
    rows[0]["gold"] = ["别的"]
    write(few, rows)

    done = cli("draft", documents, "--out", "few.jsonl", *(f"--again={row['id']}" for row in rows[:2]))

    after = rows_of(few)
    assert done.returncode == 0, done.stderr
    assert after[0]["q"] == wording
    assert after[1]["q"] not in {row["q"] for row in rows}
    assert after[1]["doc_hint"] == rows[1]["doc_hint"]
    assert after[2:] == rows[2:]
    assert json.loads(cli("check", "few.jsonl", "--json").stdout)["errors"] == 0


def test_what_cannot_be_drafted_again_is_told_and_stays(cli: Cli, file: Path, documents: Path) -> None:
    """A document that is gone, an id that is not there, a file that is not there."""
    before = file.read_bytes()
    (documents / "clinic.md").unlink()
    again = ("draft", documents, "--out", "d.jsonl", "--again")

    gone = cli(*again, _fee(rows_of(file))["id"])
    unknown = cli(*again, "draft-9999")
    nowhere = cli("draft", documents, "--out", "e.jsonl", "--again", "draft-0001")

    assert [one.returncode for one in (gone, unknown, nowhere)] == [2, 2, 2]
    assert "nothing else can be drafted" in gone.stderr
    assert "there is no draft draft-9999" in unknown.stderr
    assert "e.jsonl: no such file" in nowhere.stderr
    assert file.read_bytes() == before


@pytest.mark.parametrize("contract", ["legal_rag", "eval_json_v2", "prompt_task"])
def test_every_contract_keeps_its_form(cli: Cli, documents: Path, tmp_path: Path, contract: str) -> None:
    """The row is written for the contract of the file."""
    name = "d.jsonl" if contract == "prompt_task" else "d.json"
    cli("draft", documents, "-n", "4", "--contract", contract, "--out", name)

    done = cli("draft", documents, "--out", name, "--again", "draft-0002", "--json")
    task = ("-o", "task=drafted_answer") if contract == "prompt_task" else ()
    checked = json.loads(cli("check", name, "--documents", documents, "--json", *task).stdout)

    assert list(json.loads(done.stdout)["again"]) == ["draft-0002"], done.stderr
    assert (checked["contract"], checked["cases"], checked["errors"]) == (contract, 4, 0)


async def test_a_model_is_shown_what_changed_and_rejected_ones_stay_away(
    inside: Cli, towns: Path, tmp_path: Path
) -> None:
    """One call for the changed passage; what was dropped is not offered in its place."""
    file = tmp_path / "d.jsonl"
    async with Loopback(script=model) as server:
        words = ("draft", towns, "--chat", "m", "-O", f"base_url={server.url}/v1", "--out", "d.jsonl")
        await asyncio.to_thread(inside, *words, "-n", "10")
        rows = rows_of(file)
        built = next(row for row in rows if row["gold"] == ["沈拾光"])
        town = towns / "青禾镇.md"
        town.write_text(town.read_text(encoding="utf-8").replace("沈拾光", "沈拾星"), encoding="utf-8")
        calls = server.calls
        done = await asyncio.to_thread(inside, *words, "--again", built["id"])
        new = next(row for row in rows_of(file) if row["id"] == built["id"])
        temple = next(row for row in rows if row["gold"] == ["山神"] and row["doc_hint"] != built["doc_hint"])
        name = next(row for row in rows if row["doc_hint"] == temple["doc_hint"] and row is not temple)["id"]
        inside("draft", "accept", "d.jsonl", "--drop", temple["id"])
        kept = await asyncio.to_thread(inside, *words, "--again", name)

    assert done.returncode == 0, done.stderr
    assert (new["q"], new["gold"], server.calls) == (built["q"], ["沈拾星"], calls + 1)
    assert kept.returncode == 2
    assert temple["q"] not in {row["q"] for row in rows_of(file)}


def test_what_a_person_accepted_or_worded_is_kept_and_told(cli: Cli, file: Path, documents: Path) -> None:
    """As long as the document is as it was; neither the wording nor the acceptance is thrown away."""
    cli("draft", documents, "-n", "4", "--out", "few.jsonl")
    few = file.with_name("few.jsonl")
    rows = rows_of(few)
    rows[0]["q"] += "请问？"
    write(few, rows)
    cli("draft", "accept", "few.jsonl", rows[1]["id"])
    before = few.read_bytes()

    done = cli("draft", documents, "--out", "few.jsonl", *(f"--again={row['id']}" for row in rows[:2]))

    assert few.read_bytes() == before
    assert f"left as they are: {rows[0]['id']}, {rows[1]['id']}" in done.stderr


def test_what_was_dropped_does_not_come_back(cli: Cli, documents: Path, tmp_path: Path) -> None:
    """Neither what a person took out, nor what another question replaced."""
    cli("draft", documents, "-n", "4", "--out", "few.jsonl")
    few = tmp_path / "few.jsonl"
    first, second, *_ = rows_of(few)
    cli("draft", "accept", "few.jsonl", "--drop", first["id"])

    asked = [second["q"]]
    while cli("draft", documents, "--out", "few.jsonl", f"--again={second['id']}").returncode == 0:
        asked.append(next(row["q"] for row in rows_of(few) if row["id"] == second["id"]))

    assert first["q"] not in asked
    assert len(asked) == len({*asked}) > 1
