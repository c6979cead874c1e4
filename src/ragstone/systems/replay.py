"""Recorded answers as a system: no call is made.

One JSON object a line (or a row of a CSV or Parquet file, plain or packed): {"id", "output": text or object,
"contexts"?, "citations"?, "usage"?, "latency_ms"?, "repeat"?, "error"?}, and what FACTS names.
Tables of other tools that hold questions and answers side by side are read too, by the names of their columns;
a row without an id belongs to the case that asks its question.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile

import msgspec

from ragstone.core.errors import DatasetError
from ragstone.core.files.random_access import BINARY, line_at
from ragstone.core.messages import message
from ragstone.core.types import JSON, Answer, Failure, Finding, Request, Result
from ragstone.datasets.columns import Columns, cell, read_map, recorded_columns, row_id
from ragstone.datasets.faults import HEAD, ByChance, by_chance
from ragstone.datasets.formats import form_of
from ragstone.datasets.key_index import KeyTable
from ragstone.datasets.rows import Row, decode_row, read_rows
from ragstone.systems.options import FactOptions, fields, refuse_unknown
from ragstone.systems.to_answer import from_parts

MOST_FAULTS = 1000
"""Faults of one recording that are named."""

NO_ANSWER = "answers.none"


class Replay:
    """Finds the recorded answer of each request by its id; the file stays on disk, only offsets are held."""

    makes_calls = False
    keeps_time = True
    """A look into a file is not interrupted."""

    def __init__(self, path: Path, columns: Mapping[str, str] | None = None) -> None:
        self._map = columns or {}
        self.model_id = path.stem.removesuffix(".jsonl").removesuffix(".csv")
        self.path = path
        self._offsets, self._asked = KeyTable(), KeyTable()
        self._rows = self._found = 0
        self._again: list[tuple[int, Row]] = []
        # What is packed cannot be read from its middle: its rows are laid out in a file that vanishes with us.
        self._spool = None if form_of(path).plain else TemporaryFile()  # noqa: SIM115 - it lives as long as we do
        findings = list(islice(self._learn(), MOST_FAULTS))
        if findings:
            if self._spool:
                self._spool.close()
            raise DatasetError("answers.faults", findings, file=str(path))
        if self._spool:
            self._spool.flush()
        self._file = os.dup(self._spool.fileno()) if self._spool else os.open(path, os.O_RDONLY | BINARY)

    def _learn(self) -> Iterator[Finding]:
        for row in read_rows(self.path):
            if isinstance(row, Finding):
                yield row
            elif fault := self._note(self._laid_out(row) if self._spool else row):
                yield fault

    def _laid_out(self, row: Row) -> Row:
        assert self._spool is not None
        offset = self._spool.tell()
        self._spool.write(_encoded(row.value) + b"\n")
        return row._replace(offset=offset)

    def _note(self, row: Row) -> Finding | None:
        columns = recorded_columns(row.value, self._map)
        case_id, asked = row_id(row, columns), _asked(row.value, columns)
        if not asked and not cell(row.value, columns.id):
            params = {"field": "id", "expected": "the id of a case"}
            return Finding(level="error", code="row.missing", position=row.position, params=params)
        if not columns.answer and "error" not in row.value:
            params = {"field": "output", "expected": "text or an object"}
            return Finding(level="error", code="row.missing", position=row.position, case_id=case_id, params=params)
        self._rows += 1
        if asked:
            first = self._asked.add(_key(asked, row.value.get("repeat", 0)), row.offset)
            if first is not None and len(self._again) < MOST_FAULTS:
                self._again.append((first, row))
        key = _key(case_id, row.value.get("repeat", 0))
        if self._offsets.add(key, row.offset) is not None:
            params = {"id": case_id}
            return Finding(
                level="error", code="row.duplicate_id", position=row.position, case_id=case_id, params=params
            )
        return None

    def contradictions(self) -> list[Finding]:
        """Name the rows without an id that answer a question again, and otherwise: nobody can tell which is meant."""
        return [
            Finding(
                level="error",
                code="answers.twice",
                position=row.position,
                params={"question": _asked(row.value, recorded_columns(row.value, self._map))},
            )
            for first, row in self._again
            if self._said(self._row(first)) != self._said(row.value)
        ]

    def _said(self, row: Mapping[str, JSON]) -> JSON:
        return cell(row, recorded_columns(row, self._map).answer)

    def by_chance(self) -> ByChance | None:
        """Return how GBK reads the file, when it is UTF-8 by chance."""
        if self._spool:
            return None
        with self.path.open("rb") as file:
            return by_chance(file.read(HEAD))

    def strays(self, results: Iterable[Result]) -> list[str]:
        """Name the recorded answers that are for no case of a finished run."""
        if self._found == self._rows:
            return []
        with closing(KeyTable()) as cases:
            for result in results:
                cases.add(result.sample_id, 0)
                cases.add(result.question.strip(), 0)
            rows = (row for row in read_rows(self.path) if isinstance(row, Row))
            named = ((row, recorded_columns(row.value, self._map)) for row in rows)
            names = [_asked(row.value, columns) or row_id(row, columns) for row, columns in named]
            return [name for name in names if cases.find(name) is None]

    def identity(self) -> Mapping[str, JSON]:
        """Name the recording."""
        return {"kind": "replay", "file": self.path.name}

    async def ask(self, request: Request) -> Answer:
        """Return what was recorded."""
        row = self._find(request)
        if row is None:
            params = {"file": self.path.name, "id": request.id}
            text = message(NO_ANSWER).say("en", params)
            return Answer(failure=Failure("no_answer", text, said=NO_ANSWER, params=params))
        columns = recorded_columns(row, self._map)
        contexts = cell(row, columns.contexts)
        return from_parts(cell(row, columns.answer), row if contexts is None else row | {"contexts": contexts})

    def _find(self, request: Request) -> dict[str, JSON] | None:
        """Find the row of a case by its id; one without an id of its own must ask the same question."""
        offset = self._offsets.find(_key(request.id, request.repeat))
        if offset is None and request.repeat:
            self._found -= 1  # the first answer stands for a further one, and was counted
            offset = self._offsets.find(request.id)
        row = None if offset is None else self._row(offset)
        wanted = request.question.strip()
        if row is not None and _asked(row, recorded_columns(row, self._map)) in ("", wanted):
            self._found += 1
            return row
        offset = self._asked.find(_key(wanted, request.repeat))
        if offset is None and request.repeat:
            offset = self._asked.find(wanted)
        return None if offset is None else self._row(offset)

    def _row(self, offset: int) -> dict[str, JSON]:
        row: dict[str, JSON] = decode_row(line_at(self._file, offset).removeprefix(b"\xef\xbb\xbf"))
        return row

    async def close(self) -> None:
        """Close the recording."""
        os.close(self._file)
        if self._spool:
            self._spool.close()
        self._offsets.close()
        self._asked.close()


def _asked(row: Mapping[str, JSON], columns: Columns) -> str:
    """Return the question by which a row without an id is found; nothing where it has an id, or no question."""
    question = cell(row, columns.question)
    return question.strip() if isinstance(question, str) and not cell(row, columns.id) else ""


def _encoded(value: JSON) -> bytes:
    try:
        return _ENCODE(value)
    except UnicodeEncodeError:
        # Half of a surrogate pair can only be written as an escape.
        return json.dumps(value).encode()


def _key(case_id: str, repeat: JSON) -> str:
    return f"{case_id}\n{repeat}" if repeat and repeat != "0" else case_id


def connect(argument: str, options: Mapping[str, JSON]) -> Replay:
    """Open a file of recorded answers; `map` names columns that are not recognised by their names."""
    refuse_unknown(options, ("map",), f"replay:{argument}", also=fields(FactOptions))
    path = Path(argument)
    if not path.exists():
        raise DatasetError("answers.missing", file=argument)
    return Replay(path, read_map(options.get("map") or {}))


_ENCODE = msgspec.json.Encoder().encode
