"""Completeness and plain ratios."""

from collections.abc import Iterable
from typing import Any

from ragstone.metrics.numeric import as_number


def is_filled(value: Any) -> bool:
    """Whether a field says anything: no null, no blank text, no empty list or object; 0 and false say something."""
    if isinstance(value, str):
        return bool(value.strip())
    if isinstance(value, (list, dict)):
        return bool(value)
    return value is not None


def completeness(values: Iterable[Any]) -> float:
    """Share of the values that are filled."""
    flags = [is_filled(value) for value in values]
    return sum(flags) / len(flags) if flags else 0.0


def ratio(numerator: Any, denominator: Any) -> float | None:
    """Size of the numerator over the denominator; lists count by their length, and nothing is over nothing or less."""
    above, below = _size(numerator), _size(denominator)
    return abs(above) / below if below > 0 else None


def _size(value: Any) -> float:
    return float(len(value)) if isinstance(value, (list, dict)) else as_number(value) or 0.0
