"""The workflow file as its author writes it (YAML or JSON); all its faults are named at once.

name: news_chain
version: v1
steps:
  - {name: extract, task: event_eval}
  - {name: judge, task: stock_score, input_from: extract, model: qwen, params_override: {temperature: 0}}
"""

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from hashlib import sha256
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from ragstone.contracts.prompt_task.taskfile import read_yaml
from ragstone.core.errors import SettingError
from ragstone.core.types import JSON
from ragstone.datasets.fields.errors import field_error

END_TO_END = "end_to_end"
"""The step_id of the row for the workflow as a whole."""


def _as_list(value: JSON) -> JSON:
    return [value] if isinstance(value, str) else value or []


class _Part(BaseModel):
    """A piece of the file: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, coerce_numbers_to_str=True, use_attribute_docstrings=True)


class Step(_Part):
    """One request of a case."""

    name: Annotated[str, Field(pattern=r"^\w[\w.-]*$")]
    task: Annotated[str, Field(min_length=1)]
    """Name or path of a prompt task."""
    prompt: str | None = None
    """Another prompt for the same task."""
    input_from: Annotated[list[str], BeforeValidator(_as_list, json_schema_input_type=list[str] | str | None)] = []
    """Steps whose fields this one is given, beside the row's own."""
    model: str | None = None
    """A model of the registry; left out, each of the run's models."""
    params_override: dict[str, JSON] = {}
    """Parameters over those of the task and the run."""
    description: str | None = None
    """For people."""


class WorkflowFile(_Part):
    """Steps by name."""

    name: Annotated[str, Field(min_length=1)]
    version: str = "v1"
    steps: Annotated[list[Step], Field(min_length=1)]
    description: str | None = None
    """For people."""


class Loaded(NamedTuple):
    """A workflow with its steps in an order in which they can be worked on, and the hash of its file."""

    file: WorkflowFile
    steps: tuple[Step, ...]
    sha256: str


def read_workflow(path: Path) -> Loaded:
    """Read and check a workflow file."""
    value, raw = read_yaml(path)
    try:
        file = WorkflowFile.model_validate(value)
    except ValidationError as error:
        raise _fault(path, [_said(detail) for detail in error.errors()]) from error
    if faults := list(_faults(file.steps)):
        raise _fault(path, faults)
    return Loaded(file, _in_order(path, file.steps), sha256(raw).hexdigest())


def _fault(path: Path, faults: Sequence[str]) -> SettingError:
    return SettingError("workflow.file", file=str(path), problem="; ".join(faults))


def _said(detail: ErrorDetails) -> str:
    where = "/".join(map(str, detail["loc"])) or "(file)"
    if detail["type"] == "extra_forbidden":
        known = Step.model_fields if len(detail["loc"]) > 1 else WorkflowFile.model_fields
        return f"{where}: unknown key; known: {', '.join(known)}"
    wrong = field_error(detail)
    return f"{where}: {wrong.problem}" + (f"; expected {wrong.expected}" if wrong.expected else "")


def _faults(steps: Sequence[Step]) -> Iterator[str]:
    names = [step.name for step in steps]
    for at, step in enumerate(steps):
        if step.name == END_TO_END or step.name in names[:at]:
            yield f"steps/{at}/name: {step.name!r} is taken"
        for name in step.input_from:
            if name not in names or name == step.name:
                yield f"steps/{at}/input_from: no other step is called {name!r}; there are: {', '.join(names)}"


def _in_order(path: Path, steps: Sequence[Step]) -> tuple[Step, ...]:
    """Sort the steps so that each stands behind those it is fed by, and otherwise as in the file."""
    by_name: Mapping[str, Step] = {step.name: step for step in steps}
    sorter = TopologicalSorter({step.name: step.input_from for step in steps})
    try:
        sorter.prepare()
    except CycleError as error:
        raise _fault(path, [f"steps feed each other in a circle: {' → '.join(error.args[1])}"]) from error
    order: list[Step] = []
    while sorter.is_active():
        ready = sorter.get_ready()
        order += [by_name[name] for name in by_name if name in ready]
        sorter.done(*ready)
    return tuple(order)
