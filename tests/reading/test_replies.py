"""Answers made ready."""

from ragstone.reading.replies import Reply
from ragstone.reading.sentences import Piece


def test_windows_are_sentences_and_neighbours() -> None:
    """Single sentences come first, then two neighbours together."""
    reply = Reply.prepare("甲。乙。丙。")

    assert reply.windows == [
        (Piece(0, 2), True),
        (Piece(2, 4), True),
        (Piece(4, 6), True),
        (Piece(0, 4), False),
        (Piece(2, 6), False),
    ]


def test_values_and_words_belong_to_their_window() -> None:
    """Only what starts within the window is given."""
    reply = Reply.prepare("Paid 300 yuan. Refunded 200 yuan.")

    assert [value.text for value in reply.values_in(Piece(15, 33))] == ["200 yuan"]
    assert "refund" in reply.stems_in(Piece(15, 33))
    assert "paid" not in reply.stems_in(Piece(15, 33))
