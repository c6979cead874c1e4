"""Two parts of a set: what is added goes where its document is."""

import asyncio
from pathlib import Path

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Corpus, Paper
from ragstone.drafting.draw import draw
from ragstone.drafting.files.halves import divide
from ragstone.drafting.rows import write_rows
from tests.conftest import Cli
from tests.drafting.conftest import model, rows_of
from tests.loopback import Loopback


def test_what_is_about_documents_of_both_parts_is_left_out(tmp_path: Path) -> None:
    """And what is about one of them joins its part, with everything else about its other documents."""
    texts = {"a.md": "# 青禾镇\n\n青禾镇设立于1861年。\n", "b.md": "# 栖雾镇\n\n栖雾镇设立于1903年。\n"}
    papers = tuple(Paper(name, name * 16, (Page(1, text),)) for name, text in texts.items())
    both = [one for one in draw(Corpus(papers), 20).drafts if len(one.documents) == 2]
    paths = [tmp_path / "dev.jsonl", tmp_path / "test.jsonl"]
    assert both
    for path, paper in zip(paths, papers, strict=True):
        path.write_bytes(write_rows(draw(Corpus((paper,)), 5).drafts, "key_points"))

    assert divide(paths, both, 7, 0.5) == ((), ())
    paths[1].unlink()
    assert divide(paths, both, 7, 0.5) == (tuple(both), ())


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
