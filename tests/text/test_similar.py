"""Similarity follows the Eval JSON v2 document to the letter, and its index agrees with the plain rule."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.text.similar import ExpectedList, contains, coverage, matches_v2, overlap, prepare

quick = settings(max_examples=100, deadline=None)
short = st.text(alphabet="甲乙丙丁 \n𠀀ab", max_size=12)


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
    assert matches_v2(expected, got) is match
    assert ExpectedList([expected]).match([got]).got == [match]


def test_the_threshold_itself_matches() -> None:
    """18 common bigrams of 25 are exactly 0.72."""
    expected = "".join(chr(0x4E00 + at) for at in range(19))
    got = expected + "".join(chr(0x5E00 + at) for at in range(7))
    other = got[-7:] + expected

    assert overlap(prepare(expected), prepare(got)) == 0.72
    assert matches_v2("某" + expected[:-1] + "某", other) is slow_match("某" + expected[:-1] + "某", other)


@quick
@given(st.lists(short, max_size=5), st.lists(short, max_size=5))
def test_the_index_agrees_with_the_rule(expected: list[str], got: list[str]) -> None:
    """All pairs at a time give what each pair gives."""
    match = ExpectedList(expected).match(got)

    assert match.met == [[at for at, text in enumerate(expected) if slow_match(text, given)] for given in got]
    assert match.expected == [any(slow_match(text, given) for given in got) for text in expected]


@quick
@given(st.text(max_size=20), st.text(max_size=20))
def test_the_pair_agrees_with_the_rule(expected: str, got: str) -> None:
    """Any two strings, lone surrogates and astral characters included."""
    assert matches_v2(expected, got) is slow_match(expected, got)


def test_lists_count_each_side() -> None:
    """One given item may meet two expected ones, and a stray one meets none."""
    match = ExpectedList(["申請退款", "退款", "保固"]).match(["如何申請退款", "運費"])

    assert match.expected == [True, True, False]
    assert match.got == [True, False]
    assert match.met == [[0, 1], []]


def test_folded_similarity() -> None:
    """The general functions look through width, script and punctuation."""
    assert contains("他 承 諾 退款", "承诺退款")
    assert not contains("承诺退款", " ")
    assert coverage("他承诺了退款", "承诺退款") == pytest.approx(2 / 3)
    assert coverage("甲", "") == 0.0
