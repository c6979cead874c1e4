"""A reading into the seven sub-scores and their weighted sum (sections 3 and 4)."""

from math import fsum

from ragstone.contracts.eval_json_v2.coverage import score_coverage
from ragstone.contracts.eval_json_v2.evidence import score_evidence
from ragstone.contracts.eval_json_v2.gold import Expected, Wanted
from ragstone.contracts.eval_json_v2.grounding import score_grounding
from ragstone.contracts.eval_json_v2.lists import score_label, score_list
from ragstone.contracts.eval_json_v2.retrieval import score_retrieval
from ragstone.contracts.eval_json_v2.terms import COMPARED, FIELDS, FULL_HITS, FULL_LENGTH, PASS_SCORE, POINTS
from ragstone.core.types import JSON, Reading, Reason, Scorecard

SHOWN = 200
"""Most characters of a given label that a reason repeats."""


class Sheet:
    """What is found out about one answer before it becomes a scorecard."""

    def __init__(self) -> None:
        self.subs: dict[str, float | None] = {}
        self.reasons: list[Reason] = []
        self.details: dict[str, JSON] = {}
        self.tags: list[str] = []

    def note(self, metric: str, code: str, /, **params: JSON) -> None:
        """Say why something was lost."""
        self.reasons.append(Reason(metric, code, params))

    def card(self, points: float) -> Scorecard:
        """Close the sheet with a score from 0 to 100."""
        return Scorecard(
            primary_score=points / 100,
            passed=points >= PASS_SCORE,
            sub_scores={"score": points, **self.subs},
            error_tags=tuple(self.tags),
            reasons=tuple(self.reasons),
            details=self.details,
        )


def score_reading(gold: Expected | Wanted, reading: Reading) -> Scorecard:
    """Score what was read; an answer that breaks the schema scores 0 everywhere."""
    if reading.rung == "failed" or len(reading.fields) < len(FIELDS):
        return _broken(gold, reading)
    sheet = Sheet()
    sheet.subs["schema_ok"] = 1.0
    sheet.tags += reading.tags
    if isinstance(gold, Wanted):
        return sheet.card(_older(sheet, gold, reading))
    fields = reading.fields
    _labels(sheet, gold, fields)
    _lists(sheet, gold, fields)
    _evidence(sheet, gold, fields["original_evidence"])
    _grounding(sheet, reading)
    _retrieval(sheet, gold, reading)
    points = min(100.0, max(0.0, fsum([POINTS[name] * (sheet.subs[name] or 0.0) for name in POINTS])))
    if not sheet.reasons:
        sheet.note("", "perfect")
    return sheet.card(points)


def _broken(gold: Expected | Wanted, reading: Reading) -> Scorecard:
    sheet = Sheet()
    sheet.subs = dict.fromkeys(("schema_ok", *POINTS) if isinstance(gold, Expected) else ("schema_ok", "coverage"), 0.0)
    problem = reading.problem or "empty"
    sheet.tags = [problem, *reading.tags]
    fields = [tag.partition(":")[2] for tag in reading.tags if tag.startswith(("missing:", "type:"))]
    sheet.note("schema_ok", problem, fields=fields)
    if isinstance(gold, Expected):
        _retrieval(sheet, gold, reading)
    return sheet.card(0.0)


def _labels(sheet: Sheet, gold: Expected, fields: dict[str, JSON]) -> None:
    for name, expected in gold.labels.items():
        got = fields[name]
        sheet.subs[name] = score_label(expected, got)
        if not sheet.subs[name]:
            sheet.note(name, "label", metric=name, expected=getattr(gold, name), got=got[:SHOWN])
            sheet.tags.append(name)


def _lists(sheet: Sheet, gold: Expected, fields: dict[str, JSON]) -> None:
    for name, expected in gold.lists.items():
        got = fields[name][: COMPARED[name]]
        found = score_list(expected, got)
        sheet.subs[f"{name}_f1"] = found.f1
        if found.f1 < 1:
            counts = {"expected": len(expected), "got": len(got)}
            hits = {"matched_expected": found.matched_expected, "matched_got": found.matched_got}
            sheet.note(f"{name}_f1", "list", metric=name, **counts, **hits)
            sheet.tags.append(name)
            sheet.details[name] = found.items


def _evidence(sheet: Sheet, gold: Expected, got: str) -> None:
    found = score_evidence(gold.keywords, got)
    sheet.subs["original_evidence"] = found.value
    if found.value < 1:
        limits = {"full": FULL_HITS, "long": FULL_LENGTH}
        sheet.note("original_evidence", "evidence", hits=found.hits, length=found.length, **limits)
        sheet.tags.append("original_evidence")


def _grounding(sheet: Sheet, reading: Reading) -> None:
    found = score_grounding(reading.fields["source_map"], reading.contexts)
    sheet.subs["grounding"] = found.value
    if found.value < 1:
        code = "no_sources" if not found.total else "grounding" if reading.contexts else "no_contexts"
        sheet.note("grounding", code, ok=found.ok, total=found.total)
        sheet.tags.append("grounding")
        sheet.details["grounding"] = found.faults


def _retrieval(sheet: Sheet, gold: Expected, reading: Reading) -> None:
    found = score_retrieval(gold.files, reading.contexts)
    sheet.subs["retrieval_recall"] = found.recall
    sheet.subs["reciprocal_rank"] = found.reciprocal_rank
    sheet.subs["retrieval_ndcg"] = found.ndcg


def _older(sheet: Sheet, gold: Wanted, reading: Reading) -> float:
    """Score the older form by coverage, and say so."""
    found = score_coverage(gold, reading.fields)
    sheet.subs["coverage"] = found.value
    sheet.tags.append("scored_by_coverage")
    if found.missing:
        sheet.note(
            "coverage", "coverage", found=found.total - len(found.missing), total=found.total, missing=found.missing
        )
    else:
        sheet.note("coverage", "covered", total=found.total)
    return 100 * found.value
