"""Write docs/cli.md and docs/cli.zh.md from the commands' own help: `uv run python scripts/make_cli_docs.py`."""

import os
import subprocess
import sys
from pathlib import Path

CHINESE = "--chinese" in sys.argv
os.environ["RAGSTONE_LANGUAGE"] = "zh" if CHINESE else "en"

from ragstone.cli.front import COMMANDS
from ragstone.cli.main import cli
from ragstone.cli.usage import speak

TARGET = Path(__file__).parent.parent / "docs" / ("cli.zh.md" if CHINESE else "cli.md")
HEADS = {
    False: "# Command line\n\n[简体中文](cli.zh.md)\n\n"
    "Made from the commands' own help; `RAGSTONE_LANGUAGE=zh` shows it in Chinese.\n",
    True: "# 命令行\n\n[English](cli.md)\n\n由各命令自己的帮助生成；`RAGSTONE_LANGUAGE=zh` 显示中文帮助。\n",
}


def render() -> str:
    """Return the page."""
    parts = [HEADS[CHINESE]]
    root = speak(cli).context_class(cli, info_name="ragstone", **cli.context_settings)
    parts.append(f"\n```text\n{cli.get_help(root)}\n```\n")
    for name in COMMANDS:
        command = cli.get_command(root, name)
        assert command is not None
        context = command.context_class(command, info_name=name, parent=root, max_content_width=100)
        parts.append(f"\n## ragstone {name}\n\n```text\n{command.get_help(context)}\n```\n")
    return "".join(parts)


def main() -> int:
    """Write both pages, each in a process of its own, or with --check say whether they are current."""
    stale = False
    if "--check" in sys.argv:
        stale = TARGET.read_text(encoding="utf-8") != render()
    else:
        TARGET.write_text(render(), encoding="utf-8")
    other = 0 if CHINESE else subprocess.run([sys.executable, *sys.argv, "--chinese"], check=False).returncode
    return int(stale or other)


if __name__ == "__main__":
    sys.exit(main())
