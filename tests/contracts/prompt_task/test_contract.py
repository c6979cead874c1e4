"""Tests of the contract as one object, its perfect answers and its checks."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragstone.contracts.prompt_task.contract import PromptTask
from ragstone.contracts.prompt_task.phrases import PHRASES
from ragstone.contracts.prompt_task.taskfile import BUNDLED
from ragstone.core.errors import SettingError
from ragstone.core.interfaces import Contract, Source
from ragstone.core.messages import codes
from ragstone.core.types import Answer
from ragstone.datasets.check import survey
from tests.conformance.rules import RULES

from .samples import BUNDLED_TASKS, PROMPT, bundled, cases_of, open_task, score, write_task

EXACT = {"type": "exact_match", "name": "acc", "pred_field": "a", "label_field": "gt_a"}


@pytest.mark.parametrize("name", BUNDLED_TASKS)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_bundled_tasks_keep_the_rules(name: str, rule: Callable[[Contract], None]) -> None:
    """Gold is worth full marks, silence nothing, and no score leaves its range."""
    rule(bundled(name))


@pytest.mark.parametrize("name", BUNDLED_TASKS)
def test_bundled_data_is_sound(name: str) -> None:
    """At least eight rows, no findings at all, and every row is said to be fictional."""
    contract = bundled(name)
    found = survey(contract, contract._cases.path, thorough=True)

    assert found.cases >= 8
    assert found.findings == ()
    assert f"`{name}.jsonl`" in (BUNDLED / "datasets" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("answer_type", ["choice", "number", "list", "text", "reasoning"])
def test_answer_types_keep_the_rules(answer_type: str) -> None:
    """The rules hold for tasks that name no metrics, with and without a schema."""
    field, label = {
        "choice": ("value", "B"),
        "number": ("value", "4.2万元"),
        "list": ("items", ["甲", "乙"]),
        "text": ("value", "营收增长"),
        "reasoning": ("final_answer", "持有"),
    }[answer_type]
    row = {f"gt_{field}": label, "gt_evidence_ids": ["n1"], "gt_steps": ["看营收", "下结论"]}
    for schema in ([], [{"field": field, "type": "list" if answer_type == "list" else "str"}]):
        write_task(answer_type=answer_type, parse_schema=schema)
        for rule in RULES:
            rule(open_task(row))


def test_it_is_recognised_by_its_option_only() -> None:
    """Rows alone look like anything; without a task it says which there are."""
    path = Path("rows.jsonl")
    path.write_text("{}\n", encoding="utf-8")

    assert PromptTask.recognises(Source(path=path, options={"task": "event_eval"}))
    assert not PromptTask.recognises(Source(path=path, first={"gt_a": 1}))
    with pytest.raises(SettingError, match="event_eval"):
        PromptTask(Source(path=path))


def test_terms_hold_what_a_run_must_record() -> None:
    """Versions and hashes of task and prompt, how the primary score is made, and the bar."""
    contract = bundled("event_eval")
    terms = contract.terms()

    assert (terms["task"], terms["task_version"], terms["prompt_version"]) == ("event_eval", "v1", "ie_json.v1")
    assert len(terms["prompt_sha256"]) == len(terms["task_sha256"]) == 64
    assert terms["primary_score"] == ["sentiment_acc", "impact_within_tol", "keyword_f1"]
    assert (contract.task_name, contract.prompt_version) == ("event_eval", "ie_json.v1")


def test_r0_4_another_rule_is_another_scorer() -> None:
    """R0.4: the scorer version changes with the rules, not with the prompt's name or a description."""
    versions = []
    for task in (
        {"metrics": [EXACT]},
        {"metrics": [EXACT | {"normalize": False}]},
        {"metrics": [EXACT], "version": "v9"},
    ):
        write_task(**task)
        versions.append(open_task({}).scorer_version)

    assert versions[0] != versions[1]
    assert versions[0] == versions[2]


def _codes(contract: PromptTask) -> list[tuple[str | None, str, Any]]:
    found = [finding for case in cases_of(contract) for finding in contract.check(case)]
    assert all(one.code in PHRASES or one.code in codes() for one in found)
    return [(one.case_id, one.code, one.params.get("field")) for one in found]


def test_check_finds_what_does_not_fit_together() -> None:
    """A label in the prompt, a metric without its field, labels nobody uses; each said once."""
    write_task(
        prompt=PROMPT | {"user": "{{ text }} {{ gt_a }}"},
        parse_schema=[{"field": "b"}],
        metrics=[EXACT],
    )
    row = {"gt_a": "x", "gt_old": 1}

    assert _codes(open_task(row, row)) == [
        ("S1", "check.label_in_prompt", "gt_a"),
        ("S1", "check.field_unknown", "a"),
        ("S1", "check.label_unused", "gt_old"),
        ("S1", "check.unreachable", None),
        ("S2", "check.unreachable", None),
    ]


