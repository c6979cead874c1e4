"""Which side of a debt a value stands on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.answers.debts import answering, asked_side
from ragstone.reading.answers.told import Found, Told
from ragstone.text.numbers.find import find_numbers

LEFT = "季春山还有多少钱没有还？"


@pytest.mark.parametrize(
    ("question", "side"),
    [
        (LEFT, "left"),
        ("还欠多少钱？", "left"),
        ("剩余多少货款未支付？", "left"),
        ("How much is still owed?", "left"),
        ("已经还了多少钱？", "done"),
        ("退了多少定金？", "done"),
        ("应退多少钱？", ""),
        ("退了多少，还有多少没有退？", ""),
        ("总价是多少？", ""),
        ("为什么没有还钱？", ""),
    ],
)
def test_a_question_asks_for_one_side(question: str, side: str) -> None:
    """What is left, what is paid, or neither."""
    assert asked_side(question) == side


@pytest.mark.parametrize(
    ("question", "text", "kept"),
    [
        (LEFT, "借款68000元，已还23000元，还剩45000元未还", ["45000元"]),
        (LEFT, "已还45000元，还剩23000元", ["23000元"]),
        (LEFT, "已经还了45000元", []),
        (LEFT, "68000元减去23000元，45000元", ["45000元"]),
        (LEFT, "45000元", ["45000元"]),
        ("已经还了多少钱？", "已归还68000元中的23000元", ["23000元"]),
        ("已经还了多少钱？", "打算还23000元", []),
        ("已经还了多少钱？", "答应还23000元，当天就还了", ["23000元"]),
        ("借了多少钱？", "已还23000元，还剩45000元", ["23000元", "45000元"]),
    ],
)
def test_only_values_on_the_side_asked_for_answer(question: str, text: str, kept: list[str]) -> None:
    """A value with the question's own verb and polarity is the answer, the others are context."""
    assert _kept(question, text) == kept


@settings(deadline=None)
@given(st.text(st.sampled_from("已还没有剩退23元，。中的减-欠“”a "), max_size=40))
def test_any_text_is_read(text: str) -> None:
    """No string breaks the reading, and nothing is added to the values."""
    assert set(_kept(LEFT, text)) <= {quantity.text for quantity in find_numbers(text)}


def _kept(question: str, text: str) -> list[str]:
    candidates = [Found(q.value, q.start, q.end, q.rule) for q in find_numbers(text)]
    return [text[one.start : one.end] for one in answering(Told(text, question), candidates)]
