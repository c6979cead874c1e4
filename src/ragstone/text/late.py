"""Makes regular expressions and properties when first used: of hundreds, most runs need a few."""

import re
from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast


class _Late:
    """Stands for a pattern; its first use takes over the compiled one's methods, and costs nothing after that."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        # Only reached while the instance has no such attribute.
        if name not in _TAKEN:
            raise AttributeError(name)
        compiled = re.compile(self._source, self._flags)
        for taken in _TAKEN:
            self.__dict__[taken] = getattr(compiled, taken)
        return self.__dict__[name]


_TAKEN = frozenset(name for name in dir(re.Pattern) if not name.startswith("_"))


def late(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled when one of its methods is first called."""
    return cast("re.Pattern[str]", _Late(source, flags))


R = TypeVar("R")


class lazy(Generic[R]):  # noqa: N801 - it is read as a word in front of a method
    """Like functools.cached_property, without the lock that one takes before Python 3.12 at every first look."""

    def __init__(self, make: Callable[[Any], R]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> R:
        # Only reached while the instance's own dictionary has no such name.
        value: R = self._make(instance)
        instance.__dict__[self._name] = value
        return value
