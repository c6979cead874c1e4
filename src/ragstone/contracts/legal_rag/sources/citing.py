"""Which required evidence an answer cites, and what is wrong with each citation (R1.5); no model is asked."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from ragstone.contracts.legal_rag.cases import Evidence, Gold
from ragstone.contracts.legal_rag.sources.pages import Paper
from ragstone.contracts.legal_rag.sources.quotes import holds, quote_key, quote_pieces
from ragstone.core.types import JSON, Citation, Reading, Reason
from ragstone.reading.citations.document_names import EXTENSIONS, same_document

Fault = Literal["right", "wrong_page", "wrong_document", "wrong_quote", "unproved", "not_required"]

_NAMED_FILE = re.compile(rf"\.(?:{EXTENSIONS})\b", re.IGNORECASE)


class Cited(NamedTuple):
    """One citation and what it is worth."""

    citation: Citation
    fault: Fault
    on_page: bool | None
    """Whether its quote stands on its page, or without one in the source; None when that is not known or not asked."""


class Citing(NamedTuple):
    """All citations of an answer against the required evidence."""

    met: tuple[bool, ...]
    """For each required evidence, whether it is cited."""
    cited: tuple[Cited, ...]

    def precision(self) -> float | None:
        """Share of the citations that are right."""
        right = sum(one.fault == "right" for one in self.cited)
        return right / len(self.cited) if self.cited else None

    def recall(self) -> float | None:
        """Share of the required evidence that is cited."""
        return sum(self.met) / len(self.met) if self.met else None


class _Place(NamedTuple):
    citation: Citation
    key: str | None
    """The folded quote; None when only a place is given."""
    foreign: bool


class _Proof(NamedTuple):
    """One required evidence, and whether a bare place proves it."""

    page: int
    pieces: tuple[str, ...]
    at_hand: bool
    """Whether the source, or the sentence a place stands behind, holds the words on that page."""


def judge_citations(gold: Gold, reading: Reading, paper: Paper | None) -> Citing:
    """Compare every citation with every required evidence."""
    places = [_place(citation, gold, paper) for citation in reading.citations]
    proofs = _proofs(gold, reading, paper)
    met = tuple(any(_proves(place, proof) for place in places) for proof in proofs)
    cited = tuple(Cited(place.citation, _fault(place, proofs), _on_page(place, paper)) for place in places)
    return Citing(met, cited)


def _proofs(gold: Gold, reading: Reading, paper: Paper | None) -> list[_Proof]:
    """Look up once what is the same for every citation."""
    wanted = {evidence.page for evidence in gold.evidence}
    told: dict[int, list[str]] = {}
    for item in reading.fields.get("cited", ()):
        if item["page"] in wanted:
            told.setdefault(item["page"], []).append(quote_key(item["text"]))
    found = []
    for evidence in gold.evidence:
        pieces = quote_pieces(evidence.text)
        there = paper is not None and paper.holds(evidence.page, evidence.text)
        at_hand = there or any(holds(key, pieces) for key in told.get(evidence.page, ()))
        found.append(_Proof(evidence.page, pieces, at_hand))
    return found


def _place(citation: Citation, gold: Gold, paper: Paper | None) -> _Place:
    key = quote_key(citation.quote) if citation.quote else None
    return _Place(citation, key, _is_foreign(citation.file, gold.document, paper))


def _is_foreign(file: str | None, document: str | None, paper: Paper | None) -> bool:
    """Return whether another document is named; a title such as 讯问笔录 that is no file name names none."""
    if not file or not document or same_document(file, document):
        return False
    # The text at hand may be a copy in another format.
    return bool(_NAMED_FILE.search(file)) and not (paper is not None and same_document(file, paper.name))


def _proves(place: _Place, proof: _Proof) -> bool:
    if place.foreign or place.citation.page != proof.page:
        return False
    return proof.at_hand if place.key is None else holds(place.key, proof.pieces)


def _fault(place: _Place, required: Sequence[_Proof]) -> Fault:
    if any(_proves(place, proof) for proof in required):
        return "right"
    if place.foreign:
        return "wrong_document"
    if place.key is not None and any(holds(place.key, proof.pieces) for proof in required):
        return "wrong_page" if place.citation.page is not None else "unproved"
    if any(place.citation.page == proof.page for proof in required):
        return "unproved" if place.key is None else "wrong_quote"
    return "wrong_page" if place.key is None and place.citation.page is not None else "not_required"


def _on_page(place: _Place, paper: Paper | None) -> bool | None:
    citation = place.citation
    if paper is None or not citation.quote or place.foreign:
        return None
    if citation.page is None:
        return None if any(paper.holds(page, citation.quote) for page in paper.numbers) else False
    return paper.holds(citation.page, citation.quote)


def citation_reasons(gold: Gold, citing: Citing, metric: str) -> Iterator[Reason]:
    """Say of every evidence that is not cited what stands in its way, and of made-up quotes that they are."""
    for evidence, met in zip(gold.evidence, citing.met, strict=True):
        if not met and evidence.critical:
            yield _reason(evidence, citing, metric)
    for one in citing.cited:
        if one.on_page is False:
            quote: dict[str, JSON] = {"quote": one.citation.quote}
            if one.citation.page is None:
                yield Reason(metric, "citation.not_in_source", quote)
            else:
                yield Reason(metric, "citation.not_on_page", quote | {"page": one.citation.page})


def _reason(evidence: Evidence, citing: Citing, metric: str) -> Reason:
    params: dict[str, JSON] = {"page": evidence.page, "words": evidence.text}
    pieces = quote_pieces(evidence.text)
    faults = {one.fault: one.citation for one in reversed(citing.cited)}
    for one in citing.cited:
        if one.fault == "wrong_page" and one.citation.quote and holds(quote_key(one.citation.quote), pieces):
            return Reason(metric, "citation.wrong_page", params | {"found": one.citation.page})
    near = [one for one in citing.cited if one.citation.page == evidence.page and one.fault != "wrong_document"]
    if near:
        code = "citation.wrong_quote" if near[0].citation.quote else "citation.unproved"
        return Reason(metric, code, params)
    if "wrong_document" in faults:
        return Reason(metric, "citation.wrong_document", params | {"file": faults["wrong_document"].file})
    pages = list(dict.fromkeys(one.citation.page for one in citing.cited if one.citation.page is not None))
    if pages:
        return Reason(metric, "citation.wrong_page", params | {"found": "、".join(map(str, pages))})
    return Reason(metric, "citation.none", params)


def citation_tags(gold: Gold, citing: Citing) -> list[str]:
    """Tag what is wrong with the citations: by what stands in the way of critical evidence, and made-up quotes."""
    codes = {reason.code for reason in citation_reasons(gold, citing, "")}
    return sorted(_TAGS[code] for code in codes)


_TAGS = {
    "citation.none": "no_citation",
    "citation.wrong_page": "wrong_page",
    "citation.wrong_document": "wrong_document",
    "citation.wrong_quote": "wrong_quote",
    "citation.unproved": "citation_unproved",
    "citation.not_on_page": "quote_not_on_page",
    "citation.not_in_source": "quote_not_on_page",
}


def citation_details(citing: Citing) -> dict[str, JSON]:
    """List the citations with their verdicts, and precision and recall over (file, page, quote)."""
    rows: list[JSON] = []
    for one in citing.cited:
        citation = one.citation
        row: dict[str, JSON] = {"file": citation.file, "page": citation.page, "quote": citation.quote}
        row = {name: value for name, value in row.items() if value is not None} | {"verdict": one.fault}
        rows.append(row if one.on_page is None else row | {"on_page": one.on_page})
    return {"precision": citing.precision(), "recall": citing.recall(), "citations": rows}
