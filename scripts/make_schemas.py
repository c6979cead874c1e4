"""Write JSON Schemas: of the files users write (which `ragstone new schemas` copies), and of what a run leaves.

python scripts/make_schemas.py [--check]
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from ragstone.contracts.prompt_task.taskfile import PromptFile, Task
from ragstone.core.settings import Settings
from ragstone.core.types import JSON, RESULT_SCHEMA_VERSION, Result
from ragstone.datasets.rows import MOST_ITEMS
from ragstone.report.table import COLUMNS, MORE_COLUMNS
from ragstone.runs.workflow.file import WorkflowFile
from ragstone.systems.http_json.service import Service
from ragstone.systems.models import Entry
from ragstone.trust.gate import GateFile

ROOT = Path(__file__).parent.parent
LEFT = ROOT / "docs" / "schemas"
OWN = ROOT / "src" / "ragstone" / "data" / "schemas"
TASKS = ROOT / "src" / "ragstone" / "contracts" / "prompt_task"
MEANINGS: dict[str, tuple[str, str]] = {
    "task_name": ("string", "the task (in a workflow the step's, or the workflow's own for the whole way)"),
    "model_id": ("string", "the model that was asked, by its name in the registry"),
    "step_id": ("string", "the step of a workflow; end_to_end for the whole way; empty without a workflow"),
    "request_count": ("integer", "rows times repeats; each of them counts in every share below"),
    "success_count": ("integer", "requests that were answered"),
    "success_rate": ("number", "success_count / request_count"),
    "avg_latency_ms": ("number", "mean time an answer took; empty when none was measured"),
    "p95_latency_ms": ("number", "time that 95 of 100 answers did not exceed"),
    "avg_total_tokens": ("number", "mean tokens of request and answer; empty when the endpoint counts none"),
    "p95_total_tokens": ("number", "tokens that 95 of 100 answers did not exceed"),
    "parse_rate": ("number", "share of requests whose answer could be read"),
    "retry_count": ("integer", "attempts beyond the first"),
    "cost_estimate": ("number", "by the registry's price_config; empty without prices"),
    "pass_count": ("integer", "answers that passed"),
    "pass_rate": ("number", "pass_count / request_count"),
    "primary_score_avg": ("number", "mean primary score, 0..1; failed and unreadable answers count as 0"),
    "errored": ("integer", "requests that failed or were skipped"),
    "unparsed": ("integer", "answers that could not be read"),
    "p50_latency_ms": ("number", "median time an answer took"),
    "status": ("string", "complete or partial"),
    "cached_count": ("integer", "answers from the cache, not asked for in this run; the latencies leave them out"),
}
PER_METRIC = {
    "tm_<key>_avg": ("number", "mean of a metric over the answers it applies to; empty when it applies to none"),
    "tm_<key>_n": ("integer", "answers the metric applies to"),
}


Filled = Annotated[str, Meta(min_length=1, pattern=r"\S")]
Texts = list[Filled]


class KeyPointsRow(Struct, kw_only=True):
    """A case of the contract key_points."""

    q: Filled
    gold: Annotated[Texts, Meta(min_length=1, max_length=MOST_ITEMS, description="the key points")]
    doc_hint: Annotated[Texts | None, Meta(description="documents the answer rests on")] = None
    id: Annotated[str | int | None, Meta(description="Q1, Q2, … where it is left out")] = None
    type: JSON = None
    category: JSON = None
    difficulty: JSON = None
    tags: JSON = None


class RecordedAnswer(Struct, kw_only=True):
    """An answer as `ragstone score DATASET ANSWERS` takes it."""

    id: Annotated[str | int, Meta(description="of the case")]
    output: Annotated[JSON, Meta(description="text, or the object the system replied")]
    contexts: Annotated[list[JSON], Meta(description="retrieved pieces: texts, or {source_path, text}")] = []
    citations: Annotated[list[JSON], Meta(description="documents: names, or {file, page}")] = []
    usage: Annotated[dict[str, JSON] | None, Meta(description="prompt_tokens, completion_tokens")] = None
    latency_ms: float | None = None
    cost: float | None = None
    repeat: int = 0


class TaskRow(Struct, kw_only=True):
    """A row of a prompt task; its other fields are those the prompt and the metrics name."""

    sample_id: str | int | None = None
    id: str | int | None = None


class Models(Struct, kw_only=True):
    """Models by name, and which of them are asked when none is named."""

    models: dict[str, Entry]
    active: str | list[str] = ""


DRAFT = "https://json-schema.org/draft/2020-12/schema"
WRITTEN: dict[str, tuple[str, type]] = {
    "service.schema.json": ("A service that http_json asks, as a YAML file", Service),
    "gate.schema.json": ("A gate file, as `ragstone gate --file` takes it", GateFile),
    "settings.schema.json": ("ragstone.toml", Settings),
    "models.schema.json": ("configs/llm_providers.json or .yaml: the models of prompt tasks", Models),
    "key_points.schema.json": ("A row of a key_points dataset; any other field is kept with the case", KeyPointsRow),
    "answers.schema.json": ("A row of recorded answers", RecordedAnswer),
    "prompt_task.schema.json": ("A row of a prompt task's dataset", TaskRow),
}
"""Schema file to its title and the type it is made from."""


def schemas() -> dict[Path, object]:
    """Return the files by place."""
    blocks = [_columns(COLUMNS), _metric("tm_<key>_avg"), _columns(MORE_COLUMNS), _metric("tm_<key>_n")]
    columns = {
        "title": "The columns of summary.csv, in order; one with `for_each` stands once for every metric of the run",
        "encoding": "UTF-8 with a byte order mark, comma, one row per task_name, model_id and step_id",
        "columns": [column for block in blocks for column in block],
    }
    made: dict[Path, object] = {OWN / name: _schema(title, kind) for name, (title, kind) in WRITTEN.items()}
    workflow = {"$schema": DRAFT, **WorkflowFile.model_json_schema(), "title": "A workflow file"}
    tasks = {"task": Task, "prompt": PromptFile}
    written = {
        TASKS / f"{name}.schema.json": {"$schema": DRAFT, **one.model_json_schema()} for name, one in tasks.items()
    }
    results = _schema(f"A row of results.jsonl, schema_version {RESULT_SCHEMA_VERSION}", Result)
    left = {LEFT / "results.schema.json": results, LEFT / "summary-columns.json": columns}
    return {**made, **written, OWN / "workflow.schema.json": workflow, **left}


def _schema(title: str, kind: type) -> dict[str, object]:
    return {"$schema": DRAFT, "title": title, **msgspec.json.schema(kind)}


def _columns(names: tuple[str, ...]) -> list[dict[str, str]]:
    return [{"name": name, "type": MEANINGS[name][0], "description": MEANINGS[name][1]} for name in names]


def _metric(pattern: str) -> list[dict[str, str]]:
    kind, text = PER_METRIC[pattern]
    return [{"name": pattern, "for_each": "metric", "type": kind, "description": text}]


def main() -> int:
    """Write the files, or with --check say whether they are current."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = []
    for path, value in schemas().items():
        text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
        if check:
            stale += [path.name] if not path.is_file() or path.read_text(encoding="utf-8") != text else []
        else:
            path.write_text(text, encoding="utf-8")
            print(path.name)
    if stale:
        print(f"not current: {', '.join(stale)}; run python scripts/make_schemas.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
