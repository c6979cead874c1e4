"""Turns the answers of a foreign run into recorded answers for a dataset, matched by question."""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct, to_builtins

from ragstone.bridges.recognise import read_foreign
from ragstone.bridges.records import Record, Tool
from ragstone.core.errors import DatasetError
from ragstone.core.types import JSON
from ragstone.datasets.check import load_cases, open_contract
from ragstone.runs.store.codec import encode, write_whole
from ragstone.text.fold import squeeze


class Matched(Struct, frozen=True, kw_only=True):
    """What was found for a dataset."""

    tool: str
    answers: int
    cases: int
    """Cases of the dataset, with an answer or without."""
    answered: int
    unknown: tuple[str, ...]
    """Questions of the foreign run that the dataset does not have."""


def write_answers(
    path: Path,
    out: Path,
    dataset: Path,
    *,
    tool: Tool | None = None,
    only: str | None = None,
    contract: str | None = None,
    options: Mapping[str, JSON] | None = None,
) -> Matched:
    """Write the answers of one model as `ragstone score DATASET ANSWERS` takes them."""
    found = read_foreign(path, tool, only)
    models = sorted({record.model for record in found.records})
    if len(models) > 1:
        raise DatasetError("import.models", file=str(path), models=models)
    if out.exists():
        raise DatasetError("import.taken", file=str(out))
    ids, cases = _ids(dataset, contract, dict(options or {}))
    given: dict[str, str | None] = {}
    lines = []
    for record in found.records:
        if record.key not in given:
            waiting = ids.get(squeeze(record.question))
            given[record.key] = waiting.popleft() if waiting else None
        if (case_id := given[record.key]) is not None:
            lines.append(encode(dict(_line(case_id, record))) + b"\n")
    write_whole(out, b"".join(lines))
    unknown = {record.key: record.question for record in found.records if given[record.key] is None}
    answered = sum(1 for case_id in given.values() if case_id is not None)
    return Matched(tool=found.name, answers=len(lines), cases=cases, answered=answered, unknown=tuple(unknown.values()))


def _ids(dataset: Path, contract: str | None, options: dict[str, JSON]) -> tuple[dict[str, deque[str]], int]:
    """Map the questions of a dataset to their ids; a question asked twice has two."""
    found: defaultdict[str, deque[str]] = defaultdict(deque)
    cases = 0
    for case in load_cases(open_contract(dataset, name=contract, options=options)):
        found[squeeze(case.question)].append(case.id)
        cases += 1
    return dict(found), cases


def _line(case_id: str, record: Record) -> Iterator[tuple[str, JSON]]:
    answer = record.answer
    yield "id", case_id
    yield "output", answer.text
    if record.repeat:
        yield "repeat", record.repeat
    if answer.contexts:
        yield "contexts", to_builtins(answer.contexts)
    if answer.usage:
        yield "usage", to_builtins(answer.usage)
    if answer.latency_ms is not None:
        yield "latency_ms", answer.latency_ms
    if answer.failure:
        yield "error", answer.failure.message
