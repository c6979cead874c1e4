"""The three formulas of the legal benchmark, to the letter, each with its reasons."""

from collections.abc import Sequence
from typing import NamedTuple

from ragstone.contracts.legal_rag.cases import EvidenceSet, Fact, Gap, Gold, gold_of
from ragstone.contracts.legal_rag.facts.compare import Compared, compare
from ragstone.contracts.legal_rag.gaps import Honesty, judge_honesty, specific_details
from ragstone.contracts.legal_rag.read import CUT, is_silent
from ragstone.contracts.legal_rag.sources.citing import (
    citation_details,
    citation_reasons,
    citation_tags,
    judge_citations,
)
from ragstone.contracts.legal_rag.sources.evidence import Gathered, evidence_details, gather
from ragstone.contracts.legal_rag.sources.pages import Library
from ragstone.core.types import JSON, Case, Reading, Reason, Scorecard
from ragstone.reading.lexicon import DEFAULT, Lexicon
from ragstone.reading.refusals.declines import declines
from ragstone.reading.statements import Statements

PENALTY = {"low": 0.75, "medium": 0.5, "high": 0.0}
"""What is left of the score of an answer that invents, when penalties are weighed."""

_EPSILON = 1e-9


class _Judged(NamedTuple):
    """What one formula came to."""

    score: float
    sub_scores: dict[str, float | None]
    tags: Sequence[str]
    reasons: Sequence[Reason]
    details: dict[str, JSON]
    abstained: bool = False


def score(
    case: Case, reading: Reading, library: Library, *, weigh_penalty: bool = False, lexicon: Lexicon = DEFAULT
) -> Scorecard:
    """Judge one reading by the formula of its question's type."""
    gold = gold_of(case)
    if is_silent(reading):
        judged = _silence(gold)
    elif isinstance(gold.part, Fact):
        judged = _fact(case, gold, gold.part, reading, library, lexicon)
    elif isinstance(gold.part, EvidenceSet):
        judged = _evidence_set(case, gold, gold.part, reading, library, lexicon)
    else:
        judged = _gap(case, gold, gold.part, reading, library, weigh_penalty=weigh_penalty)
    cell = _cell(gold, judged, silent=is_silent(reading))
    return Scorecard(
        primary_score=judged.score,
        passed=judged.score >= gold.threshold - _EPSILON,
        sub_scores=judged.sub_scores | _cell_scores(cell),
        error_tags=tuple(
            dict.fromkeys([*judged.tags, *_cell_tags(cell), *(tag for tag in reading.tags if tag == CUT)])
        ),
        reasons=(*judged.reasons, *_cell_reasons(cell, gold)),
        details=judged.details | {"abstention": cell},
    )


def _silence(gold: Gold) -> _Judged:
    """An empty answer earns nothing in any part (R1.9)."""
    names: tuple[str, ...] = ("correct_abstention", "no_hallucination", "quote_included")
    if isinstance(gold.part, Fact):
        names = ("exact_match", "citation_correctness", *gold.part.asked())
    elif isinstance(gold.part, EvidenceSet):
        names = ("evidence_recall", "evidence_precision", "citation_provided")
        names = (*names, "key_point_recall") if gold.part.key_points else names
    reasons = (Reason("", "silent"),)
    return _Judged(0.0, dict.fromkeys(names, 0.0), ("silent",), reasons, {})


# --- the abstention table ---


def _cell(gold: Gold, judged: _Judged, *, silent: bool) -> str:
    """Name the cell of the table answered/abstained × answerable/unanswerable."""
    answerable = not (isinstance(gold.part, Gap) and gold.part.should_abstain)
    did = "silent" if silent else "abstained" if judged.abstained else "answered"
    return f"{did}_{'answerable' if answerable else 'unanswerable'}"


def _cell_scores(cell: str) -> dict[str, float | None]:
    did, _, kind = cell.partition("_")
    spoke = did != "silent"
    return {
        "answered": float(did == "answered"),
        "over_refusal": float(did == "abstained") if spoke and kind == "answerable" else None,
        "unsupported_answer": float(did == "answered") if spoke and kind == "unanswerable" else None,
    }


def _cell_reasons(cell: str, gold: Gold) -> list[Reason]:
    """Say of a fact or an evidence question that it was declined; a gap says so itself."""
    declined = cell == "abstained_answerable" and not isinstance(gold.part, Gap)
    return [Reason("over_refusal", "declined")] if declined else []


def _cell_tags(cell: str) -> list[str]:
    return {"abstained_answerable": ["over_refusal"], "answered_unanswerable": ["unsupported_answer"]}.get(cell, [])


# --- fact_exact: exact_match * 0.7 + citation_correctness * 0.3 ---


