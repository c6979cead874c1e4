"""The perfect answer to a question, as a structured answer with its text, citations and evidence."""

from ragstone.contracts.legal_rag.cases import EvidenceSet, Fact, Gap, Gold, gold_of
from ragstone.core.types import JSON, Answer, Case, Citation

DECLINED = "抱歉，材料中没有提到，无法回答。"
ANSWERED = "材料中的说法如下。"


def model_answer(case: Case) -> Answer:
    """Give the answer that scores 1.0."""
    gold = gold_of(case)
    if isinstance(gold.part, Fact):
        data = _fact(gold.part)
    elif isinstance(gold.part, EvidenceSet):
        data = _evidence_set(gold, gold.part)
    else:
        data = _gap(gold.part)
    citations = tuple(Citation(gold.document, evidence.page, evidence.text) for evidence in gold.evidence)
    if not citations and isinstance(gold.part, Fact) and gold.citation_required:
        citations = (Citation(gold.document or "source"),)
    return Answer(text=data["answer"], data=data, citations=citations)


def _fact(fact: Fact) -> dict[str, JSON]:
    data: dict[str, JSON] = {}
    if fact.amount_total is not None:
        data["amount"] = float(fact.amount_total) if fact.amount_total % 1 else int(fact.amount_total)
    if fact.amount_breakdown is not None:
        data["amount_breakdown"] = [float(part) if part % 1 else int(part) for part in fact.amount_breakdown]
    if fact.date is not None:
        data["date"] = fact.date.isoformat()
    if fact.date_range is not None:
        period = fact.date_range
        data["date_range"] = {"start": period.start.isoformat(), "end": period.end.isoformat()}
    named = {"count": fact.count, "boolean": fact.boolean_answer, "text": fact.text_answer, "entity": fact.entity}
    data |= {name: value for name, value in named.items() if value is not None}
    return data | {"answer": "；".join(_shown(value) for value in data.values())}


def _shown(value: JSON) -> str:
    if isinstance(value, bool):
        return "是" if value else "否"
    if isinstance(value, dict):
        return f"{value['start']}至{value['end']}"
    return "、".join(map(str, value)) if isinstance(value, list) else str(value)


def _evidence_set(gold: Gold, part: EvidenceSet) -> dict[str, JSON]:
    pieces: list[JSON] = [{"file": gold.document, "page": one.page, "text": one.text} for one in gold.evidence]
    # Key points alone say nothing of pages; a place is still asked for.
    pieces = pieces or [{"file": gold.document or "source", "text": point} for point in part.key_points]
    return {"answer": "\n".join(part.key_points) or "\n".join(one.text for one in gold.evidence), "evidence": pieces}


def _gap(gap: Gap) -> dict[str, JSON]:
    words = "\n".join(f"「{quote}」" for quote in gap.quotes[:1])
    opening = DECLINED if gap.should_abstain else ANSWERED
    return {"answer": f"{opening}\n{words}".strip(), "abstained": gap.should_abstain}
