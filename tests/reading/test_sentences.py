"""Sentences, clauses and quotes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.sentences import items, quotes, sentences


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("共4.2万元。已付清！", 2),
        ("Mr. Shen left at 3.30. He came back.", 2),
        ("No. The lease has ended.", 2),
        ("Invoice no. 44 and No. HX-202 are paid.", 1),
        ("第一行\n第二行", 2),
        ("“真的吗？”他问。", 2),
        ("", 0),
        ("……", 0),
    ],
)
def test_sentences_end_at_their_marks(text: str, count: int) -> None:
    """A point inside a number or behind a title ends nothing."""
    assert len(sentences(text)) == count


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("需要携带：\n- 证件\n- 照片\n谢谢。", ["- 证件\n", "- 照片\n"]),
        ("好。需要：\n1. 证件", ["1. 证件"]),
        ("需要：证件", []),
        ("需要：\n证件", []),
    ],
)
def test_an_item_is_read_with_its_heading(text: str, found: list[str]) -> None:
    """Only a line that ends with a colon, and has items behind it, heads a list."""
    assert [text[item.start : item.end] for _, item in items(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [("他说“不知道”。", ["“不知道”"]), ("歌名是《忘》", ["《忘》"]), ("don't", [])],
)
def test_quotes_are_found(text: str, found: list[str]) -> None:
    """Quotation and title marks of all kinds."""
    assert [text[piece.start : piece.end] for piece in quotes(text)] == found


@settings(deadline=None)
@given(st.text(max_size=200))
def test_pieces_never_overlap(text: str) -> None:
    """Sentences come in order and hold every visible character of the text but end marks."""
    ends = [0]
    for piece in sentences(text):
        assert ends[-1] <= piece.start < piece.end <= len(text)
        ends.append(piece.end)
