"""Drafted rows against the documents as they are now: every quotation at its place, every absence still one."""

from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from ragstone.core.types import JSON, Finding, Position
from ragstone.datasets.formats import DamagedError, form_of, open_bytes
from ragstone.datasets.rows import Row, read_rows
from ragstone.drafting.corpus import Corpus, Paper, read_corpus
from ragstone.drafting.draft import Absent, Place
from ragstone.drafting.proving.golds import AROUND, LABELS, Fault, Proof, Proofs, faults, leaves, proofs_of
from ragstone.drafting.rows import ABSENT, PROVENANCE, REVIEWED, draft_id

_CHUNK = 1 << 20


def documents_of(dataset: Path, given: Path | None) -> Path | None:
    """Return the folder a dataset's documents lie in: the one given, or `documents` in or beside it."""
    if given is not None:
        return given
    places = (dataset / "documents", dataset.parent / "documents")
    return next((place for place in places if place.is_dir()), None)


def stale(dataset: Path, folder: Path | None) -> Iterator[Finding]:
    """Name every gold that its row or the documents no longer prove; a dataset without drafts is left alone."""
    counted = _Counted()
    yield from wrong(counted.through(_drafted(dataset)), folder)
    whole = Position(str(dataset))
    if counted.drafts and folder is None:
        yield _finding(Fault("draft.no_documents", {}), whole)
    if counted.unreviewed:
        yield _finding(Fault("draft.unreviewed", {"n": counted.unreviewed}), whole)


class _Counted:
    """How many drafts were looked at, and how many of them nobody has accepted."""

    drafts = unreviewed = 0

    def through(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            self.drafts += 1
            self.unreviewed += row.value.get(REVIEWED) is False
            yield row


def wrong(rows: Iterable[Row], folder: Path | None, only: Container[str] | None = None) -> Iterator[Finding]:
    """Name what is wrong with drafts, by themselves and, where there is a folder of documents, against these.

    `only` are the names of the documents that need be read.
    """
    corpus: Corpus | None = None
    for row in rows:
        found = list(faults(row.value))
        if folder is not None:
            corpus = corpus or read_corpus(folder, only=only)
            found += _against(row.value, corpus)
        yield from (_finding(fault, row.position, draft_id(row.value)) for fault in found)


def documents_named(rows: Iterable[Mapping[str, JSON]]) -> frozenset[str] | None:
    """Name the documents that prove some drafts; None where all must be read, to know that something is absent."""
    rows = list(rows)
    if any(ABSENT in row for row in rows):
        return None
    proofs = (proof for row in rows if isinstance(row.get(PROVENANCE), list) for proof in row[PROVENANCE])
    return frozenset(str(proof.get("document")) for proof in proofs if isinstance(proof, dict))


_LEVELS: dict[str, Literal["warning", "note"]] = {
    "draft.moved": "warning",
    "draft.no_documents": "note",
    "draft.unreviewed": "note",
}
"""How bad what is not an error is."""


def _drafted(dataset: Path) -> Iterator[Row]:
    """The rows of a dataset that carry what proves them."""
    files = sorted(dataset.rglob("*.json")) if dataset.is_dir() else [dataset]
    for file in files:
        if form_of(file).kind in ("parquet", "xlsx") or _speaks_of_proofs(file):
            rows = (row for row in read_rows(file) if isinstance(row, Row))
            yield from (row for row in rows if PROVENANCE in row.value)


def _speaks_of_proofs(file: Path) -> bool:
    """Say whether a file may hold drafts; a large one that holds none is not decoded for it."""
    name, before = PROVENANCE.encode(), b""
    try:
        with open_bytes(file, str(file)) as stream:
            while chunk := stream.read(_CHUNK):
                if name in before + chunk:
                    return True
                before = chunk[-len(name) :]
    except DamagedError:
        return False
    return False


def _against(row: dict[str, JSON], corpus: Corpus) -> Iterator[Fault]:
    try:
        proofs = proofs_of(row)
    except msgspec.ValidationError:
        return
    if proofs.absent is not None:
        yield from _still_absent(proofs.absent, corpus)
        return
    for proof in proofs.proofs:
        yield from _prove(proof, corpus.by_name.get(proof.document))
    yield from _around(row, proofs, corpus)


def _prove(proof: Proof, paper: Paper | None) -> Iterator[Fault]:
    params: dict[str, JSON] = {"document": proof.document, "page": proof.page, "quote": proof.quote}
    if paper is None:
        yield Fault("draft.document_gone", params)
    elif proof.quote and not holds(paper, proof.place):
        elsewhere = next((page.number for page in paper.pages if proof.quote in page.text), None)
        yield Fault("draft.stale" if elsewhere is None else "draft.moved", params | {"found": elsewhere})


def _around(row: dict[str, JSON], proofs: Proofs, corpus: Corpus) -> Iterator[Fault]:
    """What a row shows beside its quotations must stand in their documents too."""
    papers = [corpus.by_name[one.document] for one in proofs.proofs if one.document in corpus.by_name]
    texts = [page.text for paper in papers for page in paper.pages]
    known = {name for paper in papers for name in (paper.title, *paper.sections)}
    for field, value in leaves(row):
        name, told = field.rpartition(".")[2], str(value)
        strange = name in LABELS and told not in known
        if papers and (strange or (name in AROUND and not _stands(told, proofs, texts))):
            yield Fault("draft.gold", {"field": field, "gold": told, "points": list(proofs.points)})


def _stands(text: str, proofs: Proofs, texts: list[str]) -> bool:
    """Say whether a text is a stretch of a page, or the quotations one below the other."""
    return any(text in page for page in texts) or text == "\n".join(dict.fromkeys(one.quote for one in proofs.proofs))


def holds(paper: Paper, place: Place) -> bool:
    """Say whether a quotation stands at its place, to the letter; an empty one, or one before its page, does not."""
    pages = {page.number: page.text for page in paper.pages}
    inside = 0 <= place.start < place.end
    return inside and pages.get(place.page, "")[place.start : place.end] == place.quote


def _still_absent(absent: Absent, corpus: Corpus) -> Iterator[Fault]:
    if absent.kind == "left_out":
        there = [paper.name for paper in corpus.papers if paper.name in absent.words or paper.sha256 in absent.digests]
    else:
        there = [paper.name for paper in corpus.holding(*absent.words)]
    if there:
        yield Fault("draft.present", {"words": list(absent.words), "document": there[0]})


def _finding(fault: Fault, position: Position, name: str | None = None) -> Finding:
    level: Literal["error", "warning", "note"] = _LEVELS.get(fault.code, "error")
    return Finding(level=level, code=fault.code, position=position, case_id=name, params=fault.params)
