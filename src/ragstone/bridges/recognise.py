"""Which tool a file comes from, by its content; and its reader."""

from collections.abc import Callable
from pathlib import Path

from msgspec import structs

from ragstone.bridges import deepeval, evalscope, inspect_log, promptfoo, ragas
from ragstone.bridges.files import ZIP, fault, open_bytes, read_csv, read_json, read_lines
from ragstone.bridges.records import TOOLS, ForeignRun, Tool
from ragstone.core.types import JSON

_READERS: dict[Tool, Callable[[Path], ForeignRun]] = {
    "ragas": ragas.read,
    "deepeval": deepeval.read,
    "promptfoo": promptfoo.read,
    "inspect": inspect_log.read,
    "evalscope": evalscope.read,
}
_TESTS: tuple[tuple[Tool, Callable[[JSON], bool]], ...] = (
    ("deepeval", deepeval.recognises),
    ("promptfoo", promptfoo.recognises),
    ("inspect", inspect_log.recognises),
)


def read_foreign(path: Path, tool: Tool | None = None, only: str | None = None) -> ForeignRun:
    """Read a file or folder as what it is, or as what it is said to be; `only` picks the answers of one model."""
    if not path.exists():
        raise fault("missing", path)
    try:
        found = _READERS[tool or recognise(path)](path)
    except RecursionError as error:
        raise fault("json", path, where="-", problem="nested too deeply") from error
    if not found.records:
        raise fault("no_samples", path)
    return _only(found, only, path) if only else found


def _only(found: ForeignRun, model: str, path: Path) -> ForeignRun:
    """Keep one model's answers, and the figures that are not another's."""
    names = list(dict.fromkeys(record.model or found.tool for record in found.records))
    if model not in names:
        raise fault("model", path, name=model, known=", ".join(names))
    records = [record for record in found.records if (record.model or found.tool) == model]
    expected = found.expected if len(names) == 1 else None
    return structs.replace(found, records=records, models=(model,), expected=expected)


def recognise(path: Path) -> Tool:
    """Return which tool made a file or folder."""
    if path.is_dir():
        return _sure("evalscope" if evalscope.home(path) else None, path)
    with open_bytes(path) as file:
        if file.read(len(ZIP)) == ZIP:
            return "inspect"
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return _sure(_ragas(next(iter(read_csv(path)), None)), path)
    if suffix in {".jsonl", ".ndjson"}:
        if evalscope.home(path) and path.parent.parent.name in {"reviews", "predictions"}:
            return "evalscope"
        return _sure(_ragas(next(iter(read_lines(path)), None)), path)
    return _of_json(path)


def _of_json(path: Path) -> Tool:
    value = read_json(path)
    for tool, recognises in _TESTS:
        if recognises(value):
            return tool
    return _sure("ragas" if isinstance(value, list) and value and ragas.recognises(value[0]) else None, path)


def _ragas(line: object) -> Tool | None:
    return "ragas" if line is not None and ragas.recognises(getattr(line, "value", None)) else None


def _sure(tool: Tool | None, path: Path) -> Tool:
    if tool is None:
        raise fault("unknown", path, known=", ".join(TOOLS))
    return tool
