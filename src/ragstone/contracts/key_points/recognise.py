"""Is this a dataset of key points? Imports next to nothing, because every dataset is asked."""

from ragstone.core.interfaces import Source
from ragstone.core.types import JSON

options: frozenset[str] = frozenset({"faithfulness", "map", "glossary"})


def recognises(source: Source) -> bool:
    """Return whether the first row has a question and what is expected of its answer, under whichever names."""
    first = _first(source)
    if not isinstance(first, dict):
        return False
    if {"q", "gold"} <= first.keys():
        return True
    from ragstone.datasets.columns import find_columns, read_map  # noqa: PLC0415 - only for tables of other tools

    return find_columns(first, read_map(source.options.get("map") or {})).is_dataset


def _first(source: Source) -> JSON:
    """Return the first row; of a JSON file, which may be anything, the first of its array."""
    if source.first is not None or source.path.suffix.lower() != ".json" or not source.path.is_file():
        return source.first
    from ragstone.datasets.rows import Row, read_rows  # noqa: PLC0415 - only for what nobody else has recognised

    row = next(read_rows(source.path), None)
    return row.value if isinstance(row, Row) else None
