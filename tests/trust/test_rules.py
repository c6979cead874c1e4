"""Rules and figures into a verdict."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from ragstone.core.errors import SettingError
from ragstone.core.language import Lang, Text
from ragstone.core.types import (
    JSON,
    UNLIKE,
    Block,
    Change,
    Comparison,
    Costs,
    Delta,
    Figure,
    Interval,
    JudgedBy,
    MetricSpec,
    ModelSummary,
    Summary,
    Verdict,
)
from ragstone.report.verdict import decision, say_ruling
from ragstone.trust.rules import Facts, check_rules, decide, names_of, parse_rule, rule_text, tops_of

SPECS = (
    MetricSpec(name="exact", label=Text("exact", "一致"), kind="flag"),
    MetricSpec(name="score", label=Text("score", "得分"), kind="points"),
    MetricSpec(name="seconds", label=Text("seconds", "秒"), kind="error", better="lower"),
)


def _block(passed: int = 8, cases: int = 10, errored: int = 0) -> Block:
    rate = passed / cases
    interval = Interval(low=rate - 0.1, high=rate + 0.1, level=0.95, method="wilson", clusters=cases)
    return Block(
        cases=cases,
        scored=cases - errored,
        errored=errored,
        unparsed=0,
        passed=passed,
        pass_rate=rate,
        primary_score=rate,
        metrics={
            "exact": Figure(mean=rate, n=cases, not_applicable=0, total=passed, interval=interval),
            "never": Figure(mean=None, n=0, not_applicable=cases, total=0),
        },
        pass_interval=interval,
    )


def _facts(block: Block | None = None, delta: dict[str, JSON] | None = None, **more: JSON) -> Facts:
    block = block or _block()
    cached = more.pop("cached", 0)
    costs = Costs(answered=block.cases, latency_ms_p95=900.0, cost=more.pop("cost", 1.0), cached=cached)
    groups = {"type": {"fact": block, "gap": block}}
    summary = Summary(
        run_id="new",
        task_name="t",
        status=more.pop("status", "complete"),
        scorer_version="1",
        expected=10,
        finished=10,
        results_digest="",
        models={"m": ModelSummary(all=block, costs=costs, groups=groups)},
        judged_by=more.pop("judged_by", None),
    )
    return Facts(summary=summary, comparison=None if delta is None else _comparison(**delta), **more)


def _comparison(**given: JSON) -> Comparison:
    low, high = given.get("interval", (-0.05, 0.05))
    delta = Delta(
        model="old → m",
        figure=given.get("figure", "exact"),
        group=given.get("group", ""),
        value=given.get("value", ""),
        n=given.get("n", 100),
        clusters=100,
        first=0.8,
        second=0.8 + given.get("difference", 0.0),
        difference=given.get("difference", 0.0),
        error=0.02,
        interval=Interval(low=low, high=high, level=0.9, method="tango", clusters=100),
        gained=given.get("gained", 1),
        lost=given.get("lost", 1),
        better=given.get("better", "higher"),
        detectable=given.get("detectable"),
    )
    change = Change(sample_id="c7", model="m", kind="broken", first_score=1, second_score=0, cause="answer")
    return Comparison(
        first="old",
        second="new",
        paired=given.get("paired", 100),
        only_first=given.get("only_first", 0),
        only_second=0,
        differs=tuple(given.get("differs", ())),
        models=("old → m",),
        broken=delta.lost,
        fixed=delta.gained,
        moved=0,
        causes={},
        deltas=(delta,),
        changes=(change,),
    )


def _outcome(rule: str, facts: Facts, **more: str) -> str:
    return decide([parse_rule(rule, **more)], facts).outcome


@pytest.mark.parametrize(
    "text",
    [
        "accuracy >= 0.9",
        "pass_rate >= 0.8 for type=fact_exact",
        "cost <= 1.5",
        "drop(accuracy) <= 0.02",
        "drop(f1.macro) <= 0.02 for doc=保险 条款.md",
        "no_new_failures",
        "no_new_failures for type=fact_exact",
    ],
)
def test_rules_survive_writing_and_reading(text: str) -> None:
    """What is typed is what is shown."""
    assert rule_text(parse_rule(text)) == text


def test_a_rule_may_be_written_loosely() -> None:
    """Spaces and percent signs."""
    assert parse_rule(" exact>=90% ") == parse_rule("exact >= 0.9")


@pytest.mark.parametrize("text", ["", "accuracy", "accuracy > 0.9", "accuracy >= high", "drop(x) >= 1", "x >= 1 for y"])
def test_what_is_no_rule_is_refused_with_examples(text: str) -> None:
    """The message shows what may be written."""
    with pytest.raises(SettingError, match="drop"):
        parse_rule(text)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_a_rule_or_a_message(text: str) -> None:
    """Nothing else is raised."""
    try:
        assert parse_rule(text)
    except SettingError as error:
        assert error.code == "gate.rule"


@pytest.mark.parametrize(
    ("rule", "outcome"),
    [
        ("exact >= 0.8", "PASS"),
        ("exact >= 0.81", "FAIL"),
        ("pass_rate >= 80% for type=fact", "PASS"),
        ("primary_score <= 0.7", "FAIL"),
        ("never >= 0.1", "NOT MEASURED"),
        ("latency_ms_p95 <= 900", "PASS"),
        ("latency_ms_p50 <= 900", "NOT MEASURED"),
        ("cost <= 0.5", "FAIL"),
        ("coverage >= 1", "PASS"),
    ],
)
def test_absolute_limits(rule: str, outcome: str) -> None:
    """On a metric, passing, the score, budgets; what has no value is not measured."""
    assert _outcome(rule, _facts()) == outcome


@pytest.mark.parametrize(
    ("rule", "unsure", "outcome"),
    [
        ("exact >= 0.6", "not_measured", "PASS"),
        ("exact >= 0.95", "not_measured", "FAIL"),
        ("exact >= 0.75", "not_measured", "NOT MEASURED"),
        ("exact >= 0.75", "point", "PASS"),
        ("exact >= 0.75", "fail", "FAIL"),
        ("exact >= 0.85", "pass", "PASS"),
        ("exact <= 0.95", "not_measured", "PASS"),
        ("primary_score >= 0.1", "not_measured", "NOT MEASURED"),
    ],
)
def test_a_whole_interval_may_be_asked_for(rule: str, unsure: str, outcome: str) -> None:
    """0.62, 0.58, 0.61 against 0.6: the cases cannot tell, and the gate says so."""
    assert _outcome(rule, _facts(), proof="interval", unsure=unsure) == outcome


@pytest.mark.parametrize(
    ("cached", "rule", "outcome"),
    [
        (10, "exact >= 0.8", "PASS"),
        (9, "drop(exact) <= 0.05", "PASS"),
        (10, "drop(exact) <= 0.05", "NOT MEASURED"),
        (1, "latency_ms_p95 <= 900", "NOT MEASURED"),
        (10, "cost <= 1", "PASS"),
    ],
)
def test_cached_answers_are_no_pass_in_silence(cached: int, rule: str, outcome: str) -> None:
    """The verdict counts them; a system that was not asked has no drop, and no latency."""
    found = decide([parse_rule(rule)], _facts(delta={} if "drop" in rule else None, cached=cached))

    assert found.outcome == outcome
    assert f"{cached} of 10 answers came from the cache" in " ".join(say_ruling(one, "en") for one in found.rulings)
    assert outcome != "PASS" or f"{cached} of 10 answers came from the cache" in decision(found, "en")


def test_a_scorer_may_be_compared_on_cached_answers() -> None:
    """Who says so gets a verdict, and it says that nothing was asked."""
    found = decide([parse_rule("drop(exact) <= 0.05")], _facts(delta={}, cached=10, allow_cached=True))

    assert found.outcome == "PASS"
    assert "10 of 10 answers came from the cache" in decision(found, "en")


def test_few_cached_answers_leave_the_latency_measured() -> None:
    """A twentieth may lack: the rest was timed in this run."""
    assert _outcome("latency_ms_p95 <= 900", _facts(_block(90, 100), cached=5)) == "PASS"


def test_what_nobody_answered_is_no_figure() -> None:
    """Zeros of failed cases fail no rule and pass none, not even one that asks for little."""
    for rule in ("exact >= 0.5", "exact <= 0.5"):
        (ruling,) = [one for one in decide([parse_rule(rule)], _facts(_block(0, 10, 10))).rulings if one.rule == rule]
        assert ruling.code == "gate.unanswered"


@pytest.mark.parametrize("text", ["score >= 0.95", "score >= 95%", "score >= 1"])
def test_a_share_of_a_hundred_points_is_refused(text: str) -> None:
    """The slip in the other direction: 0.95 of 100 is met by almost anything."""
    with pytest.raises(SettingError, match=r"Did you mean (95|100)\?"):
        check_rules([parse_rule(text)], SPECS)


def test_a_share_does_not_fail_by_its_last_bit() -> None:
    """0.1 + 0.2 is at least 0.3 here."""
    block = structs.replace(_block(), pass_rate=0.1 + 0.2 - 1e-15)

    assert _outcome("pass_rate >= 0.3", _facts(block)) == "PASS"


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        ({"status": "partial"}, "complete"),
        ({"stale": True}, "scorer"),
        ({"block": _block(8, 10, errored=2)}, "coverage >= 0.95"),
    ],
)
def test_what_cannot_be_trusted_is_not_measured(more: dict[str, JSON], rule: str) -> None:
    """A partial run, a stale scorer and too few answers decide before any figure does, also before a failing one."""
    verdict = decide([parse_rule("exact >= 0.99")], _facts(**more))

    assert (verdict.outcome, verdict.decided_by) == ("NOT MEASURED", rule)


def test_the_minimum_coverage_may_be_lowered() -> None:
    """Then failed cases count as 0, as everywhere."""
    assert _outcome("exact >= 0.8", _facts(_block(8, 10, errored=2), minimum_coverage=0.5)) == "PASS"


@pytest.mark.parametrize(
    ("given", "outcome", "code"),
    [
        ({"interval": (-0.01, 0.03)}, "PASS", "not_worse"),
        ({"interval": (-0.02, 0.03)}, "PASS", "not_worse"),
        ({"interval": (-0.20, -0.03)}, "FAIL", "worse"),
        ({"interval": (-0.05, 0.03)}, "NOT MEASURED", "drop_undecided"),
        ({"interval": (-0.05, 0.05), "gained": 0, "lost": 0}, "PASS", "unchanged"),
        ({"interval": (-0.03, 0.01), "better": "lower"}, "PASS", "not_worse"),
        ({"interval": (0.03, 0.10), "better": "lower"}, "FAIL", "worse"),
        ({"n": 0}, "NOT MEASURED", "no_value"),
        ({"figure": "other"}, "NOT MEASURED", "no_value"),
        ({"differs": ["scorer"]}, "NOT MEASURED", "baseline_scorer"),
        ({"differs": ["partial"]}, "NOT MEASURED", "one_partial"),
        ({"only_first": 50}, "NOT MEASURED", "baseline_cases"),
        ({"differs": ["dataset"], "interval": (-0.01, 0.03)}, "PASS", "not_worse"),
    ],
)
def test_non_inferiority(given: dict[str, JSON], outcome: str, code: str) -> None:
    """Shown, refuted or open; a baseline that cannot be compared with is not measured."""
    verdict = decide([parse_rule("drop(exact) <= 0.02")], _facts(delta=given))

    assert (verdict.outcome, verdict.rulings[-1].code) == (outcome, f"gate.{code}")
    assert verdict.baseline == "old"


@pytest.mark.parametrize(
    ("least", "said"), [(0.051, "a drop of 0.051 would be found at 95% confidence"), (None, "no drop on this scale")]
)
def test_what_could_be_found_is_said(least: float | None, said: str) -> None:
    """With its level; where nothing could be, that is said."""
    ruling = decide([parse_rule("drop(exact) <= 0.02")], _facts(delta={"detectable": least})).rulings[-1]

    assert said in say_ruling(ruling, "en")
    assert "90% interval" in say_ruling(ruling, "en")


@pytest.mark.parametrize(("unsure", "outcome"), [("pass", "PASS"), ("fail", "FAIL"), ("point", "FAIL")])
def test_what_to_do_when_unsure_can_be_said(unsure: str, outcome: str) -> None:
    """A drop of 0.03 against 0.02 that these cases cannot tell from chance."""
    facts = _facts(delta={"interval": (-0.08, 0.02), "difference": -0.03})

    assert _outcome("drop(exact) <= 0.02", facts, unsure=unsure) == outcome


@pytest.mark.parametrize(
    ("rule", "given", "outcome"),
    [
        ("no_new_failures", {"figure": "pass_rate", "lost": 0}, "PASS"),
        ("no_new_failures", {"figure": "pass_rate", "lost": 1}, "FAIL"),
        ("no_new_failures for type=fact", {"figure": "pass_rate", "group": "type", "value": "fact", "lost": 0}, "PASS"),
    ],
)
def test_no_case_that_passed_may_fail(rule: str, given: dict[str, JSON], outcome: str) -> None:
    """For all cases or a group; the first ones are named."""
    verdict = decide([parse_rule(rule)], _facts(delta=given))

    assert verdict.outcome == outcome
    assert outcome == "PASS" or verdict.rulings[-1].params["cases"] == ["c7"]


@pytest.mark.parametrize(
    ("rule", "code", "known"),
    [
        ("acuracy >= 0.9", "gate.figure", "exact"),
        ("drop(acuracy) <= 0.9", "gate.figure", "exact"),
        ("exact >= 0.9 for kind=fact", "gate.group", "type"),
        ("exact >= 0.9 for type=other", "gate.value", "gap"),
        ("drop(exact) <= 0.02", "gate.no_baseline", "--baseline"),
    ],
)
def test_a_rule_on_what_is_not_there_is_the_users_to_fix(rule: str, code: str, known: str) -> None:
    """A misspelt metric must not look like one that passed, nor like one that failed."""
    with pytest.raises(SettingError, match=known) as caught:
        decide([parse_rule(rule)], _facts())
    assert caught.value.code == code


def test_all_rules_that_failed_decided() -> None:
    """FAIL weighs more than NOT MEASURED."""
    rules = ("never >= 1", "exact >= 0.9", "exact >= 0.1", "pass_rate >= 0.95")
    verdict: Verdict = decide([parse_rule(rule) for rule in rules], _facts())

    assert (verdict.outcome, verdict.decided_by) == ("FAIL", "exact >= 0.9, pass_rate >= 0.95")


@pytest.mark.parametrize(("model_steps", "share", "unasked"), [(1, 0.7, 3), (2, 1.0, 0)])
def test_cases_that_were_never_asked_lower_coverage(model_steps: int, share: float, unasked: int) -> None:
    """Seven of ten asked are seven tenths; a run of two models asks each of them half of what is expected."""
    facts = _facts(_block(7, 7), status="partial", model_steps=model_steps)

    ruling = decide([], facts).rulings[-1]

    assert ruling.params["value"] == pytest.approx(share)
    assert ruling.params["unasked"] == unasked
    assert f"not asked {unasked}" in say_ruling(ruling, "en")
    assert "--retry-failed" not in say_ruling(ruling, "en")
    assert _outcome("coverage >= 0.8", structs.replace(facts, minimum_coverage=0.0)) == "NOT MEASURED"


@pytest.mark.parametrize("text", ["exact <= 5", "exact >= 1.5", "drop(exact) <= 2", "pass_rate <= 90", "score <= 101"])
def test_a_limit_beyond_the_scale_is_refused(text: str) -> None:
    """A rule that always or never holds guards nothing."""
    with pytest.raises(SettingError, match="lies between 0 and 1"):
        decide([parse_rule(text)], _facts(delta={}, tops=tops_of(SPECS)))


def test_a_share_typed_as_a_percentage_is_guessed() -> None:
    """The message says what was meant."""
    with pytest.raises(SettingError, match="Did you mean 2%"):
        check_rules([parse_rule("exact <= 2")], SPECS)


@pytest.mark.parametrize(
    "text", ["exact <= 1", "score >= 95", "seconds <= 5000", "cost <= 7", "latency_ms_p95 <= 3000"]
)
def test_a_limit_within_the_scale_stands(text: str) -> None:
    """Points go to 100; distances and budgets have no end."""
    check_rules([parse_rule(text)], SPECS)


@pytest.mark.parametrize(
    ("text", "needle"), [("foo >= 1", "foo"), ("no_new_failures", "baseline"), ("drop(exact) <= 0", "b")]
)
def test_a_rule_no_run_could_be_judged_by_is_refused_before(text: str, needle: str) -> None:
    """Unknown figures, and baselines where there is none."""
    with pytest.raises(SettingError, match=needle):
        check_rules([parse_rule(text)], SPECS)


@pytest.mark.parametrize(
    ("more", "decided", "code"),
    [
        ({"altered": ("summary.json",)}, "unaltered", "gate.altered"),
        ({"shard": "1/2"}, "whole", "gate.shard"),
        ({"imported": True, "status": "partial"}, "complete", "gate.partial_imported"),
    ],
)
def test_what_is_not_the_whole_truth_is_not_measured(more: dict[str, JSON], decided: str, code: str) -> None:
    """Altered files, a part of a run, an imported run that lacks answers."""
    verdict = decide([parse_rule("exact >= 0.1")], _facts(**more))

    assert (verdict.outcome, verdict.decided_by) == ("NOT MEASURED", decided)
    assert code in {ruling.code for ruling in verdict.rulings}


def test_an_imported_run_is_not_advised_to_resume() -> None:
    """Nothing can be asked for it here."""
    verdict = decide([], _facts(_block(errored=2), imported=True))

    assert verdict.rulings[-1].code == "gate.uncovered_imported"
    assert "resume" not in say_ruling(verdict.rulings[-1], "en")


@pytest.mark.parametrize("rule", ["exact >= 0.1", "pass_rate >= 0.1", "drop(exact) <= 0.5"])
def test_values_a_tool_could_not_give_lower_coverage(rule: str) -> None:
    """Two of ten lost: the rest says too little; a lower minimum lets it stand."""
    figure = structs.replace(_block().metrics["exact"], n=8, lost=2)
    block = structs.replace(_block(), metrics={"exact": figure})

    assert decide([parse_rule(rule)], _facts(block, {})).rulings[-1].code == "gate.lost"
    assert _outcome(rule, _facts(block, {}, minimum_coverage=0.8)) == "PASS"
    assert _outcome("coverage >= 0.9", _facts(block)) == "FAIL"


@pytest.mark.parametrize(("lang", "said"), [("en", "only the first 5 cases"), ("zh-Hans", "仅提问了前 5 个用例")])
def test_a_cut_dataset_is_told(lang: Lang, said: str) -> None:
    """Who reads the verdict sees that it is about the first cases only."""
    rulings = decide([], _facts(max_samples=5)).rulings

    assert said in say_ruling(rulings[-1], lang)
    assert said in decision(decide([], _facts(max_samples=5)), lang)
    assert "max-samples" not in say_ruling(decide([], _facts()).rulings[-1], lang)


NAMED = (MetricSpec(name="exact", label=Text("exact", "一致"), kind="flag", also=("exact_avg",)),)


@pytest.mark.parametrize("rule", ["exact_avg >= 0.9", "drop(exact_avg) <= 0.02", "exact_avg >= 0.9 for type=fact"])
def test_a_figure_is_known_by_its_other_name(rule: str) -> None:
    """It is judged as by its own name, and called as the rule calls it."""
    facts = _facts(delta={}, tops=tops_of(NAMED), names=names_of(NAMED))

    found = decide([parse_rule(rule)], facts).rulings[-1]
    same = decide([parse_rule(rule.replace("exact_avg", "exact"))], facts).rulings[-1]

    assert (found.rule, found.params["figure"]) == (rule, "exact_avg")
    assert (found.outcome, found.code, found.params["value"]) == (same.outcome, same.code, same.params["value"])


def test_another_name_has_the_same_scale_and_is_listed() -> None:
    """Before a run is made, and in the sentence that lists what there is."""
    check_rules([parse_rule("exact_avg >= 0.9")], NAMED)
    with pytest.raises(SettingError, match="lies between 0 and 1"):
        check_rules([parse_rule("exact_avg >= 90")], NAMED)
    with pytest.raises(SettingError, match="exact_avg"):
        decide([parse_rule("foo >= 0.9")], _facts(names=names_of(NAMED)))


@pytest.mark.parametrize("what", sorted(UNLIKE))
def test_a_drop_of_a_judged_figure_wants_both_runs_judged_alike(what: str) -> None:
    """Another judge, certificate or version of the rules may be the whole drop; figures by rule are not touched."""
    block = _block()
    block = structs.replace(block, metrics={**block.metrics, "exact_judged": block.metrics["exact"]})
    unlike = {"figure": "exact_judged", "differs": (what,)}
    facts = _facts(block, {"figure": "exact_judged"}, judged_by=JudgedBy(names=("j",), standing="trusted"))
    found = decide([parse_rule("drop(exact_judged) <= 0.1")], structs.replace(facts, comparison=_comparison(**unlike)))

    assert _outcome("drop(exact_judged) <= 0.1", facts) == "PASS"
    assert found.outcome == "NOT MEASURED"
    assert "judged differently" in say_ruling(found.rulings[-1], "en")
    assert _outcome("drop(exact) <= 0.1", _facts(block, {"differs": (what,)})) == "PASS"


def _unasked(mean: float, high: float, n: int = 351) -> Facts:
    figure = Figure(mean=mean, n=400, not_applicable=0, total=400 * mean, open=n, mean_high=high)
    block = _block()
    block = structs.replace(block, metrics={**block.metrics, "exact_judged": figure})
    facts = _facts(block, judged_by=JudgedBy(names=("j",), standing="trusted"))
    models = {"m": structs.replace(facts.summary.models["m"], unasked=n)}
    return structs.replace(facts, summary=structs.replace(facts.summary, models=models))


@pytest.mark.parametrize(
    ("rule", "outcome"),
    [
        ("exact_judged >= 0.4", "NOT MEASURED"),
        ("exact_judged <= 0.2", "NOT MEASURED"),
        ("exact_judged >= 0.05", "PASS"),
        ("exact_judged >= 0.95", "FAIL"),
        ("exact_judged <= 0.95", "PASS"),
        ("exact_judged <= 0.05", "FAIL"),
        ("exact_judged >= 0.4 for type=fact", "NOT MEASURED"),
    ],
)
def test_questions_nobody_asked_decide_nothing(rule: str, outcome: str) -> None:
    """A judged figure is judged only where the verdict is the same over all it could be; the line says how many."""
    facts = _unasked(0.06, 0.938)
    (ruling,) = [one for one in decide([parse_rule(rule)], facts).rulings if one.rule.startswith("exact_judged")]

    assert ruling.outcome == outcome
    assert "351" in say_ruling(ruling, "en") and "351" in say_ruling(ruling, "zh-Hans")
    asked = structs.replace(facts.summary.models["m"], unasked=0)
    whole = structs.replace(facts, summary=structs.replace(facts.summary, models={"m": asked}))
    assert _outcome(rule, whole) in {"PASS", "FAIL"}


def test_a_drop_over_questions_nobody_asked_is_not_measured() -> None:
    """In either of the two runs."""
    whole, part = _unasked(0.5, 0.9, 0), _unasked(0.5, 0.9, 7)
    comparison = _comparison(figure="exact_judged")
    rule = "drop(exact_judged) <= 0.1"
    for facts, baseline in ((part, whole), (whole, part)):
        found = decide([parse_rule(rule)], structs.replace(facts, comparison=comparison, baseline=baseline))
        assert found.outcome == "NOT MEASURED" and "7" in say_ruling(found.rulings[-1], "en")
    assert _outcome(rule, structs.replace(whole, comparison=comparison, baseline=whole)) == "PASS"


def test_an_estimate_without_labels_asks_for_labels() -> None:
    """What is missing is not a judge: the run has one."""
    facts = _facts(judged_by=JudgedBy(names=("j",), standing="trusted"))
    found = decide([parse_rule("exact_estimated >= 0.1")], facts).rulings[-1]

    assert found.outcome == "NOT MEASURED"
    assert "--draw" in say_ruling(found, "en") and "--judge chat" not in say_ruling(found, "en")


def test_coverage_is_told_in_percent() -> None:
    """`answered 1` reads as one case."""
    verdict = decide([], _facts())

    assert say_ruling(verdict.rulings[-1], "en").startswith("answered 100%, at least 95% needed")
