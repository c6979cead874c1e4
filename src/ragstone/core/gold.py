"""What a case expects, as plain values for people to read; only its contract knows what they mean."""

from msgspec import to_builtins

from ragstone.core.types import JSON, Case


def gold_of(case: Case) -> JSON:
    """Return what a contract expects, as plain values; nothing that is empty."""
    try:
        return _trim(to_builtins(case.gold))
    except (TypeError, ValueError):
        return str(case.gold)


def _trim(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {str(name): _trim(item) for name, item in value.items() if item not in (None, "", [], {}, ())}
    if isinstance(value, list | tuple):
        return [_trim(item) for item in value]
    return value
