"""A run as tables: summary.csv, one row per task, model and step (contract 3, R3.1); and its results, a row each."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from ragstone.core.types import JSON, MetricSpec, ModelSummary, Result, StepName, Summary
from ragstone.text.visible import csv_cell

COLUMNS = (
    "task_name",
    "model_id",
    "step_id",
    "request_count",
    "success_count",
    "success_rate",
    "avg_latency_ms",
    "p95_latency_ms",
    "avg_total_tokens",
    "p95_total_tokens",
    "parse_rate",
    "retry_count",
    "cost_estimate",
)
MORE_COLUMNS = (
    *("pass_count", "pass_rate", "primary_score_avg", "errored", "unparsed"),
    *("p50_latency_ms", "status", "cached_count"),
)


def summary_csv(summary: Summary, metrics: Sequence[MetricSpec]) -> bytes:
    """Write the table, in UTF-8 without a mark in front: programs read the first column by its name."""
    names, lost = [spec.name for spec in metrics], _lost(summary)
    heads = [*COLUMNS, *(f"tm_{name}_avg" for name in names), *MORE_COLUMNS, *(f"tm_{name}_n" for name in names)]
    also = {other: spec.name for spec in metrics for other in spec.also}
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([*heads, *also, *(f"tm_{name}_lost" for name in lost)])
    for model, figures in summary.models.items():
        means = (figures.all.metrics[name].mean for name in also.values())
        cells = [*_row(summary, model, figures, names), *means, *(figures.all.metrics[name].lost for name in lost)]
        writer.writerow(map(_cell, cells))
    return buffer.getvalue().encode("utf-8", "replace")


def flat_rows(results: Iterable[Result]) -> Iterator[dict[str, JSON]]:
    """Yield the rows of results.jsonl without nesting, a column a metric, as data frames take them."""
    for result in results:
        card = result.scorecard
        yield {
            "sample_id": result.sample_id,
            "model_id": result.model_id,
            "step_id": result.step_id,
            "repeat": result.repeat,
            "question": result.question,
            "answer": result.output_text,
            "passed": card.passed,
            "score": card.primary_score,
            **card.sub_scores,
            "explain": card.explain,
            "error_type": result.error_type,
            "latency_ms": result.latency_ms,
            **{f"group_{name}": ", ".join(values) for name, values in result.groups.items()},
        }


def _lost(summary: Summary) -> list[str]:
    """Name the figures another tool could not make for every case: only an import has such columns."""
    figures = [(name, figure) for one in summary.models.values() for name, figure in one.all.metrics.items()]
    return list(dict.fromkeys(name for name, figure in figures if figure.lost))


def _row(summary: Summary, model: str, figures: ModelSummary, names: Sequence[str]) -> Iterator[JSON]:
    block, costs = figures.all, figures.costs
    asked = block.cases
    step = figures.step or StepName(summary.task_name, model, "")
    yield from (step.task_name, step.model_id, step.step_id)
    yield from (asked, costs.answered, costs.answered / asked if asked else None)
    yield from (costs.latency_ms_mean, costs.latency_ms_p95, costs.tokens_mean, costs.tokens_p95)
    yield from (block.scored / asked if asked else None, costs.retries, costs.cost)
    yield from (block.metrics[name].mean for name in names)
    yield from (block.passed, block.pass_rate, block.primary_score, block.errored, block.unparsed)
    yield from (costs.latency_ms_p50, summary.status, costs.cached)
    yield from (block.metrics[name].n for name in names)


def _cell(value: JSON) -> JSON:
    if value is None:
        return ""
    return csv_cell(value) if isinstance(value, str) else value
