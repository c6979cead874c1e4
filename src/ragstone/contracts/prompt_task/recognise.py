"""Is this data for a task? Imports next to nothing, because every dataset is asked."""

from ragstone.core.interfaces import Source

options = frozenset({"given", "params", "prompt", "repair", "task"})


def recognises(source: Source) -> bool:
    """Return whether a task is named; rows alone look like anything."""
    return bool(source.options.get("task"))
