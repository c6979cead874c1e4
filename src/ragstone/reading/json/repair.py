"""Repair of text that is nearly JSON: only when repair was asked for, and capped, for the tolerant reader is slow."""

import html
import json
import re
from math import isfinite
from typing import Any

from ragstone.text.late import late

MAX_REPAIRED = 20_000
"""Longer texts are not repaired."""
_KEY_FIRST = late(r'"[^"\n]{1,80}"\s*:')
_ESCAPED = late(r'[{\[]\s*\\"')
_ENTITY = late(r"[{\[]\s*&quot;")
_ODD_QUOTES = late(r"[{｛\[［]\s*[“‘`]")
_ODD_STRING = late(r"“([^”]*)”|‘([^’]*)’|`([^`]*)`|([^“‘`]+|[“‘`])")
_WIDE = str.maketrans("｛｝［］：，", "{}[]:,")


def repair_json(text: str) -> dict[str, Any] | list[Any] | None:
    """The object or array a text that opens like one was meant to be, or None."""
    if len(text) > MAX_REPAIRED:
        return None
    import json_repair  # noqa: PLC0415 - slow to import, and wanted only by those who ask for repair

    plain = _plain(text)
    try:
        value = _finite(json_repair.loads(plain))
    except (RecursionError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError):
        return None
    if isinstance(value, list) and plain.startswith("{"):
        # Several pieces out of one object are a guess.
        value = value[0] if len(value) == 1 else None
    return value if value and isinstance(value, dict | list) else None


def _plain(text: str) -> str:
    """The same structure in ASCII brackets and quotes; what stands inside quotes is kept."""
    if text.startswith('"') and not _KEY_FIRST.match(text):
        text = _inner(text)
    if _KEY_FIRST.match(text):
        return "{" + text + "}"
    if _ESCAPED.match(text):
        return text.replace('\\"', '"')
    if _ENTITY.match(text):
        return html.unescape(text)
    return _ODD_STRING.sub(_requoted, text) if _ODD_QUOTES.match(text) else text


def _inner(text: str) -> str:
    """The text a JSON string holds: an object encoded twice."""
    try:
        inner = json.loads(text)
    except ValueError:
        return text
    return inner.strip() if isinstance(inner, str) else text


def _requoted(match: re.Match[str]) -> str:
    if match[4] is not None:
        return match[4].translate(_WIDE)
    return json.dumps(next(part for part in match.groups() if part is not None), ensure_ascii=False)


def _finite(value: Any) -> Any:
    """The value with null for NaN and Infinity."""
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value
