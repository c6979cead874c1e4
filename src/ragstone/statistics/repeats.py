"""The same case asked several times: pass@k, and how much of the spread is the system's own."""

from collections import Counter
from math import comb

from ragstone.core.types import Repeats


def pass_at(k: int, tries: int, passed: int) -> float:
    """Return the chance that at least one of k tries passes, without bias, from `passed` of `tries`."""
    if k > tries:
        raise ValueError(f"pass@{k} needs at least {k} tries, there are {tries}")
    return 1 - comb(tries - passed, k) / comb(tries, k)


class RepeatTally:
    """Adds up cases that were asked several times, one at a time; memory does not grow."""

    def __init__(self) -> None:
        self._key = ""
        self._tries = self._passed = 0
        self._sum = self._squares = 0.0
        self._rows = 0
        self._within = self._total = self._case_squares = self._sizes = 0.0
        self._seen: Counter[tuple[int, int]] = Counter()

    def add(self, key: str, score: float, passed: bool) -> None:
        """Add one answer; answers to one case must follow each other."""
        if key != self._key:
            self._close()
            self._key = key
        self._tries += 1
        self._passed += passed
        self._sum += score
        self._squares += score * score

    def _close(self) -> None:
        """Finish the case whose answers came last."""
        tries = self._tries
        if tries:
            self._seen[tries, self._passed] += 1
            self._rows += tries
            self._within += max(0.0, self._squares - self._sum * self._sum / tries)
            self._total += self._sum
            self._case_squares += self._sum * self._sum / tries
            self._sizes += tries * tries
        self._tries = self._passed = 0
        self._sum = self._squares = 0.0

    def summary(self) -> Repeats | None:
        """Return the figures of the repeats, or None when no case was asked twice."""
        self._close()
        self._key = ""
        cases, seen = self._seen.total(), sorted(self._seen.items())
        if self._rows == cases:
            return None
        within = self._within / (self._rows - cases)
        between = self._between(within, cases)
        whole = within + between
        least = seen[0][0][0]
        return Repeats(
            cases=cases,
            tries=least,
            pass_at={str(k): sum(n * pass_at(k, *found) for found, n in seen) / cases for k in _sizes(least)},
            always=sum(n for (tries, passed), n in seen if passed == tries),
            never=sum(n for (_, passed), n in seen if passed == 0),
            spread=within**0.5,
            within_variance=within,
            between_variance=between,
            system_share=within / whole if whole > 0 else 0.0,
        )

    def _between(self, within: float, cases: int) -> float:
        """Estimate the variance between cases (one-way random effects)."""
        if cases < 2:
            return 0.0
        squares = self._case_squares - self._total * self._total / self._rows
        usual = (self._rows - self._sizes / self._rows) / (cases - 1)
        return max(0.0, (squares / (cases - 1) - within) / usual)


def _sizes(tries: int) -> list[int]:
    """Return the k worth telling: 1, 2, 4, … and all."""
    powers = [1 << n for n in range(tries.bit_length()) if 1 << n <= tries]
    return powers if powers[-1] == tries else [*powers, tries]
