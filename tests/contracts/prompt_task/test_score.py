"""Tests of the scores, ruling by ruling."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.contracts.prompt_task.contract import PromptTask
from ragstone.core.errors import SettingError
from ragstone.core.interfaces import Source
from ragstone.core.types import Answer

from .samples import bundled, cases_of, open_task, score, write_task

FULL = {"sentiment": "positive", "impact_score": 3, "keywords": ["业绩增长", "上调指引", "量产"]}
REASONING_SCHEMA = [
    {"field": "final_answer"},
    {"field": "steps", "type": "list"},
    {"field": "claims", "type": "list_raw"},
    {"field": "summary"},
    {"field": "n", "type": "int", "default": 0},
]


def _names(contract: PromptTask) -> list[str]:
    return [spec.name for spec in contract.metrics]


def test_r3_1_the_keys_are_those_the_users_have() -> None:
    """R3.1: the document's task gives exactly these figures, in this order."""
    assert _names(bundled("event_eval")) == [
        "sentiment_acc",
        "impact_mae",
        "impact_within_tol",
        "keyword_precision",
        "keyword_recall",
        "keyword_f1",
    ]


def test_r3_1_every_metric_type_has_its_keys() -> None:
    """R3.1: all ten types, without names of their own where they need none."""
    write_task(
        parse_schema=REASONING_SCHEMA,
        metrics=[
            {"type": "field_completeness", "fields": ["summary"]},
            {"type": "reference_rouge"},
            {"type": "custom_ratio", "name": "dedup_ratio", "numerator_field": "n", "denominator_fixed": 10},
            {"type": "exact_match", "pred_field": "final_answer", "label_field": "gt_final_answer"},
            {"type": "numeric_error", "pred_field": "n", "label_field": "gt_n"},
            {"type": "list_overlap", "pred_field": "steps", "label_field": "gt_list"},
            {"type": "reasoning_consistency"},
            {"type": "claim_evidence_overlap"},
            {"type": "reasoning_step_order"},
            {"type": "claim_verifiability"},
        ],
    )

    assert _names(open_task({})) == [
        "field_completeness",
        "rouge1",
        "dedup_ratio",
        "final_answer_exact_match",
        *("n_mae", "n_within_tol"),
        *("steps_precision", "steps_recall", "steps_f1"),
        *("reasoning_consistency", "reasoning_support_coverage"),
        *("evidence_precision", "evidence_recall", "evidence_f1", "evidence_support_coverage"),
        *("reasoning_step_order", "reasoning_step_coverage"),
        *("claim_verifiability", "claim_sufficiency"),
    ]


def test_r3_1_a_second_figure_of_the_same_key_needs_a_name() -> None:
    """Two summaries are two figures; the first keeps the users' key."""
    rouge = {"type": "reference_rouge", "output_field": "a"}
    write_task(metrics=[rouge, rouge | {"output_field": "b", "name": "long"}])
    assert _names(open_task({})) == ["rouge1", "long_rouge1"]

    write_task(metrics=[rouge, {**rouge}])
    with pytest.raises(SettingError, match="rouge1"):
        open_task({})


def test_r3_1_one_name_for_reasoning_and_evidence_does_not_collide() -> None:
    """The two types share a name in the users' files; support_coverage stays that of the reasoning."""
    metrics = [{"type": "claim_evidence_overlap", "name": "r"}, {"type": "reasoning_consistency", "name": "r"}]
    write_task(metrics=metrics)

    assert _names(open_task({})) == ["r_precision", "r_recall", "r_f1", "r_consistency", "r_support_coverage"]


def test_full_marks_say_so() -> None:
    """An answer that is as labelled passes, without tags."""
    card = score(bundled("event_eval"), FULL)

    assert (card.primary_score, card.passed, card.error_tags) == (1.0, True, ())
    assert card.sub_scores["impact_mae"] == 0.0
    assert [reason.code for reason in card.reasons] == ["met"]


