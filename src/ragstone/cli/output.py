"""Prints the result of a command: lines, or one JSON value."""

import json
import re
from collections.abc import Iterable

import click
from msgspec import to_builtins

_STEERING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def print_json(value: object) -> None:
    """Print one JSON value and nothing else; what could steer a terminal or turn writing round is escaped."""
    text = json.dumps(to_builtins(value), ensure_ascii=False, indent=2)
    click.echo(_STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def print_lines(lines: Iterable[str]) -> None:
    """Print lines."""
    for line in lines:
        click.echo(line)
