"""Points whose words stand in clauses that say other things."""

import pytest

from ragstone.reading.mention import mentions
from ragstone.reading.scattered import cut
from ragstone.reading.sentences import Piece


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("儿童禁用。", 0),
        ("老人慎用，儿童禁用。", 2),
        ("It was drafted in Orlen but sealed in Tarsk", 2),
        ("a, " * 50, 0),
    ],
)
def test_a_window_is_cut_at_marks_and_contrasts(text: str, clauses: int) -> None:
    """One clause needs no look, and an endless list gets none."""
    assert len(cut(text, Piece(0, len(text)))) == clauses


@pytest.mark.parametrize(
    ("point", "answer", "word"),
    [
        ("儿童禁用", "儿童可以使用，老人禁用。", "儿童"),
        ("总部位于云州", "总部位于海州，云州设有分部。", "云州"),
        ("林岚负责预算", "林岚负责采购，周航负责预算。", "林岚"),
        ("专业版支持3个项目", "企业版支持3个项目，专业版支持5个项目。", "专业版"),
        ("每日最大剂量为4克", "单次最大剂量为4克，每日不应超过8克。", "每日"),
        ("The accord was sealed in Orlen", "The accord was negotiated in Orlen but sealed in Tarsk.", "orlen"),
    ],
)
def test_a_word_that_is_said_of_something_else_is_missing(point: str, answer: str, word: str) -> None:
    """The verdict names the word in whose place another stands."""
    mention = mentions(point, answer)

    assert (mention.verdict, mention.rule, mention.params) == ("no", "word_missing", {"word": word})


@pytest.mark.parametrize(
    ("point", "answer"),
    [
        ("儿童禁用", "老人慎用，儿童禁用。"),
        ("会员免费停车", "会员可享受折扣，还能免费停车。"),
        ("Acmeta supports Wordex", "Acmeta supports Pdfex, Wordex and Csvex."),
        ("Acmeta supports Wordex", "Acmeta supports Pdfex, but Wordex is supported too."),
    ],
)
def test_clauses_that_go_on_state_the_point(point: str, answer: str) -> None:
    """A list, an addition and a clause without a subject of its own are no rivals."""
    assert mentions(point, answer).verdict == "yes"
