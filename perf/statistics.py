"""Do the intervals cover, and does the gate keep its promises? Simulated runs, one table, about two minutes.

uv run python -m perf.statistics [PAIRS]        PAIRS simulated runs or pairs of runs a line, 2,000 when left out
"""

import sys
import time
from collections import Counter
from collections.abc import Callable
from math import fsum
from random import Random
from typing import NamedTuple

from ragstone.core.types import Block, Comparison, Costs, Delta, Figure, Interval, ModelSummary, Summary
from ragstone.statistics.clusters import Spread, spread
from ragstone.statistics.intervals import mean_interval
from ragstone.statistics.paired import detectable, difference_interval
from ragstone.trust.rules import Facts, decide, parse_rule

PAIRS = 2000
MARGIN = 0.02
CONFIDENCE = 0.95
RULE = parse_rule(f"drop(metric) <= {MARGIN}")
SLACK = 0.01
"""Two standard errors of a share near 5 % over 2,000 simulations."""


ALARMS: Counter[str] = Counter()
"""Outcomes of all pairs whose true loss is exactly the margin: the hardest case for a false alarm."""


class Draw(NamedTuple):
    """One simulated figure: its clusters, its truth, and gained and lost cases for flags."""

    column: Spread
    truth: float
    flag: bool = False
    changed: tuple[int, int] | None = None


def rate(dice: Random, n: int) -> Draw:
    """Draw a pass rate whose truth lies anywhere between one half and nearly all."""
    truth = dice.uniform(0.5, 0.98)
    return Draw(spread([float(dice.random() < truth) for _ in range(n)], [1.0] * n), truth, flag=True)


def ratio(dice: Random, n: int) -> Draw:
    """Draw a skewed score: most cases near full marks, a tail far below."""
    return Draw(spread([dice.betavariate(2.5, 0.6) for _ in range(n)], [1.0] * n), 2.5 / 3.1)


def copies(dice: Random, n: int) -> Draw:
    """Draw flags of n questions with two to eight copies each, nearly always answered alike."""
    sums, sizes, chance = [], [], dice.uniform(0.3, 0.8)
    for _ in range(n):
        size = dice.randint(2, 8)
        right = dice.random() < chance
        sums.append(float(sum(right != (dice.random() < 0.05) for _ in range(size))))
        sizes.append(float(size))
    return Draw(spread(sums, sizes), chance * 0.95 + (1 - chance) * 0.05, flag=True)


def flags(dice: Random, n: int, drop: float = 0.0) -> Draw:
    """Draw a pair of runs over flags: some cases flip either way, `drop` more of them for the worse."""
    gained, lost = 0, 0
    for _ in range(n):
        throw = dice.random()
        gained += throw < 0.05
        lost += 0.05 <= throw < 0.10 + drop
    values = [1.0] * gained + [-1.0] * lost + [0.0] * (n - gained - lost)
    return Draw(spread(values, [1.0] * n), -drop, True, (gained, lost))


def scores(dice: Random, n: int, drop: float = 0.0) -> Draw:
    """Draw a pair of runs over scores: a third of the cases change, most a little, some a lot."""
    values = [dice.triangular(-0.6, 0.6, 0.0) if dice.random() < 0.35 else 0.0 for _ in range(n)]
    return Draw(spread([value - drop for value in values], [1.0] * n), -drop)


def doubled(dice: Random, n: int, drop: float = 0.0) -> Draw:
    """Draw a pair of runs over n questions, each standing in the dataset three times."""
    once = scores(dice, n, drop).column.sums
    return Draw(spread([3 * value for value in once], [3.0] * n), -drop)


def interval_of(draw: Draw, level: float = 0.95) -> Interval | None:
    """Return the interval Ragstone would show."""
    if draw.truth <= 0:
        return difference_interval(draw.column, *(draw.changed or (None, None)), level=level)
    return mean_interval(draw.column, flag=draw.flag, level=level)


def coverage(make: Callable[[Random, int], Draw], n: int, pairs: int) -> str:
    """Count how often an interval holds the truth."""
    dice, held, methods = Random(f"{make.__name__} {n}"), 0, Counter[str]()
    for _ in range(pairs):
        draw = make(dice, n)
        if (found := interval_of(draw)) is not None:
            held += found.low <= draw.truth <= found.high
            methods[found.method] += 1
    share = held / pairs
    mark = "" if 0.93 <= share <= 0.97 else "   outside 93-97 %"
    return f"{make.__name__:8} n={n:<5} {'/'.join(sorted(methods)):12} holds the truth in {share:6.1%}{mark}"


