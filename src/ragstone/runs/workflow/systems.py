"""What the steps of a workflow ask: a model that other steps ask, too, or nothing at all."""

from collections.abc import Mapping

from ragstone.core.errors import RunError
from ragstone.core.interfaces import System
from ragstone.core.types import JSON, Answer, Request
from ragstone.systems.wrappers.wrapper import Wrapper


class Shared(Wrapper):
    """A model under the name of one step; only one of its steps closes it."""

    def __init__(self, inner: System, name: str, *, closes: bool) -> None:
        super().__init__(inner)
        self.model_id = name
        self.keeps_time = bool(getattr(inner, "keeps_time", False))
        self._closes = closes

    async def close(self) -> None:
        """Close the model, once."""
        if self._closes:
            await self.inner.close()


class Joined:
    """Stands for the whole way: its answers are put together from those of the steps."""

    def __init__(self, name: str) -> None:
        self.model_id = name

    def identity(self) -> Mapping[str, JSON]:
        """Describe the joined steps."""
        return {"kind": "end_to_end"}

    async def ask(self, request: Request) -> Answer:
        """Refuse: nothing is sent for the whole way."""
        raise RunError("run.silent", model=self.model_id, id=request.id)

    async def close(self) -> None:
        """Nothing is held."""
