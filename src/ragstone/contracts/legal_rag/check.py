"""What can be said about a question before anything is spent on it."""

from collections.abc import Iterator
from typing import Literal

from ragstone.contracts.legal_rag.cases import Evidence, EvidenceSet, Fact, Gap, Gold, gold_of
from ragstone.contracts.legal_rag.sources.pages import Library, Paper
from ragstone.contracts.legal_rag.sources.quotes import quote_pieces
from ragstone.core.types import JSON, Case, Finding, Scorecard

_SPOKEN_IN: dict[str | None, frozenset[str]] = {
    "question": frozenset({"question"}),
    "answer": frozenset({"answer"}),
    "header": frozenset({"header"}),
    "qa_pair": frozenset({"question", "answer"}),
}


def check(case: Case, library: Library) -> Iterator[Finding]:
    """Compare a question with its document and with itself."""
    gold = gold_of(case)
    yield from _against_itself(case, gold)
    if library.folder is None:
        return
    paper = library.paper(gold.document)
    if paper is None:
        if gold.document:
            params = {"document": gold.document, "folder": str(library.folder)}
            yield _finding(case, "error", "check.document_missing", **params)
        return
    for evidence in gold.evidence:
        yield from _on_page(case, paper, evidence.page, evidence.text)
        yield from _by_speaker(case, paper, evidence)
    if isinstance(gold.part, Gap):
        yield from _quotes(case, paper, gold.part)


def imperfect(case: Case, best: Scorecard) -> Iterator[Finding]:
    """Warn when even the perfect answer cannot reach 1.0."""
    if best.primary_score < 1:
        why = ", ".join(best.error_tags)
        yield _finding(case, "warning", "legal.imperfect", score=best.primary_score, why=why)


def _finding(case: Case, level: Literal["error", "warning"], code: str, **params: JSON) -> Finding:
    return Finding(level=level, code=code, position=case.position, case_id=case.id, params=params)


def _against_itself(case: Case, gold: Gold) -> Iterator[Finding]:
    part = gold.part
    if isinstance(part, Fact) and gold.citation_required and not any(one.critical for one in gold.evidence):
        yield _finding(case, "warning", "legal.no_evidence")
    if isinstance(part, EvidenceSet):
        total = len(gold.evidence) or len(part.key_points)
        if part.count_min > total:
            yield _finding(case, "warning", "legal.too_many_wanted", least=part.count_min, total=total)
        for field, value in (("evidence_recall_min", part.recall_min), ("evidence_precision_min", part.precision_min)):
            if value == 0:
                yield _finding(case, "warning", "legal.always_met", field=field)
    if isinstance(part, Gap) and not part.stated:
        yield _finding(case, "warning", "legal.abstain_unsaid")
    quotes = part.quotes if isinstance(part, Gap) else ()
    for words in (*(one.text for one in gold.evidence), *quotes):
        if not quote_pieces(words):
            yield _finding(case, "warning", "legal.nothing_to_compare", words=words)


def _on_page(case: Case, paper: Paper, page: int, words: str) -> Iterator[Finding]:
    if paper.holds(page, words):
        return
    pages = ", ".join(map(str, paper.find(words)))
    code = "legal.not_on_page" if pages else "legal.nowhere"
    yield _finding(case, "error", code, words=words, page=page, document=paper.name, pages=pages)


def _by_speaker(case: Case, paper: Paper, evidence: Evidence) -> Iterator[Finding]:
    """Compare speaker and section, where the document has 问/答 structure and the words are on their page."""
    found = paper.speakers(evidence.page, evidence.text)
    if not found:
        return
    for name in (evidence.speaker, evidence.section):
        if name in _SPOKEN_IN and not _SPOKEN_IN[name] & found:
            params = {
                "words": evidence.text,
                "page": evidence.page,
                "expected": name,
                "found": ", ".join(sorted(found)),
            }
            yield _finding(case, "warning", "legal.other_speaker", **params)


def _quotes(case: Case, paper: Paper, gap: Gap) -> Iterator[Finding]:
    """Prove the required quote to be on its page, or anywhere when no page is given; others anywhere."""
    for quote in gap.quotes:
        if gap.page is not None:
            yield from _on_page(case, paper, gap.page, quote)
    anywhere = (*(gap.quotes if gap.page is None else ()), *gap.other_quotes)
    for quote in anywhere:
        if not paper.find(quote) and quote_pieces(quote):
            yield _finding(case, "error", "legal.nowhere", words=quote, document=paper.name)
