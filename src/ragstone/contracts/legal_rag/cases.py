"""Question files into cases: a file, or a folder of files; every fault of every file, with its JSON pointer."""

from collections.abc import Callable, Generator, Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import cast

from msgspec import Struct

from ragstone.contracts.legal_rag.recognise import TYPES, Type, question_files
from ragstone.contracts.legal_rag.schema import Fault, faults, known_fields, slips
from ragstone.core.errors import DatasetError
from ragstone.core.types import JSON, Case, Finding, Position
from ragstone.datasets.formats import open_bytes
from ragstone.datasets.rows import Row, read_rows, type_name
from ragstone.datasets.syntax.arrays import BrokenError, members
from ragstone.text.nearest import nearest

_GROUPED = ("category", "difficulty", "tags")
PASSING = 0.7
"""Score from which a question passes, unless its file says otherwise (R1.10)."""
RECALL_MIN = 0.8
"""Recall an evidence_set question asks for when it does not say: the value of the contract's example."""
PRECISION_MIN = 0.7
"""Precision likewise."""

FACT_FIELDS = (
    "amount_total",
    "amount_breakdown",
    "date",
    "date_range",
    "count",
    "text_answer",
    "boolean_answer",
    "entity",
)


class Evidence(Struct, frozen=True):
    """One piece of required evidence."""

    page: int
    text: str
    """must_include."""
    section: str | None = None
    speaker: str | None = None
    critical: bool = True


class Period(Struct, frozen=True):
    """A date_range."""

    start: date
    end: date


class Fact(Struct, frozen=True, kw_only=True):
    """What a fact_exact question expects; a field that is None is not asked for."""

    amount_total: Decimal | None = None
    amount_breakdown: tuple[Decimal, ...] | None = None
    date: "date | None" = None
    date_range: Period | None = None
    count: int | None = None
    text_answer: str | None = None
    boolean_answer: bool | None = None
    entity: str | None = None
    numeric_exact: bool = True
    date_exact: bool = True

    def asked(self) -> tuple[str, ...]:
        """Name the fields that are asked for."""
        return tuple(name for name in FACT_FIELDS if getattr(self, name) is not None)


class EvidenceSet(Struct, frozen=True, kw_only=True):
    """What an evidence_set question expects beside its evidence."""

    key_points: tuple[str, ...] = ()
    count_min: int = 0
    recall_min: float = RECALL_MIN
    precision_min: float = PRECISION_MIN


class Gap(Struct, frozen=True, kw_only=True):
    """What a conflict_gap question expects."""

    should_abstain: bool = True
    penalty: str | None = None
    quotes: tuple[str, ...] = ()
    """The quotes of which one must be there: required_quote alone, or else the additional ones."""
    other_quotes: tuple[str, ...] = ()
    page: int | None = None
    lines: str | None = None
    check: str | None = None
    stated: bool = True
    """Whether the file says if the question should be declined, or it was taken for granted."""


class Gold(Struct, frozen=True, kw_only=True):
    """What a right answer is; the part of one question type, and what all types share."""

    part: Fact | EvidenceSet | Gap
    evidence: tuple[Evidence, ...] = ()
    citation_required: bool = True
    document: str | None = None
    threshold: float = PASSING

    @property
    def type(self) -> Type:
        """The question's type."""
        return _TYPE_OF[type(self.part)]


_TYPE_OF: dict[type, Type] = {Fact: "fact_exact", EvidenceSet: "evidence_set", Gap: "conflict_gap"}


def gold_of(case: Case) -> Gold:
    """Return the gold this contract put into a case."""
    assert isinstance(case.gold, Gold)
    return case.gold


def load(path: Path) -> Iterator[Case | Finding]:
    """Stream the cases of a dataset and every fault in it."""
    files = question_files(path)
    if not files:
        raise DatasetError("dataset.empty", file=str(path))
    for file in files:
        yield from _load_file(file)


def _load_file(path: Path) -> Iterator[Case | Finding]:
    """Stream one file: its questions one by one, after what is beside them."""
    head: dict[str, JSON] | None = None
    for row in read_rows(path):
        if isinstance(row, Finding):
            yield row
            continue
        pointer = row.position.pointer or ""
        if not pointer.startswith("/questions/"):
            yield from _not_held(row, path)
            return
        if head is None:
            head = yield from _read_head(path)
        yield from _load_question(row.value, head, path, pointer)


def _not_held(row: Row, path: Path) -> Iterator[Case | Finding]:
    """Return what is wrong with a file that has no array of questions."""
    place = Position(str(path))
    if row.position.pointer:
        yield Finding(level="error", code="row.not_object", position=place, params={"found": "array"})
    elif row.position.line:
        yield Finding(level="error", code="file.not_json", position=place, params={"problem": "several objects"})
    else:
        yield from cases_of(row.value, path)


