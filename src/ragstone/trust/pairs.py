"""Pairs the rows of two stored runs by the case's id, or by its question where ids are mere places in a file.

Rows are read in step; only where the order differs is an index of the second run made (on disk when it is large).
A case that was asked more often in one run than in the other is paired whole: all its answers with all its answers.
"""

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ragstone.core.errors import RunError
from ragstone.core.types import Result
from ragstone.datasets.key_index import KeyTable
from ragstone.runs.reopen import model_names
from ragstone.runs.store.codec import decoder, read_plain
from ragstone.runs.store.folder import RunFolder, read_row
from ragstone.text.fold import key as writing

_RESULT = decoder(Result)
_PLACE = re.compile(r"Q[1-9][0-9]*")
"""How cases without an id of their own are named: by their place in the file."""


class Pair(NamedTuple):
    """One case in both runs; rows of one answer each, or of all answers to it."""

    firsts: Sequence[Result]
    seconds: Sequence[Result]

    @property
    def first(self) -> Result:
        """The row of the first run that shows best what changed."""
        return _telling_row(self.firsts, self._turn() < 0)

    @property
    def second(self) -> Result:
        """The row of the second run that shows best what changed."""
        return _telling_row(self.seconds, self._turn() > 0)

    def _turn(self) -> float:
        return _share(self.seconds) - _share(self.firsts) if len(self.firsts) + len(self.seconds) > 2 else 0.0


def _share(rows: Sequence[Result]) -> float:
    return sum(row.scorecard.passed for row in rows) / len(rows)


def _telling_row(rows: Sequence[Result], passed: bool) -> Result:
    return rows[0] if len(rows) == 1 else next((row for row in rows if row.scorecard.passed == passed), rows[0])


class Pairs:
    """Streams the cases two runs have in common, and counts the others."""

    def __init__(self, first: RunFolder, second: RunFolder) -> None:
        self._paths = first.path / "results.jsonl", second.path / "results.jsonl"
        self._names = _matched(model_names(first), model_names(second))
        self.repeats = _repeats(first), _repeats(second)
        # A prompt that shows other fields may change what stands for the question of a case that has its own id.
        self._strict = first.meta().get("prompt_sha256") == second.meta().get("prompt_sha256")
        self.only_first = self.only_second = self.paired = self.other_questions = 0

    @property
    def models(self) -> tuple[str, ...]:
        """How the paired models are called."""
        return tuple(label(first, second) for first, second in self._names.items())

    @property
    def whole(self) -> bool:
        """Whether cases are paired with all their answers: they were asked more often in one run than in the other."""
        return self.repeats[0] != self.repeats[1]

    def __iter__(self) -> Iterator[Pair]:
        with closing(_rows(self._paths[0], self.whole)) as mine, closing(_rows(self._paths[1], self.whole)) as yours:
            for row in mine:
                other = next(yours, None)
                if other is None or not self._in_step(row.rows[0], other.rows[0]):
                    yield from self._indexed(chain([row], mine), chain([other] if other else [], yours))
                    return
                if self._same_question(row.rows[0], other.rows[0]):
                    yield self._pair(row, other)
                else:
                    self._part(1)
            self.only_second += sum(1 for _ in yours)

    def _in_step(self, mine: Result, yours: Result) -> bool:
        """Return whether two rows are of one case and one answer."""
        if self._model(mine) != yours.model_step or (mine.repeat != yours.repeat and not self.whole):
            return False
        if mine.sample_id == yours.sample_id and mine.question == yours.question:
            return True
        if is_place(mine) and is_place(yours):
            return _same(mine.question, yours.question)
        return mine.sample_id == yours.sample_id

    def _same_question(self, mine: Result, yours: Result) -> bool:
        return not self._strict or _same(mine.question, yours.question)

    def _pair(self, mine: "_Row", yours: "_Row") -> Pair:
        self.paired += 1
        return Pair(mine.rows, yours.rows)

    def _part(self, theirs: int) -> None:
        """Count a case that has the same id in both runs and another question."""
        self.other_questions += 1
        self.only_first += 1
        self.only_second += theirs

    def _indexed(self, mine: Iterator["_Row"], yours: Iterator["_Row"]) -> Iterator[Pair]:
        """Pair the rest by looking each row up."""
        with closing(_Index(self.whole)) as index, read_plain(self._paths[1]) as file:
            for late in yours:
                index.add(late)
            left = index.size
            for row in mine:
                offset = index.find(row.rows[0], self._model(row.rows[0]))
                if offset is None:
                    self.only_first += 1
                    continue
                other = _row_at(file, offset, self.whole)
                if self._same_question(row.rows[0], other.rows[0]):
                    left -= 1
                    yield self._pair(row, other)
                else:
                    self._part(0)
            self.only_second += left

    def _model(self, row: Result) -> str:
        """Name the model of the second run that a row of the first is compared with."""
        return self._names.get(row.model_step, row.model_step)


