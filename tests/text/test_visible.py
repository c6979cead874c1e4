"""Foreign text made harmless for readers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.text.visible import csv_cell, markdown_cell, visible_block, visible_line
from tests.needs import many


@pytest.mark.parametrize("hostile", ["\x1b[31mred", "a\rb", "\u202eevil", "\x00", "\x9b2J", "\ud800", "a\u2028b"])
def test_no_control_reaches_a_terminal(hostile: str) -> None:
    """Escapes, carriage returns, bidi marks, nulls and lone surrogates are shown, not obeyed."""
    shown = visible_line(hostile)

    assert shown.isprintable() or "\ufffd" in shown
    assert not set(shown) & {"\x1b", "\r", "\n", "\x00", "\u202e", "\x9b", "\u2028"}
    shown.encode()


def test_a_block_keeps_its_lines() -> None:
    """Line breaks stay where a block is shown."""
    assert visible_block("a\nb\x1b") == "a\nb␛"


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@x", " =cmd", "\t=1"])
def test_a_spreadsheet_computes_nothing(cell: str) -> None:
    """A formula is shown as text."""
    assert csv_cell(cell).startswith("'")


@pytest.mark.parametrize("text", ["<script>", "![x](http://a/b)", "[a](javascript:x)", "| a |", "`x`", "# h"])
def test_markdown_is_shown_as_written(text: str) -> None:
    """No link, image, tag, table or heading comes alive."""
    cell = markdown_cell(text)

    assert all(cell[at - 1] == "\\" for at, char in enumerate(cell) if char in "<>[]()|`#!")
    assert "://" not in cell


@settings(max_examples=many(200), deadline=None)
@given(st.text())
def test_every_text_can_be_shown(text: str) -> None:
    """Nothing raises, and one line stays one line."""
    for show in (visible_line, markdown_cell, csv_cell):
        assert "\n" not in show(text)
