"""Reads a user's YAML into plain data; aliases and merges are allowed while what they expand to stays small."""

import yaml

from ragstone.core.types import JSON

MOST_NODES = 100_000
"""Values a text may unfold into: nine aliases of nine aliases of nine … are gigabytes otherwise."""
MAX_DEPTH = 100


def load_yaml(text: str) -> JSON:
    """Read one document with YAML's safe types; raises yaml.YAMLError, ValueError or RecursionError."""
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _weigh(node, {}, 0)
        return loader.construct_document(node)
    finally:
        loader.dispose()


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
