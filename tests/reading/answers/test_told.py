"""Which value an answer gives for what was asked."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.answers.told import Choice, Found, Outcome, Told, answers
from ragstone.text.numbers.find import find_numbers

QUESTION = "甲一共给了乙多少钱？"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("42000元", "match"),
        ("不是24000元，而是42000元", "match"),
        ("一共42000元，其中定金10000元", "match"),
        ("第一笔20000元，第二笔22000元，合计42000元", "match"),
        ("30000元、12000元，共42000元；12000元又分为8000元、4000元", "match"),
        ("42000元。“他说给了24000元”", "match"),
        ("给了42000元，后来退了5000元", "match"),
        ("42000元或24000元", "several"),
        ("42000元，24000元", "several"),
        ("总额42000元，总金额24000元", "several"),
        ("24000元（“一共42000元”）", "wrong"),
        ("可能是42000元，可能是24000元", "several"),
        ("可能是42000元", "open"),
        ("据估计有42000元", "open"),
        ("他计划给42000元", "open"),
        ("原来说24000元，后来改为42000元", "match"),
        ("原来是42000元，后来改为24000元", "wrong"),
        ("如果给了42000元就好了", "missing"),
        ("答应给42000元，但一直没有给", "missing"),
        ("没有借条的42000元", "match"),
        ("没有证据证明给了42000元", "missing"),
        ("笔录第2页写道“一共给了42000元”。", "match"),
        ("第2页：“一共给了42000元”", "match"),
        ("甲给乙的钱（第2页：“一共给了42000元”）", "match"),
        ("他没有说明用途，只说“一共给了42000元”。", "match"),
        ("笔录写道“没有给42000元”", "missing"),
        ("很多钱（第2页：“一共给了42000元”）", "wrong"),
        ("很多钱。第2页：“一共给了42000元”", "wrong"),
        ("没有给钱，笔录却写“一共给了42000元”。", "wrong"),
        ("不知道。“一共给了42000元”", "wrong"),
        ("是42000元吗？第2页：“一共给了42000元”", "wrong"),
        ("一共多少钱？第2页：“一共给了42000元”", "match"),
        ("三万二千元，哦不，四万二千元", "match"),
        ("不是42000元", "missing"),
        ("24000元", "wrong"),
        ("不知道", "missing"),
        ("有人说24000元，但笔录显示是42000元", "match"),
        ("笔录显示42000元，但有人说是24000元", "several"),
        ("一共42000元，24000元", "several"),
        ("一共给了42000元，经核实为24000元", "several"),
        ("还网贷用了24000元，给了乙42000元，租房子24500元", "match"),
    ],
)
def test_r1_3_the_right_value_among_others(text: str, outcome: Outcome) -> None:
    """R1.3: what is denied, asked, former or in doubt, and several totals, are no answer; parts and labels are fine."""
    assert _judged(text).outcome == outcome


@pytest.mark.parametrize(
    ("text", "question", "outcome"),
    [
        ("租赁合同于2027年签订，合同价24000元，起租价为42000元", "租赁合同的起租价是多少？", "match"),
        ("租赁合同的起租价为24000元，合同价为42000元", "租赁合同的起租价是多少？", "several"),
        ("The bill comes to 24000 yuan net, bringing the total to 42000 yuan.", "What is the total?", "match"),
        ("The bill comes to 42000 yuan net, bringing the total to 24000 yuan.", "What is the total?", "several"),
    ],
)
def test_the_value_behind_the_words_asked_for_is_meant(text: str, question: str, outcome: Outcome) -> None:
    """One that stands behind other words is something else; the wrong one behind the right words stays a rival."""
    assert _judged(text, question=question).outcome == outcome


def test_values_of_the_question_are_no_rivals() -> None:
    """Repeating what was asked states nothing new."""
    granted = frozenset(q.value for q in find_numbers("除了3000元，还给了多少？"))

    assert _judged("3000元的押金之外给了42000元", granted).outcome == "match"


def test_a_doubt_is_named() -> None:
    """An open verdict says what left it open."""
    assert _judged("大概率是42000元").rule == "guessed"


@settings(deadline=None)
@given(st.text(st.sampled_from("42000元不是没有吗？“”（），。或a "), max_size=60))
def test_any_text_is_read(text: str) -> None:
    """No string raises."""
    assert _judged(text).outcome in ("match", "wrong", "several", "missing", "open")


def _judged(text: str, granted: frozenset[object] = frozenset(), question: str = QUESTION) -> Choice:
    told = Told(text, question)
    found = [Found(q.value, q.start, q.end, q.rule) for q in find_numbers(told.text) if q.kind == "amount"]
    return answers(told, found, lambda one: one.value == 42000, granted=granted, margin=2)
