"""Tests of prompts and requests."""

from pathlib import Path
from typing import Any

import pytest

from ragstone.contracts.prompt_task.prompts import Prompt, PromptError, fields_of, variables
from ragstone.contracts.prompt_task.taskfile import load_prompt
from ragstone.core.errors import SettingError

from .samples import PROMPT, bundled, cases_of, open_task, write_task

EXACT = [{"type": "exact_match", "pred_field": "a", "label_field": "gt_a"}]


def _prompt(user: str, system: str = "") -> Prompt:
    write_task(prompt={"version": "v1", "system": system, "user": user}, metrics=EXACT)
    return Prompt(load_prompt("mine"))


def test_messages_are_rendered_with_parameters() -> None:
    """The document's task sends its rows as JSON and asks for a JSON object."""
    contract = bundled("event_eval")
    request = contract.request(cases_of(contract)[0])

    assert [message.role for message in request.messages] == ["system", "user"]
    assert '[{"title": "青禾电子三季度' in request.messages[1].content
    assert request.params == {"response_format": {"type": "json_object"}}


def test_an_undefined_variable_is_named_with_what_there_is() -> None:
    """A variable the row lacks is an error that names it and the fields there are."""
    prompt = _prompt("{{ text }} {{ nowhere }}")

    with pytest.raises(PromptError, match=r"'nowhere' is undefined.*text") as caught:
        prompt.render({"text": "文"})
    assert caught.value.missing == "nowhere"


@pytest.mark.parametrize("user", ["{{ items[0].title }}", "{% for x in items %}{{ x.title }}{% endfor %}"])
def test_an_undefined_part_of_a_field_is_an_error_too(user: str) -> None:
    """A row whose items lack a title cannot be asked about."""
    with pytest.raises(PromptError, match="title"):
        _prompt(user).render({"items": [{}]})


@pytest.mark.parametrize(
    "user",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ text.__init__.__globals__ }}",
        "{{ items.append(1) }}",
        "{{ text.format }}{% for x in range(9999999) %}{% endfor %}",
        "{{ 1 / 0 }}",
    ],
)
def test_the_sandbox_holds(user: str) -> None:
    """No way out to Python's insides, no change of the row, no endless range."""
    with pytest.raises(PromptError):
        _prompt(user).render({"text": "文", "items": []})


@pytest.mark.parametrize("user", ["{{ text", "{% if %}", "{{ items|random }}", "{% include 'x' %}{{ lipsum() }}"])
def test_a_broken_or_random_template_is_refused(user: str) -> None:
    """A template that is none, or that would differ from time to time, fails before a call is spent."""
    with pytest.raises(SettingError):
        _prompt(user).render({"text": "文", "items": [1]})


def test_row_values_are_never_templates() -> None:
    """Braces in a row are text."""
    message = _prompt("{{ text }}").render({"text": "{{ 7 * 7 }}"})[0]

    assert message.content == "{{ 7 * 7 }}"


def test_only_what_the_template_names_is_given() -> None:
    """Labels and other fields stay out of the variables."""
    prompt = _prompt("{{ text }} {{ items_json }}")
    row = {"text": "文", "items": [1], "gt_a": "x", "other": 1}

    assert variables(prompt, row, ["items"]) == {"text": "文", "items_json": "[1]"}
    assert fields_of(prompt, ["items"]) == ("text", "items")


def test_an_earlier_step_stands_before_the_row() -> None:
    """A workflow gives what its earlier step came to, field by field and as `input`."""
    write_task(
        prompt=PROMPT | {"user": "{{ text }} {{ input.text }} {{ n_json }}"}, metrics=EXACT, serialize_fields=["n"]
    )
    contract = open_task({"gt_a": 1}, options={"given": "input,n"})
    request = contract.request_after(cases_of(contract)[0], {"text": "前一步", "n": [1, "二"]})

    assert request.messages[1].content == '前一步 前一步 [1, "二"]'


def test_params_of_a_run_stand_before_the_tasks() -> None:
    """The option `params` overrides default_params, key by key."""
    write_task(metrics=EXACT, default_params={"temperature": 0, "max_tokens": 5})
    contract = open_task({"gt_a": 1}, options={"params": {"temperature": 0.7}})

    assert contract.request(cases_of(contract)[0]).params == {"temperature": 0.7, "max_tokens": 5}


def test_params_may_come_as_json_text() -> None:
    """A command line gives text; what is no object is refused."""
    write_task(metrics=EXACT)

    assert open_task({}, options={"params": '{"top_p": 0.5}'}).params == {"top_p": 0.5}
    for wrong in ("[1]", "x", 3):
        with pytest.raises(SettingError, match="params"):
            open_task({}, options={"params": wrong})


def test_the_hash_tells_a_changed_prompt() -> None:
    """The same version with another text has another hash."""
    write_task(metrics=EXACT)
    before = open_task({"gt_a": 1}).terms()
    path = Path("bench/prompts/mine.yaml")
    path.write_text(path.read_text(encoding="utf-8").replace("问", "请问"), encoding="utf-8")
    after = open_task({"gt_a": 1}).terms()

    assert before["prompt_version"] == after["prompt_version"] == "p.v1"
    assert before["prompt_sha256"] != after["prompt_sha256"]


def test_another_prompt_can_be_tried_on_the_same_task() -> None:
    """The option `prompt` names one."""
    write_task("other", prompt=PROMPT | {"version": "other.v2"}, metrics=EXACT)
    write_task(metrics=EXACT)
    options: dict[str, Any] = {"prompt": "other"}

    assert open_task({"gt_a": 1}, options=options).prompt_version == "other.v2"
