"""The JSON ladder: one object or array out of a model's text, with the rung it took and the reason when it failed.

The rungs, each tried when the one before it failed: direct, unfenced (a code fence or a <think> block around it),
balanced (one object in surrounding text), repaired (only when asked). Values are never rewritten, two objects are never
merged or chosen between silently, and NaN, Infinity and endless nesting are refused.
"""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal, NoReturn

from ragstone.reading.json.repair import repair_json
from ragstone.text.late import late

Rung = Literal["direct", "unfenced", "balanced", "repaired", "failed"]
Problem = Literal["empty", "not_json", "scalar", "two_objects", "truncated", "not_finite", "too_deep", "huge_number"]
Tag = Literal["fence", "think", "prose", "duplicate_keys", "two_objects"]
MAX_DEPTH = 200
"""Deeper nesting is refused: no answer needs it, and recursive readers fail on it."""


@dataclass(frozen=True, slots=True)
class JsonReading:
    """What a text holds: the value (None when failed), the rung, and why a lower rung was needed or all failed."""

    value: Any
    rung: Rung
    problem: Problem | None = None
    """Why the reading failed, or what repair had to change."""
    tags: tuple[Tag, ...] = ()
    """What was around or odd: a code fence, a think block, prose, duplicate keys, another object."""

    @property
    def ok(self) -> bool:
        """Whether there is a value."""
        return self.rung != "failed"


class _NotFiniteError(ValueError):
    """NaN, Infinity, or a number beyond the range of a float."""