def test_the_primary_score_is_the_mean_of_each_metrics_main_figure() -> None:
    """One figure of each metric counts: the flag, within_tol, f1."""
    card = score(bundled("event_eval"), FULL | {"sentiment": "negative", "keywords": ["业绩增长"]})

    assert card.sub_scores["keyword_f1"] == 0.5
    assert card.primary_score == pytest.approx((0 + 1 + 0.5) / 3)
    assert not card.passed
    assert card.error_tags == ("wrong_value", "missing_item")


def test_a_primary_metric_counts_alone() -> None:
    """With `primary: true` the others are shown beside it."""
    card = score(bundled("stock_score"), {"final_answer": "buy", "score": -100})

    assert card.primary_score == 1.0
    assert card.passed
    assert card.sub_scores["score_within_tol"] == 0.0


def test_a_custom_ratio_describes_and_judges_nothing() -> None:
    """Its figure is the users' (removed over given), and the primary score does not depend on it."""
    card = score(
        bundled("news_dedup"),
        {"deduped_titles": ["青禾电子三季度营收增长21%", "青禾电子新传感器量产"], "removed_count": 1},
    )

    assert card.sub_scores["dedup_ratio"] == pytest.approx(1 / 3)
    assert card.primary_score == 1.0


def test_a_ratio_above_one_is_kept_at_one_and_tagged() -> None:
    """A ratio stays a ratio."""
    card = score(bundled("news_dedup"), {"deduped_titles": [], "removed_count": 900})

    assert card.sub_scores["dedup_ratio"] == 1.0
    assert "ratio_above_one" in card.error_tags


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        ("抱歉，我不知道。", "not_json"),
        ("[1, 2]", "not_object"),
        ("42", "scalar"),
        ('{"sentiment": "pos', "truncated"),
        ('{"impact_score": NaN}', "not_finite"),
        ('{"a": 1} {"b": 2}', "two_objects"),
    ],
)
def test_r3_3_what_cannot_be_parsed_scores_zero_everywhere(text: str, code: str) -> None:
    """R3.3: 0 on every metric (an error has no value), with the reason; also where the label is empty."""
    for at in (0, 8):
        card = score(bundled("event_eval"), text, at)

        assert (card.primary_score, card.passed, card.error_tags) == (0.0, False, ("unparsed",))
        assert card.sub_scores == dict.fromkeys(card.sub_scores, 0.0) | {"impact_mae": None}
        assert card.reasons[0].code == code


def test_r3_3_unparsed_is_counted_by_its_rung() -> None:
    """R3.3: parse_rate counts readings whose rung is failed."""
    contract = bundled("event_eval")
    case = cases_of(contract)[0]

    assert contract.read(case, Answer(text="no")).rung == "failed"
    assert contract.read(case, Answer(text="```json\n{}\n```")).rung == "unfenced"
    assert contract.read(case, Answer(data=FULL)).fields == FULL


def test_r3_3_out_of_range_is_clamped_and_tagged() -> None:
    """R3.3: 9 counts as 5, and the row says so."""
    card = score(bundled("event_eval"), FULL | {"impact_score": 9})

    assert card.sub_scores["impact_mae"] == 2.0
    assert "out_of_range" in card.error_tags
    assert card.reasons[0].params == {"fields": ["impact_score"]}


def test_r3_3_an_enum_outside_its_values_falls_to_the_default() -> None:
    """R3.3: 'bullish' counts as neutral, right or wrong, and is tagged."""
    right = score(bundled("event_eval"), {"sentiment": "bullish", "impact_score": -1, "keywords": ["检修", "停航"]}, 1)
    wrong = score(bundled("event_eval"), FULL | {"sentiment": "bullish"})

    assert right.sub_scores["sentiment_acc"] == 1.0
    assert wrong.sub_scores["sentiment_acc"] == 0.0
    assert "not_allowed" in right.error_tags
    assert "not_allowed" in wrong.error_tags


