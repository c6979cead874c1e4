"""Regular expressions that are compiled when they are first used: most runs use a few of the hundreds there are."""

import re
from typing import Any, cast


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
