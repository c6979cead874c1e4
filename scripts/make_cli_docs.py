"""Write docs/cli.md from the commands' own help: `uv run python scripts/make_cli_docs.py`."""

import os
import sys
from pathlib import Path

os.environ["RAGSTONE_LANGUAGE"] = "en"

import click

from ragstone.cli.main import COMMANDS, cli

TARGET = Path(__file__).parent.parent / "docs" / "cli.md"


def render() -> str:
    """Return the page."""
    parts = ["# Command line\n\nMade from the commands' own help; `RAGSTONE_LANGUAGE=zh` shows it in Chinese.\n"]
    root = click.Context(cli, info_name="ragstone", **cli.context_settings)
    parts.append(f"\n```text\n{cli.get_help(root)}\n```\n")
    for name in COMMANDS:
        command = cli.get_command(root, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=root, max_content_width=100)
        parts.append(f"\n## ragstone {name}\n\n```text\n{command.get_help(context)}\n```\n")
    return "".join(parts)


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(TARGET.read_text(encoding="utf-8") != render())
    TARGET.write_text(render(), encoding="utf-8")
