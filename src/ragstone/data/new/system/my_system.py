"""A system of your own: everything Ragstone needs to ask your service.

For a plain function you need none of this: `--system python:my_module:my_function` is enough.
"""

from collections.abc import Mapping

from ragstone.core.types import JSON, Answer, Context, Request


class Shouting:
    """Answers with the question in capitals; put your client here instead."""

    model_id = "shouting-1"

    def __init__(self, mark: str) -> None:
        self._mark = mark

    def identity(self) -> Mapping[str, JSON]:
        """Describe it, without secrets."""
        return {"kind": "shouting", "mark": self._mark}

    async def ask(self, request: Request) -> Answer:
        """Answer one request; raise whatever you like, the case fails and the run goes on."""
        text = request.question.upper() + self._mark
        return Answer(text=text, contexts=(Context(source_path="shouting.md", text=text),))

    async def close(self) -> None:
        """Close connections here."""


def connect(argument: str, options: Mapping[str, JSON]) -> Shouting:
    """Make the system that `shouting:ARGUMENT` names."""
    return Shouting(argument or "!")