def _fact(case: Case, gold: Gold, fact: Fact, reading: Reading, library: Library, lexicon: Lexicon) -> _Judged:
    compared = compare(gold, fact, reading, case.question, lexicon)
    citing = judge_citations(gold, reading, library.paper(gold.document))
    exact_match = float(all(one.outcome == "match" for one in compared))
    critical = [met for met, evidence in zip(citing.met, gold.evidence, strict=True) if evidence.critical]
    cited = sum(critical) / len(critical) if critical else float(_placed(reading))
    cited = cited if gold.citation_required else 1.0
    tags = [f"{one.field}_{one.outcome}" for one in compared if one.outcome != "match"]
    tags += [f"{one.field}_contradicted" for one in compared if one.contradicted]
    reasons = [reason for one in compared for reason in _fact_reasons(one)]
    if gold.citation_required:
        wrong = list(citation_reasons(gold, citing, "citation_correctness"))
        if not critical:
            wrong = [*wrong, Reason("citation_correctness", "evidence.cited" if cited else "evidence.uncited")]
        reasons += wrong or [Reason("citation_correctness", "citation.right")]
        tags += citation_tags(gold, citing) + ([] if critical or cited else ["no_citation"])
    else:
        reasons.append(Reason("citation_correctness", "citation.not_required"))
    flags: dict[str, float | None] = {"exact_match": exact_match, "citation_correctness": cited}
    flags |= {one.field: float(one.outcome == "match") for one in compared}
    declined = _declines(reading, case.question, missed=not exact_match)
    details: dict[str, JSON] = {"fields": [_fact_detail(one) for one in compared], "citation": citation_details(citing)}
    details |= {} if declined else _fact_at_most(compared)
    return _Judged(exact_match * 0.7 + cited * 0.3, flags, tags, reasons, details, declined)


def _fact_at_most(compared: Sequence[Compared]) -> dict[str, JSON]:
    """What each metric would be if every open verdict were a yes; open counts as not given until somebody decides."""
    fields = [one.field for one in compared if one.outcome == "open"]
    if not fields:
        return {}
    whole = float(all(one.outcome in ("match", "open") for one in compared))
    return {"at_most": {"exact_match": whole} | dict.fromkeys(fields, 1.0)}


def _placed(reading: Reading) -> bool:
    """Return whether an answer names any place it rests on."""
    return any(citation.page is not None or citation.file for citation in reading.citations)


def _fact_reasons(one: Compared) -> list[Reason]:
    params: dict[str, JSON] = {"field": one.field, "expected": _in_words(one.expected)}
    if one.outcome == "match":
        params |= {"found": one.found, "rule": one.rule}
    elif one.outcome == "open":
        params["rule"] = one.rule
    elif one.others:
        params["others"] = list(one.others[:5])
    reasons = [Reason("exact_match", f"fact.{one.outcome}", params)]
    if one.contradicted:
        against: dict[str, JSON] = {"field": one.field, "others": list(one.contradicted[:5])}
        reasons.append(Reason("", "fact.contradicted", against))
    return reasons


def _in_words(expected: JSON) -> str:
    if isinstance(expected, dict):
        return f"{expected['start']} – {expected['end']}"
    return ", ".join(expected) if isinstance(expected, list) else str(expected)


def _fact_detail(one: Compared) -> dict[str, JSON]:
    detail: dict[str, JSON] = {"field": one.field, "outcome": one.outcome, "expected": one.expected}
    more: dict[str, JSON] = {"found": one.found, "rule": one.rule, "others": list(one.others)}
    return detail | {name: value for name, value in more.items() if value}


def _declines(reading: Reading, question: str, *, missed: bool) -> bool:
    """Return whether an answer declines; one that gives what was asked for does not."""
    if not missed or not reading.text.strip():
        return missed and reading.fields.get("abstained") is True
    return declines(question, Statements(reading.text)).outcome == "yes"


# --- evidence_set: recall 0.5, precision 0.3, citation 0.2 ---


def _evidence_set(
    case: Case, gold: Gold, part: EvidenceSet, reading: Reading, library: Library, lexicon: Lexicon
) -> _Judged:
    gathered = gather(gold, part, reading, case.question, lexicon)
    recall, precision = gathered.recall(points=not gold.evidence), gathered.precision()
    provided = _placed(reading) or not gold.citation_required
    enough, clean = recall >= part.recall_min - _EPSILON, precision >= part.precision_min - _EPSILON
    citing = judge_citations(gold, reading, library.paper(gold.document))
    points = sum(gathered.stated) / len(gathered.stated) if gathered.stated else None
    details = evidence_details(gold, part, gathered, reading) | {"citation": citation_details(citing)}
    if any(one.outcome == "open" for one in gathered.points):
        possible = sum(one.outcome != "no" for one in gathered.points) / len(gathered.points)
        named = ("key_point_recall",) if gold.evidence else ("key_point_recall", "evidence_recall")
        details |= {"at_most": dict.fromkeys(named, possible)}
    return _Judged(
        (0.5 if enough else 0.0) + (0.3 if clean else 0.0) + (0.2 if provided else 0.0),
        {
            "evidence_recall": recall,
            "evidence_precision": precision,
            "citation_provided": float(provided),
            "key_point_recall": points,
        },
        _evidence_tags(part, gathered, enough=enough, clean=clean, provided=provided),
        _evidence_reasons(gold, part, gathered, enough=enough, clean=clean, provided=provided),
        details,
        _declines(reading, case.question, missed=recall == 0),
    )


