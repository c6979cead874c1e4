"""Drafts into the rows of a contract; each row carries what proves it, and that nobody has looked at it yet."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePath

import msgspec

from ragstone.core.errors import SettingError
from ragstone.core.types import JSON
from ragstone.drafting.draft import Draft, Place, Point
from ragstone.runs.store.codec import write_whole

PROVENANCE, REVIEWED, ABSENT = "provenance", "reviewed", "absent"
"""Fields of a row: where each point stands, whether a person accepted it, why there is no answer."""
ENDINGS = {"key_points": ".jsonl", "prompt_task": ".jsonl", "legal_rag": ".json", "eval_json_v2": ".json"}
"""How the file of a contract's rows ends."""
OPTIONS: dict[str, dict[str, JSON]] = {"prompt_task": {"task": "drafted_answer"}}
"""What a contract must be told of drafted rows."""
ABSTAINING = frozenset(("legal_rag",))
"""Contracts that have a form for questions without an answer."""
_IDS = ("id", "sample_id")
_AUDIENCE = {"en": "readers", "ja": "読者", "ko": "독자", "zh-Hans": "读者", "zh-Hant": "讀者"}
_CATEGORIES = {"amount": "monetary", "date": "temporal", "duration": "temporal", "time": "temporal"}


def provenance(points: Iterable[Point]) -> list[JSON]:
    """Write down the place of each point."""
    return [{"point": point.text, **msgspec.to_builtins(point.place)} for point in points]


def proved(draft: Draft) -> dict[str, JSON]:
    """Return what every row has besides its contract's own fields."""
    absent = {} if draft.absent is None else {ABSENT: msgspec.to_builtins(draft.absent)}
    return {PROVENANCE: provenance(draft.points), REVIEWED: False, **absent}


def _key_points(draft: Draft, name: str) -> dict[str, JSON]:
    gold = [point.text for point in draft.points]
    if draft.kind == "comparison":
        gold = gold[:1]
    return {
        "id": name,
        "q": draft.question,
        "gold": list(dict.fromkeys(gold)),
        "doc_hint": [PurePath(one).as_posix() for one in draft.documents],
        "type": draft.kind,
        "difficulty": draft.difficulty,
        **proved(draft),
    }


def _legal_rag(draft: Draft, name: str) -> dict[str, JSON]:
    metadata = {
        "difficulty": draft.difficulty,
        "category": _CATEGORIES.get(draft.kind, "factual"),
        "tags": [draft.kind],
    }
    row: dict[str, JSON] = {"id": name, "question": draft.question, "metadata": metadata}
    if draft.absent is not None:
        return row | _gap() | proved(draft)
    evidence = [{"page": point.place.page, "must_include": point.text, "is_critical": True} for point in draft.points]
    row |= {"document": draft.documents[0], "required_evidence": evidence}
    if draft.kind == "list":
        places = {point.place for point in draft.points}
        wanted = {"evidence_count_min": len(places), "key_points": [point.text for point in draft.points]}
        scoring = {"evidence_recall_min": 0.8, "evidence_precision_min": 0.7, "citation_required": True}
        return row | {"type": "evidence_set", "expected": wanted, "scoring": scoring} | proved(draft)
    return (
        row | {"type": "fact_exact", "expected": draft.expected, "scoring": {"citation_required": True}} | proved(draft)
    )


def _gap() -> dict[str, JSON]:
    return {
        "type": "conflict_gap",
        "should_abstain": True,
        "hallucination_penalty": "high",
        "expected_behavior": "Say that the documents do not tell.",
        "scoring": {
            "abstention_required": True,
            "hallucination_check": "must_not_invent_details",
            "quote_required": False,
        },
    }


def _eval_json_v2(draft: Draft, name: str) -> dict[str, JSON]:
    quotes = list(dict.fromkeys(point.place.quote for point in draft.points))
    refs = [_ref(place) for place in {point.place: None for point in draft.points}]
    example = {
        "target_audience": _AUDIENCE[draft.writing],
        "main_topic": draft.topic,
        "sub_topic": draft.section or draft.topic,
        "detailed_description": quotes[:8],
        "original_evidence": "\n".join(quotes) if draft.kind == "section" else draft.context or quotes[0],
        "predicted_questions": [draft.question],
    }
    expected = {"answer_example": example, "source_map": [{"part": "original_evidence", "refs": refs}]}
    return {
        "id": name,
        "question": draft.question,
        "expected": expected,
        "difficulty": draft.difficulty,
        **proved(draft),
    }


def _ref(place: Place) -> dict[str, JSON]:
    return {"file": place.document, "page": place.page, "anchors": [place.quote]}


def _prompt_task(draft: Draft, name: str) -> dict[str, JSON]:
    quote = draft.points[0].place.quote
    return {
        "sample_id": name,
        "question": draft.question,
        "passage": draft.context or quote,
        "gt_answer": "；".join(point.text for point in draft.points),
        "type": draft.kind,
        "difficulty": draft.difficulty,
        **proved(draft),
    }


WRITERS: dict[str, Callable[[Draft, str], dict[str, JSON]]] = {
    "key_points": _key_points,
    "legal_rag": _legal_rag,
    "eval_json_v2": _eval_json_v2,
    "prompt_task": _prompt_task,
}


def fits(draft: Draft, contract: str) -> bool:
    """Say whether a contract has a form for a draft; a question of legal_rag rests on one document."""
    if draft.absent is not None:
        return contract in ABSTAINING
    if draft.kind == "section":
        return contract == "eval_json_v2"
    if contract == "prompt_task":
        return draft.kind not in ("list", "yes_no", "comparison") and len(draft.points) == 1
    return contract != "legal_rag" or (len(draft.documents) == 1 and bool(draft.expected or draft.kind == "list"))


def write_rows(drafts: Iterable[Draft], contract: str) -> bytes:
    """Write drafts in the file format of a contract."""
    rows = [WRITERS[contract](draft, f"draft-{number:04d}") for number, draft in enumerate(drafts, 1)]
    return encode_rows(rows, contract)


def require_target(path: Path, contract: str) -> None:
    """Refuse, before any work, a file that drafts cannot be written to or would not be read from again."""
    if path.suffix.lower() != ENDINGS[contract]:
        raise SettingError("draft.ending", file=str(path), contract=contract, ending=ENDINGS[contract])
    there = path.exists()
    try:
        path.open("ab").close()
        if not there:
            path.unlink()
    except OSError as error:
        raise _unwritable(path, error) from error


def keep_rows(path: Path, drafts: Iterable[Draft], contract: str) -> None:
    """Write drafts into a file, whole or not at all."""
    try:
        write_whole(path, write_rows(drafts, contract))
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> SettingError:
    return SettingError("draft.unwritable", file=str(path), problem=error.strerror or str(error))


def encode_rows(rows: list[dict[str, JSON]], contract: str) -> bytes:
    """Write rows in the file format of a contract: lines, an array, or one object that holds them."""
    if ENDINGS[contract] == ".jsonl":
        return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
    whole: JSON = rows
    if contract == "legal_rag":
        whole = {"benchmark_type": "fact_exact", "description": "Drafted by Ragstone", "questions": rows}
    return msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n"


def draft_id(row: Mapping[str, JSON]) -> str:
    """Return what a draft is called."""
    return next((str(row[name]) for name in _IDS if name in row), "")
