"""A small workflow of the bundled task: two steps, the second fed by the first."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.core.interfaces import Source
from ragstone.runs.workflow.contract import Workflow

Open = Callable[..., Workflow]
FLOW = """
name: twice
steps:
  - {name: first, task: event_eval}
  - {name: again, task: event_eval, input_from: first}
"""


@pytest.fixture
def open_flow(tmp_path: Path) -> Open:
    """Open a workflow over three rows."""

    def make(text: str = FLOW, **options: object) -> Workflow:
        (tmp_path / "flow.yaml").write_text(text, encoding="utf-8")
        rows = [
            {"sample_id": f"S{n}", "ticker": f"T{n}", "news_items": [], "gt_sentiment": "negative"}
            | {"gt_impact_score": n, "gt_keywords": ["召回"], "type": "新闻"}
            for n in range(3)
        ]
        data = tmp_path / "rows.jsonl"
        data.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        return Workflow(Source(path=data, options={"workflow": str(tmp_path / "flow.yaml"), **options}))

    return make
