"""The base of wrappers: a system around a system, with the same interface and one concern more."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ragstone.core.interfaces import System
from ragstone.core.language import Lang
from ragstone.core.masking import Secrets
from ragstone.core.messages import message
from ragstone.core.types import JSON, Answer, Failure, Request


class Notice(NamedTuple):
    """Something a wrapper did that observers of the run are notified of."""

    code: str
    params: Mapping[str, JSON]

    def say(self, lang: Lang) -> str:
        """Return it as a sentence."""
        params = {k: bare(v, lang) if isinstance(v, Failure) else v for k, v in self.params.items()}
        return message(f"notice.{self.code}").say(lang, params)


def bare(failure: Failure, lang: Lang) -> str:
    """Return what a failure says without its full stop, to be put into a longer sentence."""
    return failure.say(lang).rstrip(".。")


Notify = Callable[[Notice], None]


def silent(notice: Notice) -> None:
    """Drop the notice."""


class Wrapper:
    """Passes everything on to the system inside; a concern overrides `ask`."""

    keeps_time = True
    """Timeouts, retries and pauses are counted here, attempt by attempt, not from outside."""

    def __init__(self, inner: System) -> None:
        self.inner = inner
        self.model_id = inner.model_id
        self.notify: Notify = silent
        self.news: list[Notice] = []
        """Notices to send as soon as there is a listener."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.inner!r})"

    @property
    def calls(self) -> int | None:
        """Calls that went through to the system inside; None where they are not counted."""
        return None

    def identity(self) -> Mapping[str, JSON]:
        """Describe the system inside: how it is asked does not change what it is."""
        return self.inner.identity()

    async def ask(self, request: Request) -> Answer:
        """Ask the system inside."""
        return await self.inner.ask(request)

    async def close(self) -> None:
        """Close the system inside."""
        await self.inner.close()


class Named(Wrapper):
    """A system under the name and with the facts it was given."""

    def __init__(self, inner: System, name: str, facts: Mapping[str, str] | None = None) -> None:
        super().__init__(inner)
        self.model_id = name
        self._facts = dict(facts or {})
        self.keeps_time = bool(getattr(inner, "keeps_time", False))
        self.makes_calls = bool(getattr(inner, "makes_calls", True))

    def identity(self) -> Mapping[str, JSON]:
        """Describe the system inside; facts that were given win over its own."""
        return {**self.inner.identity(), **self._facts}


def layers(system: System) -> Iterator[System]:
    """Walk from the outermost wrapper to the system itself, and on to the one it `asks` if there is such a one."""
    layer: System | None = system
    while layer is not None:
        yield layer
        layer = layer.inner if isinstance(layer, Wrapper) else _asked_by(layer)


def _asked_by(system: System) -> System | None:
    asked = getattr(system, "asks", None)
    return asked if asked is not None and isinstance(asked, System) else None


def calls_of(system: System) -> int | None:
    """Return how many calls were made to a system; None when no layer round it counts them."""
    counts = (layer.calls for layer in layers(system) if isinstance(layer, Wrapper))
    return next((count for count in counts if count is not None), None)


def secrets_of(system: System) -> Secrets:
    """Return what the system inside must not show; a system that keeps no keys has nothing to hide."""
    *_, inner = layers(system)
    found = getattr(inner, "secrets", None)
    return found if isinstance(found, Secrets) else Secrets()


def listen(system: System, notify: Notify) -> None:
    """Send the notices of every wrapper around a system to a function."""
    for layer in layers(system):
        if isinstance(layer, Wrapper):
            layer.notify = notify
            while layer.news:
                notify(layer.news.pop(0))


def limit_time(system: System, seconds: float) -> None:
    """Limit the time of an attempt at the system inside, where it supports that."""
    *_, inner = layers(system)
    limit = getattr(inner, "limit_time", None)
    if callable(limit):
        limit(seconds)
