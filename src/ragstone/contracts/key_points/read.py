"""An answer into its text and the documents it names, in the text or in structured references."""

from ragstone.contracts.key_points.cases import gold_of
from ragstone.core.types import Answer, Case, Citation, Reading
from ragstone.reading.citations.find import find_citations


def read(case: Case, answer: Answer) -> Reading:
    """Find every document the answer names; retrieved contexts alone are no citation."""
    references = [citation.file or "" for citation in answer.citations]
    found = find_citations(answer.text, gold_of(case).documents, references)
    if not found and not references:
        return Reading(text=answer.text, fields={"citations": []}, contexts=answer.contexts)
    named = (Citation(c.file, c.page, c.quote) for c in found if c.file)
    citations = (*named, *(citation for citation in answer.citations if citation.file))
    fields = {"citations": list(dict.fromkeys(citation.file for citation in citations))}
    return Reading(text=answer.text, fields=fields, citations=citations, contexts=answer.contexts)
