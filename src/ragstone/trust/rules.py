"""Turns rules and figures into a verdict: PASS, FAIL or NOT MEASURED, with the rule that decided and its numbers.

accuracy >= 0.9                        a figure of the run: a metric, pass_rate, primary_score
pass_rate >= 80% for type=fact_exact   within a group
cost <= 1.5      latency_ms_p95 <= 3000      coverage >= 0.98
drop(accuracy) <= 0.02                 against the baseline, paired: not worse by more than this
no_new_failures for type=fact_exact    no case that passed in the baseline may fail
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, structs

from ragstone.core.errors import SettingError
from ragstone.core.types import (
    JSON,
    Block,
    Case,
    Comparison,
    Delta,
    Figure,
    GateRule,
    Interval,
    JudgedBy,
    KindDoubt,
    MetricSpec,
    ModelSummary,
    Outcome,
    RuleCheck,
    Ruling,
    Summary,
    Verdict,
)
from ragstone.judging.estimates.rule_checks import LOWEST as LOWEST_RULES
from ragstone.judging.estimates.rule_checks import Contradicted, contradicted
from ragstone.text.nearest import nearest

MINIMUM_COVERAGE = 0.95
CONFIDENCE = 0.95
"""One-sided: an interval of twice as much less one is drawn."""
BUDGETS = ("cost", "total_tokens", "latency_ms_mean", "latency_ms_p50", "latency_ms_p95")
COMPARED = frozenset({"drop", "no_new_failures"})
"""Tests that need a baseline."""
COVERAGE = "coverage"
CACHE = "cache"
"""What a verdict calls the rule about answers that were not asked for in the run."""
PASSING = "pass_rate"
PRIMARY = "primary_score"
JUDGED, ESTIMATED = "_judged", "_estimated"
"""How figures end that judges and people made."""
FEWEST_LABELS = 20
"""Labels below which no gate goes by an estimate."""
MOST_NAMED = 5
"""Cases or names put into one sentence."""

_NUMBER = r"(?P<limit>[0-9]+(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?)(?P<percent>%?)"
_WHERE = r"(?:\s+for\s+(?P<group>[^=\s]+)=(?P<value>\S.*))?"
_FIGURE = re.compile(rf"(?P<figure>[\w.-]+)\s*(?P<sign>>=|<=)\s*{_NUMBER}{_WHERE}")
_DROP = re.compile(rf"drop\((?P<figure>[\w.-]+)\)\s*(?P<sign><=)\s*{_NUMBER}{_WHERE}")
_NEW = re.compile(rf"no_new_failures{_WHERE}")


class Facts(Struct, frozen=True, kw_only=True):
    """Everything a gate looks at."""

    summary: Summary
    comparison: Comparison | None = None
    """With the baseline as the first run."""
    stale: bool = False
    """The scorer that made the figures is not the one that is installed."""
    baseline: "Facts | None" = None
    """How the baseline stands; its figures are in the comparison."""
    model_steps: int = 1
    """Models, or steps asked of them, that the run set out to ask."""
    mock: bool = False
    """The answers were made of what is expected: no system was asked."""
    altered: tuple[str, ...] = ()
    """Files that are not as the run left them."""
    agreed: bool = False
    """The user lets verdicts count that were given elsewhere."""
    lent: tuple[str, ...] = ()
    """Judges whose certificates were made elsewhere; the rules are about judged figures."""
    shard: str = ""
    """`2/4` when the run is a part of a larger one."""
    max_samples: int | None = None
    """The first so many cases were asked, of a dataset that may have more."""
    imported: bool = False
    """Another tool asked: nothing can be asked again here."""
    tops: Mapping[str, float] = {}
    """Figure to the most it can be."""
    names: Mapping[str, str] = {}
    """Other name of a figure to the one it is kept by."""
    judging_cut: bool = False
    """Judges were named and are not done: what they said has come to no figure."""
    own: str = ""
    """The contract whose own rules hold because no other was given."""
    minimum_coverage: float = MINIMUM_COVERAGE
    confidence: float = CONFIDENCE
    allow_cached: bool = False
    """The user lets a run be held against a baseline although nothing was asked in it."""


def parse_rule(text: str, *, unsure: str = "not_measured", proof: str = "point") -> GateRule:
    """Understand a rule as it is typed."""
    clean = text.strip()
    for pattern, test in ((_NEW, "no_new_failures"), (_DROP, "drop"), (_FIGURE, "")):
        if found := pattern.fullmatch(clean):
            parts = found.groupdict()
            limit = float(parts.get("limit") or 0) / (100 if parts.get("percent") else 1)
            return GateRule(
                figure=parts.get("figure") or PASSING,
                test=test or ("at_least" if parts["sign"] == ">=" else "at_most"),  # type: ignore[arg-type]
                limit=limit,
                group=parts["group"] or "",
                value=(parts["value"] or "").strip(),
                unsure=unsure,  # type: ignore[arg-type]
                proof=proof,  # type: ignore[arg-type]
            )
    raise SettingError("gate.rule", rule=text)


def tops_of(specs: Sequence[MetricSpec]) -> dict[str, float]:
    """Return the most a figure can be, for each that has a most."""
    tops = {spec.name: 100.0 if spec.kind == "points" else 1.0 for spec in specs if spec.kind != "error"}
    more = {other: tops[name] for other, name in names_of(specs).items() if name in tops}
    return dict.fromkeys((PASSING, PRIMARY, COVERAGE), 1.0) | tops | more


def names_of(specs: Sequence[MetricSpec]) -> dict[str, str]:
    """Map each alias to its figure."""
    return {other: spec.name for spec in specs for other in spec.also}


def check_rules(rules: Sequence[GateRule], specs: Sequence[MetricSpec]) -> None:
    """Refuse rules that no run with these metrics and without a baseline can be judged by, before it is made."""
    tops, known = tops_of(specs), [*(spec.name for spec in specs), *names_of(specs)]
    for rule in rules:
        if rule.test in COMPARED:
            raise SettingError("gate.no_baseline", rule=rule_text(rule))
        if rule.figure not in {PASSING, PRIMARY, COVERAGE, *BUDGETS, *known}:
            raise _unknown(rule, known)
        require_reach(rule_text(rule), rule.figure, rule.limit, tops)


def check_groups(rules: Iterable[GateRule], cases: Iterable[Case]) -> None:
    """Refuse rules about groups, or values of them, that no case has."""
    groups: dict[str, set[str]] = {}
    for case in cases:
        for group, values in case.groups.items():
            groups.setdefault(group, set()).update(values)
    for rule in rules:
        if rule.group:
            _require_group(rule, groups)


def _require_group(rule: GateRule, groups: Mapping[str, Collection[str]]) -> None:
    if rule.group not in groups:
        raise SettingError("gate.group", group=rule.group, known=sorted(groups) or ["–"], rule=rule_text(rule))
    if rule.value not in groups[rule.group]:
        known = sorted(groups[rule.group])[: MOST_NAMED * 4]
        raise SettingError("gate.value", group=rule.group, value=rule.value, known=known, rule=rule_text(rule))


def require_reach(rule: str, figure: str, limit: float, tops: Mapping[str, float]) -> None:
    """Refuse a limit that lies beyond the figure's scale, or is a share of it: it would always hold, or never."""
    top = tops.get(figure)
    if top == 100 and ">=" in rule and 0 < limit <= 1:
        raise SettingError("gate.share", rule=rule, figure=figure, limit=f"{limit:g}", meant=f"{100 * limit:g}")
    if top is not None and limit > top:
        meant = f"{limit:g}%" if top == 1 and limit <= 100 else f"{top:g}"
        raise SettingError("gate.scale", rule=rule, figure=figure, top=f"{top:g}", limit=f"{limit:g}", meant=meant)


