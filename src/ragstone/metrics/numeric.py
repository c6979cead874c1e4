"""Numeric error: how far off, and near enough?"""

from typing import Any, NamedTuple

_NOISE = 1e-12
"""What binary fractions may be off: 0.1 + 0.2 is 0.3."""
LARGEST = 1e75
"""Beyond this nothing is measured, and sums of squares would leave the range of floating point."""
_SCALES = (1e2, 1e3, 1e4, 1e6, 1e8)
"""What is lost when a unit is misread: percent, thousand, 万, million, 亿."""


def as_number(value: Any) -> float | None:
    """Return a number as it stands, else None; a flag is no number, and neither is anything beyond all measure."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if abs(number) <= LARGEST else None


class NumericError(NamedTuple):
    """The distance of two numbers (None when either is none), and whether it is within the tolerance."""

    error: float | None
    hit: float


def numeric_error(prediction: Any, label: Any, tolerance: float = 0.0, relative: float = 0.0) -> NumericError:
    """Compare two numbers; the larger of the absolute and the relative tolerance holds."""
    given, wanted = as_number(prediction), as_number(label)
    if given is None or wanted is None:
        return NumericError(None, 0.0)
    distance = abs(given - wanted)
    allowed = max(tolerance, relative * abs(wanted)) + _NOISE * max(abs(wanted), abs(given))
    return NumericError(distance, float(distance <= allowed))


def off_by_scale(prediction: Any, label: Any) -> bool:
    """Whether two different numbers agree once one is taken in another unit: 12.5 and 0.125, 4.2 and 42000."""
    given, wanted = as_number(prediction), as_number(label)
    if not given or not wanted or given == wanted:
        return False
    ratio = given / wanted
    return any(abs(ratio * k - 1) < 1e-9 or abs(ratio / k - 1) < 1e-9 for k in _SCALES)


def is_filled(value: Any) -> bool:
    """Whether a field says anything: no null, no blank text, no empty list or object; 0 and false say something."""
    if isinstance(value, str):
        return bool(value.strip())
    if isinstance(value, (list, dict)):
        return bool(value)
    return value is not None


def ratio(numerator: Any, denominator: Any) -> float | None:
    """Size of the numerator over the denominator; lists count by their length, and nothing is over nothing or less."""
    above, below = _size(numerator), _size(denominator)
    return abs(above) / below if below > 0 else None


def _size(value: Any) -> float:
    return float(len(value)) if isinstance(value, (list, dict)) else as_number(value) or 0.0
