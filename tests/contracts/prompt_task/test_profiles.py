"""Tests of scoring by answer_type (R3.5)."""

from typing import Any

import pytest

from ragstone.contracts.prompt_task.contract import PromptTask
from ragstone.core.types import MetricSpec, Scorecard

from .samples import open_task, score, write_task


def _open(answer_type: str, *rows: dict[str, Any], **task: Any) -> PromptTask:
    write_task(answer_type=answer_type, **task)
    return open_task(*rows)


@pytest.mark.parametrize(
    ("answer_type", "names", "pass_at"),
    [
        ("choice", ["choice_acc"], 1.0),
        ("number", ["value_mae", "value_within_tol"], 1.0),
        ("list", ["list_precision", "list_recall", "list_f1", "list_order"], 0.8),
        ("text", ["rouge1", "keyword_coverage"], 0.5),
        (
            "reasoning",
            [
                *("final_answer_acc", "reasoning_consistency", "reasoning_support_coverage"),
                *("evidence_precision", "evidence_recall", "evidence_f1", "evidence_support_coverage"),
                *("reasoning_step_order", "reasoning_step_coverage"),
            ],
            1.0,
        ),
    ],
)
def test_r3_5_each_answer_type_has_its_figures(answer_type: str, names: list[str], pass_at: float) -> None:
    """R3.5: a task that names no metrics is judged by its answer_type."""
    contract = _open(answer_type, {})

    assert [spec.name for spec in contract.metrics] == names
    assert all(isinstance(spec, MetricSpec) for spec in contract.metrics)
    assert contract.pass_at == pass_at


def test_r3_5_one_scorecard() -> None:
    """R3.5: primary_score, pass, sub_scores, error_tags and reasons, whatever the type."""
    card = score(_open("choice", {"gt_answer": "B"}), {"value": "C"})

    assert isinstance(card, Scorecard)
    assert (card.primary_score, card.passed, card.sub_scores) == (0.0, False, {"choice_acc": 0.0})
    assert card.error_tags == ("wrong_value",)
    assert card.reasons[0].params == {"field": "value", "expected": "B", "got": "C"}


@pytest.mark.parametrize(
    "text", ["B", "(B)", "b.", '{"value": "B"}', '{"value": "option_b"}', "答案：B", "The answer is B."]
)
def test_a_choice_has_aliases(text: str) -> None:
    """A label may carry its aliases; marks around an option do not count, and plain text will do."""
    contract = _open("choice", {"gt_value": {"value": "B", "aliases": ["option_b", "b"]}})

    assert score(contract, text).primary_score == 1.0


def test_a_tasks_aliases_hold_for_every_row() -> None:
    """Aliases of the task stand for the labels of all rows."""
    contract = _open("choice", {"gt": "positive"}, {"gt": "negative"}, answer={"aliases": {"positive": ["利好"]}})

    assert score(contract, "利好").primary_score == 1.0
    assert score(contract, "利好", 1).primary_score == 0.0


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("12.5%", {"value": 12.5, "unit": "%", "tolerance_abs": 0.5}, 1.0),
        ("12.9", {"value": 12.5, "unit": "%", "tolerance_abs": 0.5}, 1.0),
        ("13.1 pct", {"value": 12.5, "unit": "%", "tolerance_abs": 0.5}, 0.0),
        ("102", {"value": 100, "tolerance_rel": 0.02}, 1.0),
        ("103", {"value": 100, "tolerance_rel": 0.02}, 0.0),
        ("约合4.2万元", "42000元", 1.0),
        ("合计四万二千元。", 42000, 1.0),
        ("答案是 7", 7, 1.0),
        ("3 或 4", 3, 0.0),
        ("不知道", 3, 0.0),
        ('{"value": 3}', 3, 1.0),
    ],
)
def test_a_number_has_unit_and_tolerance(text: str, label: Any, expected: float) -> None:
    """R0.1 and R3.5: units are converted, both tolerances hold, two numbers are no answer."""
    assert score(_open("number", {"gt_value": label}), text).primary_score == expected


def test_a_number_in_another_unit_is_tagged() -> None:
    """0.125 where 12.5 % was asked for."""
    contract = _open("number", {"gt_value": 12.5}, answer={"unit": "%"})

    assert score(contract, "0.125").error_tags == ("wrong_unit",)
    assert score(contract, "12.5%").primary_score == 1.0


def test_a_list_names_what_is_missing_and_too_much() -> None:
    """Sets by default; a label may ask for order, which is shown."""
    contract = _open("list", {"gt_items": ["a", "b"]}, {"gt_items": {"items": ["a", "b"], "ordered": True}})
    card = score(contract, {"items": ["a", "c"]})

    assert (card.primary_score, card.error_tags) == (0.5, ("missing_item", "extra_item"))
    assert card.sub_scores["list_order"] is None
    assert score(contract, ["b", "a"], 1).sub_scores["list_order"] == 0.5
    assert score(contract, ["b", "a"], 1).error_tags == ("wrong_order",)


def test_an_ordered_list_task_is_judged_by_order() -> None:
    """`ordered: true` in the task makes order the figure that counts."""
    contract = _open("list", {"gt_items": ["a", "b"]}, answer={"ordered": True})

    assert score(contract, ["b", "a"]).primary_score == 0.5
    assert score(contract, ["a", "b"]).primary_score == 1.0


def test_a_text_is_judged_by_reference_and_keywords() -> None:
    """The mean of ROUGE and keyword coverage where a row has keywords, else ROUGE alone."""
    row = {"gt_value": "营收增长两成", "gt_keywords": ["营收", "两成"]}
    contract = _open("text", row, {"gt_value": "营收增长两成"})
    card = score(contract, "<think>想一想</think>營收增長")

    assert card.sub_scores == pytest.approx({"rouge1": 0.8, "keyword_coverage": 0.5})
    assert card.primary_score == pytest.approx(0.65)
    assert card.error_tags == ("missing_keyword",)
    assert score(contract, "营收增长两成", 1).sub_scores == {"rouge1": 1.0, "keyword_coverage": None}


def test_reasoning_is_judged_by_its_final_answer() -> None:
    """Steps and claims are shown beside; without labels they do not apply."""
    contract = _open(
        "reasoning", {"gt_final_answer": {"value": "持有"}}, {"gt_final_answer": "持有", "gt_steps": ["看营收"]}
    )
    answer = {"final_answer": {"value": "持有"}, "steps": [{"id": "s1", "text": "看营收，建议卖出"}]}
    card = score(contract, answer)

    assert card.primary_score == 1.0
    assert card.sub_scores["reasoning_consistency"] == 0.0
    assert card.sub_scores["evidence_f1"] is None
    assert score(contract, answer, 1).sub_scores["reasoning_step_order"] == 1.0
    assert score(contract, "持有").error_tags == ("unparsed",)


def test_pass_at_can_be_set() -> None:
    """The task's own threshold stands before that of its type."""
    contract = _open("list", {"gt_items": ["a", "b"]}, pass_at=0.5)

    assert score(contract, ["a", "c"]).passed


def test_the_answer_field_and_label_can_be_named() -> None:
    """A task may say where the answer and its label stand."""
    contract = _open(
        "choice",
        {"truth": "B"},
        parse_schema=[{"field": "why"}, {"field": "pick"}],
        answer={"field": "pick", "label_field": "truth"},
    )

    assert score(contract, {"why": "B", "pick": "b"}).primary_score == 1.0