def test_check_finds_rows_that_cannot_be_won() -> None:
    """A missing label, and a label the schema would not let through."""
    write_task(parse_schema=[{"field": "a", "type": "int", "lo": 0, "hi": 5}], metrics=[EXACT])

    assert _codes(open_task({"gt_a": 3}, {}, {"gt_a": 9})) == [
        ("S2", "check.label_missing", "gt_a"),
        ("S3", "check.unreachable", None),
    ]


def test_a_label_in_the_prompt_is_shown_only_when_named() -> None:
    """A template that names a label gets it; that is the author's doing, and `check` warns of it."""
    write_task(prompt=PROMPT | {"user": "{{ text }} {{ gt_a }}"}, metrics=[EXACT])
    contract = open_task({"gt_a": "秘密"})

    assert "秘密" in contract.request(cases_of(contract)[0]).messages[1].content


def test_model_answers_fill_what_has_no_label() -> None:
    """mock_response first, then defaults; a field that must be filled is."""
    write_task(
        parse_schema=[{"field": "a"}, {"field": "b"}, {"field": "c", "type": "list"}, {"field": "d", "type": "bool"}],
        mock_response={"b": "样例", "a": "never"},
        metrics=[EXACT, {"type": "field_completeness", "fields": ["a", "b", "c"]}],
    )
    contract = open_task({"gt_a": "标签"})
    answer = json.loads(contract.model_answer(cases_of(contract)[0]).text)

    assert answer == {"a": "标签", "b": "样例", "c": ["—"], "d": False}


def test_a_metric_by_its_dotted_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The user's own function is called with two values, or with all fields and the row."""
    code = "def near(p, g, scale=1):\n    return max(0.0, 1 - abs((p or 0) - g) / scale)\n"
    code += "def whole(fields, row):\n    return 7 if fields.get('n') == row['gt_n'] else None\n"
    (tmp_path / "my_metrics_here.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("RAGSTONE_METRIC_MODULES", "my_metrics_here")
    near = {
        "type": "my_metrics_here:near",
        "name": "near",
        "pred_field": "n",
        "label_field": "gt_n",
        "params": {"scale": 10},
    }
    write_task(metrics=[near, {"type": "my_metrics_here:whole", "name": "whole", "kind": "ratio"}])
    contract = open_task({"gt_n": 10})

    assert score(contract, {"n": 5}).sub_scores == {"near": 0.5, "whole": None}
    assert score(contract, {"n": 10}).sub_scores == {"near": 1.0, "whole": 1.0}
    assert "metric_range" in score(contract, {"n": 10}).error_tags


@pytest.mark.parametrize("target", ["no_such_module_x:f", "json:no_such", "json:__name__"])
def test_a_metric_that_cannot_be_loaded_is_named(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names what was asked for."""
    monkeypatch.setenv("RAGSTONE_METRIC_MODULES", "json, no_such_module_x")
    write_task(metrics=[{"type": target, "name": "x"}])
    with pytest.raises(SettingError, match=target):
        open_task({})


@pytest.mark.parametrize("target", ["subprocess:check_output", "os:system", "my_metrics_here:near"])
def test_a_task_file_alone_runs_no_code(target: str) -> None:
    """Not even a module is imported that nobody has allowed; the message says how to allow it."""
    write_task(metrics=[{"type": target, "name": "x"}])
    with pytest.raises(SettingError, match="RAGSTONE_METRIC_MODULES"):
        open_task({})


def test_an_answer_with_contexts_keeps_them() -> None:
    """What a system retrieved stays with the reading."""
    contract = bundled("event_eval")
    case = cases_of(contract)[0]

    assert contract.read(case, Answer(text="{}", contexts=())).contexts == ()
    assert contract.score(case, contract.read(case, Answer(text="{}"))).primary_score == 0.0


@pytest.mark.parametrize(
    ("pred", "label", "near"), [("answr", "gt_answer", "answer"), ("answer", "gt_anwser", "gt_answer")]
)
def test_check_offers_the_name_that_was_meant(pred: str, label: str, near: str) -> None:
    """A metric that reads a misspelt field or label can only score 0; the nearest name is told."""
    metric = {"type": "exact_match", "name": "m", "pred_field": pred, "label_field": label}
    write_task(parse_schema=[{"field": "answer", "type": "str"}], metrics=[metric])
    contract = open_task({"gt_answer": "甲"})

    found = [one for one in contract.check(cases_of(contract)[0]) if one.code == "row.slip"]

    assert [(one.level, one.params["near"]) for one in found] == [("warning", near)]


def test_a_slip_of_all_rows_is_told_once() -> None:
    """Each row lacks the label; what it may be meant by is said at the first."""
    metric = {"type": "exact_match", "name": "m", "pred_field": "answer", "label_field": "gt_anwser"}
    write_task(parse_schema=[{"field": "answer", "type": "str"}], metrics=[metric])
    contract = open_task({"gt_answer": "甲"}, {"gt_answer": "乙"})

    found = [one.code for case in cases_of(contract) for one in contract.check(case)]

    assert (found.count("check.label_missing"), found.count("row.slip")) == (2, 1)