def _evidence_tags(part: EvidenceSet, gathered: Gathered, *, enough: bool, clean: bool, provided: bool) -> list[str]:
    named = {
        "low_recall": not enough,
        "low_precision": not clean,
        "no_citation": not provided,
        "wrong_page": bool(gathered.misplaced),
        "too_few_evidence": len(gathered.relevant) < part.count_min,
        "key_point_missed": not all(gathered.stated),
    }
    return [tag for tag, present in named.items() if present]


def _evidence_reasons(
    gold: Gold, part: EvidenceSet, gathered: Gathered, *, enough: bool, clean: bool, provided: bool
) -> list[Reason]:
    parts = list(zip(gold.evidence, gathered.hit, strict=True))
    missing = [evidence.text for evidence, met in parts if not met]
    if not gold.evidence:
        missing = [point for point, said in zip(part.key_points, gathered.stated, strict=True) if not said]
    hits = gathered.hit if gold.evidence else gathered.stated
    recall = {"hit": sum(hits), "total": len(hits), "least": part.recall_min, "missing": missing}
    precision = {"good": sum(gathered.relevant), "total": len(gathered.relevant), "least": part.precision_min}
    reasons = [
        Reason("evidence_recall", "evidence.recall_met" if enough else "evidence.recall_low", recall),
        Reason("evidence_precision", "evidence.precision_met" if clean else "evidence.precision_low", precision),
        Reason("citation_provided", _provided(gold, provided=provided)),
    ]
    reasons += [
        Reason("evidence_recall", "evidence.misplaced", {"words": one.text, "page": one.page})
        for one in gathered.misplaced
    ]
    if len(gathered.relevant) < part.count_min:
        few = {"given": len(gathered.relevant), "least": part.count_min}
        reasons.append(Reason("", "evidence.too_few", few))
    return reasons


def _provided(gold: Gold, *, provided: bool) -> str:
    if not gold.citation_required:
        return "citation.not_required"
    return "evidence.cited" if provided else "evidence.uncited"


# --- conflict_gap: abstention 0.4, no hallucination 0.4, quote 0.2 ---


def _gap(case: Case, gold: Gold, gap: Gap, reading: Reading, library: Library, *, weigh_penalty: bool) -> _Judged:
    honesty = judge_honesty(gap, reading, case.question, library.source(gold.document))
    right = honesty.abstained == gap.should_abstain
    honest = not honesty.invented
    quoted = honesty.quoted is not False
    total = (0.4 if right else 0.0) + (0.4 if honest else 0.0) + (0.2 if quoted else 0.0)
    factor = PENALTY.get((gap.penalty or "").lower(), 1.0) if weigh_penalty and not honest else 1.0
    tags = [f"invented_{kind}" for kind in sorted({one.specific.kind for one in honesty.invented})]
    tags = (["hallucination"] if not honest else []) + tags + ([] if quoted else ["no_quote"])
    reasons = _gap_reasons(gap, honesty)
    if factor < 1:
        reasons.append(Reason("", "gap.penalty", {"level": gap.penalty, "factor": factor}))
    return _Judged(
        min(1.0, total) * factor,
        {"correct_abstention": float(right), "no_hallucination": float(honest), "quote_included": float(quoted)},
        tags,
        reasons,
        {
            "abstention_rule": honesty.rule,
            "invented": specific_details(honesty.invented, supported=False),
            "supported": specific_details(honesty.supported, supported=True),
            "hallucination_penalty": gap.penalty,
            **({"at_most": {"correct_abstention": 1.0}} if honesty.open and not right else {}),
        },
        honesty.abstained,
    )


def _gap_reasons(gap: Gap, honesty: Honesty) -> list[Reason]:
    if honesty.abstained:
        code = "gap.abstained" if gap.should_abstain else "gap.over_refusal"
    else:
        code = "gap.unsupported_answer" if gap.should_abstain else "gap.answered"
    reasons = [Reason("correct_abstention", code, {"rule": honesty.rule})]
    items = [f"{one.specific.text} ({one.specific.kind})" for one in honesty.invented]
    invented = Reason("no_hallucination", "gap.invented", {"items": items})
    reasons.append(invented if items else Reason("no_hallucination", "gap.honest"))
    if honesty.quoted is None:
        return [*reasons, Reason("quote_included", "gap.quote_not_asked")]
    code = "gap.quoted" if honesty.quoted else "gap.unquoted"
    return [*reasons, Reason("quote_included", code, {"quote": gap.quotes[0]})]
