"""promptfoo: what `promptfoo eval -o out.json` writes; a model for each prompt and provider, a case for each test."""

from collections import Counter
from pathlib import Path

from ragstone.bridges.files import objects, read_json
from ragstone.bridges.records import (
    ForeignRun,
    Record,
    ToolScores,
    contexts,
    failed,
    milliseconds,
    money,
    note,
    number,
    rows,
    table,
    text,
    texts,
    usage,
)
from ragstone.core.language import excerpt
from ragstone.core.types import JSON, Answer

QUESTION = ("question", "query", "q", "input", "user_input", "prompt", "message")
REFERENCE = ("reference", "expected", "expected_output", "answer", "ground_truth", "target", "gold")
CONTEXTS = ("context", "contexts", "retrieved_contexts")
COMPARING = frozenset({"equals", "contains", "icontains", "similar", "rouge-n", "bleu", "levenshtein", "factuality"})
"""Assertions whose value is what the answer should say."""
SCORE = "score"
_BROKEN = 2
"""failureReason of a test that could not be asked; 1 is one whose assertions failed."""
_TOKENS = ("prompt", "completion", "total")


def recognises(value: JSON) -> bool:
    """Return whether a JSON value is an evaluation."""
    return isinstance(table(table(value).get("results")).get("results"), list)


def read(path: Path) -> ForeignRun:
    """Read an evaluation."""
    whole = table(read_json(path))
    inner = table(whole.get("results"))
    found = objects(inner.get("results"), path, "promptfoo", "results.results")
    names = _names(found)
    found.sort(key=lambda row: (_place(row, "testIdx"), _place(row, "promptIdx")))
    seen: Counter[tuple[str, str]] = Counter()
    records, times = [], _times(whole, found)
    for at, row in enumerate(found):
        key = f"{_place(row, 'testIdx') // times:g}" if row.get("testIdx") is not None else f"row {at}"
        model = names[_source(row)]
        records.append(_record(row, key, model, seen[key, model]))
        seen[key, model] += 1
    return ForeignRun(
        tool="promptfoo",
        version=note(table(whole.get("metadata")).get("promptfooVersion")),
        records=records,
        models=tuple(names.values()),
        means=_means(rows(inner.get("prompts")), list(names.values()), table(inner.get("stats"))),
        created=note(inner.get("timestamp")),
    )