def judge(draw: Draw) -> tuple[str, float]:
    """Put a pair of runs before the real gate; return the outcome and the detectable effect it prints."""
    gained, lost = draw.changed or (1, 1)
    delta = Delta(
        model="m",
        figure="metric",
        n=int(draw.column.size),
        clusters=draw.column.clusters,
        first=0.8,
        second=0.8 + draw.column.mean,
        difference=draw.column.mean,
        error=draw.column.error,
        interval=interval_of(draw, 2 * CONFIDENCE - 1),
        gained=gained,
        lost=lost,
    )
    verdict = decide([RULE], _facts(delta))
    return verdict.outcome, detectable(draw.column.error, confidence=CONFIDENCE, sides=1) or 0.0


def _facts(delta: Delta) -> Facts:
    figure = Figure(mean=0.8, n=delta.n, not_applicable=0, total=0.8 * delta.n)
    block = Block(
        cases=delta.n,
        scored=delta.n,
        errored=0,
        unparsed=0,
        passed=0,
        pass_rate=0.8,
        primary_score=0.8,
        metrics={"metric": figure},
    )
    summary = Summary(
        run_id="b",
        task_name="t",
        status="complete",
        scorer_version="1",
        expected=delta.n,
        finished=delta.n,
        results_digest="",
        models={"m": ModelSummary(all=block, costs=Costs(answered=delta.n), groups={})},
    )
    comparison = Comparison(
        first="a",
        second="b",
        paired=delta.n,
        only_first=0,
        only_second=0,
        differs=(),
        models=("m",),
        broken=0,
        fixed=0,
        moved=0,
        causes={},
        deltas=(delta,),
        changes=(),
    )
    return Facts(summary=summary, comparison=comparison, confidence=CONFIDENCE)


def gate(make: Callable[[Random, int, float], Draw], n: int, pairs: int) -> str:
    """Count alarms: without a loss, at the margin (false at most 5 %), and at the effect the gate says it finds."""
    name = f"{make.__name__} {n}"
    none, edge = (_outcomes(make, n, drop, pairs, f"{name} {drop}") for drop in (0.0, MARGIN))
    effect = _printed(make, n, name)
    found = _outcomes(make, n, MARGIN + effect, pairs, f"{name} found")
    ALARMS.update(edge)
    false, passed, hit = edge["FAIL"] / pairs, edge["PASS"] / pairs, found["FAIL"] / pairs
    good = false <= 0.05 + SLACK and passed <= 0.05 + SLACK and 0.75 <= hit <= 0.85
    return (
        f"{make.__name__:8} n={n:<5} false alarms: no loss {none['FAIL'] / pairs:5.1%}, at the margin {false:5.1%}"
        f" · false passes {passed:5.1%} · prints {effect:.3f}, detects it in {hit:5.1%}{'' if good else '   off'}"
    )


def _outcomes(make: Callable[[Random, int, float], Draw], n: int, drop: float, pairs: int, seed: str) -> Counter[str]:
    dice = Random(seed)
    return Counter(judge(make(dice, n, drop))[0] for _ in range(pairs))


def _printed(make: Callable[[Random, int, float], Draw], n: int, seed: str) -> float:
    """Find the effect that runs with just that loss print as detectable."""
    effect = 0.0
    for _ in range(4):
        dice = Random(f"{seed} pilot")
        effect = fsum(judge(make(dice, n, MARGIN + effect))[1] for _ in range(100)) / 100
    return effect


def main(pairs: int = PAIRS) -> None:
    """Print the table."""
    begin = time.process_time()
    print(f"95 % intervals, {pairs} simulated runs or pairs a line (aim: 93-97 %)")
    for make in (rate, ratio):
        for n in (30, 100, 300):
            print("  " + coverage(make, n, pairs))
    for make, sizes in ((copies, (30, 100)), (flags, (50, 300)), (scores, (50, 300)), (doubled, (60,))):
        for n in sizes:
            print("  " + coverage(make, n, pairs))
    print(f"gate: drop(metric) <= {MARGIN} at {CONFIDENCE:.0%} (false alarms at most 5 %, detection about 80 %)")
    for pair, sizes in ((flags, (200, 1000)), (scores, (150, 1000)), (doubled, (100,))):
        for n in sizes:
            print("  " + gate(pair, n, pairs))
    n = ALARMS.total()
    share = ALARMS["FAIL"] / n
    noise = (0.05 * 0.95 / n) ** 0.5
    print(f"  together: {share:.1%} ± {noise:.1%} false alarms over {n} pairs whose true loss is exactly the margin")
    print(f"{time.process_time() - begin:.0f} s of CPU")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS)
