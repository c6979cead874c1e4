"""Which rows of a run made it fail its gate, and by which of the gate's rules; without a gate, which did not pass."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from ragstone.core.errors import RagstoneError
from ragstone.core.types import GateRule, Result, Ruling, Verdict
from ragstone.runs.reopen import specs_of
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.differences import Card, card_of
from ragstone.trust.gate import last_verdict
from ragstone.trust.pairs import Pairs
from ragstone.trust.rules import (
    BUDGETS,
    COMPARED,
    COVERAGE,
    ESTIMATED,
    JUDGED,
    PASSING,
    PRIMARY,
    names_of,
    parse_rule,
)

Failing = Callable[[Result], tuple[str, ...] | None]
"""Names the rules a row fails; None where it fails nothing."""


class _Broken(NamedTuple):
    """A rule that was not met for one model."""

    text: str
    model: str
    rule: GateRule
    figure: str
    """The metric whose values of single cases tell; what judges and people make is made of it."""
    lower: bool
    """Less of the figure is better."""


class _Limited(NamedTuple):
    """Fails rows by their own figures, and by what became worse against the baseline."""

    rules: tuple[_Broken, ...]
    worse: frozenset[tuple[int, str, str, int]]

    def failed(self, row: Result) -> tuple[str, ...] | None:
        named = (one.text for place, one in enumerate(self.rules) if self._fails(place, one, row))
        return tuple(dict.fromkeys(named)) or None

    def _fails(self, place: int, one: _Broken, row: Result) -> bool:
        if not _concerns(one, row):
            return False
        if one.rule.test in COMPARED:
            return (place, row.sample_id, row.model_step, row.repeat) in self.worse
        value = _value(card_of([row]), one.figure)
        return value is not None and (value < one.rule.limit if one.rule.test == "at_least" else value > one.rule.limit)


def failing_of(folder: RunFolder) -> tuple[Failing, tuple[str, ...]]:
    """Return what tells the failed rows of a run, and the rules of its gate that they failed, if a gate says so."""
    verdict = last_verdict(folder.path)
    rules = tuple(_broken(folder, verdict)) if verdict else ()
    worse = None
    if verdict and any(one.rule.test in COMPARED for one in rules):
        worse = _worse(folder, verdict.baseline or "", rules)
    if worse is None:
        rules = tuple(one for one in rules if one.rule.test not in COMPARED)
    if not rules:
        return _unpassed, ()
    return _Limited(rules, worse or frozenset()).failed, tuple(dict.fromkeys(one.text for one in rules))


def _unpassed(row: Result) -> tuple[str, ...] | None:
    return None if row.scorecard.passed else ()


def _broken(folder: RunFolder, verdict: Verdict) -> Iterator[_Broken]:
    """Yield the rules that were not met and that cases can answer for; no case answers for a budget."""
    specs = specs_of(folder)
    names, lower = names_of(specs), {spec.name for spec in specs if spec.better == "lower"}
    for ruling in verdict.rulings:
        rule = _parsed(ruling)
        if rule is not None and rule.figure not in {COVERAGE, *BUDGETS}:
            figure = names.get(rule.figure, rule.figure).removesuffix(JUDGED).removesuffix(ESTIMATED)
            yield _Broken(ruling.rule, ruling.model, rule, figure, figure in lower)


def _parsed(ruling: Ruling) -> GateRule | None:
    try:
        return parse_rule(ruling.rule) if ruling.outcome == "FAIL" else None
    except RagstoneError:
        return None


def _worse(folder: RunFolder, baseline: str, rules: tuple[_Broken, ...]) -> frozenset[tuple[int, str, str, int]] | None:
    """Find what each rule calls worse than in the baseline; None where the baseline cannot be read any more."""
    if not baseline or Path(baseline).name != baseline:
        return None
    try:
        return frozenset(_fallen(Pairs(RunFolder.open(folder.path.parent / baseline), folder), rules))
    except (RagstoneError, OSError):
        return None


def _fallen(pairs: Pairs, rules: tuple[_Broken, ...]) -> Iterator[tuple[int, str, str, int]]:
    compared = [(place, one) for place, one in enumerate(rules) if one.rule.test in COMPARED]
    for pair in pairs:
        before, after = card_of(pair.firsts), card_of(pair.seconds)
        for place, one in compared:
            if _is_worse(_value(before, one.figure), _value(after, one.figure), lower=one.lower):
                yield from ((place, row.sample_id, row.model_step, row.repeat) for row in pair.seconds)


def _is_worse(before: float | None, after: float | None, *, lower: bool) -> bool:
    if before is None or after is None:
        return False
    return after > before if lower else after < before


def _concerns(one: _Broken, row: Result) -> bool:
    rule = one.rule
    return one.model in ("", row.model_step) and (not rule.group or rule.value in row.groups.get(rule.group, ()))


def _value(card: Card, figure: str) -> float | None:
    if figure == PASSING:
        return card.passed
    return card.primary_score if figure == PRIMARY else card.sub_scores.get(figure)
