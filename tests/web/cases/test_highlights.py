"""Marks: spans of any contract laid over any text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.web.cases.highlights import Mark, anchor_marks, answer_marks, leaves, pieces

TEXT = "首小时免费，见 parking.md 和 guide.md"


@pytest.mark.parametrize(
    ("node", "kind"),
    [
        ({"point": "免费", "verdict": "yes", "span": [0, 5]}, "good"),
        ({"point": "免费", "verdict": "no", "span": [0, 5]}, "bad"),
        ({"field": "amount", "outcome": "match", "found": "首小时"}, "good"),
        ({"kind": "amount", "text": "首小时免费", "start": 0, "end": 5, "rule": "absent"}, "bad"),
        ({"text": "x", "supported": True, "span": (0, 5)}, "good"),
    ],
)
def test_what_a_verdict_rests_on_is_marked(node: dict[str, object], kind: str) -> None:
    """Contracts word their details differently; the page reads them alike."""
    marks = answer_marks("首小时免费。", {"deep": [{"er": node}]})

    assert [mark.kind for mark in marks] == [kind]
    assert marks[0].start == 0


@pytest.mark.parametrize(
    "node",
    [
        {"span": [0, 999]},
        {"span": [5, 2]},
        {"span": [-1, 3]},
        {"span": ["a", "b"]},
        {"span": [1]},
        {"start": 0, "end": 3, "text": "something else"},
        {"found": "nowhere"},
        {"found": ""},
    ],
)
def test_a_span_that_fits_nothing_marks_nothing(node: dict[str, object]) -> None:
    """Details may speak of another text than the one shown."""
    assert answer_marks("免费停车", {"x": node}) == []


def test_documents_are_marked_right_or_wrong() -> None:
    """A wrong document is told apart."""
    found = answer_marks(TEXT, {"wrong_documents": ["guide.md"]})

    assert {(TEXT[mark.start : mark.end], mark.kind) for mark in found} == {
        ("parking.md", "cite"),
        ("guide.md", "wrong"),
    }


def test_words_of_the_gold_are_found_in_contexts() -> None:
    """Each once, single characters not at all."""
    marks = anchor_marks("首小时免费，首小时", ["首小时", "首小时", "免", "没有"])

    assert [(mark.start, mark.end) for mark in marks] == [(0, 3)]


spans = st.tuples(st.integers(-5, 60), st.integers(-5, 60))


@settings(deadline=None)
@given(st.text(max_size=50), st.lists(spans, max_size=8))
def test_pieces_put_together_are_the_text(text: str, wanted: list[tuple[int, int]]) -> None:
    """However marks overlap, no character is lost or doubled."""
    marks = [Mark(start, end, "good") for start, end in wanted if start >= 0]

    assert "".join(piece.text for piece in pieces(text, marks)) == text


def test_leaves_are_the_texts_inside() -> None:
    """Numbers and nothing are passed over."""
    assert list(leaves({"a": ["x", {"b": "y"}], "c": 1, "d": None})) == ["x", "y"]
