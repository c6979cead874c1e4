"""DeepEval: the JSON file of a test run (`DEEPEVAL_RESULTS_FOLDER`, or .deepeval/.latest_test_run.json)."""

from pathlib import Path

from ragstone.bridges.files import fault, objects, read_json
from ragstone.bridges.records import (
    ForeignRun,
    Record,
    ToolScores,
    contexts,
    milliseconds,
    money,
    note,
    number,
    rows,
    table,
    text,
    texts,
)
from ragstone.core.types import JSON, Answer

_WRAPPED = "testRunData"


def recognises(value: JSON) -> bool:
    """Return whether a JSON value is a test run."""
    return isinstance(_run(value).get("testCases"), list)


def _run(value: JSON) -> dict[str, JSON]:
    whole = table(value)
    return table(whole.get(_WRAPPED)) or whole


def read(path: Path) -> ForeignRun:
    """Read a test run."""
    run = _run(read_json(path))
    cases = objects(run.get("testCases"), path, "deepeval", "testCases")
    if run.get("conversationalTestCases"):
        raise fault("conversations", path)
    cases.sort(key=lambda case: float(number(case.get("order")) or 0))
    model = note(table(run.get("hyperparameters")).get("model")) or "deepeval"
    return ForeignRun(
        tool="deepeval",
        records=[_record(at, case, model) for at, case in enumerate(cases)],
        means={note(row.get("metric")): _mean(row) for row in rows(run.get("metricsScores"))},
        lower=_lower(cases),
    )


def _record(at: int, case: dict[str, JSON], model: str) -> Record:
    metrics = rows(case.get("metricsData"))
    notes = {text(m.get("name")): note(m.get("error") or m.get("reason")) for m in metrics}
    passed = case.get("success")
    return Record(
        key=str(at),
        source_id=text(case.get("name")),
        question=text(case.get("input")),
        references=texts(case.get("expectedOutput")),
        model=model,
        answer=Answer(
            text=text(case.get("actualOutput")),
            contexts=contexts(case.get("retrievalContext")),
            latency_ms=milliseconds(case.get("completionTime"), 1000),
            cost=money(case.get("tokenCost")),
        ),
        said=ToolScores(
            scores={text(m.get("name")): number(m.get("score")) for m in metrics},
            passed=passed if isinstance(passed, bool) else None,
            notes={name: said for name, said in notes.items() if said},
        ),
    )


def _lower(cases: list[dict[str, JSON]]) -> frozenset[str]:
    """Find the metrics that pass below their threshold and fail above it: of those less is better."""
    ways: dict[str, set[bool]] = {}
    for metric in (m for case in cases for m in rows(case.get("metricsData"))):
        score, limit, passed = number(metric.get("score")), number(metric.get("threshold")), metric.get("success")
        if score is not None and limit is not None and score != limit and isinstance(passed, bool):
            ways.setdefault(text(metric.get("name")), set()).add(passed == (score < limit))
    return frozenset(name for name, found in ways.items() if found == {True})


def _mean(row: dict[str, JSON]) -> str:
    given = row.get("scores")
    scores = [value for value in map(number, given if isinstance(given, list) else []) if value is not None]
    mean = f"{sum(scores) / len(scores):.4g}" if scores else "–"
    counts = ", ".join(
        f"{name} {row[name]}" for name in ("passes", "fails", "errors") if number(row.get(name)) is not None
    )
    return f"{mean} (of {len(scores)}; {counts})"
