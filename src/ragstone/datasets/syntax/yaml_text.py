"""Reads a user's YAML into plain data; aliases and merges are allowed while what they expand to stays small."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from ragstone.core.types import JSON
from ragstone.datasets.faults import Broken, unreadable

MOST_NODES = 100_000
"""Values a text may unfold into: nine aliases of nine aliases of nine … are gigabytes otherwise."""
MAX_DEPTH = 100


class PlainLoader(yaml.SafeLoader):
    """PyYAML's safe loader with the words of YAML 1.2: `no`, 7:30 and 2024-10-01 are texts, 010 is ten."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML declares it so


_WORDS = (
    ("tag:yaml.org,2002:null", r"~|null|Null|NULL|", "~nN\0"),
    ("tag:yaml.org,2002:bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("tag:yaml.org,2002:int", r"[-+]?[0-9]+", "-+0123456789"),
    ("tag:yaml.org,2002:float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("tag:yaml.org,2002:merge", "<<", "<"),
)
for _tag, _pattern, _first in _WORDS:
    PlainLoader.add_implicit_resolver(_tag, re.compile(f"(?:{_pattern})\\Z"), [*_first.replace("\0", ""), ""])


def _decimal(loader: PlainLoader, node: yaml.ScalarNode) -> int:
    # YAML 1.1 reads 010 as eight.
    return int(loader.construct_scalar(node))


PlainLoader.add_constructor("tag:yaml.org,2002:int", _decimal)

Steps = tuple[str | int, ...]
"""The way from the root to a value: names of mappings, places in lists."""


class Marked(NamedTuple):
    """A document, and the line each of its values begins at."""

    value: JSON
    lines: dict[Steps, int]


def load_yaml(text: str) -> JSON:
    """Read one document with YAML's safe types; raises yaml.YAMLError, ValueError or RecursionError."""
    return _load(yaml.SafeLoader(text))[0]


def load_marked(text: str) -> Marked:
    """Read one document as YAML 1.2 has it, with its lines; raises as `load_yaml` does."""
    value, node = _load(PlainLoader(text))
    return Marked(value, dict(_lines(node, ())) if node else {})


def read_marked(data: bytes, most: int) -> Marked | Broken:
    """Read the bytes of a file, or say why they are no YAML."""
    if len(data) > most:
        return Broken("row.too_long", {"limit": most})
    if fault := unreadable(data):
        return fault
    try:
        return load_marked(data.decode("utf-8-sig"))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return Broken("file.not_yaml", {"problem": problem_of(error)})


def _load(loader: yaml.SafeLoader) -> tuple[JSON, yaml.Node | None]:
    try:
        node = loader.get_single_node()
        if node is None:
            return None, None
        _weigh(node, {}, 0)
        return loader.construct_document(node), node
    finally:
        loader.dispose()


def _lines(node: yaml.Node, steps: Steps) -> Iterator[tuple[Steps, int]]:
    yield steps, node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        for name, inner in node.value:
            yield from _lines(inner, (*steps, str(name.value)))
    elif isinstance(node, yaml.SequenceNode):
        for place, inner in enumerate(node.value):
            yield from _lines(inner, (*steps, place))


def problem_of(error: Exception) -> str:
    """Return in one line why and where a text is no YAML, without names that only the library knows.

    >>> problem_of(yaml.reader.ReaderError("<unicode string>", 3, 0, "unicode", "special characters are not allowed"))
    'special characters are not allowed (at character 4)'
    """
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 at byte {error.start + 1}"
    if isinstance(error, yaml.reader.ReaderError):
        return f"{error.reason} (at character {error.position + 1})"
    if isinstance(error, yaml.MarkedYAMLError):
        said = " ".join(str(error.problem or error.context or "").split())
        mark = error.problem_mark or error.context_mark
        said += "; indent with spaces, not with tabs" if "'\\t'" in said else ""
        return f"{said} (at line {mark.line + 1}, column {mark.column + 1})" if mark else said
    return " ".join(str(error).split()) or type(error).__name__


def _weigh(node: yaml.Node, known: dict[int, int], depth: int) -> int:
    """Count the values a node unfolds into, each node once; one that holds itself has no end."""
    if isinstance(node, yaml.ScalarNode):
        return 1
    if id(node) in known:
        if known[id(node)] == 0:
            raise yaml.YAMLError(f"line {node.start_mark.line + 1}: a value holds itself")
        return known[id(node)]
    if depth > MAX_DEPTH:
        raise yaml.YAMLError(f"line {node.start_mark.line + 1}: nested deeper than {MAX_DEPTH}")
    known[id(node)] = 0
    inner = [part for pair in node.value for part in pair] if isinstance(node, yaml.MappingNode) else node.value
    known[id(node)] = total = 1 + sum(_weigh(part, known, depth + 1) for part in inner)
    if total > MOST_NODES:
        raise yaml.YAMLError(f"line {node.start_mark.line + 1}: unfolds into more than {MOST_NODES} values")
    return total