@pytest.mark.parametrize("row", [{}, {"gt_a": None}, {"gt_a": "neutral"}])
def test_r3_3_exact_match_of_an_absent_field_is_zero(row: dict[str, Any]) -> None:
    """R3.3: even when the label is absent too, and even when the default would match."""
    write_task(
        parse_schema=[{"field": "a", "default": "neutral"}, {"field": "b"}],
        metrics=[{"type": "exact_match", "name": "acc", "pred_field": "a", "label_field": "gt_a"}],
    )

    assert score(open_task(row), {"b": "x"}).sub_scores == {"acc": 0.0}


def test_what_is_not_given_earns_nothing() -> None:
    """A field that is left out takes its default for show only: no flag, no overlap, no error figure from it."""
    card = score(bundled("event_eval"), {"sentiment": "neutral"}, 8)

    assert card.sub_scores["sentiment_acc"] == 1.0
    assert (card.sub_scores["impact_mae"], card.sub_scores["impact_within_tol"]) == (None, 0.0)
    assert card.sub_scores["keyword_f1"] == 0.0
    assert "missing_field" in card.error_tags


def test_a_row_without_label_scores_zero_with_the_reason() -> None:
    """R0.2: a case that cannot be compared stays in and says why."""
    write_task(metrics=[{"type": "exact_match", "name": "acc", "pred_field": "a", "label_field": "gt_a"}])
    card = score(open_task({}), {"a": "x"})

    assert (card.primary_score, card.error_tags) == (0.0, ("no_label",))


def test_a_wrong_unit_is_told_from_a_wrong_number() -> None:
    """12.5 for 0.125 is tagged wrong_unit, 13 for 12 is out of tolerance."""
    write_task(metrics=[{"type": "numeric_error", "name": "v", "pred_field": "v", "label_field": "gt_v"}])
    contract = open_task({"gt_v": 0.125}, {"gt_v": 12})

    assert score(contract, {"v": 12.5}).error_tags == ("wrong_unit",)
    assert score(contract, {"v": 13}, 1).error_tags == ("out_of_tolerance",)


def test_a_metrics_unit_reaches_the_field() -> None:
    """With unit 万元, 42000元 is 4.2 before the schema could lose the unit."""
    metric = {"type": "numeric_error", "name": "v", "pred_field": "v", "label_field": "gt_v", "unit": "万元"}
    write_task(parse_schema=[{"field": "v", "type": "float"}], metrics=[metric])
    contract = open_task({"gt_v": 4.2}, {"gt_v": "四万二千元"})

    for at in (0, 1):
        for given_value in ("42000元", "4.2万元", 4.2, "4.2"):
            assert score(contract, {"v": given_value}, at).primary_score == 1.0
        assert score(contract, {"v": 42000}, at).error_tags == ("wrong_unit",)


def test_a_metrics_aliases_reach_the_enum() -> None:
    """利好 is positive before the schema could refuse it."""
    contract = bundled("news_analysis")
    card = score(contract, {"summary": "青禾电子", "sentiment": "利好"})

    assert card.sub_scores["sentiment_acc"] == 1.0
    assert card.error_tags == ()


def test_an_ordered_list_is_judged_by_its_order() -> None:
    """With `ordered` the order makes the figure that counts."""
    metric = {"type": "list_overlap", "name": "l", "pred_field": "l", "label_field": "gt_l", "ordered": True}
    write_task(metrics=[metric])
    card = score(open_task({"gt_l": ["a", "b", "c"]}), {"l": ["a", "c", "b"]})

    assert card.sub_scores["l_f1"] == 1.0
    assert card.primary_score == pytest.approx(2 / 3)
    assert card.error_tags == ("wrong_order",)