def _read_head(path: Path) -> Generator[Finding, None, dict[str, JSON]]:
    try:
        found = members(lambda: open_bytes(path, str(path)))
    except BrokenError as error:
        yield error.broken.at(str(path))
        return {}
    return (yield from _sound_head(found | {"questions": [{}]}, path))


def cases_of(root: dict[str, JSON], path: Path) -> Iterator[Case | Finding]:
    """Make cases of the questions of one file, and a finding of every fault."""
    head = yield from _sound_head(root, path)
    for index, question in enumerate(head.get("questions", ())):
        yield from _load_question(question, head, path, f"/questions/{index}")


def _sound_head(root: dict[str, JSON], path: Path) -> Generator[Finding, None, dict[str, JSON]]:
    """Return the fields of a file that are sound; what is wrong with its questions is told with each."""
    wrong = [fault for fault in faults(root) if not fault.pointer.startswith("/questions/")]
    yield from (_finding(fault, path) for fault in wrong)
    unsound = {fault.pointer.split("/")[1] for fault in wrong if fault.pointer}
    head = {key: value for key, value in root.items() if key not in unsound}
    for slip in slips({key: value for key, value in head.items() if key != "questions"}):
        if slip.written != "questions":
            yield slip.at(Position(str(path), pointer=slip.pointer), None)
    return head


def _finding(fault: Fault, path: Path, case_id: str | None = None) -> Finding:
    params: dict[str, JSON] = {"field": fault.field, "expected": fault.expected}
    if fault.problem != "missing":
        params |= {"problem": fault.problem, "found": fault.found}
    code = "row.missing" if fault.problem == "missing" else "row.field"
    position = Position(str(path), pointer=fault.pointer)
    return Finding(level="error", code=code, position=position, case_id=case_id, params=params)


def _load_question(question: JSON, root: dict[str, JSON], path: Path, pointer: str) -> Iterator[Case | Finding]:
    if not isinstance(question, dict):
        fault = Fault(pointer, pointer[1:], "wrong type", "object", type_name(question))
        yield _finding(fault, path)
        return
    case_id = _id(question)
    name = question.get("type", root.get("benchmark_type"))
    wrong = list(_question_faults(question, name, pointer))
    if wrong:
        yield from (_finding(fault, path, case_id) for fault in wrong)
        return
    for slip in slips(question, name, pointer):
        yield slip.at(Position(str(path), pointer=slip.pointer), case_id)
    if question.get("scoring", {}).get("quote_required") and not _quotable(question):
        yield _warning(path, pointer, case_id, "legal.no_quote")
    yield _case(question, cast("Type", name), root, Position(str(path), pointer=pointer))


def _quotable(question: dict[str, JSON]) -> bool:
    return bool((question.get("required_quote") or "").strip() or question.get("additional_quotes"))


def _warning(path: Path, pointer: str, case_id: str | None, code: str, **params: JSON) -> Finding:
    position = Position(str(path), pointer=pointer)
    return Finding(level="warning", code=code, position=position, case_id=case_id, params=params)


def _id(question: dict[str, JSON]) -> str | None:
    value = question.get("id")
    return str(value) if isinstance(value, str | int) and value != "" else None


def _question_faults(question: dict[str, JSON], name: JSON, pointer: str) -> Iterator[Fault]:
    """Find the faults of a question of its own type, or the file's (R1.1)."""
    if name not in TYPES:
        expected = f"{' | '.join(TYPES)}, here or as the file's benchmark_type"
        if near := nearest(str(name), TYPES):
            expected += f" (did you mean {near}?)"
        problem, found = ("missing", "nothing") if name is None else ("not allowed", repr(name))
        yield Fault(f"{pointer}/type", "type", problem, expected, found)
        return
    wrong = list(faults(question, name, pointer))
    yield from wrong
    if not wrong:
        yield from _deeper_faults(question, name, pointer)


def _deeper_faults(question: dict[str, JSON], name: Type, pointer: str) -> Iterator[Fault]:
    """Find what a schema cannot say."""
    expected = question.get("expected", {})
    if name == "evidence_set" and not question.get("required_evidence") and not expected.get("key_points"):
        problem = "nothing to compare"
        yield Fault(pointer, "required_evidence", problem, "required_evidence or expected.key_points", "neither")
    period = expected.get("date_range") if name == "fact_exact" else None
    if period and period["start"] > period["end"]:
        found = f"{period['start']} to {period['end']}"
        where = f"{pointer}/expected/date_range"
        yield Fault(where, "expected.date_range", "ends before it begins", "start <= end", found)