def _times(whole: dict[str, JSON], found: list[dict[str, JSON]]) -> int:
    """Return how often each test was asked: with --repeat N, N tests in a row are one, when their variables agree."""
    options = (table(whole.get("runtimeOptions")), table(table(whole.get("config")).get("evaluateOptions")))
    wished = next((times for times in (number(one.get("repeat")) for one in options) if times), 1)
    times = int(wished) if 1 < wished < 1e6 else 1
    first: dict[float, JSON] = {}
    for row in found:
        given = table(row.get("vars"))
        if first.setdefault(_place(row, "testIdx") // times, given) != given:
            return 1
    return times


def _place(row: dict[str, JSON], name: str) -> float:
    return float(number(row.get(name)) or 0)


def _source(row: dict[str, JSON]) -> tuple[float, str]:
    return _place(row, "promptIdx"), _provider(row)


def _provider(row: dict[str, JSON]) -> str:
    given = row.get("provider")
    return text(given) if isinstance(given, str) else note(table(given).get("label") or table(given).get("id"))


def _names(found: list[dict[str, JSON]]) -> dict[tuple[float, str], str]:
    """Name each column of the table: its provider, and the prompt where one provider has several."""
    prompts = {_source(row): excerpt(text(table(row.get("prompt")).get("label")), 40) for row in found}
    many = Counter(provider for _, provider in prompts)
    named: dict[tuple[float, str], str] = {}
    for source, prompt in sorted(prompts.items()):
        name = source[1] or "promptfoo"
        name = f"{name} · {prompt}" if many[source[1]] > 1 and prompt else name
        named[source] = name if name not in named.values() else f"{name} #{len(named) + 1}"
    return named


def _record(row: dict[str, JSON], key: str, model: str, repeat: int) -> Record:
    test, response = table(row.get("testCase")), table(row.get("response"))
    given = table(row.get("vars")) or table(test.get("vars"))
    return Record(
        key=key,
        source_id=note(test.get("description")),
        question=next((found for name in QUESTION if (found := text(given.get(name)).strip())), "")
        or text(table(row.get("prompt")).get("raw")),
        references=_references(row, given),
        model=model,
        repeat=repeat,
        answer=_answer(row, response, given),
        said=_said(row),
        extra={"vars": given} if given else {},
    )


def _answer(row: dict[str, JSON], response: dict[str, JSON], given: dict[str, JSON]) -> Answer:
    broken = number(row.get("failureReason")) == _BROKEN or (response.get("error") and "output" not in response)
    reason = response.get("finishReason")
    return Answer(
        text=_output(response.get("output")),
        contexts=contexts(next((given[name] for name in CONTEXTS if name in given), None)),
        usage=usage(response.get("tokenUsage"), _TOKENS),
        latency_ms=milliseconds(row.get("latencyMs")),
        finish_reason=reason if isinstance(reason, str) else None,
        cost=money(row.get("cost")),
        cached=response.get("cached") is True,
        failure=failed(response.get("error") or row.get("error")) if broken else None,
    )


def _output(value: JSON) -> str:
    """Return the output as text; an object as JSON."""
    if isinstance(value, dict | list):
        from ragstone.runs.store.codec import encode  # noqa: PLC0415 - rare

        return encode(value).decode()
    return text(value)


def _references(row: dict[str, JSON], given: dict[str, JSON]) -> tuple[str, ...]:
    """Find what was expected: among the variables, else in an assertion that compares texts."""
    for name in REFERENCE:
        if found := texts(given.get(name)):
            return found
    for part in rows(table(row.get("gradingResult")).get("componentResults")):
        rule = table(part.get("assertion"))
        if rule.get("type") in COMPARING:
            shown = table(part.get("metadata")).get("renderedAssertionValue")
            return texts(shown if shown is not None else rule.get("value"))
    return ()


def _said(row: dict[str, JSON]) -> ToolScores:
    """Read the score of the test, its named scores, and each assertion by its type; of one type the mean."""
    parts: dict[str, list[float | bool | None]] = {}
    notes: dict[str, str] = {}
    for part in rows(table(row.get("gradingResult")).get("componentResults")):
        rule = table(part.get("assertion"))
        name = note(rule.get("metric") or rule.get("type"))
        if name:
            parts.setdefault(name, []).append(number(part.get("score")))
            if part.get("pass") is False:
                notes.setdefault(name, note(part.get("reason")))
    own = table(row.get("namedScores"))
    scores = {SCORE: number(row.get("score"))} | {name: _mean(values) for name, values in parts.items()}
    scores |= {name: number(value) for name, value in own.items() if name not in parts}
    passed, score = row.get("success"), number(row.get("score"))
    return ToolScores(
        scores=scores,
        passed=passed if isinstance(passed, bool) else None,
        score=None if score is None else float(score),
        notes=notes,
    )


def _mean(values: list[float | bool | None]) -> float | bool | None:
    known = [float(value) for value in values if value is not None]
    return sum(known) / len(known) if len(known) == len(values) else None


def _means(prompts: list[dict[str, JSON]], names: list[str], stats: dict[str, JSON]) -> dict[str, str]:
    """Return the figures of the file: tests by outcome, and the sums of scores as means over what was counted."""
    told = {"all": ", ".join(f"{name} {stats[name]}" for name in ("successes", "failures", "errors") if name in stats)}
    for prompt, name in zip(prompts, names, strict=False):
        metrics = table(prompt.get("metrics"))
        counts = table(metrics.get("namedScoresCount"))
        passes, fails, errors = (number(metrics.get(f"test{word}Count")) or 0 for word in ("Pass", "Fail", "Error"))
        told[name] = f"passed {passes:g}, failed {fails:g}, errors {errors:g}"
        for metric, total in table(metrics.get("namedScores")).items():
            n, value = number(counts.get(metric)), number(total)
            if n and value is not None:
                told[f"{name}, {metric}"] = f"{value / n:.4g} (of {n:g})"
    return {name: value for name, value in told.items() if value}
