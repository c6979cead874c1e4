"""A property that is computed at the first look and kept."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

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
