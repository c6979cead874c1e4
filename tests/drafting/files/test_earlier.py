"""Drafting again into a file: what stands in it stays, what was rejected stays away, and what is new is added."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import ragstone
from ragstone.core.errors import SettingError
from ragstone.drafting.files.earlier import NOTHING, journal_of, read_earlier
from ragstone.drafting.make import Chat
from tests.conftest import Cli
from tests.drafting.conftest import model, rows_of, write
from tests.loopback import Loopback


async def _told(cli: Cli, *words: object) -> dict[str, Any]:
    done = await asyncio.to_thread(cli, *words, "--json")
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


async def test_wording_and_rejections_outlive_drafting_again(inside: Cli, towns: Path, tmp_path: Path) -> None:
    """Reworded, accepted, dropped, taken out with an editor, and a row of one's own: nothing of it is undone."""
    file = tmp_path / "d.jsonl"
    async with Loopback(script=model) as server:
        words = ("draft", towns, "-n", "6", "--chat", "m", "-O", f"base_url={server.url}/v1", "--out", "d.jsonl")
        first = await _told(inside, *words, "-O", "max_calls=2")
        rows = rows_of(file)
        rows[0]["q"] = "谁把这座镇重建为商埠？"
        own = {"id": "mine", "q": "谁？", "gold": ["某人"]}
        write(file, [*rows, own])
        dropped = rows[1]["q"]
        inside("draft", "accept", "d.jsonl", rows[0]["id"], "--drop", rows[1]["id"])
        before = rows_of(file)
        second = await _told(inside, *words)
        after = rows_of(file)
        calls = server.calls
        third = await _told(inside, *words)

    assert first["stopped"] == "budget"
    assert after[: len(before)] == before
    assert dropped not in {row["q"] for row in after}
    assert second["drafted"] == len(after) - 1 == 6
    assert second["new"] == 6 - (len(before) - 1)
    ids = [row["id"] for row in after]
    assert len(ids) == len(set(ids))
    assert rows[1]["id"] not in ids
    assert (third["new"], server.calls) == (0, calls)
    assert rows_of(file) == after


async def test_replies_stay_usable_behind_accepted_drafts(inside: Cli, towns: Path, tmp_path: Path) -> None:
    """More are drafted into the same file, and no passage is shown twice."""
    async with Loopback(script=model) as server:
        words = ("draft", towns, "--chat", "m", "-O", f"base_url={server.url}/v1", "--out", "d.jsonl", "-n")
        await _told(inside, *words, "3")
        inside("draft", "accept", "d.jsonl", "--all")
        more = await _told(inside, *words, "9")

    reviewed = [row["reviewed"] for row in rows_of(tmp_path / "d.jsonl")]
    assert (reviewed, more["new"]) == ([True] * 3 + [False] * (more["drafted"] - 3), more["drafted"] - 3)
    assert more["new"] > 0
    assert server.calls == 5


async def test_only_the_file_of_the_same_replies_and_contract_is_added_to(
    inside: Cli, towns: Path, tmp_path: Path
) -> None:
    """Another contract's rows, a broken file and drafts made without a model are left alone, from Python too."""
    async with Loopback(script=model) as server:
        words = ("draft", towns, "-n", "2", "--chat", "m", "-O", f"base_url={server.url}/v1", "--out")
        await _told(inside, *words, "d.jsonl")
        other = await asyncio.to_thread(inside, *words, "d.jsonl", "--contract", "prompt_task")
        (tmp_path / "d.jsonl").write_text('{"id": ', encoding="utf-8")
        broken = await asyncio.to_thread(inside, *words, "d.jsonl")
        ragstone.draft(towns, 2, out=tmp_path / "plain.jsonl")
        plain = await asyncio.to_thread(inside, *words, "plain.jsonl")

    assert "holds drafts for key_points" in other.stderr
    assert "cannot be read as drafts" in broken.stderr
    assert "plain.jsonl already exists" in plain.stderr
    assert (tmp_path / "d.jsonl").read_text(encoding="utf-8") == '{"id": '
    with pytest.raises(SettingError, match="already exists"):
        ragstone.draft(towns, 2, out=tmp_path / "plain.jsonl")


async def test_a_program_adds_too(towns: Path, tmp_path: Path) -> None:
    """With the journal of the first time; what is returned is new."""
    out = tmp_path / "d.jsonl"
    async with Loopback(script=model) as server:
        chat = Chat(model="m", options={"base_url": f"{server.url}/v1"}, journal=tmp_path / "d.proposals.jsonl")
        first = await asyncio.to_thread(ragstone.draft, towns, 2, out=out, chat=chat)
        rows = rows_of(out)
        write(out, rows[1:])
        second = await asyncio.to_thread(ragstone.draft, towns, 3, out=out, chat=chat)

    assert (len(first.drafts), second.kept, len(second.drafts)) == (2, 1, 2)
    assert rows[0]["q"] not in {row["q"] for row in rows_of(out)}


def test_a_set_that_was_deleted_begins_anew(tmp_path: Path) -> None:
    """The replies are still known; what was offered in a file that is gone is not held against it."""
    journal = tmp_path / "d.proposals.jsonl"
    journal.write_text('{"offered": "abc", "id": "draft-0001", "file": "d.jsonl"}\n{"off', encoding="utf-8")

    assert read_earlier([tmp_path / "d.jsonl"], journal, "key_points") == NOTHING
    assert journal_of(tmp_path / "d-dev.jsonl") == journal
    (tmp_path / "d.jsonl").write_text("", encoding="utf-8")
    assert read_earlier([tmp_path / "d.jsonl"], journal, "key_points").offered == {"abc": False}