class _DuplicateKeysError(ValueError):
    """An object has a key twice."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _DuplicateKeysError
    return value


def _no_constant(name: str) -> NoReturn:
    raise _NotFiniteError(name)


def _finite(digits: str) -> float:
    number = float(digits)
    return number if isfinite(number) else _no_constant(digits)


_STRICT = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant, parse_float=_finite)
_LAST_KEY = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite)
_STEP = late(r'"(?:[^"\\]|\\.)*+"|["\[\]{}]', re.DOTALL)
# What opens JSON for certain, and what might open an object written loosely; a citation [1] or a set {a, b} is neither.
_CERTAIN = r"""\{\s*["}]|\[\s*(?:["{]|\[\s*["{\[0-9])"""
_LOOSE = r"""\{\s*(?:['“‘`\\]|&quot;|[\w$]+\s*:|[#/])|\[\s*'"""
_START = late(f"({_CERTAIN})|{_LOOSE}")
_MENDABLE = late(f"{_CERTAIN}|{_LOOSE}|｛")
_KEY_FIRST = late(r"""(?x) "[^"\n]{1,80}" \s* : \s* ["{\[0-9tfn-] | "\s*[{\[] | \[ [\s0-9.,eE+-]* \]? \Z""")
_NUMBERS_CUT = late(r"\[[\s0-9.,eE+-]*\Z")
_NUMBERS = late(r"^[ \t]*(\[[\s0-9.,eE+-]*\])[ \t]*$", re.MULTILINE)
_THINK = late(r"<(?:think|thinking|thought|reasoning|reflection)>", re.IGNORECASE)
_THOUGHT = late(r"</(?:think|thinking|thought|reasoning|reflection)>", re.IGNORECASE)
_FENCE = late(r"\A(```+|~~~+|`)(?:[ \t]*[\w+.-]*[ \t]*\r?\n|[ \t]*json)?", re.IGNORECASE)
_SPACE = " \t\r\n\ufeff\u200b"
_MOST_LOOSE = 5
MOST_PIECES = 10_000
"""A text with more objects than this is not read to its end: it holds too many to choose between."""
_REFUSED: tuple[Problem, ...] = ("too_deep", "not_finite", "huge_number")


def read_json(text: str, *, repair: bool = False, want: Collection[str] = ()) -> JsonReading:
    """Read the one JSON object or array of a text.

    repair=True lets a tolerant reader repair what is no JSON (the rung says so). With want, of several objects the last
    that has all these keys is taken and tagged; without, several objects are the failure "two_objects".
    """
    plain = text.strip(_SPACE)
    if not plain:
        return JsonReading(None, "failed", "empty")
    value, problem, tags = _whole(plain)
    if problem is None:
        return JsonReading(value, "direct", None, tags)
    body, around = _unwrap(plain)
    if not body:
        return JsonReading(None, "failed", "truncated" if _THINK.search(plain) else "empty", around)
    if around:
        value, problem, tags = _whole(body)
        if problem is None:
            return JsonReading(value, "unfenced", None, (*around, *tags))
    reading = JsonReading(None, "failed", problem, around)
    if problem not in _REFUSED:
        reading = _out_of_prose(body, problem, around, want)
    return _repaired(body, reading) if repair and not reading.ok else reading


def _whole(text: str) -> tuple[Any, Problem | None, tuple[Tag, ...]]:
    """The text as JSON and nothing else, or the problem."""
    if text[:1] not in ("{", "["):
        return None, _scalar_or_not(text), ()
    if _depth_beyond(text):
        return None, "too_deep", ()
    return _decoded(text, _STRICT)


def _decoded(text: str, decoder: json.JSONDecoder) -> tuple[Any, Problem | None, tuple[Tag, ...]]:
    try:
        return decoder.decode(text), None, ()
    except _DuplicateKeysError:
        value, problem, _ = _decoded(text, _LAST_KEY)
        return value, problem, ("duplicate_keys",)
    except _NotFiniteError:
        return None, "not_finite", ()
    except json.JSONDecodeError:
        return None, "not_json", ()
    except ValueError:
        # The interpreter refuses integers of thousands of digits.
        return None, "huge_number", ()


def _scalar_or_not(text: str) -> Problem:
    if len(text) > 100 and text[0] != '"':
        return "not_json"
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return "not_json"
    return "scalar"


def _depth_beyond(text: str) -> bool:
    """Whether brackets nest deeper than allowed; only texts with many brackets are walked."""
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return False
    depth = 0
    for match in _STEP.finditer(text):
        step = match[0]
        depth += (step in "{[") - (step in "}]") if len(step) == 1 else 0
        if depth > MAX_DEPTH:
            return True
    return False


def _unwrap(text: str) -> tuple[str, tuple[Tag, ...]]:
    """The text without think blocks and fence, and what was taken off; nothing when a block never ends."""
    tags: list[Tag] = []
    cut = _after_thinking(text)
    if cut:
        tags.append("think")
        text = text[cut:].strip(_SPACE)
    if fence := _FENCE.match(text):
        tags.append("fence")
        text = text[fence.end() :].strip(_SPACE).removesuffix(fence[1]).rstrip(_SPACE)
    return text, tuple(tags)


def _after_thinking(text: str) -> int:
    """Where the text goes on after think blocks that stand before any JSON; its length when one never ends."""
    cut, start = 0, -1
    while opened := _THINK.search(text, cut):
        if start < cut:
            found = _START.search(text, cut)
            start = found.start() if found else len(text)
        if opened.start() > start:
            return cut
        ended = _THOUGHT.search(text, opened.end())
        cut = ended.end() if ended else len(text)
    if cut == 0:
        # A chat template may have eaten the opening tag.
        *_, last = 0, *(match.end() for match in _THOUGHT.finditer(text))
        return last if _START.search(text, last) else 0
    return cut


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of text that opens like JSON: its value, or the problem with it."""

    value: Any
    problem: Problem | None
    certain: bool
    tags: tuple[Tag, ...] = ()


def _pieces(text: str) -> list[_Piece]:
    found: list[_Piece] = []
    at = loose = 0
    while len(found) < MOST_PIECES and (match := _START.search(text, at)):
        certain = match[1] is not None
        end = _end(text, match.start()) if certain or loose < _MOST_LOOSE else 0
        if end:
            value, problem, tags = _whole(text[match.start() : end])
            found.append(_Piece(value, problem, certain, tags))
        elif certain:
            return [*found, _Piece(None, "truncated", True)]
        else:
            # Prose with a stray bracket; each such try may read to the end, so their number is bounded.
            loose, end = loose + 1, match.end()
        at = end
    return found


def _end(text: str, start: int) -> int:
    """Where the brackets opened at start are closed, strings skipped; 0 when they never are."""
    stack: list[str] = []
    for match in _STEP.finditer(text, start):
        step = match[0]
        if step in ("{", "["):
            stack.append(step)
        elif step in ("}", "]"):
            wanted = "{" if step == "}" else "["
            if stack[-1] == wanted:
                stack.pop()
            elif stack[-2:-1] == [wanted]:
                # A bracket inside was never closed: the outer one still ends here.
                del stack[-2:]
            if not stack:
                return match.end()
        elif step == '"':
            return 0
    return 0


def _out_of_prose(text: str, problem: Problem, around: tuple[Tag, ...], want: Collection[str]) -> JsonReading:
    pieces = _pieces(text)
    if len(pieces) == MOST_PIECES:
        return JsonReading(None, "failed", "two_objects", around)
    good = [piece for piece in pieces if piece.problem is None]
    if objects := [piece for piece in good if _holds_object(piece.value)]:
        good = objects
    rivals = [piece for piece in pieces if piece.problem is not None and piece.certain]
    if len(good) + len(rivals) > 1:
        return _chosen(good, around, want)
    if good:
        return JsonReading(good[0].value, "balanced", None, (*around, "prose", *good[0].tags))
    if pieces:
        return JsonReading(None, "failed", pieces[0].problem, around)
    if _NUMBERS_CUT.match(text):
        return JsonReading(None, "failed", "truncated", around)
    numbers = _NUMBERS.findall(text)
    value, wrong, _ = _whole(numbers[0]) if len(numbers) == 1 else (None, problem, ())
    if wrong is None:
        return JsonReading(value, "balanced", None, (*around, "prose"))
    return JsonReading(None, "failed", problem, around)


def _holds_object(value: Any) -> bool:
    return bool(value) if isinstance(value, dict) else any(isinstance(item, dict) for item in value)


def _chosen(good: list[_Piece], around: tuple[Tag, ...], want: Collection[str]) -> JsonReading:
    """Of several objects the last that has all wanted keys; without wanted keys none."""
    for piece in reversed(good if want else []):
        if isinstance(piece.value, dict) and all(key in piece.value for key in want):
            return JsonReading(piece.value, "balanced", None, (*around, "prose", "two_objects", *piece.tags))
    return JsonReading(None, "failed", "two_objects", around)


def _repaired(text: str, reading: JsonReading) -> JsonReading:
    if reading.problem in ("two_objects", "too_deep"):
        return reading
    opening = _MENDABLE.search(text)
    if opening is None and not _KEY_FIRST.match(text):
        return reading
    value = repair_json(text[opening.start() :] if opening else text)
    if value is None:
        return reading
    return JsonReading(value, "repaired", reading.problem, reading.tags)
