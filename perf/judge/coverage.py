"""Do the estimates cover the truth? Rules, judges and labels simulated over a grid.

uv run python -m perf.judge.coverage [ROUNDS]        ROUNDS a line of the grid, 1,000 when left out
"""

import sys
from itertools import product
from random import Random
from typing import NamedTuple
from zlib import crc32

from numpy.random import Generator, default_rng

from ragstone.judging.estimates.estimate import Checked, Pairs, Stratum, deal, estimate, estimate_difference

CASES = 1000
RATES = (0.5, 0.65, 0.8, 0.9, 0.95)
LABELS = (50, 100, 200, 400)
JUDGES = {"92/80": (0.92, 0.80), "85/85": (0.85, 0.85), "97/95": (0.97, 0.95)}
"""Sensitivity and specificity."""
USELESS = {"60/60": (0.6, 0.6), "100/2": (1.0, 0.02), "70/90": (0.7, 0.9)}
"""Judges that guess, say yes to nearly all, or miss much: labels must make up for them."""
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
    chances = _chances(truth, judge, correlated)
    return dice.choices(list(chances), list(chances.values()))[0]


def _chances(truth: bool, judge: tuple[float, float], correlated: float) -> dict[str, float]:
    """Return how likely a case is to fall into each stratum."""
    rules = {"rule no": 0.02, "rule yes": 0.62} if truth else {"rule no": 0.55, "rule yes": 0.02}
    error, rest = min(0.6, (1 - judge[0 if truth else 1]) * (1 + correlated)), 1 - sum(rules.values())
    yes = 1 - error if truth else error
    return {**rules, "judge no": rest * (1 - yes), "judge yes": rest * yes}


def one_round(dice: Generator, rate: float, judge: tuple[float, float], correlated: float, labels: int) -> Round:
    """Simulate a run, deal labels to its strata, and estimate its rate."""
    stated, absent = (_chances(truth, judge, correlated) for truth in (True, False))
    cells = [rate * stated[name] for name in GUESSED] + [(1 - rate) * absent[name] for name in GUESSED]
    counts = dice.multinomial(CASES, cells)
    yes, no = (dict(zip(GUESSED, map(int, part), strict=True)) for part in (counts[:4], counts[4:]))
    sizes = {name: yes[name] + no[name] for name in GUESSED}
    dealt = deal(sizes, {name: GUESSED[name] * size for name, size in sizes.items()}, labels)
    strata = [
        Stratum(sizes[name], dealt[name], int(dice.hypergeometric(yes[name], no[name], dealt[name])))
        for name in GUESSED
    ]
    found, truth = estimate(strata), sum(yes.values())
    alone = Checked(int(dice.hypergeometric(truth, CASES - truth, labels)), labels).interval()
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


def grid(judges: dict[str, tuple[float, float]], rounds: int) -> None:
    """Print a grid, and its worst and best lines."""
    shares, ratios = [], []
    for (name, judge), rate, correlated, labels in product(judges.items(), RATES, CORRELATED, LABELS):
        dice = default_rng(crc32(f"{name} {rate} {correlated} {labels}".encode()))
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
    print(f"width {min(ratios):.2f} to {max(ratios):.2f}, {narrow} of {len(ratios)} at most 0.7", flush=True)


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    grid(JUDGES, rounds)
    grid(USELESS, rounds)
    paired(rounds)
