"""Key points stated in answers."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.mention import Point, Reply, mentions

ROWS = [
    json.loads(line) for line in (Path(__file__).parents[1] / "data" / "mention.jsonl").read_text("utf-8").splitlines()
]


def _is_stated(row: dict[str, str]) -> bool:
    return mentions(row["point"], row["answer"], row.get("question", "")).verdict == "yes"


def test_labelled_rows_are_read_as_labelled() -> None:
    """Nearly every labelled row is read as its author meant it."""
    right = sum(_is_stated(row) == row["stated"] for row in ROWS)

    assert right / len(ROWS) >= 0.96


@pytest.mark.parametrize(
    ("point", "answer", "verdict", "rule"),
    [
        ("Lumidex", "支持 Lumidex。", "yes", "verbatim"),
        ("Lumidex", "不支持Lumidex。", "no", "negated"),
        ("支持Lumidex", "是否支持Lumidex？", "no", "asked"),
        ("提高检索速度", "新索引提升了检索的速度。", "yes", "coverage"),
        ("Lumidex", "", "no", "not_found"),
        ("Lumidex", "也许是Lumidex。", "no", "guessed"),
        ("56000元", "共56000元。不对，应为65000元。", "no", "corrected"),
        ("下降20%", "下降了12%。", "no", "number_changed"),
        ("总部位于云州", "总部位于海州。", "no", "word_missing"),
        ("沈若兰起诉罗青山", "罗青山起诉沈若兰。", "no", "swapped"),
        ("云州大学", "云州师范大学。", "unsure", "apart"),
        ("支持断点续传", "如果支持断点续传就好了。", "no", "supposed"),
        ("会员可免费退货一次", "会员可免费停车一次。", "no", "word_missing"),
        ("会员可免费退货一次", "非会员可免费退货一次。", "no", "negated"),
        ("周一闭馆", "周一照常开馆，周二闭馆。", "no", "number_changed"),
        ("周一闭馆", "周一不开放。", "yes", "coverage"),
        ("由董事会任命总经理", "董事会由总经理任命。", "no", "swapped"),
        ("支持离线使用", "可以离线使用。", "yes", "coverage"),
        ("先注册再登录", "先登录再注册。", "no", "swapped"),
        ("公司成立于2008年", "公司2008年上市，2001年成立。", "no", "number_changed"),
        ("更好的向量数据库集成", "向量数据库集成较差。", "no", "negated"),
        ("Docker容器部署", "可以用 Docker 部署。", "yes", "coverage"),
        ("林岚", "报告由林岚岚提交。", "no", "not_found"),
        ("主任签字", "需由副主任签字。", "no", "word_missing"),
        ("副主任签字", "需由副主任签字。", "yes", "verbatim"),
        ("升级前需要关闭所有应用", "升级之后，请把全部应用关掉。", "no", "negated"),
        ("由保险公司承担维修费用", "维修的花费归车主出，保险公司不管。", "no", "swapped"),
        ("管理员可以撤销已发布的文章", "作者可以撤销管理员已发布的文章。", "no", "swapped"),
        ("租金3000元，押金2000元", "租金2000元，押金3000元。", "no", "swapped"),
        ("租金3000元，押金2000元", "押金是2000元，租金是3000元。", "yes", "coverage"),
        ("prices rose 5% in March", "In March, prices went up by 5%.", "yes", "coverage"),
        ("The bank sued the borrower", "He lost. The borrower sued the bank.", "no", "swapped"),
        ("The bank sued the borrower", "The borrower was sued by the bank.", "yes", "coverage"),
        ("Orders over $50 ship for free", "Shipping is free on orders below $50.", "no", "number_changed"),
        ("Sales fell in Denmark", "Denmark saw a decline in sales.", "yes", "coverage"),
        ("地球是平的", "有人认为地球是平的，这是错误的。", "no", "negated"),
        ("押金为3000元", "押金不是3000元。", "no", "negated"),
        ("押金为3000元", "押金可能是3000元。", "no", "guessed"),
        ("押金为3000元", "押金不到3000元。", "no", "number_changed"),
        ("押金为3000元", "押金为3000元以上。", "no", "number_changed"),
        ("押金为3000元", "押金从3000元调整为2000元。", "no", "number_changed"),
        ("押金为3000元", "过去押金为3000元，现在是2000元。", "no", "outdated"),
        ("行李最多20公斤", "行李不超过20公斤。", "yes", "coverage"),
        ("自动清理缓存", "避免自动清理缓存。", "no", "negated"),
        ("由周敏负责审批", "由周敏敏负责审批。", "no", "word_missing"),
        ("Orbiton", "Orbiton、Veltra均不在支持之列。", "no", "negated"),
        ("最低版本为Node 18.2", "需要Node 18.2或以上。", "yes", "coverage"),
        ("上午8点开门", "20:00开门。", "no", "number_changed"),
        ("合同自2031年4月1日生效", "合同于2031年3月12日签署，2031年4月1日生效。", "yes", "coverage"),
        ("合同自2031年4月1日生效", "合同于2031年4月1日签署，2031年5月1日生效。", "no", "number_changed"),
        ("保修期为一年", "保修期原为一年，自2031年起调整为两年。", "no", "outdated"),
        ("只有馆长可以批准外借", "所有馆员都可以批准外借，馆长还可以延长期限。", "no", "word_missing"),
        ("须提前10个工作日申请", "须提前十个自然日申请。", "no", "number_changed"),
        ("The director of Brightmoor is Tess Arden", "Brightmoor's director is Tess Arden.", "yes", "coverage"),
    ],
)
def test_the_rule_is_named(point: str, answer: str, verdict: str, rule: str) -> None:
    """Each verdict says which rule made it."""
    mention = mentions(point, answer)

    assert (mention.verdict, mention.rule) == (verdict, rule)


def test_the_span_points_into_the_answer() -> None:
    """The span marks the words as they stand in the answer."""
    answer = "目前支持ＬＵＭＩＤＥＸ。"

    mention = mentions("Lumidex", answer)

    assert mention.span is not None
    assert answer[slice(*mention.span)] == "ＬＵＭＩＤＥＸ"


def test_a_changed_number_is_named() -> None:
    """The parameters hold what was expected and what stands there."""
    mention = mentions("罚款300元", "罚款3000元。")

    assert mention.params == {"expected": "300元", "found": "3000元"}


def test_a_repeated_question_states_nothing() -> None:
    """An answer that only repeats the question is an echo."""
    question = "馆内支持断点续传"

    mention = mentions("支持断点续传", "馆内支持断点续传。", question)

    assert (mention.verdict, mention.rule) == ("no", "echo")


@pytest.mark.parametrize(
    ("answer", "question", "verdict"),
    [
        ("2021年3月入职。", "林晓什么时候入职？", "yes"),
        ("周航2021年3月入职。", "林晓什么时候入职？", "no"),
        ("2021年3月入职。", "林晓还是周航在2021年3月入职？", "no"),
        ("2021年3月入职。", "", "no"),
    ],
)
def test_an_answer_need_not_repeat_the_topic(answer: str, question: str, verdict: str) -> None:
    """A noun that the question gave may be left out, unless another stands in its place or the question offers two."""
    assert mentions("林晓2021年3月入职", answer, question).verdict == verdict


def test_any_form_of_a_point_states_it() -> None:
    """Head or alias in brackets is enough; R2.1 asks for the point, not for its gloss."""
    point = Point.prepare("召回率（Recall）")

    assert [mentions(point, answer).verdict for answer in ("看召回率。", "We report recall.", "看精确率。")] == [
        "yes",
        "yes",
        "no",
    ]


@pytest.mark.parametrize("piece", ["不支持A，", "not ", "支持。", '"', "（", "支持3次", "非", "半年", "上午9点"])
def test_long_hostile_texts_are_read(piece: str) -> None:
    """Half a megabyte of one piece neither raises nor hangs."""
    assert mentions("支持断点续传", piece * (500_000 // len(piece))).verdict == "no"


def test_prepared_sides_give_the_same_verdict() -> None:
    """Preparing both sides once changes nothing but the time."""
    point, answer = "支持断点续传", "该客户端不支持断点续传。"

    assert mentions(Point.prepare(point), Reply.prepare(answer)) == mentions(point, answer)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.text(max_size=120))
def test_any_text_is_read(point: str, answer: str) -> None:
    """No string raises, and scores stay within 0..1."""
    assert 0.0 <= mentions(point, answer).score <= 1.0
