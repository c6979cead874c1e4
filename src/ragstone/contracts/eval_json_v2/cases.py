"""A JSON array (or a file of rows) of questions into cases, and every fault with the line or JSON pointer to it."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec

from ragstone.contracts.eval_json_v2.gold import Expected, Wanted
from ragstone.contracts.eval_json_v2.terms import LABELS, LISTS
from ragstone.core.errors import DatasetError
from ragstone.core.types import JSON, Case, Finding, Position
from ragstone.datasets.fields.slips import slips
from ragstone.datasets.formats import SUFFIXES
from ragstone.datasets.rows import read_rows, type_name

GROUPS = ("type", "category", "difficulty", "tags")
_KNOWN = ("id", "question", "expected")
_EXAMPLE = (*LABELS, *LISTS, "original_evidence", "source_map")
_OLDER = ("must_include", "keywords")


class Overview(NamedTuple):
    """The forms a file's rows have (v2, older), and the labels an answer may choose from, sorted."""

    forms: frozenset[str]
    audiences: tuple[str, ...]
    topics: tuple[str, ...]


class QuestionSet:
    """One file of questions, streamed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)
        self.by_rows = path.name.lower().endswith(SUFFIXES)

    def load(self) -> Iterator[Case | Finding]:
        """Stream the cases in file order."""
        for row in read_rows(self.path):
            if isinstance(row, Finding):
                yield row
            elif self.by_rows or row.position.pointer or row.position.line:
                reader = _Reader(self.name, f"Q{row.number}", row.position.line)
                case = _read_row(reader, row.value, row.position.pointer or "")
                yield from _found(reader, case)
            else:
                params: dict[str, JSON] = {"found": type_name(row.value)}
                yield Finding(level="error", code="file.not_array", position=Position(self.name), params=params)

    @cached_property
    def overview(self) -> "Overview":
        """What is needed of all rows before the first is asked; faults are told when the rows are loaded."""
        forms, audiences, topics = set(), set(), set()
        try:
            for row in read_rows(self.path):
                example = _Example() if isinstance(row, Finding) else _example_of(row.value)
                forms.add("older" if example is None else "v2")
                audiences.add(example.target_audience if example else "")
                topics.add(example.main_topic if example else "")
        except DatasetError:
            pass
        return Overview(frozenset(forms), _labels(audiences), _labels(topics))


class _Reader:
    """Reads values out of one row and gathers everything that is wrong with them."""

    def __init__(self, file: str, case_id: str, line: int | None = None) -> None:
        self.file = file
        self.case_id = case_id
        self.line = line
        self.findings: list[Finding] = []
        self.warnings: list[Finding] = []

    def text(self, holder: dict[str, JSON], field: str, at: str) -> str:
        value = self._take(holder, field, at, str, "a string")
        return value if isinstance(value, str) else ""

    def items(self, holder: dict[str, JSON], field: str, at: str, *, required: bool = True) -> list[JSON]:
        value = self._take(holder, field, at, list, "an array", required=required)
        return value if isinstance(value, list) else []

    def texts(self, holder: dict[str, JSON], field: str, at: str, *, required: bool = True) -> tuple[str, ...]:
        value = self.items(holder, field, at, required=required)
        for place, item in enumerate(value):
            self.expect(item, str, "a string", f"{at}/{field}/{place}")
        return tuple(item for item in value if isinstance(item, str))

    def object(self, holder: dict[str, JSON], field: str, at: str) -> dict[str, JSON] | None:
        value = self._take(holder, field, at, dict, "an object")
        return value if isinstance(value, dict) else None

    def expect(self, value: JSON, kind: type, name: str, pointer: str) -> bool:
        """Note a value of a wrong type."""
        if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
            return True
        params = {"field": pointer, "problem": "wrong type", "expected": name, "found": type_name(value)}
        self._add("row.field", pointer, params)
        return False

    def missing(self, pointer: str, name: str) -> None:
        """Note a value that should be there."""
        self._add("row.missing", pointer, {"field": pointer, "expected": name})

    def _take(
        self, holder: dict[str, JSON], field: str, at: str, kind: type, name: str, *, required: bool = True
    ) -> JSON:
        pointer = f"{at}/{field}"
        if field in holder:
            return holder[field] if self.expect(holder[field], kind, name, pointer) else None
        if required:
            self.missing(pointer, name)
        return None

    def slips(self, holder: JSON, known: Sequence[str], at: str) -> None:
        """Note the keys of an object that are nearly known ones."""
        for slip in slips(holder, known, at) if isinstance(holder, dict) else ():
            self.warnings.append(slip.at(Position(self.file, self.line, slip.pointer), self.case_id))

    def _add(self, code: str, pointer: str, params: dict[str, JSON]) -> None:
        where = Position(self.file, self.line, pointer)
        self.findings.append(Finding(level="error", code=code, position=where, case_id=self.case_id, params=params))


def _found(reader: _Reader, case: Case | None) -> Iterator[Case | Finding]:
    """Yield all that was found about a row, and its case if it is sound."""
    yield from (*reader.findings, *reader.warnings)
    if case is not None and not reader.findings:
        yield case


def _read_row(reader: _Reader, row: JSON, at: str) -> Case | None:
    if not reader.expect(row, dict, "an object", at):
        return None
    reader.case_id = _case_id(reader, row, at)
    question = reader.text(row, "question", at)
    if not question.strip() and isinstance(row.get("question"), str):
        reader.missing(f"{at}/question", "a question that is not blank")
    expected = reader.object(row, "expected", at)
    reader.slips(row, (*_KNOWN, *GROUPS), at)
    reader.slips(expected, ("answer_example", "source_map", *_OLDER), f"{at}/expected")
    gold = _gold(reader, expected, f"{at}/expected") if expected is not None else None
    if gold is None:
        return None
    extra = {name: value for name, value in row.items() if name not in _KNOWN}
    return Case(
        id=reader.case_id,
        question=question,
        gold=gold,
        groups=_groups(gold, extra),
        position=Position(reader.file, reader.line, at or None),
        extra=extra,
    )


def _case_id(reader: _Reader, row: dict[str, JSON], at: str) -> str:
    given = row.get("id")
    if given is None:
        return reader.case_id
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given)
    reader.expect(given, str, "a string or a whole number", f"{at}/id")
    return given if isinstance(given, str) and given else reader.case_id


def _gold(reader: _Reader, expected: dict[str, JSON], at: str) -> Expected | Wanted | None:
    if "answer_example" in expected:
        return _expected(reader, expected, at)
    if any(name in expected for name in _OLDER):
        return Wanted(*(reader.texts(expected, name, at, required=False) for name in _OLDER))
    reader.missing(f"{at}/answer_example", "an object (ExpectedV2), or must_include / keywords beside it")
    return None


def _expected(reader: _Reader, expected: dict[str, JSON], at: str) -> Expected | None:
    example = reader.object(expected, "answer_example", at)
    if example is None:
        return None
    here = f"{at}/answer_example"
    reader.slips(example, _EXAMPLE, here)
    labels = {name: reader.text(example, name, here) for name in LABELS}
    lists = {name: reader.texts(example, name, here) for name in LISTS}
    evidence = reader.text(example, "original_evidence", here)
    # Some sets keep the sources among the other fields of the example.
    beside = (expected, at) if "source_map" in expected or "source_map" not in example else (example, here)
    source_map = reader.items(beside[0], "source_map", beside[1])
    for place, entry in enumerate(source_map):
        _check_entry(reader, entry, f"{beside[1]}/source_map/{place}")
    return Expected(
        target_audience=labels["target_audience"],
        main_topic=labels["main_topic"],
        sub_topic=labels["sub_topic"],
        detailed_description=lists["detailed_description"],
        original_evidence=evidence,
        predicted_questions=lists["predicted_questions"],
        source_map=tuple(source_map),
    )


def _check_entry(reader: _Reader, entry: JSON, at: str) -> None:
    if not reader.expect(entry, dict, "an object with refs", at):
        return
    reader.slips(entry, ("part", "refs"), at)
    for place, ref in enumerate(reader.items(entry, "refs", at)):
        here = f"{at}/refs/{place}"
        if reader.expect(ref, dict, "an object with file and anchors", here):
            reader.slips(ref, ("file", "page", "anchors"), here)
            reader.text(ref, "file", here)
            reader.texts(ref, "anchors", here)
            if ref.get("page") is not None:
                reader.expect(ref["page"], int, "a whole number", f"{here}/page")


def _groups(gold: Expected | Wanted, extra: dict[str, JSON]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    if isinstance(gold, Expected):
        named = {name: getattr(gold, name) for name in ("target_audience", "main_topic")}
        found = {name: (value,) for name, value in named.items() if value.strip()}
    for name in GROUPS:
        value = extra.get(name)
        values: Sequence[JSON] = value if isinstance(value, list) else [value]
        if names := tuple(item for item in values if isinstance(item, str) and item):
            found[name] = names
    return found


class _Example(msgspec.Struct):
    target_audience: str = ""
    main_topic: str = ""


class _Expectation(msgspec.Struct):
    answer_example: _Example | None = None


class _Head(msgspec.Struct):
    expected: _Expectation = msgspec.field(default_factory=_Expectation)


def _example_of(row: JSON) -> _Example | None:
    try:
        return msgspec.convert(row, _Head).expected.answer_example
    except msgspec.ValidationError:
        return _Example()


def _labels(found: set[JSON]) -> tuple[str, ...]:
    return tuple(sorted(label for label in found if isinstance(label, str) and label.strip()))
