"""Whether a judge is still the one that was certified: by its verdicts on frozen questions, and by its probes.

A judge may lean to one side, answer otherwise in both directions, or stop deciding. Each has its exact test, and the
chance of all three together is what an alarm goes by. How often a judge changes its mind anyway is known from the
questions that its certificate asked twice.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import comb
from typing import NamedTuple

from ragstone.core.types import RuleVerdict
from ragstone.judging.probes import STRICT, Probed

ALARM = 0.05
"""The chance below which anchors that turned are a drift."""
TESTS = 3
"""Leaning, changing, and ceasing to decide: each is tested at a third of the level."""


class Turned(NamedTuple):
    """An anchor: its kind of question, the verdict of then, and that of now."""

    kind: str
    then: RuleVerdict
    now: RuleVerdict


class Drift(NamedTuple):
    """How anchors turned since the certificate."""

    lost: int
    """From yes to no."""
    gained: int
    """From no to yes."""
    p: float
    """The chance of as much in a judge that is still the same."""
    ceased: int = 0
    """Decided then, and not any more."""
    began: int = 0
    """Decided now only."""

    @property
    def alarms(self) -> bool:
        """Whether the judge is another one."""
        return self.p < ALARM


def drift(anchors: Iterable[Turned], repeats: Mapping[str, Probed]) -> Drift:
    """Test anchors against the verdicts of then; `repeats` tells how often each kind flipped when asked twice."""
    anchors = list(anchors)
    turned = Counter((one.then, one.now) for one in anchors)
    lost, gained = turned["yes", "no"], turned["no", "yes"]
    ceased = sum(one.then != "open" == one.now for one in anchors)
    began = sum(one.then == "open" != one.now for one in anchors)
    chance = TESTS * min(_lean(lost, gained), _lean(ceased, began), _flips(anchors, repeats))
    return Drift(lost, gained, min(1.0, chance), ceased, began)


def _lean(one: int, other: int) -> float:
    """Return the chance of turning to one side as often, by exact McNemar."""
    n = one + other
    return min(1.0, 2 * sum(comb(n, k) for k in range(min(one, other) + 1)) / 2**n) if n else 1.0


def _flips(anchors: Sequence[Turned], repeats: Mapping[str, Probed]) -> float:
    """Return the chance of so many flips, by Fisher's exact test beside the repeats of each kind."""
    decided = [one for one in anchors if "open" not in (one.then, one.now)]
    found = [1.0]
    for kind in {one.kind for one in decided}:
        turned = [one.then != one.now for one in decided if one.kind == kind]
        known = repeats.get(kind, Probed(0, 0))
        found.append(more_often(sum(turned), len(turned), known.misses, known.n))
    return min(1.0, max(1, len(found) - 1) * min(found))


def more_often(hits: int, n: int, before: int, of: int) -> float:
    """Return the chance of as many hits or more, when it happens no more often than before (Fisher, one-sided).

    >>> round(more_often(3, 3, 0, 3), 3)
    0.05
    """
    whole = comb(n + of, hits + before)
    return sum(comb(n, k) * comb(of, hits + before - k) for k in range(hits, min(n, hits + before) + 1)) / whole


def missed_since(now: Mapping[str, Probed], then: Mapping[str, Probed]) -> tuple[str, ...]:
    """Name the kinds of probe that were missed too often: a strict one at all, others also more often than before.

    What was missed `then` must have been of the same rows.
    """
    level = ALARM / max(1, len(now.keys() - STRICT))
    return tuple(
        name
        for name, one in now.items()
        if one.fails(name)
        and (
            name in STRICT
            or (before := then.get(name)) is None
            or more_often(one.misses, one.n, before.misses, before.n) < level
        )
    )
