"""Several models in one table."""

from collections.abc import Callable
from pathlib import Path

import ragstone

Write = Callable[..., Path]


def test_one_row_a_model_and_none_for_one(write_rows: Write) -> None:
    """The table stands in report.md as soon as there are two models."""
    rows = write_rows("q.jsonl", {"q": "甲?", "gold": ["Redis"], "doc_hint": ["a.md"]})
    good = write_rows("good.jsonl", {"id": "Q1", "output": "Redis a.md"})
    poor = write_rows("poor.jsonl", {"id": "Q1", "output": "?"})

    both = ragstone.evaluate(rows, [f"replay:{good}", f"replay:{poor}"])
    one = ragstone.evaluate(rows, f"replay:{good}")

    report = (both.folder / "report.md").read_text(encoding="utf-8")
    table = report.partition("模型对比")[2].split("##")[0]
    assert [line.split(" | ")[:5] for line in table.splitlines() if line.startswith(("| good", "| poor"))] == [
        ["| good", "1", "100.0%", "1.0000", "100.0%"],
        ["| poor", "1", "100.0%", "0.0000", "0.0%"],
    ]
    assert "模型对比" not in (one.folder / "report.md").read_text(encoding="utf-8")
