"""Yes or no out of an answer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.answers.told import Told
from ragstone.reading.answers.yes_no import read_yes_no

HAD = "签协议的时候手上有没有车源？"
ADMITS = "他是否认罪认罚？"


@pytest.mark.parametrize(
    ("text", "question", "said"),
    [
        ("是", ADMITS, True),
        ("是的，他认罪认罚。", ADMITS, True),
        ("否", ADMITS, False),
        ("不认罪", ADMITS, False),
        ("他认罪认罚", ADMITS, True),
        ("他拒绝认罪认罚", ADMITS, False),
        ("他并不否认罪行", ADMITS, True),
        ("根据笔录，他愿意认罪认罚", ADMITS, True),
        ("答案：否", ADMITS, False),
        ("Yes.", ADMITS, True),
        ("No, he does not.", ADMITS, False),
        ("He did not plead guilty.", "Did he plead guilty?", False),
        ("He did plead guilty.", "Did he plead guilty?", True),
        ("没有。", HAD, False),
        ("签协议时手上没有任何车源。", HAD, False),
        ("他手上一辆车都没有", HAD, False),
        ("有，有3辆。", HAD, True),
        ("手上有车源", HAD, True),
        ("確實有車源", HAD, True),
        ("不清楚", HAD, None),
        ("无法判断是否有车源", HAD, None),
        ("是没有车源", HAD, False),
        ("true", HAD, True),
        ("今天下雨", HAD, None),
        ("", HAD, None),
    ],
)
def test_r1_3_yes_and_no_with_negation(text: str, question: str, said: bool | None) -> None:
    """R1.3: 是/否/没有/不/认/yes/no, negation understood."""
    assert read_yes_no(Told(text, question)) is said


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=30))
def test_any_text_is_read(text: str, question: str) -> None:
    """No string raises."""
    assert read_yes_no(Told(text, question)) in (True, False, None)


@pytest.mark.parametrize("piece", ["，", "“”", "是", "但"])
def test_long_hostile_texts_are_read(piece: str) -> None:
    """Thirty thousand signs in a row end in no long search."""
    assert read_yes_no(Told(piece * 30_000, HAD)) in (True, False, None)
