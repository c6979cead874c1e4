"""Ragas: the table of `result.to_pandas()` as CSV, JSON lines or a JSON array of records.

The file names no model, no version and no means; every column that is no input and holds numbers is a metric.
"""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from ragstone.bridges.files import Line, fault, read_csv, read_json, read_lines
from ragstone.bridges.records import ForeignRun, Record, ToolScores, contexts, number, rows, text, texts
from ragstone.core.types import JSON, Answer

QUESTION = ("user_input", "question")
ANSWER = ("response", "answer")
CONTEXTS = ("retrieved_contexts", "contexts")
REFERENCE = ("reference", "ground_truth", "ground_truths")
INPUTS = frozenset(
    {
        *QUESTION,
        *ANSWER,
        *CONTEXTS,
        *REFERENCE,
        "reference_contexts",
        "retrieved_context_ids",
        "reference_context_ids",
        "multi_responses",
        "rubrics",
        "reference_topics",
        "reference_tool_calls",
        "persona_name",
        "query_style",
        "query_length",
        "synthesizer_name",
        "id",
        "index",
        "Unnamed: 0",
        "",
    }
)
MOST_LITERAL = 1 << 20
_BLANK = frozenset({"", "nan", "none", "null"})


def recognises(first: JSON) -> bool:
    """Return whether a row has a question and an answer under Ragas's names, or a conversation."""
    if not isinstance(first, dict) or (asked := _first(QUESTION, first)) is None:
        return False
    return _first(ANSWER, first) is not None or bool(_turns(first[asked]))


def read(path: Path) -> ForeignRun:
    """Read a table of results: once to learn its metrics, once for its rows."""
    metrics = _metrics(path)
    if not metrics:
        raise fault("no_scores", path, tool="ragas")
    return ForeignRun(tool="ragas", records=[_record(at, line.value, metrics) for at, line in enumerate(_lines(path))])


def _lines(path: Path) -> Iterator[Line]:
    if path.suffix.lower() == ".csv":
        return read_csv(path)
    if path.suffix.lower() == ".json":
        return (Line(at, row) for at, row in enumerate(rows(read_json(path)), start=1))
    return read_lines(path)


def _first(names: Iterable[str], row: dict[str, JSON]) -> str | None:
    return next((name for name in names if name in row), None)


def _metrics(path: Path) -> list[str]:
    """Find the columns that are numbers wherever they are anything; refuse rows that are no result."""
    found: dict[str, bool] = {}
    for line in _lines(path):
        if not recognises(line.value):
            raise fault("field", path, where=f"line {line.number}", field="user_input, response", tool="ragas")
        for name, value in line.value.items():
            if name not in INPUTS:
                found[name] = found.get(name, True) and _is_score(value)
    return [name for name, scored in found.items() if scored]


def _is_score(value: JSON) -> bool:
    if value is None or (isinstance(value, str) and value.strip().lower() in _BLANK):
        return True
    return isinstance(value, int | float) or (isinstance(value, str) and _is_number(value))


def _is_number(word: str) -> bool:
    """Return whether a cell is written as a number, be it one that counts or not."""
    try:
        float(word)
    except ValueError:
        return False
    return True


def _record(at: int, row: dict[str, JSON], metrics: list[str]) -> Record:
    given = {name: row.get(found) for name, found in _columns(row)}
    own = row.get("id")
    return Record(
        key=str(at),
        source_id=text(own) if own is not None else "",
        question=_speech(given.get("question"), "human"),
        references=texts(_literal(given.get("reference"))),
        answer=Answer(
            text=_speech(given.get("answer", given.get("question")), "ai"),
            contexts=contexts(_literal(given.get("contexts"))),
        ),
        said=ToolScores(scores={name: number(row.get(name)) for name in metrics}),
        extra={name: row[name] for name in row if name not in INPUTS and name not in metrics},
    )


def _columns(row: dict[str, JSON]) -> Iterator[tuple[str, str]]:
    named = {"question": QUESTION, "answer": ANSWER, "contexts": CONTEXTS, "reference": REFERENCE}
    for name, names in named.items():
        if found := _first(names, row):
            yield name, found


def _literal(value: JSON) -> JSON:
    """Read a list that CSV holds the way Python prints it; any other text stays as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith("[") or len(value) > MOST_LITERAL:
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return value


def _turns(value: JSON) -> list[dict[str, JSON]]:
    """Return the messages of a conversation; a text that only looks like a list is none."""
    found = _literal(value)
    turns = rows(found)
    return turns if turns and len(turns) == len(found) and all("content" in turn for turn in turns) else []


def _speech(value: JSON, kind: str) -> str:
    """Read a text, or the last turn of its kind where a conversation stands."""
    turns = _turns(value)
    said = [turn for turn in turns if turn.get("type") == kind]
    return text(said[-1].get("content")) if said else "" if turns else text(value)
