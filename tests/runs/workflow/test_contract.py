"""A workflow as a contract: steps, views of a row, and the whole way."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragstone.core.errors import SettingError
from ragstone.core.interfaces import Contract, Source, Staged
from ragstone.core.types import Answer, Case, Finding
from ragstone.runs.pipeline import Frame, Unit, judge
from ragstone.runs.workflow.contract import Workflow

Open = Callable[..., Workflow]


def _cases(flow: Workflow) -> list[Case]:
    return [item for item in flow.load() if isinstance(item, Case)]


def _unit(flow: Workflow) -> tuple[Unit, Frame]:
    names = flow.step_names(["m"])
    stages = tuple(flow.stage(name) for name in names)
    return Unit(0, _cases(flow)[0]), Frame(run_id="r", lang="zh-Hans", model_ids=names, stages=stages)


def test_it_is_a_staged_contract(open_flow: Open) -> None:
    """It has what both protocols ask for."""
    flow = open_flow()

    assert isinstance(flow, Contract)
    assert isinstance(flow, Staged)
    assert Workflow.recognises(Source(path=Path("x"), options={"workflow": "f"}))
    assert not Workflow.recognises(Source(path=Path("x")))


def test_steps_are_named_by_model_and_step(open_flow: Open) -> None:
    """Each model has its steps and the whole way; the names lead back to them."""
    flow = open_flow()

    names = flow.step_names(["a", "b · c"])

    assert names[:3] == ("a · first", "a · again", "a · end_to_end")
    assert [flow.stage(name).model_id for name in names] == ["a"] * 3 + ["b · c"] * 3
    assert flow.stage(names[1]).contract is flow.parts["again"]


def test_gold_scores_full_marks_and_silence_zero(open_flow: Open) -> None:
    """In every step, the whole way included."""
    flow = open_flow()
    unit, frame = _unit(flow)

    for system, stage in enumerate(frame.stages):
        perfect = judge(flow, unit._replace(system=system), stage.contract.model_answer(unit.case), frame)
        silent = judge(flow, unit._replace(system=system), Answer(), frame)
        assert (perfect.scorecard.primary_score, perfect.scorecard.passed) == (1.0, True)
        assert (silent.scorecard.primary_score, silent.scorecard.passed) == (0.0, False)
        assert perfect.step_id == stage.step_id


def test_groups_and_ids_are_those_of_the_row(open_flow: Open) -> None:
    """The steps look at the same row."""
    (first, *_) = _cases(open_flow())

    assert (first.id, first.groups) == ("S0", {"type": ("新闻",)})


def test_a_row_a_step_cannot_use_is_told_once(open_flow: Open, tmp_path: Path) -> None:
    """The same fault found by two steps is one finding."""
    flow = open_flow()
    with (tmp_path / "rows.jsonl").open("a") as file:
        file.write('{"sample_id": "S9", "ticker": "T"}\nnot json\n')

    findings = [item for item in flow.load() if isinstance(item, Finding)]

    assert [(one.code, one.position.line) for one in findings] == [("check.prompt_field", 4), ("row.not_json", 5)]


def test_another_rule_is_another_scorer_and_another_prompt_is_told(open_flow: Open) -> None:
    """The terms hold the hashes of every step; steps in another order are another scorer."""
    flow, turned = open_flow(), open_flow("name: t\nsteps:\n  - {name: first, task: event_eval}\n")

    assert flow.scorer_version != turned.scorer_version
    assert flow.prompt_version == "first=ie_json.v1, again=ie_json.v1"
    assert set(flow.terms()["prompt_sha256_by_step"]) == {"first", "again"}
    json.dumps(flow.terms())


def test_params_of_a_step_go_over_those_of_the_run(open_flow: Open) -> None:
    """Task, run, step: the later wins."""
    text = "name: t\nsteps:\n  - {name: a, task: event_eval, params_override: {temperature: 1}}\n"
    flow = open_flow(text, params='{"temperature": 0, "seed": 3}')

    request = flow.request(_cases(flow)[0])
    assert request.params == {"response_format": {"type": "json_object"}, "temperature": 1, "seed": 3}
    with pytest.raises(SettingError, match="params"):
        open_flow(text, params="{oops")


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=60), data=st.one_of(st.none(), st.text(max_size=9), st.dictionaries(st.text(), st.text())))
def test_no_answer_makes_the_whole_way_stumble(open_flow: Open, text: str, data: object) -> None:
    """Whatever a joined answer holds, it is judged, within 0..1."""
    flow = open_flow()
    unit, frame = _unit(flow)

    for answer in (Answer(text=text, data=data), Answer(text=text, data={"again": text})):
        result = judge(flow, unit._replace(system=2), answer, frame)
        assert 0.0 <= result.scorecard.primary_score <= 1.0
        assert result.error_type != "exception"
