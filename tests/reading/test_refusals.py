"""Answers that decline."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.refusals import read_refusal

ROWS = [
    json.loads(line) for line in (Path(__file__).parents[1] / "data" / "refusals.jsonl").read_text("utf-8").splitlines()
]


def test_labelled_rows_are_read_as_labelled() -> None:
    """Nearly every labelled row is read as its author meant it."""
    right = sum(read_refusal(row["answer"], row["question"]).abstained == row["abstained"] for row in ROWS)

    assert right / len(ROWS) >= 0.97


@pytest.mark.parametrize(
    ("question", "answer", "kind", "rule"),
    [
        ("押金多少？", "抱歉，材料中没有提到，无法回答。", "source_silent", "source_silent"),
        ("誰寫的？", "我不知道。", "does_not_know", "does_not_know"),
        ("Which lock?", "I'm sorry, but I can't assist with that.", "safety", "safety"),
        ("信是哪天寄的？", "请问您指的是哪一封信？", "does_not_know", "asks_back"),
        ("What is it?", "I cannot find it, but it is probably 12 months.", "none", "guess_follows"),
        ("姓名和住址？", "姓名为沈若兰，住址不详。", "partial", "partly_open"),
        ("噪音多少分贝？", "说明书列出了容量、功率和尺寸，但没有给出数值。", "source_silent", "source_silent"),
        ("What's the limit?", "Do you mean the upload limit or the rate limit?", "does_not_know", "asks_back"),
        ("房东的电话？", "这份租约里找不到房东的联系方式。", "source_silent", "source_silent"),
        ("Who came?", "The report says nothing about who came.", "source_silent", "source_silent"),
        ("What does 404 mean?", "It means the page could not be found.", "none", "no_decline"),
        ("合同没有规定什么？", "合同没有规定违约金。", "none", "no_decline"),
        ("为何驳回？", "原告无法提供证据。", "none", "no_decline"),
        ("报告缺少什么？", "报告没有提到成本。", "none", "no_decline"),
        ("火星上有生命吗？", "目前尚未发现火星上存在生命的证据。", "none", "no_decline"),
        ("“我不知道”用英语怎么说？", "I don't know.", "none", "no_decline"),
        ("Can I get a refund?", "Sorry, we can't give refunds after 30 days.", "none", "no_decline"),
        ("Should I invest?", "I can't give financial advice, but funds are cheaper.", "none", "answer_follows"),
        ("How many?", "I can't say exactly, around 200.", "none", "guess_follows"),
        ("礼物给了谁？", "花费五百元。记录没有说明，因此无法回答。", "does_not_know", "concluded"),
    ],
)
def test_kind_and_rule_are_named(question: str, answer: str, kind: str, rule: str) -> None:
    """R1.7: the answer as a whole declines, and the rule says how it was seen."""
    refusal = read_refusal(answer, question)

    assert (refusal.kind, refusal.rule) == (kind, rule)


def test_a_quoted_refusal_is_no_refusal() -> None:
    """Words in quotes are somebody else's."""
    assert not read_refusal("证人说“我都忘记了，无法回答”，但账单显示付给了苏映雪。").abstained


def test_the_span_marks_the_declining_words() -> None:
    """The span points into the answer as given."""
    answer = "很抱歉，附件未包含此項資訊。"

    refusal = read_refusal(answer)

    assert refusal.span is not None
    assert answer[slice(*refusal.span)] == "附件未包含此項資訊。"


@pytest.mark.parametrize("answer", ["", "   ", "……", "\n"])
def test_silence_is_no_refusal(answer: str) -> None:
    """R1.9: an empty answer declines nothing."""
    refusal = read_refusal(answer)

    assert (refusal.kind, refusal.abstained) == ("none", False)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read(answer: str) -> None:
    """No string raises, and what is none or partial never abstains."""
    refusal = read_refusal(answer)

    assert refusal.abstained == (refusal.kind not in ("none", "partial"))
