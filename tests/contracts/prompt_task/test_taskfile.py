"""Tests of task and prompt files."""

from pathlib import Path
from typing import Any

import pytest

from ragstone.contracts.prompt_task import taskfile as tf
from ragstone.core.errors import DatasetError, SettingError, UserError
from ragstone.core.messages import message

from .samples import BUNDLED_TASKS, write_task

EXACT = {"type": "exact_match", "pred_field": "a", "label_field": "gt_a"}
HERE = Path(tf.__file__).parent


def _faults(text: str) -> dict[str, str]:
    path = Path("bad.yaml")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DatasetError) as caught:
        tf.load_task("bad.yaml")
    assert all(str(finding.position).startswith("bad.yaml#/") for finding in caught.value.findings)
    said = {finding.params["field"]: finding.params for finding in caught.value.findings}
    return {field: params["expected"] or params["problem"] for field, params in said.items()}


@pytest.mark.parametrize("name", BUNDLED_TASKS)
def test_bundled_tasks_and_their_prompts_load(name: str) -> None:
    """Every bundled task is sound and finds its prompt."""
    task = tf.load_task(name).model

    assert task.name == name
    assert tf.load_prompt(task.prompt_template).model.version


def test_event_eval_is_the_documents() -> None:
    """The document's example is bundled as written."""
    task = tf.load_task("event_eval").model

    assert (task.version, task.prompt_template, task.serialize_fields) == ("v1", "ie_json", ["news_items"])
    assert task.default_params == {"response_format": {"type": "json_object"}}
    assert [rule.field for rule in task.parse_schema] == ["sentiment", "impact_score", "keywords"]
    assert [(metric.type, metric.name) for metric in task.metrics] == [
        ("exact_match", "sentiment_acc"),
        ("numeric_error", "impact"),
        ("list_overlap", "keyword"),
    ]


def test_the_users_own_task_comes_first() -> None:
    """bench/tasks in the current folder stands before the bundled ones, and so do its prompts."""
    write_task("event_eval", version="mine", metrics=[EXACT])

    assert tf.load_task("event_eval").model.version == "mine"
    assert tf.load_prompt("event_eval").path == Path("bench/prompts/event_eval.yaml")
    assert {"event_eval", "news_dedup"} <= set(tf.known("tasks"))


def test_an_unknown_task_lists_the_known_ones() -> None:
    """The message says where was looked and what there is."""
    with pytest.raises(SettingError, match=r"bench/tasks/nope.yaml.*news_analysis"):
        tf.load_task("nope")


def test_every_fault_is_named_at_once() -> None:
    """File, path and what is allowed, for all faults together."""
    faults = _faults(
        "name: x\nprompt: p\npass_at: 2\nparse_schema:\n  - {field: a, type: strange}\n  - {field: b, kind: int}\n"
        "metrics:\n  - {type: exact_match, pred_field: a, label: gt_a}\n  - {type: magic}\n"
    )

    assert faults.keys() == {
        "prompt_template",
        "prompt",
        "pass_at",
        "parse_schema/0/type",
        "parse_schema/1/kind",
        "metrics/0/label_field",
        "metrics/0/label",
        "metrics/1",
    }
    assert "prompt_template" in faults["prompt"]
    assert "max_len" in faults["parse_schema/1/kind"]
    assert "label_field" in faults["metrics/0/label"]
    assert "list_overlap" in faults["metrics/1"]