def rule_text(rule: GateRule) -> str:
    """Write a rule as it is typed."""
    where = f" for {rule.group}={rule.value}" if rule.group else ""
    if rule.test == "no_new_failures":
        return f"no_new_failures{where}"
    figure = f"drop({rule.figure})" if rule.test == "drop" else rule.figure
    return f"{figure} {'>=' if rule.test == 'at_least' else '<='} {rule.limit:g}{where}"


def decide(rules: Sequence[GateRule], facts: Facts) -> Verdict:
    """Apply every rule to every model; what cannot be trusted is not measured, whatever its figures say."""
    for rule in rules:
        require_reach(rule_text(rule), rule.figure, rule.limit, facts.tops)
    standing = [*_standing(facts), *_own(rules, facts)]
    rulings = [*standing, *(ruling for rule in rules for ruling in _by_its_name(rule, facts))]
    outcome, by = _overall(standing, rulings)
    baseline = facts.comparison.first if facts.comparison else None
    return Verdict(
        run_id=facts.summary.run_id,
        baseline=baseline,
        max_samples=facts.max_samples,
        outcome=outcome,
        decided_by=by,
        rulings=tuple(rulings),
    )


def _overall(standing: Sequence[Ruling], rulings: Sequence[Ruling]) -> tuple[Outcome, str]:
    order: tuple[tuple[Sequence[Ruling], Outcome], ...] = (
        (standing, "NOT MEASURED"),
        (rulings, "FAIL"),
        (rulings, "NOT MEASURED"),
    )
    for among, outcome in order:
        if rules := dict.fromkeys(ruling.rule for ruling in among if ruling.outcome == outcome):
            return outcome, ", ".join(rules)
    return "PASS", ""


