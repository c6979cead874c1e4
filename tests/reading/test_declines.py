"""Does an answer decline: what was asked is what is unknown, and nothing else answers it."""

import json
from pathlib import Path

import pytest

from ragstone.reading.declines import declines
from ragstone.reading.statements import Statements

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize("name", ["refusals.jsonl", "declines.jsonl"])
def test_labelled_rows_are_read_as_labelled(name: str) -> None:
    """Most labelled rows are read as their author meant them, in five languages."""
    rows = [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]
    right = [
        (declines(row["question"], Statements(row["answer"])).outcome == "yes") == row["abstained"] for row in rows
    ]

    assert sum(right) / len(right) >= 0.96


@pytest.mark.parametrize(
    ("question", "answer", "outcome"),
    [
        ("公司的注册资本是多少？", "资料有限，恕难回答。", "yes"),
        ("公司的注册资本是多少？", "文档里压根没提注册资本。", "yes"),
        ("該公司的註冊資本為何？", "關於註冊資本，文中隻字未提。", "yes"),
        ("What is the fee?", "I am afraid the text does not say.", "yes"),
        ("会社の資本金はいくらですか？", "資料には資本金に関する記載がありません。", "yes"),
        ("회사의 자본금은 얼마입니까?", "문서만으로는 알 수 없습니다.", "yes"),
        ("为什么登录失败？", "因为系统无法识别您输入的验证码，请刷新后重试。", "no"),
        ("举升机是从哪家公司购买的？", "是从附近一家老店买的，因为他无法到外地进货。", "no"),
        ("在场的人叫什么名字？", "是郭子墨，不过他没有提到这件事。", "no"),
        ("What does error 404 mean?", "It means the server could not find the page.", "no"),
        ("비밀번호를 모르면 어떻게 하나요?", "비밀번호를 모르면 재설정 링크를 클릭하세요.", "no"),
        ("How many servers?", "I'm not sure, maybe 12 of them.", "no"),
        ("押金？", "…", "open"),
        ("押金？", "无", "yes"),
    ],
)
def test_declining_in_five_languages(question: str, answer: str, outcome: str) -> None:
    """An excuse beside a made-up answer declines nothing."""
    declined = declines(question, Statements(answer)).outcome == "yes"

    assert declined is (outcome == "yes")
