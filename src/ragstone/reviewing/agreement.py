"""How far people agree: Cohen's kappa for two, Krippendorff's alpha otherwise, with an interval and the base rate.

A high share of equal verdicts says little where nearly everything is stated; that is why the base rate stands beside.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Literal, NamedTuple

from ragstone.judging.labels import Labels, agreement

RESAMPLES = 400
LEVEL = 0.95
_VALUES = {"stated": True, "absent": False, "denied": False}
Unit = tuple[tuple[str, bool], ...]
"""Who said what of one question, by name."""


class Agreed(NamedTuple):
    """How far reviewers agree."""

    measure: Literal["kappa", "alpha", ""]
    value: float | None
    low: float | None
    high: float | None
    questions: int
    """Questions that two or more people decided."""
    share: float | None
    """How often two verdicts on one question are the same."""
    base_rate: float | None
    """The share of all their verdicts on these that say stated."""
    reviewers: tuple[str, ...]


def units_of(labels: Labels, keys: Iterable[object] | None = None) -> list[Unit]:
    """Return who decided what, for every question that two or more people decided; who was unsure did not."""
    found = []
    for key in labels if keys is None else keys:
        said = labels.by(key)  # type: ignore[arg-type]
        unit = tuple(
            (name, _VALUES[one.verdict])
            for name, one in sorted(said.items())
            if one.verdict in _VALUES and not one.settles
        )
        if len(unit) > 1:
            found.append(unit)
    return found


def agreed(units: Sequence[Unit], seed: int = 7) -> Agreed:
    """Measure agreement over questions, resampling them for its interval."""
    names = tuple(sorted({name for unit in units for name, _ in unit}))
    measure: Literal["kappa", "alpha"] = "kappa" if len(names) == 2 else "alpha"
    of = kappa if measure == "kappa" else alpha
    value = of(units)
    ends = _interval(units, of, seed) if value is not None else (None, None)
    votes = [vote for unit in units for _, vote in unit]
    pairs = [(a, b) for unit in units for k, (_, a) in enumerate(unit) for _, b in unit[k + 1 :]]
    return Agreed(
        measure=measure if units else "",
        value=value,
        low=ends[0],
        high=ends[1],
        questions=len(units),
        share=sum(a == b for a, b in pairs) / len(pairs) if pairs else None,
        base_rate=sum(votes) / len(votes) if votes else None,
        reviewers=names,
    )


def kappa(units: Sequence[Unit]) -> float | None:
    """Return Cohen's kappa of two reviewers; None when chance alone would make them agree always."""
    return agreement((unit[0][1], unit[1][1]) for unit in units).kappa


def alpha(units: Sequence[Unit]) -> float | None:
    """Return Krippendorff's alpha for yes and no, with any number of reviewers a question.

    None when there is nothing to compare, or when all verdicts are the same.
    """
    seen = 0.0
    yes = total = 0
    for unit in units:
        ayes, n = sum(vote for _, vote in unit), len(unit)
        seen += 2 * ayes * (n - ayes) / (n - 1)
        yes, total = yes + ayes, total + n
    chance = 2 * yes * (total - yes)
    return 1 - (total - 1) * seen / chance if chance else None


def _interval(units: Sequence[Unit], of: object, seed: int) -> tuple[float | None, float | None]:
    """Return the bootstrap's percentiles; questions with equal verdicts are drawn together."""
    kinds = Counter(units)
    forms, weights, dice = list(kinds), list(kinds.values()), Random(seed)  # noqa: S311 - a figure, no secret
    values = []
    for _ in range(RESAMPLES):
        taken = Counter(dice.choices(range(len(forms)), weights, k=len(units)))
        value = of([form for k, n in taken.items() for form in [forms[k]] * n])  # type: ignore[operator]
        if value is not None:
            values.append(value)
    values.sort()
    if not values:
        return None, None
    cut = (1 - LEVEL) / 2
    return values[int(cut * len(values))], values[min(len(values) - 1, int((1 - cut) * len(values)))]