def test_a_fault_reads_as_a_sentence() -> None:
    """What is wrong, what is allowed, what was found."""
    Path("bad.yaml").write_text("name: x\nprompt_template: p\nmetrics: [{type: exact}]\n", encoding="utf-8")
    with pytest.raises(DatasetError) as caught:
        tf.load_task("bad.yaml")
    finding = caught.value.findings[0]

    assert message(finding.code).say("en", finding.params) == (
        "field 'metrics/0': unknown metric type; expected one of field_completeness, reference_rouge, custom_ratio, "
        "exact_match, numeric_error, list_overlap, reasoning_consistency, claim_evidence_overlap, "
        "reasoning_step_order, claim_verifiability, judged, or module:function, found 'exact'."
    )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("parse_schema: [{field: a, type: enum}]", "values"),
        ("parse_schema: [{field: a, type: int, lo: 5, hi: 1}]", "above"),
        ("metrics: [{type: custom_ratio, numerator_field: a}]", "denominator"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(line: str, problem: str) -> None:
    """What each key allows alone may still not fit together."""
    faults = _faults(f"name: x\nprompt_template: p\nanswer_type: text\n{line}\n")

    assert problem in next(iter(faults.values()))


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("name: x\nprompt_template: p\n", "answer_type"),
        ("name: x\nprompt_template: p\nanswer_type: text\nparse_schema: [{field: a}, {field: a}]\n", "twice"),
    ],
)
def test_a_task_that_makes_no_sense_is_refused(body: str, problem: str) -> None:
    """A task must measure something, and name each field once."""
    assert problem in _faults(body)["(file)"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: &x [1]\nb: *x\n", "aliases"),
        ("name: a\nname: b\n", "twice"),
        ("- 1\n", "mapping"),
        ("a: [\n", "expected"),
        ("a: !!python/object/apply:os.system [echo]\n", "constructor"),
        ("[" * 5000, "nested too deeply"),
        ("x" * (1 << 20) + "y", "longer"),
    ],
)
def test_a_file_that_is_no_sound_yaml_is_refused(text: str, problem: str) -> None:
    """Aliases, double keys, code and endless files are refused with a sentence."""
    Path("bad.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=problem):
        tf.load_task("bad.yaml")


def test_yes_no_and_dates_stay_texts() -> None:
    """An enum of yes and no is one of texts, and 010 is ten."""
    Path("t.yaml").write_text(
        "name: 7\nversion: 2024-01-01\nprompt_template: p\nanswer_type: choice\npass_at: 0.50\n"
        "parse_schema:\n  - {field: a, type: enum, values: [yes, no, on, 1:30, 010, 1e3, true, ~]}\n".replace(
            ", ~", ""
        ),
        encoding="utf-8",
    )
    task = tf.load_task("t.yaml").model

    assert (task.name, task.version, task.pass_at) == ("7", "2024-01-01", 0.5)
    assert task.parse_schema[0].values == ["yes", "no", "on", "1:30", 10, 1000.0, True]


@pytest.mark.parametrize("task", ["bench/tasks/own.yaml", "./bench/tasks/own.yaml", "{here}/bench/tasks/own.yaml"])
def test_no_place_is_looked_at_twice(tmp_path: Path, task: str) -> None:
    """However the task is named, each place where its prompt might be is named once."""
    with pytest.raises(SettingError) as raised:
        tf.load_prompt("nowhere", Path(task.format(here=tmp_path)))

    looked = str(raised.value).partition("Looked for ")[2].partition(". Known")[0].replace("'", "").split(", ")
    assert len(looked) == len({Path(place).resolve() for place in looked}) == 2


def test_a_prompt_is_found_beside_a_task_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """tasks/own.yaml names prompts/own.yaml from within tasks/, too."""
    (tmp_path / "tasks").mkdir()
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts/own.yaml").write_text("version: v1\nuser: hello\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "tasks")

    assert tf.load_prompt("own", Path("own.yaml")).path == Path("../prompts/own.yaml")


@pytest.mark.parametrize(
    "given",
    [
        {"positive": ["利好", "看多"], "negative": ["利空"]},
        {"利好": "positive", "看多": "positive", "negative": "利空"},
        {"positive": ["利好"], "看多": "positive", "利空": "negative"},
    ],
)
def test_aliases_may_be_written_either_way(given: dict[str, Any]) -> None:
    """A value and its other words, or each word and what it means."""
    field = tf.FieldSpec(field="s", type="enum", values=["positive", "negative"], aliases=given)

    assert field.aliases == {"positive": ["利好", "看多"], "negative": ["利空"]}


def test_aliases_of_another_shape_are_a_fault() -> None:
    """A table of tables is neither."""
    with pytest.raises(ValueError, match="list"):
        tf.FieldSpec(field="s", type="enum", values=["a"], aliases={"a": {"b": "c"}})  # type: ignore[dict-item]
