"""Drafted rows against the documents as they are now: every quotation at its place, every absence still one."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from ragstone.core.types import JSON, Case, Finding
from ragstone.drafting.corpus import Corpus, Paper, read_corpus
from ragstone.drafting.draft import Absent, Place
from ragstone.drafting.rows import ABSENT, PROVENANCE, REVIEWED


class _Proof(msgspec.Struct, frozen=True):
    """A point and its place, as a row holds them."""

    document: str
    sha256: str
    page: int
    start: int
    end: int
    quote: str
    point: str = ""

    @property
    def place(self) -> Place:
        return Place(self.document, self.sha256, self.page, self.start, self.end, self.quote)


def documents_of(dataset: Path, given: Path | None) -> Path | None:
    """Return the folder a dataset's documents lie in: the one given, or `documents` in or beside it."""
    if given is not None:
        return given
    places = (dataset / "documents", dataset.parent / "documents")
    return next((place for place in places if place.is_dir()), None)


def stale(cases: Iterable[Case], folder: Path | None) -> Iterator[Finding]:
    """Name every point that the documents no longer prove; a dataset whose first row has no proof is left alone."""
    corpus: Corpus | None = None
    unreviewed = 0
    last: Case | None = None
    for case in cases:
        if last is None and PROVENANCE not in case.extra:
            return
        if folder is not None:
            corpus = corpus or read_corpus(folder)
            yield from _check(case, corpus)
        unreviewed += case.extra.get(REVIEWED) is False
        last = case
    if last is not None and folder is None:
        yield _finding("note", "draft.no_documents", last, {}, whole=True)
    if last is not None and unreviewed:
        yield _finding("note", "draft.unreviewed", last, {"n": unreviewed}, whole=True)


def _check(case: Case, corpus: Corpus) -> Iterator[Finding]:
    try:
        proofs = msgspec.convert(case.extra.get(PROVENANCE) or [], list[_Proof])
        absent = msgspec.convert(case.extra[ABSENT], Absent) if ABSENT in case.extra else None
    except msgspec.ValidationError as error:
        yield _finding("error", "draft.malformed", case, {"problem": str(error)})
        return
    for proof in proofs if absent is None else ():
        yield from _prove(case, proof, corpus.by_name.get(proof.document))
    if absent is not None:
        yield from _still_absent(case, absent, corpus)


def _prove(case: Case, proof: _Proof, paper: Paper | None) -> Iterator[Finding]:
    params: dict[str, JSON] = {"document": proof.document, "page": proof.page, "quote": proof.quote}
    if paper is None:
        yield _finding("error", "draft.document_gone", case, params)
    elif not holds(paper, proof.place):
        elsewhere = next((page.number for page in paper.pages if proof.quote in page.text), None)
        code = "draft.stale" if elsewhere is None else "draft.moved"
        yield _finding("error" if elsewhere is None else "warning", code, case, params | {"found": elsewhere})
    elif proof.point not in proof.quote:
        yield _finding("error", "draft.point", case, params | {"point": proof.point})


def holds(paper: Paper, place: Place) -> bool:
    """Say whether a quotation stands at its place, to the letter; an empty one, or one before its page, does not."""
    pages = {page.number: page.text for page in paper.pages}
    inside = 0 <= place.start < place.end
    return inside and pages.get(place.page, "")[place.start : place.end] == place.quote


def _still_absent(case: Case, absent: Absent, corpus: Corpus) -> Iterator[Finding]:
    if absent.kind == "left_out":
        there = [name for name in absent.words if name in corpus.by_name]
    else:
        there = [paper.name for paper in corpus.holding(*absent.words)]
    if there:
        params: dict[str, JSON] = {"words": list(absent.words), "document": there[0]}
        yield _finding("error", "draft.present", case, params)


def _finding(level: str, code: str, case: Case, params: dict[str, JSON], *, whole: bool = False) -> Finding:
    position = case.position if not whole else type(case.position)(case.position.file)
    return Finding(level=level, code=code, position=position, case_id=None if whole else case.id, params=params)  # type: ignore[arg-type]