def test_a_label_may_ask_for_an_order_by_itself() -> None:
    """`{"items": […], "ordered": true}` scores the order though the task has no figure for it."""
    write_task(metrics=[{"type": "list_overlap", "name": "l", "pred_field": "l", "label_field": "gt_l"}])
    contract = open_task({"gt_l": {"items": ["a", "b", "c"], "ordered": True}})

    assert score(contract, {"l": ["a", "b", "c"]}).primary_score == 1.0
    card = score(contract, {"l": ["a", "c", "b"]})
    assert card.sub_scores["l_f1"] == pytest.approx(2 / 3)
    assert card.error_tags == ("wrong_order",)


@pytest.mark.parametrize("below", [None, 0, -3, [], "x"])
def test_a_ratio_over_nothing_does_not_apply(below: object) -> None:
    """A missing, empty, zero or negative denominator is null with a reason, never 1."""
    metric = {"type": "custom_ratio", "name": "r", "numerator_field": "l", "denominator_sample_field": "total"}
    write_task(metrics=[metric])
    card = score(open_task({"total": below}), {"l": ["a"]})

    assert card.sub_scores["r"] is None
    assert card.error_tags == ("no_denominator",)
    assert [reason.code for reason in card.reasons] == ["no_denominator"]


def test_reasoning_and_claims() -> None:
    """Consistency, evidence, steps and verifiability of one answer."""
    answer = {
        "final_answer": "buy",
        "score": 65,
        "steps": ["营收与指引同时向好", "结论：买入"],
        "claims": [
            {"text": "营收同比增长21%", "evidence": ["news_1"]},
            {"text": "前台供应商", "evidence": ["news_3", "news_9"]},
        ],
        "rationale": "综合来看",
    }
    card = score(bundled("stock_score"), answer)

    assert card.sub_scores["reasoning_consistency"] == 0.0
    assert card.sub_scores["reasoning_step_order"] == pytest.approx(1 / 3)
    assert card.sub_scores["evidence_precision"] == pytest.approx(1 / 3)
    assert card.sub_scores["evidence_support_coverage"] == 0.5
    assert (card.sub_scores["claim_verifiability"], card.sub_scores["claim_sufficiency"]) == (1.0, 1.0)
    assert {"inconsistent", "missing_step", "missing_evidence", "extra_evidence"} <= set(card.error_tags)


def test_a_task_that_compares_nothing_counts_fields() -> None:
    """With only a ratio, the primary score is the share of fields that could be read."""
    write_task(
        parse_schema=[{"field": "a", "type": "int"}, {"field": "b"}],
        metrics=[{"type": "custom_ratio", "name": "r", "numerator_field": "a", "denominator_fixed": 10}],
    )
    card = score(open_task({}), {"a": 5})

    assert (card.sub_scores, card.primary_score) == ({"r": 0.5}, 0.5)


def test_broken_json_counts_only_when_repair_is_on() -> None:
    """Repair is said in the version, the rung, a tag and a reason."""
    broken = json.dumps(FULL, ensure_ascii=False)[:-1] + ",}"
    data = bundled("event_eval")._cases.path
    repairing = PromptTask(Source(path=data, options={"task": "event_eval", "repair": "count"}))
    card = score(repairing, broken)

    assert score(bundled("event_eval"), broken).error_tags == ("unparsed",)
    assert (card.primary_score, card.error_tags) == (1.0, ("repaired",))
    assert repairing.scorer_version.endswith("+repair")


@settings(deadline=None)
@given(
    st.text(max_size=60)
    | st.dictionaries(st.sampled_from([*FULL, "x"]), st.text(max_size=8) | st.none()).map(json.dumps)
)
def test_no_answer_leaves_the_range(text: str) -> None:
    """Whatever a model says, figures stay in 0..1 and errors are finite."""
    for card in (score(CONTRACTS[0], text), score(CONTRACTS[1], text)):
        assert 0 <= card.primary_score <= 1
        assert all(v is None or 0 <= v <= (1e18 if k.endswith("_mae") else 1) for k, v in card.sub_scores.items())
        assert card.reasons


CONTRACTS = [bundled("event_eval"), bundled("stock_score")]
