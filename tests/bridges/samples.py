"""Where the files lie that other tools made, and how a test brings one in."""

import json
from pathlib import Path

from ragstone.bridges.import_run import ImportedRun, import_run
from ragstone.core.types import Figure, Result
from ragstone.runs.store.folder import RunFolder

SAMPLES = Path(__file__).parents[1] / "data" / "imports"
FILES = (
    "ragas/result.csv",
    "ragas/result.jsonl",
    "deepeval/test_run.json",
    "promptfoo/out.json",
    "inspect/log.eval",
    "inspect/log.json",
    "evalscope",
)
"""Made by the tools themselves; ORIGIN.md beside each says how."""


def bring(name: str, out: str = "run") -> ImportedRun:
    """Import a sample into a folder of the test."""
    return import_run(SAMPLES / name, out=Path("runs", out))


def results(done: ImportedRun, model: str | None = None) -> dict[str, Result]:
    """Return the rows of a run's first repeat by case."""
    rows = RunFolder(done.folder.path).results()
    return {row.sample_id: row for row in rows if row.repeat == 0 and model in (None, row.model_id)}


def figures(done: ImportedRun, model: str | None = None) -> dict[str, Figure]:
    """Return the figures of one model."""
    models = done.summary.models
    return models[model or next(iter(models))].all.metrics


def load(name: str) -> dict[str, object]:
    """Read a sample that is one JSON object."""
    value = json.loads((SAMPLES / name).read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def save(value: object, name: str = "changed.json") -> Path:
    """Write a changed sample."""
    path = Path(name)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path
