"""Inspect: a log as `.eval` (a zip of samples) or as `.json`; epochs are repeats, C / P / I are 1, 0.5 and 0."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from ragstone.bridges.files import ZIP, Archive, fault, objects, open_bytes, read_json
from ragstone.bridges.records import (
    ForeignRun,
    Record,
    ToolScores,
    failed,
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

HEADERS = ("header.json", "_journal/start.json")
_LETTERS: dict[str, float | bool] = {"C": True, "I": False, "N": False, "P": 0.5}
_TOKENS = ("input_tokens", "output_tokens", "total_tokens")
_ATTACHED = "attachment://"


def recognises(value: JSON) -> bool:
    """Return whether a JSON value is a log or the header of one."""
    whole = table(value)
    return isinstance(whole.get("eval"), dict) and "task" in whole["eval"]


def read(path: Path) -> ForeignRun:
    """Read a log in either format."""
    with open_bytes(path) as file:
        packed = file.read(len(ZIP)) == ZIP
    if packed:
        with closing(Archive(path)) as archive:
            return _read_archive(archive)
    log = table(read_json(path))
    return _foreign(path, log, objects(log.get("samples") or [], path, "inspect", "samples"))


def _read_archive(archive: Archive) -> ForeignRun:
    name = next((name for name in HEADERS if name in archive.names), None)
    if name is None:
        raise fault("unknown", archive.path, known="header.json")
    names = [name for name in archive.names if name.startswith("samples/") and name.endswith(".json")]
    return _foreign(archive.path, table(archive.json(name)), (table(archive.json(name)) for name in names))


def _foreign(path: Path, log: dict[str, JSON], samples: Iterable[dict[str, JSON]]) -> ForeignRun:
    about = table(log.get("eval"))
    if not about:
        raise fault("shape", path, tool="inspect", field="eval")
    names = table(about.get("dataset")).get("sample_ids")
    order = {text(name): at for at, name in enumerate(names if isinstance(names, list) else [])}
    headline = _headline(log, about)
    found: dict[tuple[str, int], Record] = {}
    for sample in samples:
        record = _record(sample, note(about.get("model")) or "inspect", headline)
        if (record.key, record.repeat) in found:
            raise fault("duplicate", path, id=record.key, repeat=record.repeat + 1)
        found[record.key, record.repeat] = record
    if not found:
        raise fault("no_samples", path)
    records = sorted(found.values(), key=lambda record: (order.get(record.key, len(order)), record.repeat))
    results = table(log.get("results"))
    return ForeignRun(
        tool="inspect",
        version=note(table(about.get("packages")).get("inspect_ai")),
        records=records,
        means=dict(_means(results)),
        expected=_expected(about, results),
        created=note(about.get("created")),
    )


def _headline(log: dict[str, JSON], about: dict[str, JSON]) -> str:
    """Name the log's main scorer: its headline, or the first one."""
    chosen = table(table(log.get("results")).get("headline")).get("scorer")
    scorers = rows(about.get("scorers")) or rows(table(log.get("results")).get("scores"))
    return text(chosen) or next((text(one.get("name")) for one in scorers), "")


def _expected(about: dict[str, JSON], results: dict[str, JSON]) -> int | None:
    total = number(results.get("total_samples"))
    if total is None:
        epochs = number(table(about.get("config")).get("epochs")) or 1
        samples = number(table(about.get("dataset")).get("samples"))
        total = None if samples is None else samples * epochs
    return int(total) if total is not None and 0 <= total < 1e12 else None


def _record(sample: dict[str, JSON], model: str, headline: str) -> Record:
    attached, output = table(sample.get("attachments")), table(sample.get("output"))
    said = _said(sample, headline)
    epoch = number(sample.get("epoch"))
    problem = sample.get("error")
    answer = _completion(output)
    used = next(iter(table(sample.get("model_usage")).values()), output.get("usage"))
    return Record(
        key=text(sample.get("id")),
        source_id=text(sample.get("id")),
        question=_whole(_input(sample.get("input")), attached),
        references=texts(sample.get("target")),
        model=model,
        repeat=max(0, int(epoch) - 1) if epoch is not None and epoch < 1e6 else 0,
        answer=Answer(
            text=_whole(answer, attached),
            usage=usage(used, _TOKENS),
            latency_ms=milliseconds(sample.get("working_time", sample.get("total_time")), 1000),
            finish_reason=next((text(choice.get("stop_reason")) for choice in rows(output.get("choices"))), None),
            failure=failed(table(problem).get("message") or problem) if problem else None,
        ),
        said=said,
        extra={"metadata": sample["metadata"]} if sample.get("metadata") else {},
    )


def _input(value: JSON) -> str:
    """Read what was asked: a text, or the last message of the user."""
    turns = rows(value)
    asked = [turn for turn in turns if turn.get("role") == "user"] or turns
    return text(asked[-1].get("content")) if asked else text(value)


def _completion(output: dict[str, JSON]) -> str:
    if isinstance(output.get("completion"), str):
        return text(output["completion"])
    return next((text(table(choice.get("message")).get("content")) for choice in rows(output.get("choices"))), "")


def _whole(value: str, attached: dict[str, JSON]) -> str:
    """Restore a long text that the log stores separately."""
    return text(attached.get(value.removeprefix(_ATTACHED))) if value.startswith(_ATTACHED) else value


def _said(sample: dict[str, JSON], headline: str) -> ToolScores:
    scores: dict[str, float | bool | None] = {}
    notes: dict[str, str] = {}
    for name, score in table(sample.get("scores")).items():
        value = table(score).get("value")
        parts = {f"{name}/{key}": one for key, one in value.items()} if isinstance(value, dict) else {name: value}
        for part, one in parts.items():
            scores[part] = _value(one)
            if scores[part] is None:
                notes[part] = note(one) or "no value"
        if explained := note(table(score).get("explanation")):
            notes.setdefault(name, explained)
    own = scores.get(headline)
    return ToolScores(scores=scores, score=float(own) if own is not None and 0 <= own <= 1 else None, notes=notes)


def _value(value: JSON) -> float | bool | None:
    return _LETTERS[value] if isinstance(value, str) and value in _LETTERS else number(value)


def _means(results: dict[str, JSON]) -> Iterator[tuple[str, str]]:
    for one in rows(results.get("scores")):
        name, n, out = note(one.get("name")), one.get("scored_samples"), one.get("unscored_samples")
        for metric, found in table(one.get("metrics")).items():
            value = number(table(found).get("value"))
            of = f" (of {n}, {out} unscored)" if n is not None else ""
            yield f"{name}/{metric}", f"{'–' if value is None else f'{value:.4g}'}{of}"
