"""A JSON tree with places to fill: `{{question}}` and the like, nothing that could be run.

A string that is one place takes the value as it is, a list or a number among them; a place within a string takes its
text. Values are put into the tree, never into JSON text, so no answer or question can break out of its place.
"""

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec

from ragstone.core.errors import ConnectError
from ragstone.core.types import JSON

_PLACE = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")
Fill: TypeAlias = Callable[[Mapping[str, JSON]], JSON]
LEAVE_OUT = object()
"""What a place of its own becomes when its value is null: its key is left out."""


def compile_template(tree: JSON, known: set[str], file: str) -> Fill:
    """Read a tree once; the function it returns fills it.

    >>> compile_template({"q": "{{question}}"}, {"question"}, "f")({"question": "几点?"})
    {'q': '几点?'}
    """
    fill = _compile(tree, known, file)
    return lambda values: None if (filled := fill(values)) is LEAVE_OUT else filled


def _compile(tree: JSON, known: set[str], file: str) -> Callable[[Mapping[str, JSON]], JSON]:
    if isinstance(tree, str):
        return _compile_text(tree, known, file)
    if isinstance(tree, dict):
        items = [(key, _compile(value, known, file)) for key, value in tree.items()]
        return lambda values: {k: v for k, fill in items if (v := fill(values)) is not LEAVE_OUT}
    if isinstance(tree, list):
        fills = [_compile(value, known, file) for value in tree]
        return lambda values: [v for fill in fills if (v := fill(values)) is not LEAVE_OUT]
    return lambda values: tree


def _compile_text(text: str, known: set[str], file: str) -> Callable[[Mapping[str, JSON]], JSON]:
    names = _PLACE.findall(text)
    unknown = sorted(set(names) - known)
    if unknown:
        there = ", ".join(sorted(known)) or "none; write it under variables"
        problem = f"there is no value for {{{{{unknown[0]}}}}} here; known: {there}"
        raise ConnectError("ask.mapping", file=file, problem=problem)
    if not names:
        return lambda values: text
    if _PLACE.fullmatch(text):
        name = names[0]
        return lambda values: LEAVE_OUT if values[name] is None else values[name]
    return lambda values: _PLACE.sub(lambda match: as_text(values[match[1]]), text)


def places_in(tree: JSON) -> set[str]:
    """Return the names of the places in a tree.

    >>> sorted(places_in({"q": "{{question}}", "more": ["{{ id }} of {{n}}", 1]}))
    ['id', 'n', 'question']
    """
    if isinstance(tree, str):
        return set(_PLACE.findall(tree))
    items = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return set().union(*map(places_in, items))


def as_text(value: JSON) -> str:
    """Write a value into a text."""
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
