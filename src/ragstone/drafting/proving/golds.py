"""What a drafted row expects, compared with what its quotations prove: nothing of it may have been written by hand."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

import msgspec

from ragstone.core.types import JSON
from ragstone.drafting.draft import Absent, Frame, Place
from ragstone.drafting.proving.whole import find_whole, loses_denial
from ragstone.drafting.rows import ABSENT, PROVENANCE
from ragstone.reading.answers.told import Told
from ragstone.reading.answers.yes_no import read_yes_no
from ragstone.reading.values.values import values
from ragstone.text.fold import fold
from ragstone.text.numbers.find import find_numbers


class Proof(msgspec.Struct, frozen=True):
    """A point and its place, as a row holds them."""

    document: str
    sha256: str
    page: int
    start: int
    end: int
    quote: str
    point: str
    frame: Frame | None = None
    """What stood around it; drafts of older versions do not tell."""

    @property
    def place(self) -> Place:
        """Where the quotation stands."""
        return Place(self.document, self.sha256, self.page, self.start, self.end, self.quote, self.frame)


class Fault(NamedTuple):
    """What is wrong with a row: a message, and what it names."""

    code: str
    params: dict[str, JSON]


class Proofs(NamedTuple):
    """What a row carries to prove its gold."""

    proofs: tuple[Proof, ...]
    absent: Absent | None
    question: str

    @property
    def points(self) -> tuple[str, ...]:
        """The points that are proved."""
        return tuple(proof.point for proof in self.proofs)


def proofs_of(row: Mapping[str, JSON]) -> Proofs:
    """Read what a row carries to prove its gold; raises msgspec.ValidationError where it cannot be read."""
    proofs = msgspec.convert(row.get(PROVENANCE), tuple[Proof, ...])
    absent = msgspec.convert(row[ABSENT], Absent) if ABSENT in row else None
    return Proofs(proofs, absent, str(row.get("question") or row.get("q") or ""))


def faults(row: Mapping[str, JSON]) -> Iterator[Fault]:
    """Name what of a row's gold its own quotations do not prove; the documents are not looked into."""
    try:
        proofs = proofs_of(row)
    except msgspec.ValidationError as error:
        yield Fault("draft.malformed", {"problem": str(error)})
        return
    if proofs.absent is not None:
        if row.get("should_abstain") is not True:
            yield Fault("draft.answered", {})
        yield from _reworded(proofs.absent, proofs.question)
        return
    if not proofs.proofs or row.get("should_abstain"):
        yield Fault("draft.unproved", {})
        return
    yield from _cut(proofs)
    yield from _golds(row, proofs)


def _reworded(absent: Absent, question: str) -> Iterator[Fault]:
    """The words that the documents lack and the question does not hold any more: nothing proves it then."""
    asked = fold(question)
    gone: list[JSON] = [word for word in absent.words if absent.kind != "left_out" and fold(word) not in asked]
    if gone:
        yield Fault("draft.reworded", {"words": gone})


def _cut(proofs: Proofs) -> Iterator[Fault]:
    """The points that do not stand in their quotations whole, or that these deny."""
    for one in proofs.proofs:
        params: dict[str, JSON] = {"point": one.point, "quote": one.quote}
        params |= {"document": one.document, "page": one.page}
        if not one.quote or find_whole(one.point, one.quote) < 0:
            yield Fault("draft.point", params)
        elif loses_denial(one.point, one.quote, proofs.question):
            yield Fault("draft.denied", params)


def _golds(row: Mapping[str, JSON], proofs: Proofs) -> Iterator[Fault]:
    there: dict[str, list[JSON]] = {}
    for field, value in leaves(row):
        there.setdefault(field, []).append(value)
    for field, golds in there.items():
        # Any other field of `expected` is proved by nothing.
        is_proved = _PROVED.get(field, None if field.startswith("expected.") else _is_free)
        strange = [gold for gold in golds if is_proved is None or not is_proved(gold, proofs)]
        for gold in strange:
            yield Fault("draft.gold", {"field": field, "gold": str(gold), "points": list(proofs.points)})
        if field in _EVERY and not strange:
            yield from _gone(field, golds, proofs.points[:1] if row.get("type") == "comparison" else proofs.points)


