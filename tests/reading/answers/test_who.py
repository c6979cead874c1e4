"""Whether a name in an answer is the one asked for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.answers.told import Outcome, Told
from ragstone.reading.answers.who import judge_name

PAYEE = "收款人是谁？"
GIVER = "钱是谁转的？"
ACCOUNT = "钱进了谁的账户？"


@pytest.mark.parametrize(
    ("text", "question", "outcome"),
    [
        ("收款人是周岩，付款人是林晓舟", PAYEE, "match"),
        ("林晓舟把钱给了周岩", PAYEE, "match"),
        ("收款人是林晓舟的弟弟周岩", PAYEE, "match"),
        ("起初以为收款人是林晓舟，其实是周岩", PAYEE, "match"),
        ("周岩不是付款人，是收款人", PAYEE, "match"),
        ("收款人是周岩", "林晓舟把钱付给了谁？", "match"),
        ("周岩和林晓舟签的合同", "谁和林晓舟签的合同？", "match"),
        ("被申请人是林晓舟，申请人是周岩", "申请人是谁？", "match"),
        ("申请人是林晓舟，被申请人是周岩", "申请人是谁？", "wrong"),
        ("申请人的法定代表人是周岩，被申请人的法定代表人是林晓舟", "被申请人的法定代表人是谁？", "wrong"),
        ("被申请人的法定代表人是周岩，申请人的法定代表人是林晓舟", "被申请人的法定代表人是谁？", "match"),
        ("周岩是付款人，林晓舟是收款人", PAYEE, "wrong"),
        ("收款人是林晓舟，第2页写着收款人周岩", PAYEE, "wrong"),
        ("周岩是付款人。", PAYEE, "wrong"),
        ("周岩的弟弟", PAYEE, "wrong"),
        ("周岩没有收款", PAYEE, "wrong"),
        ("周岩与林晓舟都不是", PAYEE, "wrong"),
        ("是周岩峰", PAYEE, "wrong"),
        ("是周岩转的", GIVER, "match"),
        ("是林晓舟转给周岩的", GIVER, "wrong"),
        ("再由周岩退还", GIVER, "wrong"),
        ("交给周岩转给林晓舟", GIVER, "match"),
        ("进了周岩的账户", ACCOUNT, "match"),
        ("从林晓舟的账户转入了周岩的账户", ACCOUNT, "match"),
        ("从周岩的账户转入了林晓舟的账户", ACCOUNT, "wrong"),
        ("周岩账户汇出", ACCOUNT, "wrong"),
        ("可能是周岩", PAYEE, "open"),
        ("周岩、林晓舟", PAYEE, "several"),
        ("周岩和林晓舟", PAYEE, "several"),
        ("周岩或林晓舟", PAYEE, "several"),
        ("借款人为周岩，保证人为其兄周峰", "谁是借款合同的保证人？", "wrong"),
        ("周岩将股权转让给林晓舟，受让方为林晓舟", "股权受让方是谁？", "wrong"),
        ("保证人为周岩，借款人为林晓舟", "谁是借款合同的保证人？", "match"),
    ],
)
def test_a_name_must_stand_in_the_asked_role(text: str, question: str, outcome: Outcome) -> None:
    """The other party, a relative, one of two and a longer name are no answer."""
    assert judge_name("周岩", Told(text, question, "周岩")).outcome == outcome


def test_the_other_holder_is_named() -> None:
    """The reader is told who has the role instead."""
    assert judge_name("周岩", Told("收款人是林晓舟，周岩在场", PAYEE)).others == ("林晓舟",)


@settings(deadline=None)
@given(st.text(max_size=10), st.text(max_size=60), st.text(max_size=30))
def test_any_text_is_judged(name: str, text: str, question: str) -> None:
    """No string raises."""
    assert judge_name(name, Told(text + name, question)).outcome in ("match", "wrong", "several", "missing", "open")