def _standing(facts: Facts) -> Iterator[Ruling]:
    """Judge what every gate rests on: a complete run as it was left, real answers and enough, the same scorer."""
    summary = facts.summary
    answered = summary.finished - sum(figures.all.errored for figures in summary.models.values())
    counts: dict[str, JSON] = {"finished": summary.finished, "answered": answered, "expected": summary.expected}
    whole = summary.status == "complete" and summary.finished == summary.expected
    partial = "partial_imported" if facts.imported else "partial"
    yield _ruling("complete", "", "PASS" if whole else "NOT MEASURED", "complete" if whole else partial, counts)
    if facts.mock:
        yield _ruling("asked", "", "NOT MEASURED", "mock", {})
    if facts.altered:
        yield _ruling("unaltered", "", "NOT MEASURED", "altered", {"files": list(facts.altered)})
    if facts.shard:
        yield _ruling("whole", "", "NOT MEASURED", "shard", {"shard": facts.shard})
    if facts.stale:
        yield _ruling("scorer", "", "NOT MEASURED", "stale", {"version": summary.scorer_version})
    yield from _brought(facts)
    yield from _cached(facts)
    rule = GateRule(figure=COVERAGE, test="at_least", limit=facts.minimum_coverage)
    for model, figures in summary.models.items():
        share, asked = _coverage(figures.all, facts), _counts(figures.all, facts)
        params = {**asked, "value": share, "limit": rule.limit, "max_samples": facts.max_samples}
        enough = share >= rule.limit
        outcome: Outcome = "PASS" if enough else "NOT MEASURED"
        lacking = "uncovered_imported" if facts.imported else "uncovered"
        yield _ruling(rule_text(rule), model, outcome, "coverage" if enough else lacking, params)


def _brought(facts: Facts) -> Iterator[Ruling]:
    """Return what a verdict rests on that was made elsewhere and counts: judgements and labels, and certificates."""
    for one in filter(None, (facts, facts.baseline)):
        by = one.summary.judged_by
        if one.agreed and by and by.elsewhere:
            told: dict[str, JSON] = {"run": one.summary.run_id, "files": list(by.elsewhere)}
            yield _ruling("verdicts", "", "PASS", "elsewhere_agreed", told)
    if facts.lent:
        yield _ruling("certificate", "", "PASS", "certificate_lent", {"judges": list(facts.lent)})


def _cached(facts: Facts) -> Iterator[Ruling]:
    """Say how many answers came from the cache: where all did, a drop is the scorer's, and the system's is unknown."""
    for model, figures in facts.summary.models.items():
        cached, answers = figures.costs.cached, max(figures.costs.cached, figures.costs.answered)
        if cached:
            unasked = cached == answers and facts.comparison is not None and not facts.allow_cached
            outcome: Outcome = "NOT MEASURED" if unasked else "PASS"
            code = "all_cached" if unasked else "cached"
            yield _ruling(CACHE, model, outcome, code, {"cached": cached, "answers": answers})


def _coverage(block: Block, facts: Facts | None = None) -> float:
    """Share of cases that were answered; an answer that cannot be read is an answer, and counts as 0.

    With the facts it is the share of all cases the run set out to ask.
    """
    cases = block.cases + (_unasked(block, facts) if facts else 0)
    return (block.cases - block.errored) / cases if cases else 0.0


