"""Which of several values is stated as the answer."""

import pytest

from ragstone.contracts.legal_rag.stated import Candidate, Outcome, Told, choose
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
def test_r1_3_the_right_value_among_rivals(text: str, outcome: Outcome) -> None:
    """R1.3: several different totals are no answer, unless the others are parts or explicitly something else."""
    candidates = [Candidate(q.value, q.start, q.end, q.rule) for q in find_numbers(text) if q.kind == "amount"]
    choice = choose(Told(text), candidates, lambda candidate: candidate.value == 42000, question=QUESTION, margin=2)

    assert choice.outcome == outcome


def test_values_of_the_question_are_no_rivals() -> None:
    """Repeating what was asked states nothing new."""
    text = "3000元的押金之外给了42000元"
    candidates = [Candidate(q.value, q.start, q.end, q.rule) for q in find_numbers(text) if q.kind == "amount"]
    granted = frozenset(q.value for q in find_numbers("除了3000元，还给了多少？"))

    assert choose(Told(text), candidates, lambda c: c.value == 42000, granted=granted, margin=2).outcome == "match"
