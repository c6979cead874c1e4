"""EvalScope: the folder of a run, with predictions/, reviews/ and reports/; a category for each dataset and subset.

An answer that could not be got is in none of its files but counted in the report: such a run is partial here.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from ragstone.bridges.files import fault, read_bytes, read_json, read_lines
from ragstone.bridges.records import (
    ForeignRun,
    Record,
    ToolScores,
    milliseconds,
    note,
    number,
    rows,
    table,
    text,
    texts,
    usage,
)
from ragstone.core.types import JSON, Answer

_TOKENS = ("input_tokens", "output_tokens", "total_tokens")
_VERSION = re.compile(r"^evalscope_version: *'?([\w.+-]{1,40})", re.MULTILINE)


def home(path: Path) -> Path | None:
    """Find the folder of a run from itself or from anything in it."""
    for folder in (path, *path.resolve().parents[:3]):
        if (folder / "reviews").is_dir():
            return folder
    return None


def read(path: Path) -> ForeignRun:
    """Read the folder of a run."""
    folder = home(path)
    if folder is None:
        raise fault("folder", path)
    reports = list(_reports(folder))
    records = [record for file in sorted(folder.glob("reviews/*/*.jsonl")) for record in _reviewed(folder, file)]
    if not records:
        raise fault("no_samples", folder)
    return ForeignRun(
        tool="evalscope",
        version=_version(folder),
        records=records,
        means=dict(mean for report in reports for mean in _means(report)),
        lower=frozenset(),
        expected=_expected(reports),
    )


def _version(folder: Path) -> str:
    for file in sorted(folder.glob("configs/*.yaml")):
        if found := _VERSION.search(read_bytes(file).decode("utf-8", "replace")):
            return found[1]
    return ""


def _reports(folder: Path) -> Iterator[dict[str, JSON]]:
    for file in sorted(folder.glob("reports/*/*.json")):
        yield table(read_json(file))


def _expected(reports: list[dict[str, JSON]]) -> int | None:
    asked = [number(table(report.get("execution_summary")).get("requested")) for report in reports]
    known = [int(count) for count in asked if count is not None and 0 <= count < 1e12]
    return sum(known) if known and len(known) == len(reports) else None


def _reviewed(folder: Path, file: Path) -> Iterator[Record]:
    """Read the reviews of one dataset and subset, each with its prediction."""
    beside = folder / "predictions" / file.parent.name / file.name
    predictions = {text(line.value.get("index")): line.value for line in read_lines(beside)} if beside.is_file() else {}
    seen: set[tuple[str, int]] = set()
    for line in read_lines(file):
        review, score = line.value, table(table(line.value.get("sample_score")).get("score"))
        if not isinstance(score.get("value"), dict):
            raise fault("field", file, where=f"line {line.number}", field="sample_score.score.value", tool="evalscope")
        record = _record(file, review, predictions.get(text(review.get("index")), {}))
        if (record.key, record.repeat) in seen:
            raise fault("duplicate", file, id=record.key, repeat=record.repeat + 1)
        seen.add((record.key, record.repeat))
        yield record


def _record(file: Path, review: dict[str, JSON], prediction: dict[str, JSON]) -> Record:
    sample = table(review.get("sample_score"))
    place = sample.get("group_id") if sample.get("group_id") is not None else review.get("index")
    repeat = number(sample.get("generation_index"))
    output = table(prediction.get("model_output"))
    return Record(
        key=f"{file.stem}/{text(place)}",
        source_id=f"{file.stem}/{text(place)}",
        question=_turn(review.get("messages"), "user"),
        references=texts(review.get("target")),
        category=file.stem,
        model=note(prediction.get("model")) or file.parent.name,
        repeat=int(repeat) if repeat is not None and 0 <= repeat < 1e6 else 0,
        answer=Answer(
            text=text(table(sample.get("score")).get("prediction")) or _turn(review.get("messages"), "assistant"),
            usage=usage(output.get("usage"), _TOKENS),
            latency_ms=milliseconds(output.get("time"), 1000),
        ),
        said=_said(table(sample.get("score"))),
        extra={"metadata": sample["sample_metadata"]} if sample.get("sample_metadata") else {},
    )


def _turn(messages: JSON, role: str) -> str:
    said = [turn for turn in rows(messages) if turn.get("role") == role]
    return text(said[-1].get("content")) if said else ""


def _said(score: dict[str, JSON]) -> ToolScores:
    """Read the scores; a 0 that the tool gave after an error of its own stays 0, and the error is noted."""
    scores = {name: number(value) for name, value in table(score.get("value")).items()}
    errors = table(table(score.get("metadata")).get("metric_errors"))
    own = scores.get(text(score.get("main_score_name")))
    notes = {name: note(problem) for name, problem in errors.items()}
    if explained := note(score.get("explanation")):
        notes["explanation"] = explained
    return ToolScores(scores=scores, score=float(own) if own is not None and 0 <= own <= 1 else None, notes=notes)


def _means(report: dict[str, JSON]) -> Iterator[tuple[str, str]]:
    name = note(report.get("dataset_name"))
    for metric in rows(report.get("metrics")):
        identity = table(metric.get("identity"))
        parts = ", ".join(f"{key} {value}" for key, value in sorted(table(identity.get("dimensions")).items()))
        label = note(identity.get("name") or metric.get("name")) + (f" ({parts})" if parts else "")
        value = number(metric.get("score"))
        yield f"{name} {label}", f"{'–' if value is None else f'{value:.4g}'} (of {metric.get('num')})"