def _gone(field: str, golds: list[JSON], points: Iterable[str]) -> Iterator[Fault]:
    for point in dict.fromkeys(points):
        if point not in golds:
            yield Fault("draft.gold_gone", {"field": field, "point": point})


def leaves(value: JSON, field: str = "") -> Iterator[tuple[str, JSON]]:
    """The values of a row under the names of their fields; what is in a list has the name of the list."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from leaves(inner, f"{field}.{name}" if field else name)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, field)
    else:
        yield field, value


def _by_point(gold: JSON, proofs: Proofs) -> bool:
    return isinstance(gold, str) and gold.strip() in proofs.points


def _by_number(gold: JSON, proofs: Proofs) -> bool:
    try:
        wanted = Decimal(str(gold))
    except InvalidOperation:
        return False
    read = (one.low for point in proofs.points for one in values(point))
    return wanted in read or any(wanted == one.value for point in proofs.points for one in find_numbers(point))


def _by_date(gold: JSON, proofs: Proofs) -> bool:
    days = (one.low for point in proofs.points for one in values(point) if isinstance(one.low, date))
    return gold in (day.isoformat() for day in days)


def _by_yes_or_no(gold: JSON, proofs: Proofs) -> bool:
    """Say whether no quotation, read as an answer to the question, says the opposite."""
    return all(read_yes_no(Told(point, proofs.question)) in (gold, None) for point in proofs.points)


def _by_quote(gold: JSON, proofs: Proofs) -> bool:
    return any(gold == one.quote for one in proofs.proofs)


def _by_text_around(gold: JSON, proofs: Proofs) -> bool:
    return isinstance(gold, str) and proofs.proofs[0].quote in gold


def _by_document(gold: JSON, proofs: Proofs) -> bool:
    return any(gold in (one.document, one.document.replace("\\", "/")) for one in proofs.proofs)


def _by_page(gold: JSON, proofs: Proofs) -> bool:
    return any(gold == one.page for one in proofs.proofs)


def _is_free(gold: JSON, proofs: Proofs) -> bool:
    return True


LABELS = ("main_topic", "sub_topic")
"""What a document calls itself and its section."""
AROUND = ("passage", "original_evidence")
"""Fields that hold what stands around the first quotation."""
_EXAMPLE, _MAP = "expected.answer_example", "expected.source_map"
_PROVED: dict[str, Callable[[JSON, Proofs], bool]] = {
    "gold": _by_point,
    "doc_hint": _by_document,
    "gt_answer": lambda gold, proofs: gold == "；".join(proofs.points),
    "passage": _by_text_around,
    "document": _by_document,
    "required_evidence.must_include": _by_point,
    "required_evidence.page": _by_page,
    "expected.text_answer": _by_point,
    "expected.entity": _by_point,
    "expected.amount_total": _by_number,
    "expected.count": _by_number,
    "expected.date": _by_date,
    "expected.boolean_answer": _by_yes_or_no,
    "expected.key_points": _by_point,
    "expected.evidence_count_min": lambda gold, proofs: gold == len({one.place for one in proofs.proofs}),
    f"{_EXAMPLE}.detailed_description": _by_quote,
    f"{_EXAMPLE}.original_evidence": _by_text_around,
    **dict.fromkeys([f"{_EXAMPLE}.{name}" for name in (*LABELS, "target_audience", "predicted_questions")], _is_free),
    f"{_MAP}.part": _is_free,
    f"{_MAP}.refs.file": _by_document,
    f"{_MAP}.refs.page": _by_page,
    f"{_MAP}.refs.anchors": _by_quote,
}
"""What proves each field of a row that is gold."""
_EVERY = frozenset(("gold", "required_evidence.must_include", "expected.key_points"))
"""Fields that hold every point."""
