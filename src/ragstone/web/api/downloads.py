"""Downloads: the files of a run, and the table of its cases, made while it is sent."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import structs

from ragstone.core.errors import RunError
from ragstone.core.language import Lang
from ragstone.core.types import Result
from ragstone.runs.store.codec import is_plain
from ragstone.runs.store.folder import RunFolder
from ragstone.text.visible import csv_cell, visible_block
from ragstone.web.cases.index import Index
from ragstone.web.cases.query import MOST_ROWS, Query
from ragstone.web.cases.stored import Stored
from ragstone.web.errors import PageError, say_error

FILES = {
    "report.html": "text/html; charset=utf-8",
    "report.md": "text/markdown; charset=utf-8",
    "summary.csv": "text/csv; charset=utf-8",
    "summary.json": "application/json",
    "results.jsonl": "application/x-ndjson",
    "answers.jsonl": "application/x-ndjson",
    "config.json": "application/json",
    "run_meta.json": "application/json",
    "dataset_fingerprint.json": "application/json",
    "model_snapshot.json": "application/json",
    "gate.json": "application/json",
}
CASES = "cases.csv"
"""Made when asked for: one row a case."""
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""What report.html may do in a browser: show itself, with the styles it carries."""


def names(folder: Path) -> list[str]:
    """List the files a run has to give."""
    found = [name for name in FILES if is_plain(folder / name)]
    return [*found[:1], CASES, *found[1:]] if is_plain(folder / "results.jsonl") else found


def find_file(folder: Path, name: str) -> Path:
    """Find a file by its name, which must be one of those a run has."""
    path = folder / name
    if name not in FILES or not is_plain(path):
        raise PageError(404, "page.file", run=folder.name, name=name)
    return path


def cases_csv(stored: Stored, lang: Lang) -> Iterator[str]:
    """Yield the table of cases; no cell is a formula, and a row that cannot be read is the last and says so."""
    return _table(stored, enumerate(RunFolder(stored.folder).results(), start=1), lang)


def found_csv(stored: Stored, index: Index, query: Query, lang: Lang) -> Iterator[str]:
    """Yield the table of the cases a query finds, in its order."""
    return _table(stored, _found(index, query), lang)


def _found(index: Index, query: Query) -> Iterator[tuple[int, Result]]:
    after: str | None = ""
    while after is not None:
        page = index.page(structs.replace(query, after=after, limit=MOST_ROWS))
        yield from ((row.number, row.result) for row in page.rows)
        after = page.next


def _table(stored: Stored, rows: Iterable[tuple[int, Result]], lang: Lang) -> Iterator[str]:
    metrics = [spec.name for spec in stored.specs]
    heads = ["number", "id", "model", "repeat", "question", "answer", "pass", "score", *metrics, "errors", "why"]
    yield "\ufeff" + _line(heads)
    try:
        for number, result in rows:
            yield _line(_cells(number, stored.cover(result), metrics))
    except (RunError, PageError) as error:
        yield _line([csv_cell(say_error(error, lang))])


def _cells(number: int, result: Result, metrics: list[str]) -> list[object]:
    card = result.scorecard
    texts = (result.sample_id, result.model_step)
    scores = [card.sub_scores.get(name) for name in metrics]
    return [
        number,
        *map(csv_cell, texts),
        result.repeat,
        csv_cell(visible_block(result.question)),
        csv_cell(visible_block(result.output_text)),
        int(card.passed),
        card.primary_score,
        *("" if score is None else score for score in scores),
        csv_cell(" ".join(card.error_tags)),
        csv_cell(card.explain),
    ]


def _line(cells: Sequence[object]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(cells)
    return buffer.getvalue()