def _case(question: dict[str, JSON], name: Type, root: dict[str, JSON], position: Position) -> Case:
    scoring = question.get("scoring", {})
    gold = Gold(
        part=_PARTS[name](question, question.get("expected", {}), scoring),
        evidence=tuple(_evidence(item) for item in question.get("required_evidence", ())),
        # Unasked, a fact without evidence wants no citation.
        citation_required=scoring.get(
            "citation_required", name != "fact_exact" or bool(question.get("required_evidence"))
        ),
        document=question.get("document") or root.get("document") or None,
        threshold=root.get("evaluation_criteria", {}).get("passing_threshold", PASSING),
    )
    return Case(
        id=str(question["id"]),
        question=question["question"],
        gold=gold,
        groups=_groups(name, question.get("metadata", {})),
        position=position,
        extra={key: value for key, value in question.items() if key not in known_fields(name)} | _rest(question),
        weight=float(scoring.get("weight", 1.0)),
    )


def _rest(question: dict[str, JSON]) -> dict[str, JSON]:
    """Return the metadata that make no group: notes, and fields no rule knows."""
    rest = {key: value for key, value in question.get("metadata", {}).items() if key not in _GROUPED}
    return {"metadata": rest} if rest else {}


def _groups(name: Type, metadata: dict[str, JSON]) -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {"type": (name,)}
    for key in _GROUPED[:2]:
        if metadata.get(key):
            groups[key] = (metadata[key],)
    if tags := tuple(dict.fromkeys(tag for tag in metadata.get("tags", ()) if tag)):
        groups["tags"] = tags
    return groups


def _evidence(item: dict[str, JSON]) -> Evidence:
    critical = item.get("is_critical", True)
    return Evidence(int(item["page"]), item["must_include"], item.get("section"), item.get("speaker"), critical)


def exact(value: float) -> Decimal:
    """Return a JSON number as the decimal it was written as."""
    return Decimal(value) if isinstance(value, int) else Decimal(repr(value))


def _fact(question: dict[str, JSON], expected: dict[str, JSON], scoring: dict[str, JSON]) -> Fact:
    parts = expected.get("amount_breakdown")
    period = expected.get("date_range")
    total, day, count = (expected.get(name) for name in ("amount_total", "date", "count"))
    return Fact(
        amount_total=None if total is None else exact(total),
        amount_breakdown=parts and tuple(exact(part["amount"] if isinstance(part, dict) else part) for part in parts),
        date=day and date.fromisoformat(day),
        date_range=period and Period(date.fromisoformat(period["start"]), date.fromisoformat(period["end"])),
        count=None if count is None else int(count),
        text_answer=expected.get("text_answer"),
        boolean_answer=expected.get("boolean_answer"),
        entity=expected.get("entity"),
        numeric_exact=scoring.get("numeric_exact", True),
        date_exact=scoring.get("date_exact", True),
    )


def _evidence_set(question: dict[str, JSON], expected: dict[str, JSON], scoring: dict[str, JSON]) -> EvidenceSet:
    return EvidenceSet(
        key_points=tuple(expected.get("key_points", ())),
        count_min=int(expected.get("evidence_count_min", 0)),
        recall_min=scoring.get("evidence_recall_min", RECALL_MIN),
        precision_min=scoring.get("evidence_precision_min", PRECISION_MIN),
    )


def _gap(question: dict[str, JSON], expected: dict[str, JSON], scoring: dict[str, JSON]) -> Gap:
    required, others = (question.get("required_quote") or "").strip(), tuple(question.get("additional_quotes", ()))
    place = question.get("evidence_location", {})
    should_abstain = question.get("should_abstain", scoring.get("abstention_required"))
    wanted = scoring.get("quote_required", bool(required))
    return Gap(
        should_abstain=True if should_abstain is None else should_abstain,
        penalty=question.get("hallucination_penalty"),
        quotes=((required,) if required else others) if wanted else (),
        other_quotes=others if wanted and required else ((required, *others) if required else others),
        page=place.get("page"),
        lines=None if place.get("lines") is None else str(place["lines"]),
        check=scoring.get("hallucination_check"),
        stated=should_abstain is not None,
    )


_PARTS: dict[Type, Callable[[dict[str, JSON], dict[str, JSON], dict[str, JSON]], Fact | EvidenceSet | Gap]]
_PARTS = {"fact_exact": _fact, "evidence_set": _evidence_set, "conflict_gap": _gap}
