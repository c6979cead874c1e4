"""Tables in a terminal."""

from ragstone.report.text_table import text_table, width


def test_columns_stand_below_each_other_in_chinese() -> None:
    """Every line of a table with a right-hand column is equally wide, whatever is in its cells."""
    lines = list(text_table([["指标", "n"], ["准确率", "3"], ["ａ\x1b[2Jb", "1000"]], right=[1]))

    assert {width(line) for line in lines} == {max(map(width, lines))}
    assert "\x1b" not in "".join(lines)
