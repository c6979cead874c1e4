"""A case into what is sent: the rendered messages and the task's parameters."""

from collections.abc import Iterable, Mapping

from ragstone.contracts.prompt_task.cases import row_of
from ragstone.contracts.prompt_task.prompts import Prompt, variables
from ragstone.core.types import JSON, Case, Request


def request(
    prompt: Prompt,
    case: Case,
    serialize: Iterable[str],
    params: Mapping[str, JSON],
    given: Mapping[str, JSON] | None = None,
) -> Request:
    """Render the prompt for a case; `given` holds what an earlier step of a workflow came to."""
    messages = prompt.render(variables(prompt, row_of(case), serialize, given))
    return Request(id=case.id, question=case.question, messages=messages, params=dict(params))
