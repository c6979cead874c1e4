"""docs/settings.md has every setting there is, in its one table."""

import re
from pathlib import Path

from ragstone.core.settings import Settings

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"


def test_every_setting_stands_in_the_table() -> None:
    """The rows follow the table's head without a break, and name the settings and no others."""
    text = PAGE.read_text(encoding="utf-8")
    (table,) = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    names = re.findall(r"^\| `(\w+)`", table, re.MULTILINE)

    assert sorted(names) == sorted(Settings.__struct_fields__)
