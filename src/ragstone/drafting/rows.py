"""Drafts into the rows of a contract; each row carries what proves it, and that nobody has looked at it yet."""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePath

import msgspec

from ragstone.contracts.eval_json_v2.gold import Expected
from ragstone.contracts.eval_json_v2.model import model_answer
from ragstone.contracts.eval_json_v2.read import read_answer
from ragstone.contracts.eval_json_v2.score import score_reading
from ragstone.contracts.eval_json_v2.terms import FULL_LENGTH, POINTS
from ragstone.core.errors import SettingError
from ragstone.core.types import JSON
from ragstone.drafting.draft import Draft, Place, Point, Writing
from ragstone.reading.points.forms import Point as Gold
from ragstone.reading.points.states import states
from ragstone.reading.statements import Statements
from ragstone.runs.store.codec import write_whole
from ragstone.text.fold import squeeze
from ragstone.text.late import late

PROVENANCE, REVIEWED, ABSENT = "provenance", "reviewed", "absent"
"""Fields of a row: where each point stands, whether a person accepted it, why there is no answer."""
ENDINGS = {"key_points": ".jsonl", "prompt_task": ".jsonl", "legal_rag": ".json", "eval_json_v2": ".json"}
"""How the file of a contract's rows ends."""
OPTIONS: dict[str, dict[str, JSON]] = {"prompt_task": {"task": "drafted_answer"}}
"""What a contract must be told of drafted rows."""
ABSTAINING = frozenset(("legal_rag",))
"""Contracts that have a form for questions without an answer."""
_IDS = ("id", "sample_id")
_BARE: dict[Writing, tuple[str, str]] = {
    "en": ("Yes.", "No."),
    "ja": ("はい。", "いいえ。"),
    "ko": ("네.", "아니요."),
    "zh-Hans": ("可以。", "不可以。"),
    "zh-Hant": ("可以。", "不可以。"),
}
"""How people say yes and no to what one may do."""
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
    source_map: list[JSON] = [{"part": "original_evidence", "refs": _refs(draft)}]
    return {
        "id": name,
        "question": draft.question,
        "expected": {"answer_example": _example(draft), "source_map": source_map},
        "difficulty": draft.difficulty,
        **proved(draft),
    }


def _example(draft: Draft) -> dict[str, JSON]:
    quotes = _quotes(draft)
    described: list[JSON] = [*quotes[:8]]
    return {
        "target_audience": _AUDIENCE[draft.writing],
        "main_topic": draft.topic,
        "sub_topic": draft.section or draft.topic,
        "detailed_description": described,
        "original_evidence": "\n".join(quotes) if draft.kind == "section" else _passage(draft),
        "predicted_questions": [draft.question],
    }


def _passage(draft: Draft) -> str:
    """What stands around the first quotation; a row of a table below its columns."""
    place = draft.points[0].place
    text = "\n".join(_quotes(draft)) if draft.kind == "comparison" else draft.context or place.quote
    frame = place.frame
    header = frame.header if frame and not frame.row else ()
    above = text.partition(place.quote)[0]
    return text if squeeze("|".join(header)) in squeeze(above) else f"| {' | '.join(header)} |\n{text}"


def _quotes(draft: Draft) -> list[str]:
    return list(dict.fromkeys(point.place.quote for point in draft.points))


def _refs(draft: Draft) -> list[JSON]:
    return [_ref(place) for place in {point.place: None for point in draft.points}]


def _ref(place: Place) -> dict[str, JSON]:
    return {"file": place.document, "page": place.page, "anchors": [place.quote]}


def _prompt_task(draft: Draft, name: str) -> dict[str, JSON]:
    return {
        "sample_id": name,
        "question": draft.question,
        "passage": _passage(draft),
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
    if contract == "eval_json_v2":
        return _reaches(draft)
    if draft.kind == "section":
        return False
    if contract == "prompt_task":
        return draft.kind not in ("list", "yes_no", "comparison") and len(draft.points) == 1
    if contract == "key_points":
        return _is_told(draft) and (draft.kind != "yes_no" or _is_told_bare(draft))
    told = bool(draft.expected or draft.kind == "list") and not _is_bare_word(draft)
    return contract != "legal_rag" or (len(draft.documents) == 1 and told)


def _is_bare_word(draft: Draft) -> bool:
    """Say whether all that proves a rule is a yes or no: an answer that tells the facts would not hold that word."""
    return draft.kind == "yes_no" and any(_BARE_WORD.fullmatch(point.text) for point in draft.points)


_BARE_WORD = late("(?:yes|no|会|会的|是|是的|否|有|没有|对|會|沒有|不會|對)", re.IGNORECASE)


def _is_told(draft: Draft) -> bool:
    """Say whether each quotation, given as the answer, states its own point."""
    return all(
        states(Gold(point.text), Statements(point.place.quote), draft.question).outcome == "yes"
        for point in draft.points
    )


def _is_told_bare(draft: Draft) -> bool:
    """Say whether a bare yes or no is told apart from its opposite where the gold is words of a rule."""
    right, wrong = _BARE[draft.writing] if draft.expected.get("boolean_answer") else reversed(_BARE[draft.writing])
    gold = [Gold(point.text) for point in draft.points]
    return all(
        states(one, Statements(said), draft.question).outcome == outcome
        for one in gold
        for said, outcome in ((right, "yes"), (wrong, "no"))
    )


def _reaches(draft: Draft) -> bool:
    """Say whether an answer can score everything: the evidence is long enough and holds words enough."""
    example = _example(draft)
    labels = (example[name] for name in ("target_audience", "main_topic", "sub_topic"))
    audience, topic, part = map(str, labels)
    evidence, said = str(example["original_evidence"]), tuple(_quotes(draft)[:8])
    gold = Expected(audience, topic, part, said, evidence, (draft.question,), ({"refs": _refs(draft)},))
    card = score_reading(gold, read_answer(model_answer(gold)))
    return len(evidence) >= FULL_LENGTH and all(card.sub_scores[name] == 1 for name in POINTS)


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
        raise unwritable(path, error) from error


def save(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all."""
    try:
        write_whole(path, content)
    except OSError as error:
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> SettingError:
    """The error of a file that cannot be written."""
    return SettingError("draft.unwritable", file=str(path), problem=error.strerror or str(error))


def encode_rows(rows: list[dict[str, JSON]], contract: str) -> bytes:
    """Write rows in the file format of a contract: lines, an array, or one object that holds them."""
    if ENDINGS[contract] == ".jsonl":
        return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
    whole: JSON = rows
    if contract == "legal_rag":
        whole = {"benchmark_type": "fact_exact", "description": "Drafted by Ragstone", "questions": rows}
    return msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n"


def contract_of(row: Mapping[str, JSON]) -> str:
    """Say which contract a drafted row was written for, by the names of its fields."""
    expected = row.get("expected")
    if "q" in row:
        return "key_points"
    if "sample_id" in row:
        return "prompt_task"
    return "eval_json_v2" if isinstance(expected, Mapping) and "answer_example" in expected else "legal_rag"


def draft_id(row: Mapping[str, JSON]) -> str:
    """Return what a draft is called."""
    return next((str(row[name]) for name in _IDS if name in row), "")
