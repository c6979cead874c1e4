"""Similarity follows the Eval JSON v2 document to the letter."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.text.similar import coverage, overlap, prepare, similar

quick = settings(deadline=None)
short = st.text(alphabet="甲乙丙丁 \n𠀀ab", max_size=12)


def matches(expected: str, got: str) -> bool:
    """Two texts as the contract compares them."""
    return similar(prepare(expected), prepare(got))


def slow_match(expected: str, got: str) -> bool:
    """The document's rule in its own words."""
    one, other = "".join(expected.split()), "".join(got.split())
    if not one or not other:
        return False
    left, right = ({text[at : at + 2] for at in range(len(text) - 1)} for text in (one, other))
    return one in other or other in one or (bool(left | right) and len(left & right) / len(left | right) >= 0.72)


@pytest.mark.parametrize(
    ("expected", "got", "match"),
    [
        ("一般讀者", "一般讀者", True),
        ("一般 讀者", "一般讀者\n", True),
        ("讀者", "一般讀者", True),
        ("一般讀者", "讀者", True),
        ("一般讀者", "一般读者", False),
        ("Reader", "reader", False),
        ("", "", False),
        ("甲", "", False),
        ("甲", "乙", False),
        ("如何申請退款的流程說明", "如何申請退款之流程說明", False),
        ("保固期內免費維修，保固期外酌收零件費用", "保固期內免費維修；保固期外酌收零件費用", True),
    ],
)
def test_matches_by_the_document(expected: str, got: str, match: bool) -> None:
    """Containment or bigram Jaccard of 0.72, white space removed, nothing folded (ruling R4.1)."""
    assert matches(expected, got) is match


def test_the_threshold_itself_matches() -> None:
    """18 common bigrams of 25 are exactly 0.72."""
    expected = "".join(chr(0x4E00 + at) for at in range(19))
    got = expected + "".join(chr(0x5E00 + at) for at in range(7))
    other = got[-7:] + expected

    assert overlap(prepare(expected), prepare(got)) == 0.72
    assert matches("某" + expected[:-1] + "某", other) is slow_match("某" + expected[:-1] + "某", other)


@quick
@given(short | st.text(max_size=20), short | st.text(max_size=20))
def test_the_pair_agrees_with_the_rule(expected: str, got: str) -> None:
    """Any two strings, lone surrogates and astral characters included."""
    assert matches(expected, got) is slow_match(expected, got)


def test_folded_similarity() -> None:
    """Coverage looks through width, script and punctuation."""
    assert coverage("他 承 諾 退款", "承诺退款") == 1.0
    assert coverage("他承诺了退款", "承诺退款") == pytest.approx(2 / 3)
    assert coverage("甲", "") == 0.0
