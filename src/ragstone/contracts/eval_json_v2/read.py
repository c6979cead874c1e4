"""An answer into the seven fields, or the reason why it is none (section 2, R4.3)."""

import msgspec

from ragstone.contracts.eval_json_v2.terms import ASKED, FIELDS, LISTS
from ragstone.core.types import JSON, Answer, Reading, Rung
from ragstone.reading.json.ladder import JsonReading, read_json

REPAIRED = "repaired"
"""Tag of a reading that only stands because repair was on; its raw score is 0."""


def read_answer(answer: Answer, *, repair: bool = False) -> Reading:
    """Read the one JSON object of an answer; text around it, a second object or a missing field makes it unreadable."""
    if isinstance(answer.data, dict) and any(name in answer.data for name in FIELDS):
        return _checked(answer, answer.data, "direct", ())
    if not answer.text.strip():
        return _failed(answer, "empty")
    found = read_json(answer.text)
    if found.rung in {"direct", "unfenced"}:
        return _of_value(answer, found, found.tags)
    raw = _problem(found)
    if not repair:
        return _failed(answer, raw)
    if found.rung == "failed":
        found = read_json(answer.text, repair=True)
    if found.rung == "failed":
        return _failed(answer, raw)
    return _of_value(answer, found, (REPAIRED, f"raw:{raw}"))


def _problem(found: JsonReading) -> str:
    if found.rung == "balanced":
        return "prose"
    return "not_object" if found.problem == "scalar" else found.problem or "not_json"


def _of_value(answer: Answer, found: JsonReading, tags: tuple[str, ...]) -> Reading:
    if not isinstance(found.value, dict):
        return _failed(answer, "not_object", tags)
    return _checked(answer, found.value, found.rung, tags)


def _checked(answer: Answer, value: dict[str, JSON], rung: Rung, tags: tuple[str, ...]) -> Reading:
    """Hold an object against the schema; what is over the limits is tolerated and tagged."""
    fields = {name: value[name] for name in FIELDS if name in value}
    if "\\u" in answer.text and not _is_unicode(fields):
        return _failed(answer, "not_unicode", tags)
    missing = tuple(f"missing:{name}" for name in FIELDS if name not in value)
    wrong = tuple(f"type:{name}" for name in fields if not _well_typed(name, fields[name]))
    if missing or wrong:
        problem = "missing_field" if missing else "wrong_type"
        return _failed(answer, problem, (*tags, *missing, *wrong), fields)
    over = tuple(f"over_limit:{name}" for name in LISTS if len(fields[name]) > ASKED[name])
    return Reading(text=answer.text, fields=fields, rung=rung, contexts=answer.contexts, tags=(*tags, *over))


def _is_unicode(fields: dict[str, JSON]) -> bool:
    """Return whether every escape stands for a character: half of a surrogate pair can be neither compared nor kept."""
    try:
        msgspec.json.encode(fields)
    except UnicodeEncodeError:
        return False
    return True


def _well_typed(name: str, value: JSON) -> bool:
    if name == "source_map":
        return isinstance(value, list)
    if name in LISTS:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, str)


def _failed(answer: Answer, problem: str, tags: tuple[str, ...] = (), fields: dict[str, JSON] | None = None) -> Reading:
    return Reading(
        text=answer.text, fields=fields or {}, rung="failed", problem=problem, contexts=answer.contexts, tags=tags
    )
