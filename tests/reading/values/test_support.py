"""Support: each detail of an answer is judged against the evidence, with the rule that decided."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.reading.values.support import Evidence, check_specifics, unsupported
from ragstone.text.fold import squeeze

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "specifics.jsonl").read_text("utf-8").splitlines()
]
RULES = [
    ("共42000元。", "他付了4.2万元。", "same value"),
    ("先付2万元，再付1.5万元。", "合计35000元。", "sum of amounts"),
    ("借了5万元，还了2万元。", "还欠3万元。", "difference of amounts"),
    ("总价20万元，预付30%。", "预付6万元。", "share of an amount"),
    ("总价20万元，预付30%。", "余款为14万元。", "rest of an amount"),
    ("预付30%。", "剩余70%验收后付。", "rest of a share"),
    ("总价20万元，已付8万元。", "已付40%。", "ratio of amounts"),
    ("质保期24个月。", "质保两年。", "same value"),
    ("自2022年9月1日起至2024年8月31日止。", "租期两年。", "time between dates"),
    ("支持甲骨文、红帽、戴尔三家。", "共支持三家。", "same value"),
    ("2020年5月3日付款。", "2020年5月付款。", "contains the date"),
    ("2020年5月3日付款，5月20日再付。", "2020年5月20日再付。", "same date"),
    ("民國109年8月30日判決。", "2020年8月30日判决。", "same date"),
    ("电话010-62512345。", "电话是01062512345。", "same number"),
    ("账号6217001234567890123。", "账号尾号0123。", "end of a number"),
    ("被询问人：罗永平。", "羅永平到場。", "same name"),
    ("被询问人：罗永平。", "罗先生到场。", "same surname"),
    ("北京华信科技有限公司供货。", "由华信科技负责供货。", "same name"),
    ("住广西。", "住广西壮族自治区。", "parts of the place"),
    ("Led by Northwind Capital.", "It was led by Northwind Capital.", "same name"),
    ("The World Health Organization said so.", "It came from the WHO office.", "initials of a name"),
    ("月工资6500元。", "年收入78000元。", "twelve months"),
    ("延迟由12毫秒降到8毫秒。", "延迟降低了4毫秒。", "change between neighbours"),
    ("It sold 3,200 after 2,500.", "Sales rose 28%.", "change between neighbours"),
]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_labelled_row(row: dict[str, Any]) -> None:
    """Every labelled answer shows its invented details, and no other."""
    found = unsupported(row["answer"], Evidence.prepare(row["context"]), row["question"])

    told = [squeeze(verdict.specific.text) for verdict in found]
    wanted = [squeeze(text) for text in row["unsupported"]]
    assert len(told) == len(wanted)
    assert all(got in want or want in got for got, want in zip(told, wanted, strict=True))


@pytest.mark.parametrize(("evidence", "answer", "rule"), RULES)
def test_rule_of_support(evidence: str, answer: str, rule: str) -> None:
    """A supported detail names the rule that supports it."""
    verdicts = check_specifics(answer, Evidence.prepare(evidence))

    assert [verdict.rule for verdict in verdicts if verdict.rule == rule]
    assert all(verdict.supported for verdict in verdicts)


@pytest.mark.parametrize(
    ("evidence", "answer"),
    [
        ("共42000元。", "共24000元。"),
        ("共4.2元。", "共42元。"),
        ("共300美元。", "共人民币300元。"),
        ("有效期24小时。", "有效期24个月。"),
        ("一日2次。", "一次2粒。"),
        ("已付百分之四十。", "已付百分之六十。"),
        ("电话010-62512345。", "电话010-62512354。"),
        ("电话139000012345。", "电话13900001234。"),
        ("被询问人：罗永平。", "罗永安到场。"),
        ("2020年5月3日。", "2021年5月3日。"),
        ("送往成都市第五人民医院。", "送往成都市第一人民医院。"),
        ("桐城市人民法院受理。", "由桐城市中级人民法院受理。"),
        ("It sold 3,200 after 2,500.", "Sales rose 29%."),
        ("2021年5月8日借款，期限6个月。", "2021年10月8日到期。"),
        ("内存256MB。", "内存256GB。"),
        ("", "周明借了三万元。"),
        ("Led by Northwind Capital.", "It was led by Southwind Capital."),
    ],
)
def test_another_value_is_no_support(evidence: str, answer: str) -> None:
    """R0.1: different values never match."""
    assert unsupported(answer, Evidence.prepare(evidence))


def test_question_supports() -> None:
    """R1.8: what the question names is no invention."""
    verdict = check_specifics("周明付了钱。", Evidence.prepare("他付了钱。"), "周明付钱了吗？")[0]

    assert verdict.supported
    assert verdict.rule == "in the question"


def test_kinds_narrow_what_is_looked_at() -> None:
    """R1.8: a named check looks at its own kinds only."""
    evidence = Evidence.prepare("他付了钱。")
    found = unsupported("周明的电话是13900001234。", evidence, kinds={"phone"})

    assert [verdict.specific.kind for verdict in found] == ["phone"]


def test_evidence_is_the_union_of_its_texts() -> None:
    """Several texts support together."""
    evidence = Evidence.prepare("甲方付2万元。", "乙方付3万元。")

    assert not unsupported("2万元和3万元。", evidence)


def test_chinese_name_against_english_evidence() -> None:
    """A name that could only stand in another script is not called invented."""
    assert not unsupported("由北京大学张伟负责。", Evidence.prepare("A report from Peking University."))


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=30))
@settings(deadline=None)
def test_any_text_is_judged(answer: str, evidence: str, question: str) -> None:
    """Nothing raises, whatever stands in answer, evidence and question."""
    verdicts = check_specifics(answer, Evidence.prepare(evidence), question)

    assert all(verdict.rule for verdict in verdicts)


@given(st.sampled_from(ROWS))
@settings(deadline=None)
def test_evidence_supports_itself(row: dict[str, Any]) -> None:
    """A text quoted whole holds no invented detail."""
    assert not unsupported(row["context"], Evidence.prepare(row["context"]))
