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


STORES = "仓储费由存货方承担吗？"
SIGNS = "Did the Tenant sign the inventory?"


@pytest.mark.parametrize(
    ("text", "question", "said"),
    [
        ("仓储费由存货方承担", STORES, True),
        ("由存货方承担", STORES, True),
        ("仓储费不由存货方承担", STORES, False),
        ("不由存货方承担", STORES, False),
        ("存货方不承担仓储费", STORES, False),
        ("存货方只付装卸费", STORES, None),
        ("存货方承担装卸费", STORES, None),
        ("存货方承担一半仓储费", STORES, None),
        ("定金由卖方退还", "定金由买方退还吗？", False),
        ("由卖方退还", "定金由买方退还吗？", False),
        ("定金不由卖方退还", "定金由买方退还吗？", None),
        ("由甲方退还", "定金由买方退还吗？", None),
        ("是的，由买方退还", "定金由买方退还吗？", True),
        ("只有乙方有权转租", "甲方是否有权转租？", None),
        ("甲方有权转租", "甲方是否有权转租？", True),
        ("The Tenant signed the inventory.", SIGNS, True),
        ("The Tenant signed it.", SIGNS, True),
        ("The Tenant signed the lease.", SIGNS, None),
        ("The inventory was never signed by the Tenant.", SIGNS, False),
        ("Only the agent signed the inventory.", SIGNS, None),
        ("第五条约定承租人不得转租", "合同是否允许转租？", False),
        ("运费由买方另付", "货款是否包含运费？", False),
        ("The fee is non-refundable.", "Is the fee refundable?", False),
        ("It is refundable within ten days of notice.", "Is the fee refundable?", True),
        ("The fee falls due on receipt of goods, not on dispatch.", "Does the fee fall due on dispatch?", False),
    ],
)
def test_only_what_was_asked_proves_it(text: str, question: str, said: bool | None) -> None:
    """Another party, another thing and a part prove nothing; the other side in its place denies it."""
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