def is_place(row: Result) -> bool:
    """Return whether a row's id is its place in the file, so that its question identifies it."""
    return bool(row.question) and _PLACE.fullmatch(row.sample_id) is not None


def _same(one: str, other: str) -> bool:
    return one == other or writing(one) == writing(other)


class _Row(NamedTuple):
    offset: int
    rows: Sequence[Result]


class _Index:
    """Where each row of a run stands; equal questions without ids of their own are distinguished by their order."""

    def __init__(self, whole: bool) -> None:
        self._offsets, self._counts = KeyTable(), (KeyTable(), KeyTable())
        self._whole = whole
        self.size = 0

    def add(self, row: _Row) -> None:
        self.size += 1
        self._offsets.add(self._key(row.rows[0], row.rows[0].model_step, 1), row.offset)

    def find(self, row: Result, model: str) -> int | None:
        """Return where the counterpart of a row of the other run begins; each row is looked for once, in order."""
        return self._offsets.find(self._key(row, model, 0))

    def _key(self, row: Result, model: str, side: int) -> str:
        repeat = 0 if self._whole else row.repeat
        if not is_place(row):
            return f"id\0{row.sample_id}\0{repeat}\0{model}"
        plain = f"q\0{writing(row.question)}\0{repeat}\0{model}"
        return f"{plain}\0{self._counts[side].count(plain)}"

    def close(self) -> None:
        for table in (self._offsets, *self._counts):
            table.close()


def _rows(path: Path, whole: bool) -> Generator[_Row, None, None]:
    """Stream the rows of a run with the place each begins at; `whole` takes all answers to a case together."""
    waiting: list[Result] = []
    begin = offset = 0
    try:
        with read_plain(path) as file:
            for number, line in enumerate(file, start=1):
                if line.endswith(b"\n"):
                    result = read_row(path, number, line)
                    if waiting and not (whole and _is_next(waiting[0], result)):
                        yield _Row(begin, waiting)
                        waiting = []
                    begin = begin if waiting else offset
                    waiting.append(result)
                offset += len(line)
    except OSError as error:
        raise RunError("run.not_a_run", run=str(path.parent), file=path.name) from error
    if waiting:
        yield _Row(begin, waiting)


def _row_at(file: BinaryIO, offset: int, whole: bool) -> _Row:
    file.seek(offset)
    rows: list[Result] = [_RESULT(file.readline())]
    while whole and (line := file.readline()).endswith(b"\n"):
        if not _is_next(rows[0], result := _RESULT(line)):
            break
        rows.append(result)
    return _Row(offset, rows)


def _is_next(first: Result, row: Result) -> bool:
    return row.sample_id == first.sample_id and row.model_step == first.model_step


def _repeats(folder: RunFolder) -> int:
    return int(folder.read("config.json").get("repeats") or 1)


def _matched(first: Sequence[str], second: Sequence[str]) -> Mapping[str, str]:
    """Return which model of the second run each of the first is compared with: the same, or the only one."""
    if len(first) == len(second) == 1:
        return {first[0]: second[0]}
    return {model: model for model in first if model in second}


def label(first: str, second: str) -> str:
    """Name a pair of models."""
    return first if first == second else f"{first} → {second}"
