"""A perfect answer to a case, with the contexts it rests on."""

import msgspec

from ragstone.contracts.eval_json_v2.gold import Expected, Wanted
from ragstone.contracts.eval_json_v2.terms import COMPARED, FULL_LENGTH
from ragstone.core.types import JSON, Answer, Context

_NOWHERE = "source.md"
"""Stands for the document of a gold that names none."""


def model_answer(gold: Expected | Wanted) -> Answer:
    """Give the best answer there can be."""
    if isinstance(gold, Wanted):
        return _answer(_fields(detailed_description=list(gold.all)), ())
    evidence = long_enough(gold)
    source_map = _source_map(gold, evidence)
    fields = _fields(
        target_audience=gold.target_audience,
        main_topic=gold.main_topic,
        sub_topic=gold.sub_topic,
        detailed_description=list(gold.detailed_description[: COMPARED["detailed_description"]]),
        original_evidence=evidence,
        source_map=source_map,
        predicted_questions=list(gold.predicted_questions[: COMPARED["predicted_questions"]]),
    )
    return _answer(fields, _contexts(source_map, evidence))


def long_enough(gold: Expected) -> str:
    """Quote as much as full marks ask for: the expected evidence, and where it is short what the descriptions say."""
    evidence = gold.original_evidence
    for text in (*gold.detailed_description, *[gold.original_evidence] * FULL_LENGTH):
        if len(evidence) >= FULL_LENGTH or not evidence.strip():
            break
        if text not in evidence or text == gold.original_evidence:
            evidence += text
    return evidence


def _fields(**given: JSON) -> dict[str, JSON]:
    empty: dict[str, JSON] = {"target_audience": "", "main_topic": "", "sub_topic": "", "detailed_description": []}
    return empty | {"original_evidence": "", "source_map": [], "predicted_questions": []} | given


def _source_map(gold: Expected, evidence: str) -> list[JSON]:
    """Name the sources of the gold that can be traced, or one that can when there is none."""
    entries: list[JSON] = []
    for entry in gold.source_map:
        refs = [ref for ref in entry["refs"] if ref["file"] and any(anchor.strip() for anchor in ref["anchors"][:6])]
        if refs:
            entries.append({**entry, "refs": refs})
    if entries or not evidence.strip():
        return entries
    return [{"part": "original_evidence", "refs": [{"file": _NOWHERE, "page": 1, "anchors": [evidence[:20]]}]}]


def _contexts(source_map: list[JSON], evidence: str) -> tuple[Context, ...]:
    """Make one piece for each page that is named: the evidence and the anchors that should stand there."""
    pages: dict[tuple[str, int | None], dict[str, None]] = {}
    for entry in source_map:
        for ref in entry["refs"]:
            pages.setdefault((ref["file"], ref.get("page")), {}).update(dict.fromkeys(ref["anchors"]))
    return tuple(Context(file, page, "\n".join((evidence, *anchors))) for (file, page), anchors in pages.items())


def _answer(fields: dict[str, JSON], contexts: tuple[Context, ...]) -> Answer:
    return Answer(text=msgspec.json.encode(fields).decode(), contexts=contexts)
