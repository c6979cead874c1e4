"""An answer into the fields of the task's parse_schema."""

import re
from collections.abc import Collection

from ragstone.core.types import JSON, Answer, Reading
from ragstone.reading.json.fields import Schema
from ragstone.reading.json.ladder import read_json

REPAIRED = "repaired"
_THOUGHT = re.compile(r"\A\s*<(think|thinking|thought|reasoning|reflection)>.*?</\1>", re.DOTALL | re.IGNORECASE)

_LEAD = re.compile(r"(?:答案|answer|結論|结论)[ \t]*(?:是|为|為|is|:|：)[ \t]*(\S[^\r\n]*)", re.IGNORECASE)
"""What announces a short answer in plain text."""


class AnswerReader:
    """Reads the answers of one task."""

    def __init__(self, schema: Schema, plain: str | None, *, repair: bool = False, short: bool = False) -> None:
        self.schema, self.plain, self.repair, self.short = schema, plain, repair, short
        self._want: Collection[str] = tuple(rule.field for rule in schema.rules) or ((plain,) if plain else ())

    def read(self, answer: Answer) -> Reading:
        """Read an answer; what is no JSON object has failed, unless the task takes plain text."""
        if not answer.text.strip() and isinstance(answer.data, dict):
            return self._object(answer, answer.data, Reading(text=answer.text))
        found = read_json(answer.text, repair=self.repair, want=self._want)
        if isinstance(found.value, dict) and (self.plain is None or self.plain in found.value):
            tags = (*found.tags, *((f"{REPAIRED}:{found.problem}",) if found.rung == "repaired" else ()))
            return self._object(answer, found.value, Reading(text=answer.text, rung=found.rung, tags=tags))
        if self.plain is not None:
            return self._plain(answer, found.value)
        problem = found.problem if not found.ok else "not_object"
        return Reading(text=answer.text, rung="failed", problem=problem, contexts=answer.contexts)

    def _object(self, answer: Answer, value: dict[str, JSON], read: Reading) -> Reading:
        fields, tags = self.schema.read(value) if self.schema.rules else (value, ())
        return Reading(
            text=read.text, fields=fields, rung=read.rung, tags=(*read.tags, *tags), contexts=answer.contexts
        )

    def _plain(self, answer: Answer, value: JSON) -> Reading:
        """Take the whole text as the one field, or a list that stands there as JSON."""
        assert self.plain is not None
        text = _THOUGHT.sub("", answer.text).strip()
        if not text:
            return Reading(text=answer.text, rung="failed", problem="empty", contexts=answer.contexts)
        if self.short and (said := _LEAD.findall(text)):
            text = said[-1].strip()
        whole = value if isinstance(value, list) else text
        return Reading(text=answer.text, fields={self.plain: whole}, contexts=answer.contexts)
