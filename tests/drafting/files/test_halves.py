"""Two parts of a set: what is added goes where its document is."""

import asyncio
from pathlib import Path

from tests.conftest import Cli
from tests.drafting.conftest import model, rows_of
from tests.loopback import Loopback


async def test_both_parts_are_added_to_without_a_common_document(inside: Cli, towns: Path, tmp_path: Path) -> None:
    """What is new goes where its document is; what was accepted in a part stays."""
    async with Loopback(script=model) as server:
        words = ("draft", towns, "--dev", "0.4", "--chat", "m", "-O", f"base_url={server.url}/v1", "--out", "d.jsonl")
        await asyncio.to_thread(inside, *words, "-n", "5")
        inside("draft", "accept", "d-dev.jsonl", "--all")
        parts = [tmp_path / f"d-{part}.jsonl" for part in ("dev", "test")]
        before = [rows_of(part) for part in parts]
        await asyncio.to_thread(inside, *words, "-n", "10")

    after = [rows_of(part) for part in parts]
    assert all(now[: len(then)] == then for then, now in zip(before, after, strict=True))
    assert sum(map(len, after)) > sum(map(len, before))
    dev, test = ({name for row in rows for name in row["doc_hint"]} for rows in after)
    assert not dev & test
