"""Checks a dataset before anything is spent on it: its contract, the number of cases, and their faults."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

from ragstone.core.errors import DatasetError, SettingError
from ragstone.core.files.ragstone_files import is_ragstone_file, is_run
from ragstone.core.interfaces import Contract, ContractType, Source
from ragstone.core.language import Lang
from ragstone.core.registry import candidates, contract_names, contract_type, recogniser
from ragstone.core.rubric import OPTION as RUBRIC
from ragstone.core.rubric import with_rubric
from ragstone.core.types import JSON, Case, Finding, Position
from ragstone.datasets.columns import Columns, column_names, find_columns, read_map, require_columns
from ragstone.datasets.faults import BOM, Broken, unreadable
from ragstone.datasets.key_index import IN_MEMORY, KeyTable
from ragstone.datasets.rows import Row, read_rows, type_name
from ragstone.datasets.syntax.repeated_keys import repeated_keys
from ragstone.text.fold import fold, squeeze
from ragstone.text.nearest import nearest

MOST_FINDINGS = 1000
"""Findings kept of one dataset; the rest is counted."""
MOST_ERRORS = 100_000
"""Faults after which a dataset is read no further: millions of rows that are none tell nothing new."""
MOST_READ = 10_000
"""Questions whose writing says which language a set is in."""
_HAN = re.compile("[\u4e00-\u9fff]+")
_YAML = {".yaml", ".yml"}
MOST_NAMES = 1000
"""Names of a folder that are compared with one that is not there."""
SMALL = 4 << 20
"""Bytes of a dataset whose cases are kept in memory."""


class Survey(Struct, frozen=True, kw_only=True):
    """What one pass over a dataset found."""

    cases: int
    distinct_questions: int
    findings: tuple[Finding, ...]
    errors: int
    warnings: int
    lang: Lang
    """The language most questions are written in."""
    unreviewed_drafts: int = 0
    """Drafted questions that are not accepted yet."""
    kept: tuple[Case, ...] | None = None
    """The cases themselves, when the dataset is small, so that it need not be read again."""


def open_contract(
    path: Path,
    *,
    name: str | None = None,
    documents: Path | None = None,
    options: dict[str, JSON] | None = None,
    usual: Mapping[str, JSON] | None = None,
) -> Contract:
    """Open a dataset with the contract that recognises it, or with the one named.

    `usual` are options that apply wherever a contract has them and they are not overridden.
    """
    if not path.exists():
        raise DatasetError("dataset.missing", file=str(path), near=_neighbour(path))
    if documents is not None and not documents.is_dir():
        raise DatasetError("documents.missing", folder=str(documents))
    if (named := (options or {}).get("map")) and path.is_file():
        require_columns(path, read_map(named))
    own = {name: value for name, value in (options or {}).items() if name != RUBRIC}
    source = Source(path=path, documents=documents, options=own, first=_first(path))
    kind = contract_type(name) if name else _recognised(source)
    if unknown := sorted(source.options.keys() - kind.options):
        known = ", ".join(sorted(kind.options)) or "–"
        raise SettingError(
            "option.unknown", contract=name or str(getattr(kind, "name", "")), names=unknown, known=known
        )
    contract = kind(structs.replace(source, options=with_usual(kind, own, usual or {})))
    return with_rubric(contract, (options or {})[RUBRIC]) if RUBRIC in (options or {}) else contract


def _neighbour(path: Path) -> str:
    """Return the file beside a missing one that was meant: nearly its name, or another ending."""
    try:
        names = tuple(sorted(one.name for one in islice(path.parent.iterdir(), MOST_NAMES)))
    except OSError:
        return ""
    same = [name for name in names if name.partition(".")[0] == path.stem]
    found = same[0] if len(same) == 1 else nearest(path.name, names)
    return str(path.with_name(found)) if found else ""


def with_usual(contract: object, options: Mapping[str, JSON], usual: Mapping[str, JSON]) -> dict[str, JSON]:
    """Add the usual options that a contract, or its class, has and that are not said otherwise."""
    known: frozenset[str] = getattr(contract, "options", frozenset())
    return {**{name: value for name, value in usual.items() if name in known}, **options}


def _recognised(source: Source) -> ContractType:
    """Find the contract a dataset belongs to; among several, one that understands the options given."""
    for understood in (True, False):
        for candidate in candidates():
            kind = recogniser(candidate)
            if (source.options.keys() <= kind.options) is understood and kind.recognises(source):
                return contract_type(candidate)
    row = source.first if source.first is not None else _row_of(source.path)
    fields = ", ".join(column_names(row)) if isinstance(row, dict) else type_name(row)
    named = isinstance(row, dict) and any(name.startswith("gt_") for name in row)
    answers = isinstance(row, dict) and {"id", "output"} <= row.keys()
    code = "dataset.rows_of_task" if named else "dataset.answers" if answers else "dataset.unrecognised"
    if named and "provenance" in row:
        code = "dataset.rows_of_draft"
    columns = find_columns(row) if isinstance(row, dict) else Columns()
    if code == "dataset.unrecognised" and (columns.question or columns.gold):
        code = "dataset.no_gold" if columns.question else "dataset.no_question"
    there = columns.question or columns.gold
    raise DatasetError(code, file=str(source.path), fields=fields, there=there, known=", ".join(contract_names()))


def _row_of(path: Path) -> JSON:
    """Return what a file that is one value begins with; a broken or empty one is refused, with the reason."""
    file = _file_of(path)
    if file.suffix.lower() not in _YAML:
        return _first_of(file, sound=True)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise DatasetError("dataset.unreadable", file=str(file), problem=error.strerror or str(error)) from error
    if not data.removeprefix(BOM).strip():
        raise DatasetError("dataset.empty", file=str(file))
    value = _yaml(data, str(file))
    if isinstance(value, Broken):
        raise DatasetError("dataset.faults", [value.at(str(file))], file=str(file))
    if value in ({}, [], None):
        raise DatasetError("dataset.empty", file=str(file))
    if faults := [item for item in read_rows(file) if isinstance(item, Finding) and item.level == "error"]:
        raise DatasetError("dataset.faults", faults, file=str(file))
    return value[0] if isinstance(value, list) else value


def _file_of(path: Path) -> Path:
    """Return the file to look at: the dataset itself, or the first one of a folder."""
    if not path.is_dir():
        return path
    for file in sorted([*path.glob("*.json"), *path.glob("*/*.json")]):
        if file.is_file() and not (is_ragstone_file(file) or is_run(file.parent)):
            return file
    raise DatasetError("dataset.no_file", file=str(path))


def _yaml(data: bytes, file: str) -> JSON | Broken:
    import yaml  # noqa: PLC0415 - most datasets need it not

    from ragstone.datasets.syntax.yaml_text import load_yaml, problem_of  # noqa: PLC0415

    try:
        return unreadable(data) or load_yaml(data.decode("utf-8-sig"))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise DatasetError("dataset.unreadable", file=file, problem=problem_of(error)) from error


def _first(path: Path) -> JSON:
    """Return the first row of a file of rows; of YAML, which may be anything, that of a table."""
    if path.is_dir() or path.suffix.lower() == ".json":
        return None
    if path.suffix.lower() in _YAML:
        return next((row.value for row in read_rows(path) if isinstance(row, Row)), None)
    return _first_of(path)


def _first_of(path: Path, *, sound: bool = False) -> JSON:
    """Return the first row; a dataset that has none, or is to be `sound`, is refused here, with all its faults."""
    findings, first = [], None
    for row in islice(read_rows(path), MOST_FINDINGS):
        if isinstance(row, Finding):
            findings.append(row)
        elif not sound:
            return row.value
        else:
            first = first or row.value
    if first and not findings:
        return first
    if findings:
        raise DatasetError("dataset.faults", findings, file=str(path))
    raise DatasetError("dataset.empty", file=str(path))


def load_cases(contract: Contract, most: int | None = None) -> Iterator[Case]:
    """Stream the cases of a dataset that was surveyed before."""
    return islice((item for item in contract.load() if isinstance(item, Case)), most)


def survey(
    contract: Contract,
    path: Path,
    *,
    most: int | None = None,
    thorough: bool = False,
    beside: Iterable[Finding] = (),
) -> Survey:
    """Walk through a dataset once; `thorough` also asks the contract about each case, and looks for duplicates.

    `beside` is what was found about a file that belongs with the dataset.
    """
    seen = _Seen(thorough, keep=path.is_file() and path.stat().st_size <= SMALL)
    for item in contract.load():
        if isinstance(item, Finding):
            seen.note(item)
            if seen.errors > MOST_ERRORS:
                break
        else:
            if most is not None and seen.cases >= most:
                break
            seen.case(item, contract)
    if thorough and seen.errors <= MOST_ERRORS:
        for finding in chain(repeated_keys(path), beside):
            seen.note(finding)
    if not seen.cases and not seen.errors:
        raise DatasetError("dataset.empty", file=str(path))
    return seen.survey(Position(str(path)))


def require_sound(found: Survey, contract: Contract, path: Path) -> None:
    """Refuse a dataset with faults, naming all of them."""
    faults = [finding for finding in found.findings if finding.level == "error"]
    if faults:
        raise DatasetError("dataset.faults", faults, contract.phrases, file=str(path))


class _Seen:
    """What a walk has seen so far."""

    def __init__(self, thorough: bool, *, keep: bool) -> None:
        self.thorough = thorough
        self.kept: list[Case] | None = [] if keep else None
        self.cases = self.errors = self.warnings = self.unreviewed = 0
        self.findings: list[Finding] = []
        self.ids = KeyTable()
        self.questions = KeyTable()
        self.names: list[str] = []
        """The ids of the first cases, by place."""
        self.distinct = 0
        self.langs: Counter[Lang] = Counter()

    def note(self, finding: Finding) -> None:
        self.errors += finding.level == "error"
        self.warnings += finding.level == "warning"
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(finding)

    def case(self, case: Case, contract: Contract) -> None:
        self.cases += 1
        self.unreviewed += isinstance(case.extra.get("provenance"), list) and case.extra.get("reviewed") is not True
        if self.kept is not None:
            self.kept.append(case)
        if self.cases <= MOST_READ:
            self.langs[writing(case.question)] += 1
        if self.ids.add(case.id, self.cases) is not None:
            self.note(_finding("error", "row.duplicate_id", case, {"id": case.id}))
        if self.thorough:
            self._look(case, contract)

    def _look(self, case: Case, contract: Contract) -> None:
        if len(self.names) < IN_MEMORY:
            self.names.append(case.id)
        first = self.questions.add(squeeze(case.question), self.cases)
        if first is None:
            self.distinct += 1
        else:
            named: dict[str, JSON] = {"number": first, "first": self._named(first)}
            self.note(_finding("warning", "row.duplicate_question", case, named))
        for finding in contract.check(case):
            self.note(finding)

    def _named(self, number: int) -> str:
        return self.names[number - 1] if number <= len(self.names) else f"#{number}"

    def survey(self, position: Position) -> Survey:
        self.ids.close()
        self.questions.close()
        distinct = self.distinct if self.thorough else self.cases
        if distinct < self.cases:
            params = {"rows": self.cases, "distinct": distinct}
            self.note(Finding(level="warning", code="check.duplicates", position=position, params=params))
        return Survey(
            cases=self.cases,
            distinct_questions=distinct,
            findings=tuple(self.findings),
            errors=self.errors,
            warnings=self.warnings,
            lang=_spoken(self.langs),
            unreviewed_drafts=self.unreviewed,
            kept=None if self.kept is None else tuple(self.kept),
        )


def _finding(level: Literal["error", "warning"], code: str, case: Case, params: dict[str, JSON]) -> Finding:
    return Finding(level=level, code=code, position=case.position, case_id=case.id, params=params)


def _spoken(langs: Counter[Lang]) -> Lang:
    """Return the language of a set: Chinese where half of it is, Traditional where most of that is."""
    chinese = langs["zh-Hans"] + langs["zh-Hant"]
    if not chinese or chinese * 2 < langs.total():
        return "en"
    return "zh-Hant" if langs["zh-Hant"] * 2 > chinese else "zh-Hans"


def writing(text: str) -> Lang:
    """Return the language of a text: Han characters make it Chinese, some of them Traditional."""
    han = "".join(_HAN.findall(text))
    if not han:
        return "en"
    pairs = zip(han, fold(han), strict=True)
    return "zh-Hant" if any(char != folded and not _simplified(char) for char, folded in pairs) else "zh-Hans"


def _simplified(char: str) -> bool:
    """Return whether a character is Simplified Chinese though it folds to another: 坏, 账, 划 and some more."""
    try:
        return bool(char.encode("gb2312"))
    except UnicodeEncodeError:
        return False
