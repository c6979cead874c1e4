"""Sentences, clauses and quotes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.sentences import clauses, hide_quotes, listed, next_sentence, sentences


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("共4.2万元。已付清！", 2),
        ("Mr. Shen left at 3.30. He came back.", 2),
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
    ("text", "items"),
    [
        ("需要携带：\n- 证件\n- 照片\n谢谢。", ["需要携带：\n- 证件\n", "需要携带：\n- 证件\n- 照片\n"]),
        ("好。需要：\n1. 证件", ["需要：\n1. 证件"]),
        ("需要：证件", []),
        ("需要：\n证件", []),
    ],
)
def test_an_item_is_read_with_its_heading(text: str, items: list[str]) -> None:
    """Only a line that ends with a colon, and has items behind it, heads a list."""
    assert [text[piece.start : piece.end] for piece in listed(text)] == items


def test_clauses_end_at_commas() -> None:
    """A comma inside a number ends nothing."""
    text = "共42,000元，已付清"

    assert [text[piece.start : piece.end] for piece in clauses(text, sentences(text)[0])] == ["共42,000元，", "已付清"]


def test_the_next_sentence_is_found_from_any_place() -> None:
    """Looking on from a place gives the start of the next sentence, or the end."""
    assert [next_sentence("甲。乙", place) for place in (0, 2)] == [2, 3]


def test_only_the_first_sentences_can_be_asked_for() -> None:
    """A limit stops the cutting."""
    assert len(sentences("甲。" * 10, 3)) == 3


@pytest.mark.parametrize(
    ("text", "hidden"),
    [("他说“不知道”。", "他说▒▒▒▒▒。"), ("歌名是《忘》", "歌名是▒▒▒"), ("“不知道”", "“不知道”"), ("don't", "don't")],
)
def test_quotes_are_blanked_out(text: str, hidden: str) -> None:
    """Quotes keep their length; a text that is one quote stays."""
    assert hide_quotes(text) == hidden


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_pieces_never_overlap(text: str) -> None:
    """Sentences come in order and hold every visible character of the text but end marks."""
    ends = [0]
    for piece in sentences(text):
        assert ends[-1] <= piece.start < piece.end <= len(text)
        ends.append(piece.end)
    assert len(hide_quotes(text)) == len(text)
