"""Drafted rows against the documents as they are now: every quotation at its place, every absence still one."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec

from ragstone.core.types import JSON, Finding, Position
from ragstone.datasets.formats import DamagedError, form_of, open_bytes
from ragstone.datasets.rows import Row, read_rows
from ragstone.drafting.corpus import Corpus, Paper, bare_title, read_corpus
from ragstone.drafting.draft import Absent, Place
from ragstone.drafting.proving.elsewhere import stands_in
from ragstone.drafting.proving.frame import change_of, frame_of, is_joined
from ragstone.drafting.proving.golds import AROUND, LABELS, Fault, Proof, Proofs, faults, leaves, proofs_of
from ragstone.drafting.questions.lists import cells_of
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
    counted, documents = _Counted(), _Documents(folder)
    yield from _wrong(counted.through(_drafted(dataset)), documents)
    whole = Position(str(dataset))
    yield from (_finding(fault, whole) for fault in counted.changed(documents))
    if counted.drafts and folder is None:
        yield _finding(Fault("draft.no_documents", {}), whole)
    if counted.unreviewed:
        yield _finding(Fault("draft.unreviewed", {"n": counted.unreviewed}), whole)


class _Counted:
    """How many drafts were looked at, and how many of them nobody has accepted."""

    drafts = unreviewed = 0

    def __init__(self) -> None:
        self._digests: Counter[tuple[str, str]] = Counter()
        """How many drafts rest on each document, by what its bytes were."""

    def through(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            self.drafts += 1
            self.unreviewed += row.value.get(REVIEWED) is not True
            self._digests.update(_digests(row.value))
            yield row

    def changed(self, documents: "_Documents") -> Iterator[Fault]:
        """Name the documents that are no longer what drafts were made from."""
        known = documents.corpus.by_name if documents.corpus and self._digests else {}
        drafts: Counter[str] = Counter()
        for (name, digest), n in self._digests.items():
            drafts[name] += n if name in known and known[name].sha256 != digest else 0
        yield from (Fault("draft.changed", {"document": name, "n": n}) for name, n in drafts.items() if n)


def _digests(row: Mapping[str, JSON]) -> set[tuple[str, str]]:
    """The documents that prove a draft, and what their bytes were; what has no answer rests on none."""
    proofs = row.get(PROVENANCE) if ABSENT not in row else None
    found = [one for one in proofs if isinstance(one, dict)] if isinstance(proofs, list) else []
    return {(str(one.get("document")), str(one.get("sha256"))) for one in found}


class _Documents:
    """A folder of documents that is read when the first draft is compared with it."""

    def __init__(self, folder: Path | None, only: Container[str] | None = None) -> None:
        self._folder, self._only = folder, only
        self.name = folder.name if folder else ""

    @cached_property
    def corpus(self) -> Corpus | None:
        return read_corpus(self._folder, only=self._only) if self._folder else None


def wrong(rows: Iterable[Row], folder: Path | None, only: Container[str] | None = None) -> Iterator[Finding]:
    """Name what is wrong with drafts, by themselves and, where there is a folder of documents, against these.

    `only` are the names of the documents that need be read.
    """
    yield from _wrong(rows, _Documents(folder, only))


def _wrong(rows: Iterable[Row], documents: _Documents) -> Iterator[Finding]:
    for row in rows:
        yield from wrong_in([row], documents.corpus, documents.name)


def wrong_in(rows: Iterable[Row], corpus: Corpus | None, folder: str = "") -> Iterator[Finding]:
    """Name what is wrong with drafts, by themselves and beside documents that were read already."""
    for row in rows:
        found = [*_decision(row.value), *faults(row.value)]
        if corpus is not None:
            # What is no part of its quotation is often no part of its document either: it is told once.
            found += [fault for fault in _against(row.value, corpus, folder) if fault not in found]
        yield from (_finding(fault, row.position, draft_id(row.value)) for fault in found)


def _decision(row: Mapping[str, JSON]) -> Iterator[Fault]:
    """A person has accepted a draft or has not; anything else written there decides nothing."""
    if not isinstance(row.get(REVIEWED, False), bool):
        yield Fault("draft.reviewed", {"value": str(row[REVIEWED])})


def told_once(findings: Iterable[Finding]) -> list[Finding]:
    """Leave out that a document is missing where a draft of the same row says that its proof is gone."""
    findings = list(findings)
    gone = {(one.case_id, one.params["document"]) for one in findings if one.code == "draft.document_gone"}
    return [
        one
        for one in findings
        if one.code != "check.document_missing" or (one.case_id, one.params.get("document")) not in gone
    ]


def documents_named(rows: Iterable[Mapping[str, JSON]]) -> frozenset[str] | None:
    """Name the documents that prove some drafts; None where all must be read, to know that something is absent."""
    rows = list(rows)
    if any(ABSENT in row for row in rows):
        return None
    proofs = (proof for row in rows if isinstance(row.get(PROVENANCE), list) for proof in row[PROVENANCE])
    return frozenset(str(proof.get("document")) for proof in proofs if isinstance(proof, dict))


_LEVELS: dict[str, Literal["warning", "note"]] = {
    "draft.moved": "warning",
    "draft.changed": "warning",
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


def _against(row: dict[str, JSON], corpus: Corpus, folder: str) -> Iterator[Fault]:
    try:
        proofs = proofs_of(row)
    except msgspec.ValidationError:
        return
    if proofs.absent is not None:
        yield from _still_absent(proofs.absent, proofs.proofs, corpus)
        return
    gone = {one.document: one for one in reversed(proofs.proofs) if one.document not in corpus.by_name}
    for proof in proofs.proofs:
        if gone.get(proof.document, proof) is not proof:
            continue  # told with its first quotation
        yield from _prove(proof, corpus.by_name.get(proof.document), folder, proofs.question)
    yield from _around(row, proofs, corpus)


def _prove(proof: Proof, paper: Paper | None, folder: str, question: str) -> Iterator[Fault]:
    params: dict[str, JSON] = {"document": proof.document, "page": proof.page, "quote": proof.quote}
    if paper is None:
        yield Fault("draft.document_gone", params | {"folder": folder})
        return
    if not proof.quote or (paper.sha256 == proof.sha256 and holds(paper, proof.place)):
        return
    places = list(_places(proof, paper))
    frame = proof.frame
    changes = [frame and change_of(frame, frame_of(paper, place), question) for place in places]
    if not places:
        yield Fault("draft.stale", params | {"found": None})
    elif change := changes[0] if all(changes) else None:
        yield Fault("draft.reframed", params | {"was": change.was, "now": change.now})
    elif changes[0] or not holds(paper, proof.place):
        found = next(place.page for place, changed in zip(places, changes, strict=True) if not changed)
        yield Fault("draft.moved", params | {"found": found})


def _places(proof: Proof, paper: Paper) -> Iterator[Place]:
    """Where a quotation stands in a document, cut out of no longer word; its own place first."""
    own = (proof.page, proof.start)
    spans = [(page.number, at) for page in paper.pages for at in _starts(proof.quote, page.text)]
    for page, start in sorted(spans, key=lambda span: span != own):
        yield paper.place(page, start, start + len(proof.quote))


def _starts(quote: str, text: str) -> Iterator[int]:
    at = text.find(quote)
    while at >= 0:
        if not is_joined(text, at) and not is_joined(text, at + len(quote)):
            yield at
        at = text.find(quote, at + 1)


def _around(row: dict[str, JSON], proofs: Proofs, corpus: Corpus) -> Iterator[Fault]:
    """What a row shows beside its quotations must stand in their documents too."""
    papers = [corpus.by_name[one.document] for one in proofs.proofs if one.document in corpus.by_name]
    texts = [page.text for paper in papers for page in paper.pages]
    changed = {one.document for one in proofs.proofs if _is_changed(one, corpus)}
    known = {name for paper in papers for name in (paper.title, bare_title(paper.title), *paper.sections)}
    for field, value in leaves(row):
        name, told = field.rpartition(".")[2], str(value)
        strange = name in LABELS and told not in known
        if papers and (strange or (name in AROUND and not _stands(told, proofs, texts, headed=bool(changed)))):
            yield Fault("draft.gold", {"field": field, "gold": told, "points": list(proofs.points)})


def _is_changed(proof: Proof, corpus: Corpus) -> bool:
    paper = corpus.by_name.get(proof.document)
    return paper is not None and paper.sha256 != proof.sha256


def _stands(text: str, proofs: Proofs, texts: list[str], *, headed: bool) -> bool:
    """Say whether a text is a stretch of a page, the columns of a row too, or the quotations one below the other.

    `headed` says that the document changed: then a line of columns above the row is no sign of a hand.
    """
    frame, (head, _, rest) = proofs.proofs[0].frame, text.partition("\n")
    stretch = rest if frame and frame.header and tuple(cells_of(head)) == frame.header else text
    if headed and frame and frame.header:
        lines = [line for line in text.splitlines() if tuple(cells_of(line)) != frame.header]
        return all(any(line in page for page in texts) for line in lines)
    quotes = "\n".join(dict.fromkeys(one.quote for one in proofs.proofs))
    return quotes in (text, stretch) or any(stretch in page for page in texts)


def holds(paper: Paper, place: Place) -> bool:
    """Say whether a quotation stands at its place, to the letter; an empty one, or one before its page, does not."""
    pages = {page.number: page.text for page in paper.pages}
    inside = 0 <= place.start < place.end
    return inside and pages.get(place.page, "")[place.start : place.end] == place.quote


def _still_absent(absent: Absent, proofs: Iterable[Proof], corpus: Corpus) -> Iterator[Fault]:
    if absent.kind == "left_out":
        found = [
            Fault("draft.present", {"document": one.name}) for one in corpus.papers if _is_there(one, absent, proofs)
        ]
    else:
        words: list[JSON] = list(absent.words)
        found = [
            Fault("draft.holds", {"words": words, "document": paper.name}) for paper in corpus.holding(*absent.words)
        ]
    yield from found[:1]


def _is_there(paper: Paper, absent: Absent, proofs: Iterable[Proof]) -> bool:
    """Say whether a document is one that was left out, by name or content, or says the same."""
    named = paper.name in absent.words or paper.sha256 in absent.digests
    return named or any(stands_in(one.quote, one.point, paper) for one in proofs)


def _finding(fault: Fault, position: Position, name: str | None = None) -> Finding:
    level: Literal["error", "warning", "note"] = _LEVELS.get(fault.code, "error")
    return Finding(level=level, code=fault.code, position=position, case_id=name, params=fault.params)
