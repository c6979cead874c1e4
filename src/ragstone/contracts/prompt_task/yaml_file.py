"""A user's YAML file as plain JSON data: YAML 1.2's own words for values, no aliases, no key twice, bounded.

`yes`, `no`, `on`, `off` and `2024-01-01` stay texts, so that an enum may list them as they are.
"""

import re
from pathlib import Path
from typing import Any

import yaml

from ragstone.core.errors import SettingError
from ragstone.core.types import JSON
from ragstone.datasets.yaml_text import problem_of

MAX_BYTES = 1 << 20


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader, narrowed."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML declares it so

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse aliases: a few lines of them can unfold into gigabytes."""
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]
            raise yaml.YAMLError(f"line {event.start_mark.line + 1}: aliases (*name) are not allowed; write it out")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Refuse a key that stands twice, and keys that are no text."""
        seen: set[str] = set()
        for name, _ in node.value:
            text = str(name.value)
            if text in seen:
                raise yaml.YAMLError(f"line {name.start_mark.line + 1}: the key {text!r} stands twice")
            seen.add(text)
        return {str(name): value for name, value in super().construct_mapping(node, deep).items()}


_WORDS = (
    ("tag:yaml.org,2002:null", r"~|null|Null|NULL|", "~nN\0"),
    ("tag:yaml.org,2002:bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("tag:yaml.org,2002:int", r"[-+]?[0-9]+", "-+0123456789"),
    ("tag:yaml.org,2002:float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", "-+.0123456789"),
)
for _tag, _pattern, _first in _WORDS:
    _Loader.add_implicit_resolver(_tag, re.compile(f"(?:{_pattern})\\Z"), [*_first.replace("\0", ""), ""])


def _decimal(loader: _Loader, node: yaml.ScalarNode) -> int:
    # YAML 1.1 reads 010 as eight.
    return int(loader.construct_scalar(node))


_Loader.add_constructor("tag:yaml.org,2002:int", _decimal)


def read_yaml(path: Path) -> tuple[dict[str, JSON], bytes]:
    """Read a file that holds one mapping, and return it with the bytes it was read from."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise _fault(path, error.strerror or str(error)) from error
    if len(raw) > MAX_BYTES:
        raise _fault(path, f"longer than {MAX_BYTES} bytes")
    try:
        value: JSON = yaml.load(raw.decode("utf-8-sig"), Loader=_Loader)  # noqa: S506 - a safe loader, narrowed further
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise _fault(path, problem_of(error)) from error
    if not isinstance(value, dict):
        raise _fault(path, "expected a mapping (name: value) at the top")
    return value, raw


def _fault(path: Path, problem: str) -> SettingError:
    return SettingError("dataset.unreadable", file=str(path), problem=problem)