def _unasked(block: Block, facts: Facts) -> int:
    """Count the cases a model was to be asked and has no row for."""
    model_steps = max(facts.model_steps, len(facts.summary.models), 1)
    return max(0, facts.summary.expected // model_steps - block.cases)


def _counts(block: Block, facts: Facts) -> dict[str, JSON]:
    counts: dict[str, JSON] = {name: getattr(block, name) for name in ("cases", "scored", "errored", "unparsed")}
    unasked = _unasked(block, facts)
    return counts | {"cases": block.cases + unasked, "unasked": unasked}


def _ruling(rule: str, model: str, outcome: Outcome, code: str, params: dict[str, JSON]) -> Ruling:
    return Ruling(rule=rule, model=model, outcome=outcome, code=f"gate.{code}", params=params)


def _own(rules: Sequence[GateRule], facts: Facts) -> Iterator[Ruling]:
    """Yield a ruling that the contract's own rules apply when none were given."""
    if facts.own:
        params: dict[str, JSON] = {"contract": facts.own, "rules": ", ".join(map(rule_text, rules))}
        yield _ruling("own", "", "PASS", "own", params)


def _by_its_name(rule: GateRule, facts: Facts) -> Iterator[Ruling]:
    """Apply a rule, calling its figure what the rule calls it."""
    kept = facts.names.get(rule.figure)
    if kept is None:
        yield from _apply(rule, facts)
        return
    for ruling in _apply(structs.replace(rule, figure=kept), facts):
        yield structs.replace(ruling, rule=rule_text(rule), params=ruling.params | {"figure": rule.figure})


def _apply(rule: GateRule, facts: Facts) -> Iterator[Ruling]:
    for model, figures in facts.summary.models.items():
        block = _block(rule, figures)
        if figures.step is not None and not _has(block, rule.figure):
            continue
        if block.cases and block.errored == block.cases and rule.figure not in {COVERAGE, *BUDGETS}:
            params: dict[str, JSON] = {"figure": rule.figure, "errored": block.errored}
            yield _ruling(rule_text(rule), model, "NOT MEASURED", "unanswered", params)
            continue
        if unearned := _unearned(rule, model, block, facts) or _unearned_before(rule, model, facts):
            yield unearned
            continue
        if compared := rule.test in COMPARED:
            _require_figure(rule, block, facts)
        found = _value(rule, figures, block, facts)
        ruling = (_lacking(rule, model, found, facts) or _untimed(rule, model, figures, facts)) or (
            _unasked_drop(rule, model, figures, facts) or _against_baseline(rule, model, facts)
            if compared
            else _over_range(rule, model, figures, block, _against_limit(rule, model, found))
        )
        yield _unchecked(rule, figures, facts, ruling)


def _unearned(rule: GateRule, model: str, block: Block, facts: Facts) -> Ruling | None:
    """Judge nothing by verdicts given elsewhere, by judges without a trusted certificate, or by too few labels."""
    ending = next((one for one in (JUDGED, ESTIMATED) if rule.figure.endswith(one)), "")
    if not ending or rule.figure.removesuffix(ending) not in block.metrics:
        return None
    by, params = facts.summary.judged_by, dict[str, JSON](figure=rule.figure)
    if by is None or rule.figure not in block.metrics:
        cut = facts.judging_cut and by is None
        lacking = "not_labelled" if ending == ESTIMATED else "judging_cut" if cut else "not_judged"
        return _ruling(rule_text(rule), model, "NOT MEASURED", lacking, params)
    if unsent := _elsewhere(rule, model, facts):
        return unsent
    if ending == JUDGED and (doubt := _doubt(by, rule, block, facts.summary.models[model])):
        params |= {"judges": ", ".join(doubt.judges), "probes": ", ".join(doubt.failed) or "–", "kind": doubt.kind}
        return _ruling(rule_text(rule), model, "NOT MEASURED", f"judge_{doubt.why}", params)
    if ending == JUDGED and (against := _against_rules(by, rule.figure, facts.summary.models[model])):
        said = f"rules_contradicted_{against.side}"
        params |= {"n": against.n, "right": against.right, "low": against.low, "least": LOWEST_RULES}
        return _ruling(rule_text(rule), model, "NOT MEASURED", said, params)
    labels = block.metrics[rule.figure].n
    # A drop rests on cases with both answers labelled, which are counted by themselves.
    if ending == ESTIMATED and labels < FEWEST_LABELS and rule.test not in COMPARED:
        params |= {"n": labels, "least": FEWEST_LABELS, "foreign": by.foreign}
        lacking = "foreign_labels" if by.foreign else "few_labels"
        return _ruling(rule_text(rule), model, "NOT MEASURED", lacking, params)
    return None


def _elsewhere(rule: GateRule, model: str, facts: Facts) -> Ruling | None:
    """Judge nothing by verdicts from elsewhere, unless the user agrees."""
    by = facts.summary.judged_by
    if by is None or not by.elsewhere or facts.agreed:
        return None
    params: dict[str, JSON] = {"figure": rule.figure, "run": facts.summary.run_id, "files": list(by.elsewhere)}
    return _ruling(rule_text(rule), model, "NOT MEASURED", "elsewhere", params)


def _doubt(by: JudgedBy, rule: GateRule, block: Block, figures: ModelSummary) -> KindDoubt | None:
    """Return what keeps judges from being trusted with a figure: with those kinds of question they decided for it.

    What they left open counts like what they decided, where it could change the verdict.
    """
    left = figures.authors.get("open", 0) > figures.unasked and _rests_on_open(rule, block.metrics[rule.figure])
    judged = figures.authors.get("judge", 0)
    if by.standing != "advisory" or not (judged or left):
        return None
    decided, metric = figures.judged_kinds, rule.figure.removesuffix(JUDGED)
    # Where it is not known what they decided, or left open, it may be anything.
    told = sum(decided.values()) == judged and not left
    kinds = set(by.figures.get(metric, decided)) & decided.keys() if told else None
    if left and metric in by.figures:
        kinds = set(by.figures[metric])
    if not by.doubts:
        everything = KindDoubt(kind="", why=by.why, judges=by.doubted or by.names, failed=by.failed)
        return None if kinds == set() else everything
    return next((one for one in by.doubts if kinds is None or one.kind in kinds), None)


def _rests_on_open(rule: GateRule, figure: Figure) -> bool:
    """Return whether the questions nobody decided could change a verdict: that on a difference always."""
    if rule.test in COMPARED or figure.mean is None or figure.mean_high is None:
        return rule.test in COMPARED
    return _meets(rule, figure.mean) != _meets(rule, figure.mean_high)


def _rule_checks(by: JudgedBy, figure: str, figures: ModelSummary) -> Iterator[RuleCheck]:
    """Yield what people say of the rules' verdicts that a judged figure rests on: in its run, and in certificates."""
    kinds = by.figures.get(figure.removesuffix(JUDGED))
    for known in (figures.rule_checks, by.rule_checks) if figures.authors.get("rule") else ():
        yield from (check for kind, check in known.items() if kinds is None or kind in kinds)


def _against_rules(by: JudgedBy, figure: str, figures: ModelSummary) -> Contradicted | None:
    """Return verdicts of rules behind a judged figure that people do not hold."""
    return next(filter(None, map(contradicted, _rule_checks(by, figure, figures))), None)


def _unchecked(rule: GateRule, figures: ModelSummary, facts: Facts, ruling: Ruling) -> Ruling:
    """Note that the rules' verdicts behind a judged figure were not checked by people, or by too few labels."""
    by = facts.summary.judged_by
    if not rule.figure.endswith(JUDGED) or by is None or not figures.authors.get("rule"):
        return ruling
    n = max((check.n for check in _rule_checks(by, rule.figure, figures)), default=0)
    if n >= RuleCheck.FEWEST or ruling.outcome == "NOT MEASURED":
        return ruling
    return structs.replace(ruling, params=ruling.params | {"rules_unchecked": n})


def _unearned_before(rule: GateRule, model: str, facts: Facts) -> Ruling | None:
    """Hold a baseline's figures to the same, and an estimated drop to enough cases with both answers labelled."""
    if rule.test not in COMPARED or not rule.figure.endswith((JUDGED, ESTIMATED)) or facts.comparison is None:
        return None
    if facts.baseline is not None and rule.figure.endswith(JUDGED):
        before = facts.baseline.summary.models
        name, other = next((one, before[one]) for one in (model, *before) if one in before)
        return _unearned(rule, name, other.all, facts.baseline)
    if facts.baseline is not None and (unsent := _elsewhere(rule, model, facts.baseline)):
        return unsent
    delta = _delta(rule, model, facts.comparison)
    labels = delta.n if delta else 0
    if rule.figure.endswith(JUDGED) or labels >= FEWEST_LABELS:
        return None
    params: dict[str, JSON] = {"figure": rule.figure, "n": labels, "least": FEWEST_LABELS}
    return _ruling(rule_text(rule), model, "NOT MEASURED", "few_pairs", params)


def _over_range(rule: GateRule, model: str, figures: ModelSummary, block: Block, ruling: Ruling) -> Ruling:
    """Keep a verdict on a figure only if no outcome of the undecided cases would change it.

    Of a judged figure these are questions nobody asked, of an estimated one drawn cases without a verdict.
    """
    if rule.figure.endswith(ESTIMATED):
        return _over_lacking(rule, model, block.metrics.get(rule.figure), ruling)
    if not figures.unasked or not rule.figure.endswith(JUDGED) or ruling.outcome == "NOT MEASURED":
        return ruling
    figure = block.metrics[rule.figure]
    if figure.mean_high is None:
        return ruling
    params = ruling.params | {"not_asked": figures.unasked}
    if _meets(rule, figure.mean_high) == (ruling.outcome == "PASS"):
        return structs.replace(ruling, params=params)
    params |= {"value": figure.mean, "most": figure.mean_high}
    return _ruling(rule_text(rule), model, "NOT MEASURED", "judge_unasked", params)


def _over_lacking(rule: GateRule, model: str, figure: Figure | None, ruling: Ruling) -> Ruling:
    """Keep a verdict on an estimate only if it is the same with all that people did not decide stated, or none."""
    if figure is None or figure.mean_low is None or figure.mean_high is None or ruling.outcome == "NOT MEASURED":
        return ruling
    if {_meets(rule, figure.mean_low), _meets(rule, figure.mean_high)} == {ruling.outcome == "PASS"}:
        return ruling
    params = ruling.params | {"least": figure.mean_low, "most": figure.mean_high}
    params |= {"open": figure.open, "drawn": figure.n + figure.open}
    return _ruling(rule_text(rule), model, "NOT MEASURED", "labels_open", params)


def _unasked_drop(rule: GateRule, model: str, figures: ModelSummary, facts: Facts) -> Ruling | None:
    """Compare no judged figures where a judge could not be asked everything about one of the runs."""
    if not rule.figure.endswith(JUDGED):
        return None
    before = facts.baseline.summary.models if facts.baseline else {}
    other = before.get(model) or next(iter(before.values()), None)
    not_asked = figures.unasked + (other.unasked if other else 0)
    if not not_asked:
        return None
    params: dict[str, JSON] = {"figure": rule.figure, "not_asked": not_asked}
    return _ruling(rule_text(rule), model, "NOT MEASURED", "judge_unasked_drop", params)


def _has(block: Block, figure: str) -> bool:
    """Return whether a step of a workflow has a figure: each has those of its own task only."""
    return figure not in block.metrics or block.metrics[figure].n > 0


def _block(rule: GateRule, figures: ModelSummary) -> Block:
    """Return the figures a rule is about; a model that gave no answer has no groups."""
    if not rule.group or not figures.all.cases:
        return figures.all
    _require_group(rule, figures.groups)
    return figures.groups[rule.group][rule.value]


class _Value(NamedTuple):
    value: float | None
    n: int
    interval: Interval | None = None
    lost: int = 0
    """Cases the figure was wanted for and not given."""


def _value(rule: GateRule, figures: ModelSummary, block: Block, facts: Facts) -> _Value:
    if rule.figure in BUDGETS:
        timed = figures.costs.cached if rule.figure.startswith("latency") else 0
        return _Value(getattr(figures.costs, rule.figure), figures.costs.answered - timed)
    if rule.figure == COVERAGE:
        share = _coverage(block, None if rule.group else facts)
        return _Value(share - (_lost(block) / block.cases if block.cases else 0), block.cases)
    _require_figure(rule, block, facts)
    if rule.figure == PASSING:
        return _Value(block.pass_rate, block.cases, block.pass_interval, _lost(block))
    if rule.figure == PRIMARY:
        return _Value(block.primary_score, block.cases, block.score_interval, _lost(block))
    figure = block.metrics[rule.figure]
    return _Value(figure.mean, figure.n, figure.interval, figure.lost)


def _lost(block: Block) -> int:
    """Return in how many cases the worst figure was wanted and not given."""
    return max((figure.lost for figure in block.metrics.values()), default=0)


def _lacking(rule: GateRule, model: str, found: _Value, facts: Facts) -> Ruling | None:
    """Judge nothing by a figure that another tool could not give for too many cases."""
    wanted = found.n if rule.figure in {PASSING, PRIMARY} else found.n + found.lost
    if not found.lost or 1 - found.lost / wanted >= facts.minimum_coverage:
        return None
    params: dict[str, JSON] = {"figure": rule.figure, "lost": found.lost, "cases": wanted}
    return _ruling(rule_text(rule), model, "NOT MEASURED", "lost", params | {"limit": facts.minimum_coverage})


def _untimed(rule: GateRule, model: str, figures: ModelSummary, facts: Facts) -> Ruling | None:
    """Judge no latency where too many answers came from the cache: they took their time in another run."""
    cached, answers = figures.costs.cached, max(figures.costs.cached, figures.costs.answered)
    if not cached or not rule.figure.startswith("latency") or 1 - cached / answers >= facts.minimum_coverage:
        return None
    params: dict[str, JSON] = {"figure": rule.figure, "cached": cached, "answers": answers}
    return _ruling(rule_text(rule), model, "NOT MEASURED", "untimed", params | {"limit": facts.minimum_coverage})


def _require_figure(rule: GateRule, block: Block, facts: Facts) -> None:
    if rule.figure not in {PASSING, PRIMARY, *block.metrics}:
        raise _unknown(rule, [*block.metrics, *facts.names])


def _unknown(rule: GateRule, metrics: Sequence[str]) -> SettingError:
    known = [*metrics, PASSING, PRIMARY, COVERAGE, *BUDGETS]
    near = nearest(rule.figure, tuple(known))
    return SettingError("gate.figure", figure=rule.figure, known=known, rule=rule_text(rule), near=near)


def _against_limit(rule: GateRule, model: str, found: _Value) -> Ruling:
    params: dict[str, JSON] = {"figure": rule.figure, "limit": rule.limit, "n": found.n, "value": found.value}
    if found.value is None or not found.n:
        return _ruling(rule_text(rule), model, "NOT MEASURED", "no_value", params)
    if found.interval:
        params |= {"low": found.interval.low, "high": found.interval.high, "level": found.interval.level}
    meets = _meets(rule, found.value)
    kind = "at_least" if rule.test == "at_least" else "at_most"
    if rule.proof == "point" or rule.figure in {COVERAGE, *BUDGETS}:
        return _ruling(rule_text(rule), model, "PASS" if meets else "FAIL", kind, params)
    ends = (found.interval.low, found.interval.high) if found.interval else (None, None)
    if None not in ends:
        judged = [_meets(rule, end) for end in ends if end is not None]
        if all(judged) or not any(judged):
            return _ruling(rule_text(rule), model, "PASS" if all(judged) else "FAIL", kind, params)
    return _ruling(rule_text(rule), model, _unsure(rule, meets), "undecided", params | {"unsure": rule.unsure})


def _meets(rule: GateRule, value: float) -> bool:
    # A share such as 0.9 of ten cases must not fail by the last bit of a sum.
    slack = 1e-9 * max(1.0, abs(rule.limit))
    return value >= rule.limit - slack if rule.test == "at_least" else value <= rule.limit + slack


def _unsure(rule: GateRule, meets: bool) -> Outcome:
    if rule.unsure == "point":
        return "PASS" if meets else "FAIL"
    choices: dict[str, Outcome] = {"pass": "PASS", "fail": "FAIL"}
    return choices.get(rule.unsure, "NOT MEASURED")


def _against_baseline(rule: GateRule, model: str, facts: Facts) -> Ruling:
    comparison = facts.comparison
    if comparison is None:
        raise SettingError("gate.no_baseline", rule=rule_text(rule))
    if untrusted := _faulty(comparison, facts) or _untrusted(comparison, facts) or _judged_unlike(rule, comparison):
        params: dict[str, JSON] = {"baseline": comparison.first, "paired": comparison.paired}
        params |= {"missing": comparison.only_first, "others": comparison.other_questions, **untrusted.params}
        return _ruling(rule_text(rule), model, "NOT MEASURED", untrusted.code, params)
    delta = _delta(rule, model, comparison)
    if delta is None or not delta.n or delta.difference is None:
        params = {"figure": rule.figure, "limit": rule.limit, "n": 0, "value": None}
        return _ruling(rule_text(rule), model, "NOT MEASURED", "no_value", params)
    if rule.test == "no_new_failures":
        ruling = _no_new_failures(rule, model, delta, comparison)
    else:
        ruling = _drop(rule, model, delta, facts.confidence, comparison)
    return structs.replace(ruling, params=ruling.params | _alone(rule, model, comparison, facts))


def _alone(rule: GateRule, model: str, comparison: Comparison, facts: Facts) -> dict[str, JSON]:
    """Count the cases that the baseline does not have, and those of them that fail: no rule looks at them."""
    block = _block(rule, facts.summary.models[model])
    paired = _delta(structs.replace(rule, test="no_new_failures"), model, comparison)
    if paired is None or paired.second is None:
        return {}
    # Where cases were asked several times, a block counts answers, and so does a pair unless means are compared.
    each = comparison.repeats[1] if _asked_differently(comparison) else 1
    new = (block.cases - paired.n * each) // comparison.repeats[1]
    failing = block.cases - block.passed - round((1 - paired.second) * paired.n * each)
    return {"new": new, "new_failing": max(0, -(-failing // comparison.repeats[1]))} if new > 0 else {}


class _Fault(NamedTuple):
    code: str
    params: Mapping[str, JSON] = {}


def _faulty(comparison: Comparison, facts: Facts) -> _Fault | None:
    """Hold a baseline to what the run itself is held to; of its models, those that are compared."""
    if facts.baseline is None:
        return None
    compared = {"", *(model.split(" → ")[0] for model in comparison.models)}
    for ruling in _standing(facts.baseline):
        if ruling.outcome != "PASS" and ruling.model in compared:
            return _Fault(_BASELINE_FAULTS[ruling.code], ruling.params)
    return None


_BASELINE_FAULTS: Mapping[str, str] = {
    "gate.partial": "baseline_partial",
    "gate.partial_imported": "baseline_partial",
    "gate.mock": "baseline_mock",
    "gate.altered": "baseline_altered",
    "gate.shard": "baseline_shard",
    "gate.stale": "baseline_scorer",
    "gate.uncovered": "baseline_uncovered",
    "gate.uncovered_imported": "baseline_uncovered",
}


def _untrusted(comparison: Comparison, facts: Facts) -> _Fault | None:
    """Return why two runs cannot be compared, or None."""
    if "scorer" in comparison.differs or "contract" in comparison.differs:
        return _Fault("baseline_scorer")
    if "prompt_unversioned" in comparison.differs:
        return _Fault("baseline_prompt")
    if "partial" in comparison.differs:
        return _Fault("one_partial")
    shared = comparison.paired / (comparison.paired + comparison.only_first)
    return None if shared >= facts.minimum_coverage else _Fault("baseline_cases")


def _judged_unlike(rule: GateRule, comparison: Comparison) -> _Fault | None:
    """Return why a judged figure of two runs cannot be compared, or None."""
    unlike = comparison.judged_unlike and rule.figure.endswith(JUDGED)
    return _Fault("baseline_judging") if unlike else None


def _delta(rule: GateRule, model: str, comparison: Comparison) -> Delta | None:
    figure = PASSING if rule.test == "no_new_failures" else rule.figure
    wanted = (figure, rule.group, rule.value)
    for delta in comparison.deltas:
        same = delta.model == model or delta.model.endswith(f"→ {model}")
        if same and (delta.figure, delta.group, delta.value) == wanted:
            return delta
    return None


def _no_new_failures(rule: GateRule, model: str, delta: Delta, comparison: Comparison) -> Ruling:
    broken = [
        change.sample_id
        for change in comparison.changes
        if change.kind == "broken" and (not rule.group or rule.value in change.groups.get(rule.group, ()))
    ]
    params: dict[str, JSON] = {
        "n": delta.n,
        "passed": round((delta.first or 0.0) * delta.n),
        "lost": delta.lost,
        "gained": delta.gained,
        "cases": broken[:MOST_NAMED],
        "repeats": _asked_differently(comparison),
    }
    if delta.lost:
        return _ruling(rule_text(rule), model, "FAIL", "new_failures", params)
    return _ruling(rule_text(rule), model, "PASS", "no_new_failures", params)


def _asked_differently(comparison: Comparison) -> list[int] | None:
    """Return how often cases were asked in both runs, when that is not the same."""
    return list(comparison.repeats) if comparison.repeats[0] != comparison.repeats[1] else None


def _drop(rule: GateRule, model: str, delta: Delta, confidence: float, comparison: Comparison) -> Ruling:
    """Judge non-inferiority: shown, refuted, or open when the interval holds the margin."""
    sign = -1 if delta.better == "higher" else 1
    drop = sign * (delta.difference or 0.0)
    params: dict[str, JSON] = {
        "figure": rule.figure,
        "limit": rule.limit,
        "n": delta.n,
        "first": delta.first,
        "second": delta.second,
        "value": drop,
        "confidence": confidence,
        "detectable": delta.detectable,
        "gained": delta.gained,
        "lost": delta.lost,
        "repeats": _asked_differently(comparison),
        "apart": delta.apart,
    }
    name = rule_text(rule)
    # Labels that all agree prove no more than their interval: other cases are not labelled.
    if not delta.gained and not delta.lost and not rule.figure.endswith(ESTIMATED):
        return _ruling(name, model, "PASS", "unchanged", params)
    if delta.interval is not None:
        low, high = sorted((sign * delta.interval.low, sign * delta.interval.high))
        params |= {"low": low, "high": high, "level": delta.interval.level}
        if high <= rule.limit:
            return _ruling(name, model, "PASS", "not_worse", params)
        if low > rule.limit:
            return _ruling(name, model, "FAIL", "worse", params)
    if delta.open:
        return _ruling(name, model, "NOT MEASURED", "labels_open_drop", params | {"open": delta.open})
    outcome = _unsure(rule, drop <= rule.limit + 1e-9)
    return _ruling(name, model, outcome, "drop_undecided", params | {"unsure": rule.unsure})
