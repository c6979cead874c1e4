"""Whether a name in an answer is the one asked for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.answers.told import Outcome, Told
from ragstone.reading.answers.who import judge_name, short_forms

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


WITNESS = "Who is the Seller's witness?"


@pytest.mark.parametrize(
    ("name", "text", "question", "outcome"),
    [
        ("Anna Reed", "Anna Reed is the Seller's witness.", WITNESS, "match"),
        ("Anna Reed", "Anna Reeder", WITNESS, "wrong"),
        ("Anna Reed", "Anna Reed-Vale", WITNESS, "wrong"),
        ("Anna Reed", "Joanna Reed", WITNESS, "wrong"),
        ("Anna Reed", "Mary Anna Reed", WITNESS, "open"),
        ("Anna Reed", "Ms. Anna Reed", WITNESS, "match"),
        ("Anna Reed", "The Buyer's witness is Anna Reed.", WITNESS, "wrong"),
        ("Anna Reed", "Anna Reed is the Buyer's witness, Tom Vale the Seller's.", WITNESS, "wrong"),
        ("Anna Reed", "Tom Vale speaks for the Seller and Anna Reed the Buyer.", WITNESS, "wrong"),
        ("the Seller", "Half the Seller, half the Buyer.", "Who pays the notary?", "open"),
        ("the Seller", "It costs the Seller nothing; the Buyer pays.", "Who pays the notary?", "wrong"),
        ("the Seller", "It is free for the Seller; the Buyer pays.", "Who pays the notary?", "open"),
        ("the Seller", "The Seller pays, unless the Buyer is late.", "Who pays the notary?", "match"),
        ("Vale Mills Ltd", "Reed Yarns LLP supplies Vale Mills Ltd.", "Which firm is the Supplier?", "wrong"),
        ("何青岚", "甲方那边是何青岚联系的", "甲方的联系人是谁？", "match"),
        ("何青岚", "乙方的联系人是何青岚", "甲方的联系人是谁？", "wrong"),
        ("何青岚", "何青岚是乙方的联系人；甲方的是陶亦", "甲方的联系人是谁？", "wrong"),
        ("甲方", "由乙方交给甲方", "钥匙交给谁？", "match"),
        ("甲方", "由甲方交给乙方", "钥匙交给谁？", "wrong"),
        ("甲方", "甲方交给物业公司", "钥匙交给谁？", "wrong"),
        ("甲方", "屋顶由乙方修，甲方监督", "屋顶由谁修？", "open"),
    ],
)
def test_a_name_is_whole_and_on_its_side(name: str, text: str, question: str, outcome: Outcome) -> None:
    """A stem is no name, and who acts for the other side is no answer."""
    assert judge_name(name, Told(text, question, name)).outcome == outcome


def test_latin_names_are_known_by_their_short_forms() -> None:
    """Ms Reed and A. Reed are Anna Reed, Vale Mills is Vale Mills Ltd; a single word has no shorter form."""
    assert {"Ms Reed", "A. Reed"} <= set(short_forms("Anna Reed"))
    assert short_forms("Vale Mills Ltd") == ["Vale Mills"]
    assert short_forms("the Seller") == short_forms("Reed") == short_forms("周岩") == []


def test_the_other_holder_is_named() -> None:
    """The reader is told who has the role instead."""
    assert judge_name("周岩", Told("收款人是林晓舟，周岩在场", PAYEE)).others == ("林晓舟",)


@settings(deadline=None)
@given(st.text(max_size=10), st.text(max_size=60), st.text(max_size=30))
def test_any_text_is_judged(name: str, text: str, question: str) -> None:
    """No string raises."""
    assert judge_name(name, Told(text + name, question)).outcome in ("match", "wrong", "several", "missing", "open")
