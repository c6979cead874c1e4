"""A gold, its perfect answer, and the table of answers worked out by hand."""

import json
from pathlib import Path
from typing import Any

from ragstone.contracts.eval_json_v2.gold import Expected
from ragstone.core.types import Answer, Case, Context, Position

TESTS = Path(__file__).parents[2]
_LINES = (TESTS / "data" / "eval_json_v2.jsonl").read_text(encoding="utf-8").splitlines()
_HEAD, *TABLE = [json.loads(line) for line in _LINES]

SOURCE_MAP: list[Any] = _HEAD["source_map"]
PERFECT: dict[str, Any] = _HEAD["gold"] | {"source_map": SOURCE_MAP}
CONTEXTS = (
    Context("intro.md", 1, "本鎮圖書館每日開放。"),
    Context("loans.md", 1, f"## 續借與預約\n{PERFECT['original_evidence']}"),
)


def make_gold(**changes: Any) -> Expected:
    """Make the gold of the table, with changes."""
    fields: dict[str, Any] = PERFECT | changes
    frozen: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    return Expected(**frozen)


def make_case(gold: object = None) -> Case:
    """Make a case of a gold."""
    where = Position("question_v2.json", pointer="/0")
    return Case(id="Q1", question="圖書可以續借幾次？", gold=gold or make_gold(), position=where)


def make_answer(output: str | None = None, **changes: Any) -> Answer:
    """Make the perfect answer with changes; a change to None leaves a field out."""
    fields = {name: value for name, value in (PERFECT | changes).items() if value is not None}
    text = json.dumps(fields, ensure_ascii=False)
    if output == "cut":
        text = text[:-40]
    elif output and output != "without":
        text = output.replace("{}", text)
    return Answer(text=text, contexts=CONTEXTS)
