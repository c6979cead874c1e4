"""Do the estimates cover the truth? Rules, three judges and labels simulated over a grid; about two minutes.

uv run python -m perf.judge.coverage [ROUNDS]        ROUNDS a line of the grid, 1,000 when left out
"""

import sys
from itertools import product
from random import Random
from typing import NamedTuple

from ragstone.judging.estimates.estimate import Checked, Pairs, Stratum, deal, estimate, estimate_difference

CASES = 1000
RATES = (0.5, 0.65, 0.8, 0.9, 0.95)
LABELS = (50, 100, 200, 400)
JUDGES = {"92/80": (0.92, 0.80), "85/85": (0.85, 0.85), "97/95": (0.97, 0.95)}
"""Sensitivity and specificity."""
CORRELATED = (0.0, 0.5)
"""How much likelier a judge errs where the rule found nothing or erred, too."""
GUESSED = {"rule no": 0.33, "rule yes": 0.22, "judge no": 0.46, "judge yes": 0.40}
"""Spread within each stratum as a user may guess it before the first label."""


class Round(NamedTuple):
    """What one simulated run came to."""

    held: bool
    width: float
    alone: float
    """Width of the interval that the same number of labels gives by itself."""


def said(dice: Random, truth: bool, judge: tuple[float, float], correlated: float) -> str:
    """Say which stratum a case falls into: what the rule proved, or else what the judge said."""
    throw = dice.random()
    if truth:
        rule = "yes" if throw < 0.62 else "no" if throw > 0.98 else ""
    else:
        rule = "no" if throw < 0.55 else "yes" if throw > 0.98 else ""
    if rule:
        return f"rule {rule}"
    error = min(0.6, (1 - judge[0 if truth else 1]) * (1 + correlated))
    return f"judge {'yes' if truth != (dice.random() < error) else 'no'}"


def one_round(dice: Random, rate: float, judge: tuple[float, float], correlated: float, labels: int) -> Round:
    """Simulate a run, deal labels to its strata, and estimate its rate."""
    strata: dict[str, list[bool]] = {name: [] for name in GUESSED}
    everything = []
    for _ in range(CASES):
        truth = dice.random() < rate
        everything.append(truth)
        strata[said(dice, truth, judge, correlated)].append(truth)
    sizes = {name: len(cases) for name, cases in strata.items()}
    dealt = deal(sizes, {name: GUESSED[name] * size for name, size in sizes.items()}, labels)
    found = estimate([Stratum(len(c), dealt[name], sum(c[: dealt[name]])) for name, c in strata.items()])
    alone = Checked(sum(everything[:labels]), labels).interval()
    assert found is not None
    assert alone is not None
    return Round(found.low <= rate <= found.high, found.high - found.low, alone.high - alone.low)


def paired_round(dice: Random, rate: float, gain: float, same: float, labels: int) -> tuple[bool, float, float]:
    """Simulate two runs that share some answers, label both answers to some cases, and estimate the difference.

    Returns whether the interval holds the true difference, its width, and that of as many labelled pairs alone.
    """
    strata: dict[str, list[tuple[bool, bool]]] = {}
    everything = []
    for _ in range(CASES):
        first = dice.random() < rate
        second = first if dice.random() < same else dice.random() < rate + gain / (1 - same)
        alike = second == first and dice.random() < same
        judges = [said(dice, truth, JUDGES["92/80"], 0.5) for truth in (first, second)]
        strata.setdefault("same" if alike else " ".join(judges), []).append((first, second))
        everything.append((first, second))
    sizes = {name: len(cases) for name, cases in strata.items()}
    dealt = deal(sizes, {name: size * (0.05 if name == "same" else 0.5) for name, size in sizes.items()}, labels)
    found = estimate_difference([_pairs(strata[name], dealt[name], name == "same") for name in strata])
    alone = estimate_difference([_pairs(everything, labels, same=False)])
    assert found is not None
    assert alone is not None
    widths = [one.interval.high - one.interval.low for one in (found, alone)]
    return found.interval.low <= gain <= found.interval.high, widths[0], widths[1]


def _pairs(cases: list[tuple[bool, bool]], labels: int, same: bool) -> Pairs:
    some = cases[:labels]
    firsts, seconds = sum(a for a, _ in some), sum(b for _, b in some)
    return Pairs(len(cases), len(some), firsts, seconds, sum(a != b for a, b in some), same)


def paired(rounds: int) -> None:
    """Print how often the interval of a difference holds the truth."""
    for rate, gain, same, labels in product((0.6, 0.8), (0.0, 0.05), (0.0, 0.5), (50, 100, 200)):
        dice = Random(f"paired {rate} {gain} {same} {labels}")
        seen = [paired_round(dice, rate, gain, same, labels) for _ in range(rounds)]
        share, ratio = sum(one[0] for one in seen) / rounds, sum(one[1] for one in seen) / sum(one[2] for one in seen)
        line = f"rate {rate} gain {gain:<4} same answers {same} labelled pairs {labels:<3}"
        print(f"{line} holds the difference in {share:6.1%}, width {ratio:.2f} of labelled pairs alone", flush=True)


def main(rounds: int) -> None:
    """Print the grid, and its worst and best lines."""
    shares, ratios = [], []
    for (name, judge), rate, correlated, labels in product(JUDGES.items(), RATES, CORRELATED, LABELS):
        dice = Random(f"{name} {rate} {correlated} {labels}")
        seen = [one_round(dice, rate, judge, correlated, labels) for _ in range(rounds)]
        share, ratio = sum(r.held for r in seen) / rounds, sum(r.width for r in seen) / sum(r.alone for r in seen)
        shares.append(share)
        ratios.append(ratio)
        line = f"judge {name} rate {rate:<4} correlated {correlated} labels {labels:<3}"
        print(f"{line} holds the truth in {share:6.1%}, width {ratio:.2f} of labels alone", flush=True)
    within = sum(0.94 <= share <= 0.97 for share in shares)
    narrow = sum(ratio <= 0.7 for ratio in ratios)
    print(f"coverage {min(shares):.1%} to {max(shares):.1%}, mean {sum(shares) / len(shares):.1%}; ", end="")
    print(f"{within} of {len(shares)} within 94-97 %, {sum(s < 0.94 for s in shares)} below 94 %")
    print(f"width {min(ratios):.2f} to {max(ratios):.2f}, {narrow} of {len(ratios)} at most 0.7")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    paired(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
