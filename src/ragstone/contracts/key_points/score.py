"""Accuracy, citation and key-point recall of one reading (contract 2, R2.1 and R2.2)."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import structs

from ragstone.contracts.key_points.cases import Gold, gold_of
from ragstone.contracts.key_points.faithful import share
from ragstone.core.types import JSON, Case, Context, Question, Reading, Reason, RuleVerdict, Scorecard
from ragstone.reading.citations.document_names import DocumentName, Documents, name_parts
from ragstone.reading.lexicon import DEFAULT, Lexicon
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.statements import Statements
from ragstone.reading.verdicts import Verdict

_prepare = lru_cache(maxsize=1024)(Point)


def score(case: Case, reading: Reading, lexicon: Lexicon = DEFAULT) -> Scorecard:
    """Judge one reading."""
    gold = gold_of(case)
    found = _verdicts(gold, case.question, reading.text, lexicon)
    stated = [point for point, one in zip(gold.points, found, strict=True) if one.outcome == "yes"]
    cited, wrong = _cited(gold, reading)
    by_rule = figures([one.outcome for one in found])
    accuracy = by_rule["accuracy"]
    citation = float(bool(cited)) if gold.documents else None
    hit, rank = _retrieval(gold, reading.contexts)
    flags = [accuracy] if citation is None else [accuracy, citation]
    return Scorecard(
        primary_score=sum(flags) / len(flags),
        passed=all(flags),
        sub_scores={
            "accuracy": accuracy,
            "citation": citation,
            "key_point_recall": by_rule["key_point_recall"],
            "retrieval_hit": hit,
            "reciprocal_rank": rank,
        },
        error_tags=_tags(accuracy, citation, wrong, found),
        reasons=tuple(_reasons(gold, reading.text, stated, cited, wrong, found)),
        details={
            "points": [_detail(point, one) for point, one in zip(gold.points, found, strict=True)],
            "wrong_documents": wrong,
            **_at_most(found),
        },
    )


def _verdicts(gold: Gold, question: str, text: str, lexicon: Lexicon) -> list[Verdict]:
    if not text.strip():
        return [Verdict("no", "empty")] * len(gold.points)
    said = Statements(text)
    return [states(_prepare(point, lexicon), said, question) for point in gold.points]


def _at_most(found: list[Verdict]) -> dict[str, JSON]:
    """What each metric would be if every open verdict were a yes; open counts as not stated until somebody decides."""
    if all(one.outcome != "open" for one in found):
        return {}
    return {"at_most": figures(["no" if one.outcome == "no" else "yes" for one in found])}


def figures(verdicts: Sequence[RuleVerdict]) -> dict[str, float]:
    """Return accuracy and recall of verdicts on all key points; what is open counts as not stated."""
    stated = verdicts.count("yes")
    return {"accuracy": float(bool(stated)), "key_point_recall": stated / len(verdicts)}


def with_claims(card: Scorecard, claims: Sequence[dict[str, JSON]], *, lacking: bool = False) -> Scorecard:
    """Add how faithful an answer is to its sources, which sentences they do not support, and whether they lack."""
    verdicts: list[RuleVerdict] = [one["verdict"] for one in claims]
    details = card.details | {"claims": list(claims)}
    if "open" in verdicts:
        high = share(["no" if verdict == "no" else "yes" for verdict in verdicts])
        details |= {"at_most": {**card.details.get("at_most", {}), "faithfulness": high}}
    reasons = (*card.reasons, Reason("faithfulness", "no_source")) if lacking else card.reasons
    scores = card.sub_scores | {"faithfulness": share(verdicts)}
    return structs.replace(card, sub_scores=scores, details=details, reasons=reasons)


def asked(case: Case, reading: Reading, card: Scorecard) -> list[tuple[Question, RuleVerdict]]:
    """Ask of each key point whether the answer states it, and say what the rules made of it."""
    found = zip(gold_of(case).points, card.details["points"], strict=True)
    return [
        (Question(kind="states", question=case.question, point=point, answer=reading.text), detail["verdict"])
        for point, detail in found
    ]


def _cited(gold: Gold, reading: Reading) -> tuple[list[str], list[str]]:
    """Split the documents the answer names into right ones (as doc_hint writes them) and wrong ones."""
    expected = Documents(gold.documents)
    named = {name_parts(citation.file): citation.file for citation in reversed(reading.citations) if citation.file}
    fuller = {parts.stem for parts in named if parts.folders}
    right: dict[str, None] = {}
    wrong: list[str] = []
    for parts, file in reversed(named.items()):
        if not parts.stem or (not parts.folders and parts.stem in fuller and _named_in_full(parts, named)):
            continue
        document = expected.find(file)
        if document is not None:
            right[document] = None
        else:
            wrong.append(file)
    return list(right), wrong


def _named_in_full(bare: DocumentName, named: Iterable[DocumentName]) -> bool:
    """Return whether a name without a folder repeats one that the answer gives with its folder."""
    endings = {parts.ending for parts in named if parts.folders and parts.stem == bare.stem}
    return not bare.ending or bool(endings & {"", bare.ending})


def _retrieval(gold: Gold, contexts: Sequence[Context]) -> tuple[float | None, float | None]:
    """Whether a right document was retrieved, and one over the rank of the first; not applicable without contexts."""
    if not contexts or not gold.documents:
        return None, None
    expected = Documents(gold.documents)
    ranked = {name_parts(context.source_path): context.source_path for context in contexts}
    rank = next((place for place, path in enumerate(ranked.values(), start=1) if expected.find(path)), None)
    return (1.0, 1 / rank) if rank else (0.0, 0.0)


def _tags(accuracy: float, citation: float | None, wrong: list[str], found: list[Verdict]) -> tuple[str, ...]:
    tags = []
    if not accuracy:
        tags.append("no_key_point")
        tags += sorted({one.rule for one in found if one.outcome == "no" and one.rule in _TELLING})
    if citation == 0:
        tags.append("wrong_document" if wrong else "no_citation")
    elif wrong:
        tags.append("also_wrong_document")
    return tuple(tags)


def _reasons(
    gold: Gold, text: str, stated: list[str], cited: list[str], wrong: list[str], found: list[Verdict]
) -> list[Reason]:
    reasons = []
    if not stated:
        code = "missed" if text.strip() else "silent"
        reasons.append(Reason("accuracy", code, {"points": list(gold.points), "answer": text}))
        reasons += _nearly(gold, found)
    if gold.documents and not cited:
        code = "wrong_document" if wrong else "no_citation"
        reasons.append(Reason("citation", code, {"wrong": wrong, "documents": list(gold.documents)}))
    if not reasons:
        reasons.append(_praise(gold, stated, cited))
    if wrong and (cited or not gold.documents):
        reasons.append(Reason("", "also_wrong", {"wrong": wrong}))
    return reasons


def _nearly(gold: Gold, found: list[Verdict]) -> Iterator[Reason]:
    """Say which points the answer speaks of without stating them, and which values it gives instead."""
    denied = [(point, one) for point, one in zip(gold.points, found, strict=True) if one.outcome == "no"]
    near = [point for point, one in denied if one.rule in _TURNING]
    changed = [one.params for _, one in denied if one.rule == _CHANGED]
    if near:
        yield Reason("", "near", {"points": near})
    if changed:
        yield Reason("", "changed", {key: [one[key] for one in changed] for key in ("expected", "found")})


def _praise(gold: Gold, stated: list[str], cited: list[str]) -> Reason:
    code = "all" if len(stated) == len(gold.points) else "some"
    params: dict[str, JSON] = {"documents": cited, "stated": len(stated), "total": len(gold.points)}
    return Reason("", f"met_{code}" if cited else f"met_{code}_uncited", params)


_CLASSES = {"yes": "stated", "no": "denied", "open": "open"}


def _detail(point: str, one: Verdict) -> dict[str, JSON]:
    detail: dict[str, JSON] = {"point": point, "verdict": one.outcome, "class": _CLASSES[one.outcome], "rule": one.rule}
    if one.params:
        detail["params"] = one.params
    if one.span:
        detail["span"] = list(one.span)
    return detail


_TURNING = frozenset(
    (
        *("negated", "unknown", "asked", "supposed", "guessed", "planned", "hearsay", "outdated", "corrected"),
        *("opposite", "swapped"),
    )
)
"""Rules that saw the point's own words and still had to say no."""
_CHANGED = "number_changed"
_TELLING = _TURNING | {_CHANGED}
