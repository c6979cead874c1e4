"""What a judge or a person may decide of a legal answer: facts left open, key points, and whether it declines."""

from collections.abc import Sequence

from ragstone.contracts.legal_rag.cases import EvidenceSet, Gap, Gold, gold_of
from ragstone.core.types import JSON, Case, Question, QuestionKind, Reading, RuleVerdict, Scorecard

JUDGED = ("exact_match", "key_point_recall", "evidence_recall", "correct_abstention")
KINDS: tuple[QuestionKind, ...] = ("equivalent", "states", "declines")
KINDS_OF: dict[str, tuple[QuestionKind, ...]] = {
    "exact_match": ("equivalent",),
    "key_point_recall": ("states",),
    "evidence_recall": ("states",),
    "correct_abstention": ("declines",),
}
"""Judged metric to the kinds of question its verdicts are on."""
_FIELDS: dict[str, RuleVerdict] = {"match": "yes", "open": "open"}


def asked(case: Case, reading: Reading, card: Scorecard) -> list[tuple[Question, RuleVerdict]]:
    """Return the closed questions a scorecard rests on, by the type of its question; silence raises none."""
    gold, details = gold_of(case), card.details
    if isinstance(gold.part, Gap):
        return [(_question(case, reading, "declines"), _declined(gold.part, card))] if reading.text.strip() else []
    if isinstance(gold.part, EvidenceSet):
        points: list[dict[str, JSON]] = details.get("key_points", [])
        return [(_question(case, reading, "states", one["point"]), one["verdict"]) for one in points]
    fields: list[dict[str, JSON]] = details.get("fields", [])
    return [(_question(case, reading, "equivalent", _told(one)), _FIELDS.get(one["outcome"], "no")) for one in fields]


def _question(case: Case, reading: Reading, kind: QuestionKind, point: str = "") -> Question:
    return Question(kind=kind, question=case.question, point=point, answer=reading.text)


def _told(field: dict[str, JSON]) -> str:
    expected = field["expected"]
    return "、".join(map(str, expected)) if isinstance(expected, list) else str(expected)


def _declined(gap: Gap, card: Scorecard) -> RuleVerdict:
    """Return whether the rules found the answer to decline."""
    right = card.sub_scores.get("correct_abstention") == 1
    if not right and "correct_abstention" in card.details.get("at_most", {}):
        return "open"
    return "yes" if gap.should_abstain is right else "no"


def decide(case: Case, verdicts: Sequence[RuleVerdict]) -> dict[str, float | None]:
    """Return the figures of a question's type by verdicts on its questions."""
    gold = gold_of(case)
    if not verdicts:
        return {}
    if isinstance(gold.part, Gap):
        return {"correct_abstention": float((verdicts[0] == "yes") is gold.part.should_abstain)}
    share = sum(verdict == "yes" for verdict in verdicts) / len(verdicts)
    return _evidence(gold, share) if isinstance(gold.part, EvidenceSet) else {"exact_match": float(share == 1)}


def _evidence(gold: Gold, share: float) -> dict[str, float | None]:
    return {"key_point_recall": share} if gold.evidence else {"key_point_recall": share, "evidence_recall": share}
