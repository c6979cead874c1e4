"""A user's folder with one task, one prompt and some rows, for the tests of this contract."""

import json
from pathlib import Path
from typing import Any

import yaml

from ragstone.contracts.prompt_task.contract import PromptTask
from ragstone.contracts.prompt_task.taskfile import BUNDLED
from ragstone.core.interfaces import Source
from ragstone.core.types import Answer, Case, Finding, Scorecard

BUNDLED_TASKS = ("event_eval", "news_analysis", "news_dedup", "stock_score", "stock_association")
PROMPT = {"version": "p.v1", "system": "只输出 JSON。", "user": "问：{{ text }}"}


def bundled(name: str) -> PromptTask:
    """Open a bundled task with its bundled data."""
    return PromptTask(Source(path=BUNDLED / "datasets" / f"{name}.jsonl", options={"task": name}))


def write_task(name: str = "mine", prompt: dict[str, Any] | None = None, **task: Any) -> Path:
    """Write a task and its prompt into the current folder's bench/."""
    for folder in ("tasks", "prompts"):
        Path("bench", folder).mkdir(parents=True, exist_ok=True)
    body = {"name": name, "prompt_template": name, **task}
    path = Path("bench", "tasks", f"{name}.yaml")
    path.write_text(yaml.safe_dump(body, allow_unicode=True), encoding="utf-8")
    text = yaml.safe_dump(prompt or PROMPT, allow_unicode=True)
    Path("bench", "prompts", f"{name}.yaml").write_text(text, encoding="utf-8")
    return path


def open_task(*rows: Any, name: str = "mine", options: dict[str, Any] | None = None) -> PromptTask:
    """Open the task of the current folder on some rows."""
    path = Path("rows.jsonl")
    lines = (json.dumps({"sample_id": f"S{at}", "text": f"文{at}"} | row) for at, row in enumerate(rows, start=1))
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return PromptTask(Source(path=path, options={"task": name} | (options or {})))


def cases_of(contract: PromptTask) -> list[Case]:
    """Load the cases; there must be no findings among them."""
    items = list(contract.load())
    assert all(isinstance(item, Case) for item in items), items
    return [item for item in items if isinstance(item, Case)]


def findings_of(contract: PromptTask) -> list[Finding]:
    """Load and keep the findings."""
    return [item for item in contract.load() if isinstance(item, Finding)]


def score(contract: PromptTask, output: Any, at: int = 0) -> Scorecard:
    """Score one answer to one of the cases; what is no text is sent as JSON."""
    case = cases_of(contract)[at]
    text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    return contract.score(case, contract.read(case, Answer(text=text)))
