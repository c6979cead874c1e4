"""Is this a dataset of key points? Imports next to nothing, because every dataset is asked."""

from ragstone.core.interfaces import Source

options: frozenset[str] = frozenset({"map", "glossary"})


def recognises(source: Source) -> bool:
    """Say whether the first row has a question and what is expected of its answer, under whichever names."""
    if not isinstance(source.first, dict):
        return False
    if {"q", "gold"} <= source.first.keys():
        return True
    from ragstone.datasets.columns import find_columns, read_map  # noqa: PLC0415 - only for tables of other tools

    return find_columns(source.first, read_map(source.options.get("map") or {})).is_dataset
