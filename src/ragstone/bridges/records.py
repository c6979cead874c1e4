"""The records every tool's files are read into: cases, answers and scores; knows no tool and no run folder."""

import math
from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct

from ragstone.core.language import excerpt
from ragstone.core.types import JSON, Answer, Context, Failure, Usage

Tool = Literal["ragas", "deepeval", "promptfoo", "inspect", "evalscope"]
TOOLS: tuple[Tool, ...] = ("ragas", "deepeval", "promptfoo", "inspect", "evalscope")
MOST_NOTE = 500
"""Characters kept of what a tool said about a score."""
MOST_NUMBER = 1e15
"""Numbers from here on are taken for damage: their squares and sums mean nothing."""
_WORDS = {"": None, "nan": None, "none": None, "null": None, "true": True, "false": False}


class ToolScores(Struct, frozen=True, kw_only=True):
    """The scores a tool gave one answer."""

    scores: dict[str, float | bool | None]
    """Metric, as the tool writes it, to value; None where the tool wanted a score and got none."""
    passed: bool | None = None
    score: float | None = None
    """The tool's own score of the case, when it has one."""
    notes: dict[str, str] = {}


class Record(Struct, frozen=True, kw_only=True):
    """One answer of the foreign run."""

    key: str
    """What tells its case from others in the file."""
    source_id: str = ""
    """What the tool calls the case."""
    question: str
    references: tuple[str, ...] = ()
    category: str = ""
    model: str = ""
    repeat: int = 0
    answer: Answer
    said: ToolScores
    extra: dict[str, JSON] = {}


class ForeignRun(Struct, frozen=True, kw_only=True):
    """A foreign run, read."""

    tool: Tool
    version: str = ""
    records: list[Record]
    """In the order of the cases; what belongs to one case need not stand together."""
    models: tuple[str, ...] = ()
    """The models in their order; found in the records when left out."""
    means: dict[str, str] = {}
    """Figures the file itself shows, in words: `accuracy` to `0.5 (of 6)`."""
    lower: frozenset[str] = frozenset()
    """Metrics of which less is better."""
    expected: int | None = None
    """Answers the run set out to get, when the file says so."""
    created: str = ""

    @property
    def name(self) -> str:
        """The tool with its version."""
        return f"{self.tool} {self.version}".strip()


def number(value: JSON) -> float | bool | None:
    """Read a score; what is no number, or one beyond all measure, is none.

    >>> number("0.5"), number("NaN"), number(True)
    (0.5, None, True)
    """
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return _finite(value)
    if isinstance(value, str):
        word = value.strip().lower()
        if word in _WORDS:
            return _WORDS[word]
        try:
            return _finite(float(word)) if len(word) < 64 and "_" not in word else None
        except ValueError:
            return None
    return None


def _finite(value: float) -> float | None:
    try:
        return float(value) if abs(value) < MOST_NUMBER else None
    except OverflowError:
        return None


def text(value: JSON) -> str:
    """Read a text: a string, a list of parts or messages (the last one that speaks), or whatever else as it prints."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        inner = next((value[name] for name in ("text", "content", "output") if name in value), None)
        return text(inner)
    if isinstance(value, list | tuple):
        return "\n".join(part for part in map(text, value) if part)
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return str(value)


def texts(value: JSON) -> tuple[str, ...]:
    """Read one text or a list of them; blank ones are left out."""
    items = value if isinstance(value, list | tuple) else [value]
    return tuple(item for item in map(text, items) if item.strip())


def table(value: JSON) -> dict[str, JSON]:
    """Return an object, or an empty one."""
    return value if isinstance(value, dict) else {}


def rows(value: JSON) -> list[dict[str, JSON]]:
    """Return the objects of an array."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def note(value: JSON) -> str:
    """Shorten what a tool said."""
    return excerpt(text(value), MOST_NOTE)


def contexts(value: JSON) -> tuple[Context, ...]:
    """Read retrieved texts."""
    return tuple(Context(text=piece) for piece in texts(value))


def usage(given: JSON, names: Iterable[str]) -> Usage | None:
    """Read token counts by the tool's names for prompt, completion and total."""
    counts = [_count(table(given).get(name)) for name in names]
    if not any(counts):
        return None
    prompt, completion, total = counts
    return Usage(prompt_tokens=prompt, completion_tokens=completion, total_tokens=total or prompt + completion)


def _count(value: JSON) -> int:
    found = number(value)
    return int(found) if found is not None and 0 <= found < 1e15 else 0


def milliseconds(value: JSON, factor: float = 1.0) -> float | None:
    """Read a duration."""
    found = number(value)
    return None if found is None or isinstance(found, bool) or found < 0 else round(found * factor, 3)


def money(value: JSON) -> float | None:
    """Read a cost."""
    found = number(value)
    return None if found is None or isinstance(found, bool) or found < 0 else found


def failed(problem: JSON) -> Failure:
    """Return the failure of an answer the tool did not get."""
    return Failure("exception", note(problem) or "no answer")
