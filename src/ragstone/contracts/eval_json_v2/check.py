"""What looks wrong about a case before anything is spent on it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from ragstone.contracts.eval_json_v2.gold import Expected, Reference, Wanted, gold_of
from ragstone.contracts.eval_json_v2.model import model_answer
from ragstone.contracts.eval_json_v2.read import read_answer
from ragstone.contracts.eval_json_v2.score import score_reading
from ragstone.contracts.eval_json_v2.terms import FULL_LENGTH, LABELS, LISTS, POINTS
from ragstone.core.types import JSON, Case, Finding
from ragstone.documents import Document, read_folder


class Library:
    """The documents beside a question set, by name."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.documents: Mapping[str, Document] = {document.name: document for document in read_folder(folder)}


def check_case(case: Case, library: Library | None) -> Iterator[Finding]:
    """Find empty golds, scores that cannot be reached, and sources that are not in the documents."""
    gold = gold_of(case)
    if isinstance(gold, Wanted):
        yield _finding(case, "check.older_form", "note")
        if not any(text.strip() for text in gold.all):
            yield _finding(case, "check.empty_gold", field="must_include")
        return
    yield from _empty(case, gold)
    yield from _reach(case, gold)
    if not gold.references:
        yield _finding(case, "check.no_sources")
    if library:
        for reference in dict.fromkeys(gold.references):
            yield from _source(case, reference, library)


def _empty(case: Case, gold: Expected) -> Iterator[Finding]:
    for name in (*LABELS, "original_evidence"):
        if not getattr(gold, name).strip():
            yield _finding(case, "check.empty_gold", field=name)
    for name in LISTS:
        items = getattr(gold, name)
        if not items:
            yield _finding(case, "check.empty_list", field=name)
        elif not all(item.strip() for item in items):
            yield _finding(case, "check.blank_item", field=name)


def _reach(case: Case, gold: Expected) -> Iterator[Finding]:
    """Score the best answer there can be."""
    length = len(gold.original_evidence)
    if 0 < length < FULL_LENGTH:
        yield _finding(case, "check.short_evidence", "note", length=length, long=FULL_LENGTH)
    card = score_reading(gold, read_answer(model_answer(gold)))
    lost = [name for name in POINTS if (card.sub_scores[name] or 0.0) < 1]
    if lost:
        yield _finding(case, "check.unreachable", best=round(100 * card.primary_score, 2), fields=lost)


def _source(case: Case, reference: Reference, library: Library) -> Iterator[Finding]:
    document = library.documents.get(reference.file)
    if document is None:
        yield _finding(case, "check.document_missing", document=reference.file, folder=library.folder)
        return
    page = document.page(reference.page) if reference.page is not None else None
    if reference.page is not None and page is None:
        yield _finding(case, "check.page_missing", document=reference.file, page=reference.page)
        return
    text = page.text if page else document.text
    for anchor in reference.anchors:
        if anchor not in text:
            shown = "-" if page is None else page.number
            yield _finding(case, "check.anchor_missing", anchor=anchor, document=reference.file, page=shown)


def _finding(case: Case, code: str, level: Literal["warning", "note"] = "warning", **params: JSON) -> Finding:
    return Finding(level=level, code=code, position=case.position, case_id=case.id, params=params)
