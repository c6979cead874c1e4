"""The workflow file: what it may say, and how its faults are told."""

from pathlib import Path

import pytest

from ragstone.core.errors import SettingError
from ragstone.runs.workflow.file import read_workflow


def _write(text: str) -> Path:
    path = Path("flow.yaml")
    path.write_text(text, encoding="utf-8")
    return path


def test_steps_stand_behind_those_that_feed_them() -> None:
    """The order of the file is kept where it can be; input_from may be one name or a list."""
    text = """
name: w
steps:
  - {name: c, task: t, input_from: [a, b]}
  - {name: a, task: t}
  - {name: b, task: t, input_from: a, model: m, params_override: {temperature: 0}}
"""
    loaded = read_workflow(_write(text))

    assert [step.name for step in loaded.steps] == ["a", "b", "c"]
    assert loaded.steps[1].input_from == ["a"]
    assert loaded.steps[1].params_override == {"temperature": 0}
    assert (loaded.file.version, len(loaded.sha256)) == ("v1", 64)


def test_json_will_do() -> None:
    """A workflow may be written in JSON."""
    assert read_workflow(_write('{"name": "w", "steps": [{"name": "a", "task": "t"}]}')).file.name == "w"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: w\nsteps: []", ["steps"]),
        ("name: w\nsteps:\n  - {name: a, tusk: t}", ["steps/0/tusk: unknown key", "steps/0/task"]),
        ("name: w\nstep: 1\nsteps:\n  - {name: a, task: t}", ["step: unknown key; known: name, version, steps"]),
        ("name: w\nsteps:\n  - {name: a, task: t}\n  - {name: a, task: t}", ["steps/1/name: 'a' is taken"]),
        ("name: w\nsteps:\n  - {name: end_to_end, task: t}", ["taken"]),
        ("name: w\nsteps:\n  - {name: a, task: t, input_from: [x, a]}", ["called 'x'", "called 'a'"]),
        (
            "name: w\nsteps:\n  - {name: a, task: t, input_from: b}\n  - {name: b, task: t, input_from: a}",
            ["circle"],
        ),
        ("name: w\nsteps:\n  - {name: 'a b', task: t}", ["steps/0/name"]),
        ("- 1", ["mapping"]),
    ],
)
def test_all_faults_are_named_at_once(text: str, said: list[str]) -> None:
    """Where, what, and what is allowed."""
    with pytest.raises(SettingError) as caught:
        read_workflow(_write(text))

    for part in said:
        assert part in str(caught.value)
