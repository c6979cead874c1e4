"""Draw what `ragstone demo` prints as an SVG picture: `uv run python scripts/make_picture.py docs/images/demo.svg`.

`LANG=en_US.UTF-8` before it draws the English one, docs/images/demo-english.svg.
"""

import html
import os
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

CELL, LINE, PAD = 7.8, 20, 16
COLOURS = {"[EVAL]": "#7aa2f7", "Notes:": "#e0af68", "$": "#9ece6a"}


def columns(text: str) -> int:
    """Count terminal columns: wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def draw(lines: list[str]) -> str:
    """Return the picture of a terminal with these lines."""
    width = max(map(columns, lines)) * CELL + 2 * PAD
    height = len(lines) * LINE + 2 * PAD
    rows = []
    for number, line in enumerate(lines):
        colour = next((value for start, value in COLOURS.items() if line.startswith(start)), "#c0caf5")
        y = PAD + number * LINE + 14
        rows.append(f'<text x="{PAD}" y="{y}" fill="{colour}" xml:space="preserve">{html.escape(line)}</text>')
    style = 'font-family="ui-monospace, Menlo, Consolas, \'Noto Sans Mono CJK SC\', monospace" font-size="13"'
    frame = '<rect width="100%" height="100%" rx="8" fill="#1a1b26"/>'
    size = f'width="{width:.0f}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>{frame}{"".join(rows)}</svg>\n'


def main() -> None:
    """Run the demo in an empty folder and draw it."""
    with tempfile.TemporaryDirectory() as folder:
        place = str(Path(sys.executable).parent)
        env = {**os.environ, "PATH": f"{place}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run(
            ["ragstone", "demo"], cwd=folder, env=env, capture_output=True, encoding="utf-8", check=True
        )
    lines = ["$ ragstone demo", *done.stdout.rstrip().splitlines()]
    Path(sys.argv[1]).write_text(draw(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
